//! Consents of visitors, recorded with their text, page and network address so that they can be proved
//! (GDPR, article 7.1). The forms' texts are generated from the same file.

use chrono::{DateTime, Utc};
use contracts::Locale;
use http::{HeaderMap, header};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use sqlx::{Postgres, Transaction};
use url::Url;
use uuid::Uuid;

use crate::{Error, VisitorDeletion, embedded::Embedded, events, rate};

/// The longest page path that is stored, in characters.
const MAX_PAGE_LENGTH: usize = 200;

/// The consent texts of each purpose, oldest first.
static TEXTS: Embedded<Vec<ConsentText>> =
    Embedded::new("consents.json", include_str!("../consents.json"));

/// What a consent covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// News and offers by mail.
    Marketing,
    /// Mails about homes that a search finds, to a mailbox without an account.
    Alerts,
    /// How an enquiry's data is processed, which the sender reads below the form.
    Privacy,
}

impl Purpose {
    const ALL: [Self; 3] = [Self::Marketing, Self::Alerts, Self::Privacy];

    const fn name(self) -> &'static str {
        match self {
            Self::Marketing => "marketing",
            Self::Alerts => "alerts",
            Self::Privacy => "privacy",
        }
    }
}

/// A version of a consent text.
#[derive(Debug, Deserialize)]
struct ConsentText {
    purpose: Purpose,
    version: String,
    en: String,
    es: String,
}

impl ConsentText {
    fn hash(&self, locale: Locale) -> Vec<u8> {
        let words = match locale {
            Locale::En => &self.en,
            Locale::Es => &self.es,
        };
        Sha256::digest(words).to_vec()
    }
}

/// Where and when a visitor submitted a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submission {
    /// The path of the page.
    pub page: Option<String>,
    /// The network address of the client.
    pub from: Option<String>,
    /// The time of the submission, or `None` for now.
    pub at: Option<DateTime<Utc>>,
}

impl Submission {
    /// Reads page and address from `headers`. Only the path of the page is stored, because its query may
    /// contain a secret.
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let referer = headers.get(header::REFERER).and_then(|page| page.to_str().ok());
        let page = referer.and_then(|page| page.parse::<Url>().ok());
        Self {
            page: page.map(|page| page.path().chars().take(MAX_PAGE_LENGTH).collect()),
            from: rate::client_address(headers).map(|address| address.to_string()),
            at: None,
        }
    }
}

/// What a consent was given with.
#[derive(Clone, Copy, Debug)]
pub enum ConsentSource {
    /// An account.
    Account(Uuid),
    /// An enquiry.
    Enquiry(Uuid),
    /// A search without an account.
    Search(Uuid),
}

/// Records a consent to mails, unless an active one exists. It was requested on the page of `asked`,
/// where its text was shown in the language `read_in`. Where a mail had to prove the address,
/// `confirmed` is the later submission that did.
pub async fn give(
    transaction: &mut Transaction<'_, Postgres>,
    with: ConsentSource,
    read_in: Locale,
    asked: &Submission,
    confirmed: Option<&Submission>,
) -> Result<(), Error> {
    let (purpose, account, enquiry, search) = match with {
        ConsentSource::Account(account) => (Purpose::Marketing, Some(account), None, None),
        ConsentSource::Enquiry(enquiry) => (Purpose::Marketing, None, Some(enquiry), None),
        ConsentSource::Search(search) => (Purpose::Alerts, None, None, Some(search)),
    };
    let text = latest_text(purpose)?;
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
        confirmed.and_then(|submission| submission.from.as_deref()),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Withdraws the consents to mails about `searches`, and invalidates the confirmation links that were
/// mailed before.
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
        events::record(transaction, VisitorDeletion::SearchEnded, *search).await?;
    }
    Ok(())
}

/// Returns the version of the privacy text that senders of enquiries accept.
pub fn privacy_version() -> Result<&'static str, Error> {
    Ok(&latest_text(Purpose::Privacy)?.version)
}

/// Fails if the texts can't be read, or a purpose has none.
pub fn check_texts() -> Result<(), Error> {
    Purpose::ALL.into_iter().try_for_each(|purpose| latest_text(purpose).map(drop))
}

/// Returns the latest text of `purpose`, which the forms show.
fn latest_text(purpose: Purpose) -> Result<&'static ConsentText, Error> {
    let latest = TEXTS.get()?.iter().rev().find(|text| text.purpose == purpose);
    latest.ok_or_else(|| TEXTS.error(format!("it has no text about {}", purpose.name())))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// A published text must not change: a different text is a new version, with a new line here.
    const VERSIONS: [(Purpose, &str, &str, &str); 3] = [
        (Purpose::Marketing, "2026-11-24", "ca8d2dea6f03", "5834e2724744"),
        (Purpose::Alerts, "2026-11-25", "2090d5e16ce8", "6591c5fd69f8"),
        (Purpose::Privacy, "2026-11-29", "f125b57af7ed", "fd634c219deb"),
    ];

    #[test]
    fn the_text_of_a_version_never_changes() {
        let short = |hash: Vec<u8>| {
            hash.iter().take(6).fold(String::new(), |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            })
        };
        let texts = TEXTS.get().expect("the file is read");
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
    fn only_the_path_of_a_page_is_stored() {
        let mut headers = HeaderMap::new();
        let page = "https://almijara.example/es/alerts/confirm?token=abc";
        headers.insert(header::REFERER, page.parse().expect("a value"));
        headers.insert("x-forwarded-for", "192.0.2.7".parse().expect("a value"));
        let submission = Submission::from_headers(&headers);
        assert_eq!(submission.page.as_deref(), Some("/es/alerts/confirm"));
        assert_eq!(submission.from.as_deref(), Some("192.0.2.7"));
        assert_eq!(Submission::from_headers(&HeaderMap::new()), Submission::default());
    }
}
