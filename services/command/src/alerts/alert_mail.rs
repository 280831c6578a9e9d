//! Reads the contents of mails about homes and searches.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use contracts::{
    Locale, PROPERTY_LIST,
    content::{EnergyRating, ListingStatus, Property},
    property_path,
};
use credentials::Secret;
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::{
    change::{ChangeKind, net_change},
    saved_search::favourites_name,
    schedule::Frequency,
};
use crate::Error;

/// The maximum number of homes in a mail. Further ones are counted, with a link.
const MAX_HOMES: usize = 10;

/// A mail about homes.
#[derive(Clone, Debug)]
pub struct AlertMail {
    /// Where it goes.
    pub email: String,
    /// The recipient's name, if it is known.
    pub name: Option<String>,
    /// The recipient's language.
    pub locale: Locale,
    /// The token that its links end with.
    pub token: String,
    /// The total number of homes.
    pub count: usize,
    /// The first of the homes, up to the maximum number.
    pub homes: Vec<MailedHome>,
    /// The searches that found the homes.
    pub searches: Vec<MailedSearch>,
}

/// A home in an alert mail.
#[derive(Clone, Debug)]
pub struct MailedHome {
    /// How it changed.
    pub happened: ChangeKind,
    /// Its title in the recipient's language, or in the other one if there is none.
    pub title: String,
    /// Its place.
    pub place: String,
    /// In euros; `None` if the price is on request.
    pub price: Option<i64>,
    /// The price before the change, in euros.
    pub price_before: Option<i64>,
    /// Its listing status.
    pub status: ListingStatus,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Its energy rating or exemption, if an offer of its kind has to state it.
    pub energy: Option<EnergyRating>,
    /// The path of its page without the language, or `None` if it no longer has one.
    pub path: Option<String>,
}

/// A search in an alert mail or a renewal mail.
#[derive(Clone, Debug)]
pub struct MailedSearch {
    /// What its owner calls it.
    pub name: String,
    /// The path of its result list, without the language.
    pub path: String,
}

/// A mail that asks the owner of a mailbox to confirm a search.
#[derive(Debug)]
pub struct ConfirmMail {
    /// Where it goes.
    pub email: String,
    /// Its reader's language.
    pub locale: Locale,
    /// When it was requested, by which the recipient distinguishes several mails.
    pub asked_at: DateTime<Utc>,
    /// The confirmed search, if the mail asks only about its frequency.
    pub known: Option<KnownSearch>,
    /// The token that the link ends with.
    pub link: Secret,
}

/// A search that its owner has confirmed.
#[derive(Debug)]
pub struct KnownSearch {
    /// What its owner calls it.
    pub name: String,
    /// The requested new frequency.
    pub wanted: Frequency,
}

/// All changes of one home, before they are reduced to their net change.
struct HomeChanges {
    happened: Vec<ChangeKind>,
    price_before: Option<i64>,
    snapshot: Property,
    is_listed: bool,
}

impl AlertMail {
    /// Reads the mail `id`. Returns `None` if nothing is left to report: changes were undone, homes are
    /// gone or no longer favourites, or the recipient no longer wants mails. Omitted alerts that may
    /// become valid again are marked.
    pub async fn read(pool: &PgPool, id: Uuid) -> Result<Option<Self>, Error> {
        // The recipient is the owner of its searches: an account may have taken them over since the mail
        // was created.
        let row = sqlx::query!(
            r#"select coalesce(a.email, p.email) as "email!", a.name as "name?",
                  coalesce(a.locale, p.locale) as "locale!", p.tokens[1] as "token!"
               from visitor.alert_mail m
               join visitor.subscriber p on p.id = coalesce(
                  (select s.subscriber from visitor.alert t
                   join visitor.saved_search s on s.id = t.saved_search
                   where t.mail = m.id limit 1),
                  m.subscriber)
               left join visitor.account a on a.id = p.account
               where m.id = $1"#,
            id,
        )
        .fetch_optional(pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let locale: Locale = row.locale.parse().unwrap_or_default();
        // A home may have another reference by now: the mail shows the current state of its item, and a
        // favourite counts under any of its references. Omitted alerts are marked in the same statement,
        // except where an earlier attempt may have sent them.
        let alerts = sqlx::query!(
            r#"with seen as (
                  select t.id, t.is_lost or not exists (
                     select from visitor.home_state told
                     join visitor.home_state h on h.key = told.key or h.reference = told.reference
                     where told.reference = t.reference and h.is_listed) as is_left_out
                  from visitor.alert t join visitor.saved_search s on s.id = t.saved_search
                  where t.mail = $1 and s.address is not null),
               noted as (
                  update visitor.alert t set is_left_out = seen.is_left_out from seen
                  where t.id = seen.id and t.is_left_out <> seen.is_left_out
                    and not (select j.is_uncertain from visitor.job j where j.alert_mail = $1))
               select h.reference as "reference!", t.happened, t.price_before, s.name, s.address,
                  h.snapshot as "snapshot!: Json<Property>", h.is_listed as "is_listed!"
               from visitor.alert t join visitor.saved_search s on s.id = t.saved_search
               join visitor.subscriber p on p.id = s.subscriber
               join visitor.home_state told on told.reference = t.reference
               join lateral (
                  select * from visitor.home_state h
                  where h.key = told.key or h.reference = told.reference
                  order by h.is_listed desc, h.reference = told.reference desc limit 1) h on true
               where t.mail = $1 and not t.is_lost and s.frequency <> 'never'
                 and (s.address is not null or exists (
                    select from visitor.home f
                    join visitor.home_state k on k.reference = f.reference
                    where f.account = p.account and f.is_favourite
                      and (k.reference = told.reference or k.key = told.key)))
               order by t.id"#,
            id,
        )
        .fetch_all(pool)
        .await?;
        let mut homes: BTreeMap<String, (HomeChanges, Vec<MailedSearch>)> = BTreeMap::new();
        let mut order = Vec::new();
        for alert in alerts {
            let Some(happened) = ChangeKind::named(&alert.happened) else { continue };
            let (changes, searches) = homes.entry(alert.reference.clone()).or_insert_with(|| {
                order.push(alert.reference);
                let changes = HomeChanges {
                    happened: Vec::new(),
                    price_before: alert.price_before,
                    snapshot: alert.snapshot.0,
                    is_listed: alert.is_listed,
                };
                (changes, Vec::new())
            });
            changes.happened.push(happened);
            searches.push(MailedSearch::new(locale, alert.name, alert.address.as_deref()));
        }
        let (mut mailed_homes, mut mailed_searches) = (Vec::new(), Vec::<MailedSearch>::new());
        for reference in order {
            let Some((changes, searches)) = homes.remove(&reference) else { continue };
            let Some(home) = changes.into_home(locale) else { continue };
            mailed_homes.push(home);
            for search in searches {
                if !mailed_searches.iter().any(|other| other.path == search.path) {
                    mailed_searches.push(search);
                }
            }
        }
        let count = mailed_homes.len();
        mailed_homes.truncate(MAX_HOMES);
        Ok((count > 0).then_some(Self {
            email: row.email,
            name: row.name,
            locale,
            token: row.token,
            count,
            homes: mailed_homes,
            searches: mailed_searches,
        }))
    }
}

