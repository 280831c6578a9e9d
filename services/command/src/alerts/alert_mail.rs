//! What is mailed about homes.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, Property},
};
use credentials::Secret;
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use super::{
    change::{Happened, summed},
    saved_search::favourites,
    schedule::Frequency,
};
use crate::Error;

/// So many homes stand in a mail; of more it tells how many, with a link.
const MAX_HOMES: usize = 10;

/// A mail that tells of homes.
#[derive(Clone, Debug)]
pub struct AlertMail {
    /// Where it goes.
    pub email: String,
    /// Its reader's name, where it is known.
    pub name: Option<String>,
    /// Its reader's language.
    pub locale: Locale,
    /// What its links end with.
    pub token: String,
    /// How many homes it is about.
    pub count: usize,
    /// The first of them.
    pub homes: Vec<ToldHome>,
    /// The searches that they are of.
    pub searches: Vec<ToldSearch>,
}

/// A home in it.
#[derive(Clone, Debug)]
pub struct ToldHome {
    /// What happened to it.
    pub happened: Happened,
    /// Its title in the reader's language, or in the other where there is none.
    pub title: String,
    /// Its place.
    pub place: String,
    /// In euros; none where it is on request.
    pub price: Option<i64>,
    /// Before it changed.
    pub price_before: Option<i64>,
    /// Where its sale stands.
    pub status: ListingStatus,
    /// Bedrooms.
    pub bedrooms: Option<i64>,
    /// Built size, m².
    pub built_area: Option<i64>,
    /// Its energy rating, or why there is none, where an offer must tell it.
    pub energy: Option<EnergyRating>,
    /// Its page's path, without the language; none where it has no page any more.
    pub path: Option<String>,
}

/// A search in it.
#[derive(Clone, Debug)]
pub struct ToldSearch {
    /// What its owner calls it.
    pub name: String,
    /// Its list's path, without the language.
    pub path: String,
}

/// A mail that asks whether whoever reads it wants such mails.
#[derive(Debug)]
pub struct ConfirmMail {
    /// Where it goes.
    pub email: String,
    /// Its reader's language.
    pub locale: Locale,
    /// When somebody asked for it: by that its reader tells two apart.
    pub asked_at: DateTime<Utc>,
    /// What they hear of already, and are asked about once more.
    pub known: Option<KnownSearch>,
    /// What the link ends with.
    pub link: Secret,
}

/// A search that its reader has agreed to hear of.
#[derive(Debug)]
pub struct KnownSearch {
    /// What its owner calls it.
    pub name: String,
    /// How often they may want to hear of it from now on.
    pub wanted: Frequency,
}

/// What happened to one home, as it is summed.
struct Told {
    happened: Vec<Happened>,
    price_before: Option<i64>,
    snapshot: Property,
    is_listed: bool,
}

impl AlertMail {
    /// Reads the mail `id`; none where nothing is left of it to tell: what was changed is changed back,
    /// homes are gone, or are favourites no more, or its reader wants no mails any more. What it leaves out that
    /// may be found again is noted.
    pub async fn read(pool: &PgPool, id: Uuid) -> Result<Option<Self>, Error> {
        // Of whose searches it tells: an account may have taken those over while it was made.
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
        // A home may have another reference by now: it is told of as what its item is, and a favourite is one
        // under any of them. What is left out is noted in the same look; not where a try before may
        // have told it.
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
        let mut homes: BTreeMap<String, (Told, Vec<ToldSearch>)> = BTreeMap::new();
        let mut order = Vec::new();
        for alert in alerts {
            let Some(happened) = Happened::named(&alert.happened) else { continue };
            let (told, searches) = homes.entry(alert.reference.clone()).or_insert_with(|| {
                order.push(alert.reference);
                let told = Told {
                    happened: Vec::new(),
                    price_before: alert.price_before,
                    snapshot: alert.snapshot.0,
                    is_listed: alert.is_listed,
                };
                (told, Vec::new())
            });
            told.happened.push(happened);
            searches.push(ToldSearch::new(locale, alert.name, alert.address.as_deref()));
        }
        let (mut told_homes, mut told_searches) = (Vec::new(), Vec::<ToldSearch>::new());
        for reference in order {
            let Some((told, searches)) = homes.remove(&reference) else { continue };
            let Some(home) = told.home(locale) else { continue };
            told_homes.push(home);
            for search in searches {
                if !told_searches.iter().any(|other| other.path == search.path) {
                    told_searches.push(search);
                }
            }
        }
        let count = told_homes.len();
        told_homes.truncate(MAX_HOMES);
        Ok((count > 0).then_some(Self {
            email: row.email,
            name: row.name,
            locale,
            token: row.token,
            count,
            homes: told_homes,
            searches: told_searches,
        }))
    }
}

impl Told {
    /// As a mail in `locale` tells it; none where it is no news any more.
    fn home(self, locale: Locale) -> Option<ToldHome> {
        let Property { price, status, .. } = self.snapshot;
        let happened = match summed(&self.happened, self.price_before, price)? {
            Happened::Back if status != ListingStatus::ForSale => Happened::Status,
            happened => happened,
        };
        if self.is_listed == (happened == Happened::Withdrawn) {
            return None;
        }
        let Property { text, location, reference, .. } = &self.snapshot;
        let energy = self.snapshot.energy.as_ref().map(|label| label.rating);
        let title = text.get_or_fallback(locale).map(|(_, text)| text.title.clone());
        let place = location.name.get_or_fallback(locale).map(|(_, name)| name.clone());
        let path = format!("/property-for-sale/{}/{reference}", location.slug);
        Some(ToldHome {
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

impl ToldSearch {
    /// The search of this `name` at the query part of its list's `address`; at none the favourites, which have
    /// no name but ours, in the `locale` of who reads it.
    pub(super) fn new(locale: Locale, name: String, address: Option<&str>) -> Self {
        let (name, path) = match address {
            None => (favourites(locale).to_owned(), "/account".to_owned()),
            Some("") => (name, "/property-for-sale".to_owned()),
            Some(address) => (name, format!("/property-for-sale?{address}")),
        };
        Self { name, path }
    }
}

impl ConfirmMail {
    /// Makes a link for the search `id`, for the mail that was wanted at the time `wanted_at`, unless nothing is to
    /// be agreed to any more. Those of mails that were sent before stay good, each for what its mail asks.
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
            // One that is agreed to was changed by who reads its mails, and not by who asks.
            let asked_at = row.changed_at.unwrap_or(wanted_at);
            Self { email: row.email, locale, asked_at, known, link }
        }))
    }
}
