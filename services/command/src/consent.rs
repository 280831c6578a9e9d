//! What visitors agree to: in which words, on which page, and from which address, so that it can be
//! proved (GDPR, article 7.1). The forms' words are made from the same file.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use contracts::Locale;
use http::{HeaderMap, header};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use sqlx::{Postgres, Transaction};
use url::Url;
use uuid::Uuid;

use crate::{Ending, Error, events, rate};

/// The longest path that is kept, in characters.
const MAX_PAGE_LENGTH: usize = 200;

/// The words of each purpose, the latest last.
static TEXTS: LazyLock<Vec<Text>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../consents.json")).unwrap_or_default());

/// What somebody agrees to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// News and offers by mail.
    Marketing,
    /// Mails about homes that a search finds, to a mailbox without an account.
    Alerts,
    /// What becomes of an enquiry's data, which whoever sends one is told below its form.
    Privacy,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Marketing => "marketing",
            Self::Alerts => "alerts",
            Self::Privacy => "privacy",
        }
    }
}

/// Words that somebody agrees to.
#[derive(Debug, Deserialize)]
struct Text {
    purpose: Purpose,
    version: String,
    en: String,
    es: String,
}

impl Text {
    fn hash(&self, locale: Locale) -> Vec<u8> {
        let words = match locale {
            Locale::En => &self.en,
            Locale::Es => &self.es,
        };
        Sha256::digest(words).to_vec()
    }
}

/// Where somebody presses a button.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    /// The path of the page.
    pub page: Option<String>,
    /// The address of the network that it came from.
    pub from: Option<String>,
    /// When, where that was before now.
    pub at: Option<DateTime<Utc>>,
}

impl Press {
    /// As `headers` tell it. Of the page only its path is kept: its query may hold a secret.
    pub fn of(headers: &HeaderMap) -> Self {
        let referer = headers.get(header::REFERER).and_then(|page| page.to_str().ok());
        let page = referer.and_then(|page| page.parse::<Url>().ok());
        Self {
            page: page.map(|page| page.path().chars().take(MAX_PAGE_LENGTH).collect()),
            from: rate::address(headers).map(|address| address.to_string()),
            at: None,
        }
    }
}

/// What somebody agreed with.
#[derive(Clone, Copy, Debug)]
pub enum GivenWith {
    /// An account.
    Account(Uuid),
    /// An enquiry.
    Enquiry(Uuid),
    /// A search without an account.
    Search(Uuid),
}

/// Keeps that mails are wanted, unless that is known: `asked` for on a page in the language in which its words
/// were `read_in` and, where a mail was to prove the address, `confirmed` on another.
pub async fn give(
    transaction: &mut Transaction<'_, Postgres>,
    with: GivenWith,
    read_in: Locale,
    asked: &Press,
    confirmed: Option<&Press>,
) -> Result<(), Error> {
    let (purpose, account, enquiry, search) = match with {
        GivenWith::Account(account) => (Purpose::Marketing, Some(account), None, None),
        GivenWith::Enquiry(enquiry) => (Purpose::Marketing, None, Some(enquiry), None),
        GivenWith::Search(search) => (Purpose::Alerts, None, None, Some(search)),
    };
    let Some(text) = current(purpose) else { return Ok(()) };
    sqlx::query!(
        "insert into visitor.consent
            (account, enquiry, saved_search, purpose, text_version, locale, words_hash, page,
             asked_from, asked_at, confirmed_from)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
         where not exists (
            select from visitor.consent c
            where (c.account = $1 or c.enquiry = $2 or c.saved_search = $3)
              and c.purpose = $4 and c.withdrawn_at is null)",
        account,
        enquiry,
        search,
        purpose.name(),
        text.version,
        read_in.code(),
        text.hash(read_in),
        asked.page,
        asked.from,
        asked.at,
        confirmed.and_then(|press| press.from.as_deref()),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Notes that mails about `searches` are wanted no more, and that nothing which was mailed before agrees to any.
pub async fn withdraw_for_alerts(
    transaction: &mut Transaction<'_, Postgres>,
    searches: &[Uuid],
) -> Result<(), Error> {
    sqlx::query!(
        "update visitor.saved_search
         set confirmations = '{}', wanted = '{}', wanted_frequency = null
         where id = any($1)",
        searches,
    )
    .execute(&mut **transaction)
    .await?;
    sqlx::query!(
        "update visitor.consent set withdrawn_at = now()
         where saved_search = any($1) and withdrawn_at is null",
        searches,
    )
    .execute(&mut **transaction)
    .await?;
    for search in searches {
        events::record(transaction, Ending::SearchEnded.kind(), *search).await?;
    }
    Ok(())
}

/// The version of the words about privacy that whoever sends an enquiry accepts.
pub fn privacy_version() -> Option<&'static str> {
    current(Purpose::Privacy).map(|text| text.version.as_str())
}

/// The words that stand in the forms now.
fn current(purpose: Purpose) -> Option<&'static Text> {
    TEXTS.iter().rev().find(|text| text.purpose == purpose)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// What was once agreed to stays what it was: other words are another version, with a line here.
    const VERSIONS: [(Purpose, &str, &str, &str); 3] = [
        (Purpose::Marketing, "2026-11-24", "ca8d2dea6f03", "5834e2724744"),
        (Purpose::Alerts, "2026-11-25", "2090d5e16ce8", "6591c5fd69f8"),
        (Purpose::Privacy, "2026-11-29", "f125b57af7ed", "fd634c219deb"),
    ];

    #[test]
    fn the_words_of_a_version_never_change() {
        let short = |hash: Vec<u8>| {
            hash.iter().take(6).fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
        };
        let texts: Vec<Text> =
            serde_json::from_str(include_str!("../consents.json")).expect("the file is read");
        let found: Vec<_> = texts
            .iter()
            .map(|text| {
                let [en, es] = Locale::ALL.map(|locale| short(text.hash(locale)));
                (text.purpose, text.version.clone(), en, es)
            })
            .collect();
        let known = VERSIONS.map(|(purpose, version, en, es)| {
            (purpose, version.to_owned(), en.to_owned(), es.to_owned())
        });
        assert_eq!(found, known);
    }

    #[test]
    fn of_a_page_its_path_is_kept() {
        let mut headers = HeaderMap::new();
        let page = "https://almijara.example/es/alerts/confirm?token=abc";
        headers.insert(header::REFERER, page.parse().expect("a value"));
        headers.insert("x-forwarded-for", "192.0.2.7".parse().expect("a value"));
        let press = Press::of(&headers);
        assert_eq!(press.page.as_deref(), Some("/es/alerts/confirm"));
        assert_eq!(press.from.as_deref(), Some("192.0.2.7"));
        assert_eq!(Press::of(&HeaderMap::new()), Press::default());
    }
}