impl HomeChanges {
    /// Returns the home for a mail in `locale`, or `None` if nothing has changed in the end.
    fn into_home(self, locale: Locale) -> Option<MailedHome> {
        let Property { price, status, .. } = self.snapshot;
        let happened = match net_change(&self.happened, self.price_before, price)? {
            ChangeKind::Back if status != ListingStatus::ForSale => ChangeKind::Status,
            happened => happened,
        };
        if self.is_listed == (happened == ChangeKind::Withdrawn) {
            return None;
        }
        let Property { text, location, reference, .. } = &self.snapshot;
        let energy = self.snapshot.energy.as_ref().map(|label| label.rating);
        let title = text.get_or_fallback(locale).map(|(_, text)| text.title.clone());
        let place = location.name.get_or_fallback(locale).map(|(_, name)| name.clone());
        let path = property_path(&location.slug, reference);
        Some(MailedHome {
            happened,
            title: title.unwrap_or_else(|| reference.clone()),
            place: place.unwrap_or_else(|| location.slug.clone()),
            price,
            price_before: self.price_before.filter(|before| Some(*before) != price),
            status,
            bedrooms: self.snapshot.bedrooms,
            built_area: self.snapshot.built_area,
            energy: energy.filter(|_| self.snapshot.kind.needs_energy_rating()),
            path: self.is_listed.then_some(path),
        })
    }
}

impl MailedSearch {
    /// Creates the search `name` with the query part `address` of its result list. Without an address it
    /// is the favourites, which have a fixed name in the `locale` of the recipient.
    pub(super) fn new(locale: Locale, name: String, address: Option<&str>) -> Self {
        let (name, path) = match address {
            None => (favourites_name(locale).to_owned(), "/account".to_owned()),
            Some("") => (name, PROPERTY_LIST.to_owned()),
            Some(address) => (name, format!("{PROPERTY_LIST}?{address}")),
        };
        Self { name, path }
    }
}

impl ConfirmMail {
    /// Creates a link for the search `id`, for a mail that was requested at the time `wanted_at`.
    /// Returns `None` if nothing is left to confirm. The links of earlier mails stay valid, each for
    /// what its mail asks.
    pub async fn new(
        pool: &PgPool,
        id: Uuid,
        wanted_at: DateTime<Utc>,
    ) -> Result<Option<Self>, Error> {
        let link = Secret::random();
        let row = sqlx::query!(
            r#"update visitor.saved_search s
               set confirmations = confirmations || array[$2::bytea],
                   wanted = case when s.wanted_frequency is null then s.wanted
                                 else s.wanted || jsonb_build_object(
                                    encode($2::bytea, 'hex'), s.wanted_frequency) end
               from visitor.subscriber p
               where s.id = $1 and p.id = s.subscriber and p.email is not null
                 and (s.confirmed_at is null or s.wanted_frequency is not null)
                 and s.frequency <> 'never'
               returning p.email as "email!", s.name, s.wanted_frequency,
                  case when s.confirmed_at is null then s.locale else p.locale end as "locale!",
                  case when s.confirmed_at is null then s.changed_at end as changed_at"#,
            id,
            link.hash(),
        )
        .fetch_optional(pool)
        .await?;
        Ok(row.map(|row| {
            let locale: Locale = row.locale.parse().unwrap_or_default();
            let wanted = row.wanted_frequency.as_deref().and_then(Frequency::named);
            let known = wanted.map(|wanted| KnownSearch { name: row.name, wanted });
            // A confirmed search was last changed by its owner and not by the request.
            let asked_at = row.changed_at.unwrap_or(wanted_at);
            Self { email: row.email, locale, asked_at, known, link }
        }))
    }
}
