//! The offers of properties over time: from the entries of the ledger, for the time that an older copy of it
//! does not know from the log, and for the time before there was a ledger from what an operator recorded.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use contracts::{Collection, Offer, Version};
use runtime::postgres::with_answer_timeout;
use serde::Deserialize;
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::Ledger;
use crate::Error;

/// The offers of properties, by key, the oldest first. An offer that equals the one before is dropped.
pub type OffersByKey = BTreeMap<String, Vec<Offer>>;

/// An asking price from before the ledger knew of the property.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierPrice {
    /// The property's reference.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The first day of this price.
    pub from: NaiveDate,
    /// The price in euros.
    pub price: i64,
}

/// The offers of a property in the log of a ledger that is newer than the present one.
#[derive(Clone, Debug)]
pub struct RecoveredOffers {
    /// When the last of its versions in the log was captured.
    pub until: DateTime<Utc>,
    /// The offers up to then, the oldest first.
    pub offers: Vec<Offer>,
}

/// The number of properties whose recovered offers are recorded by one statement.
const RECOVERED_PER_STATEMENT: usize = 1_000;

/// Records the offers that were recovered, by key, in place of those that were before.
pub async fn record_recovered(
    connection: &mut PgConnection,
    recovered: BTreeMap<String, RecoveredOffers>,
) -> Result<(), Error> {
    let recovered: Vec<_> = recovered.into_iter().collect();
    for part in recovered.chunks(RECOVERED_PER_STATEMENT) {
        let keys: Vec<&str> = part.iter().map(|(key, _)| key.as_str()).collect();
        let until: Vec<_> = part.iter().map(|(_, recovered)| recovered.until).collect();
        let offers: Vec<_> = part.iter().map(|(_, recovered)| Json(&recovered.offers)).collect();
        sqlx::query!(
            "insert into ledger.recovered_offers (key, offers, until_version)
             select r.key, r.offers, coalesce(
                 (select max(e.version) from ledger.entry as e
                  where e.collection = $4 and e.key = r.key and e.captured_at <= r.until), 0)
             from unnest($1::text[], $2::jsonb[], $3::timestamptz[]) as r(key, offers, until)
             on conflict (key) do update
                 set offers = excluded.offers, until_version = excluded.until_version",
            &keys as _,
            &offers as _,
            &until,
            Collection::Properties.name(),
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Returns the offers of the properties with `keys`.
pub async fn offers_of(
    connection: &mut PgConnection,
    keys: &[String],
) -> Result<OffersByKey, Error> {
    let mut offered = OffersByKey::new();
    let rows = sqlx::query!(
        "select key, version, captured_at, reference, location, property_type, price, status
         from ledger.entry
         where collection = $1 and key = any($2)
         order by key, version",
        Collection::Properties.name(),
        keys,
    )
    .fetch_all(&mut *connection)
    .await?;
    // Values that an earlier build wrote and that are no longer valid are skipped.
    let offers = rows.into_iter().filter_map(|row| {
        let offer = Offer {
            version: Version(row.version),
            at: row.captured_at,
            reference: row.reference?,
            location: row.location?,
            property_type: row.property_type?.parse().ok()?,
            price: row.price,
            status: row.status?.parse().ok()?,
        };
        Some((row.key, offer))
    });
    for (key, offer) in offers {
        offered.entry(key).or_default().push(offer);
    }
    let references: Vec<String> =
        offered.values().flatten().map(|offer| offer.reference.clone()).collect();
    let earlier = sqlx::query_as!(
        EarlierPrice,
        r#"select reference, offered_on as "from", price from ledger.earlier_price
           where reference = any($1) order by offered_on"#,
        &references,
    )
    .fetch_all(&mut *connection)
    .await?;
    let recovered = sqlx::query!(
        r#"select key, until_version, offers as "offers: Json<Vec<Value>>"
           from ledger.recovered_offers where key = any($1)"#,
        keys,
    )
    .fetch_all(connection)
    .await?;
    for row in recovered {
        let Some(offers) = offered.get_mut(&row.key) else { continue };
        let understood = |offer| serde_json::from_value(offer).ok();
        let recovered = row.offers.0.into_iter().filter_map(understood);
        *offers = with_recovered(std::mem::take(offers), recovered, Version(row.until_version));
    }
    for offers in offered.values_mut() {
        *offers = with_earlier(std::mem::take(offers), &earlier);
    }
    Ok(offered)
}

/// Returns `offers` of one property with those that were `recovered` from the log, which continue its versions
/// up to `until`. They are merged by time: the log may also be that of a ledger that began later.
fn with_recovered(
    offers: Vec<Offer>,
    recovered: impl Iterator<Item = Offer>,
    until: Version,
) -> Vec<Offer> {
    let (mut known, later): (Vec<_>, Vec<_>) =
        offers.into_iter().partition(|offer| offer.version <= until);
    known.extend(recovered);
    known.sort_by_key(|offer| offer.at);
    let numbered = known.into_iter().enumerate();
    let numbered =
        numbered.map(|(position, offer)| Offer { version: Version::recovered(position), ..offer });
    numbered.chain(later).collect()
}

/// Returns `offers` of one property, preceded by those made from the `earlier` prices, without
/// repetitions.
fn with_earlier(offers: Vec<Offer>, earlier: &[EarlierPrice]) -> Vec<Offer> {
    let before = earlier.iter().filter_map(|price| {
        let first = offers.iter().find(|offer| offer.reference == price.reference)?;
        let at = price.from.and_time(chrono::NaiveTime::MIN).and_utc();
        (at < first.at).then(|| Offer {
            version: Version::before_the_ledger(price.from),
            at,
            reference: price.reference.clone(),
            price: Some(price.price),
            ..first.clone()
        })
    });
    let mut merged: Vec<Offer> = Vec::new();
    for offer in before.collect::<Vec<_>>().into_iter().chain(offers) {
        if merged.last().is_none_or(|last| !is_same_offer(last, &offer)) {
            merged.push(offer);
        }
    }
    merged
}

fn is_same_offer(one: &Offer, other: &Offer) -> bool {
    let terms = |offer: &Offer| {
        (
            offer.reference.clone(),
            offer.location.clone(),
            offer.property_type,
            offer.price,
            offer.status,
        )
    };
    terms(one) == terms(other)
}

impl Ledger {
    /// Returns the offers of every published property.
    pub async fn all_offers(&self) -> Result<OffersByKey, Error> {
        let mut connection = self.pool.acquire().await?;
        let keys = sqlx::query_scalar!(
            "select key from ledger.aggregate where collection = $1 and hash is not null",
            Collection::Properties.name(),
        );
        let keys = with_answer_timeout(keys.fetch_all(&mut *connection)).await?;
        with_answer_timeout(offers_of(&mut connection, &keys)).await
    }

    /// Records `prices`, each once, and has the properties that they belong to published again with them.
    /// Returns how many were not known before. A day that already has a price keeps it: a price that was
    /// published is not changed later.
    pub async fn record_earlier_prices(&self, prices: &[EarlierPrice]) -> Result<u64, Error> {
        let references: Vec<String> = prices.iter().map(|price| price.reference.clone()).collect();
        let days: Vec<NaiveDate> = prices.iter().map(|price| price.from).collect();
        let euros: Vec<i64> = prices.iter().map(|price| price.price).collect();
        let mut transaction = with_answer_timeout(self.pool.begin()).await?;
        // Capture may be recording one of these properties. Its version has to be published again too,
        // and the next statement sees only what was committed before that statement started.
        let locked = sqlx::query!(
            "select from ledger.aggregate
         where collection = $1 and key in (
            select key from ledger.entry where collection = $1 and reference = any($2))
         order by collection, key for update",
            Collection::Properties.name(),
            &references,
        );
        with_answer_timeout(locked.execute(&mut *transaction)).await?;
        let recorded = sqlx::query_scalar!(
            r#"with recorded as (
             insert into ledger.earlier_price (reference, offered_on, price)
             select * from unnest($1::text[], $2::date[], $3::bigint[])
             on conflict do nothing
             returning reference
         ), shown as (
             select a.collection, a.key, e.schema_version, e.change
             from ledger.aggregate as a join ledger.entry as e using (collection, key, version)
             where a.collection = $4 and a.hash is not null
               and e.reference in (select reference from recorded)
         ), next as (
             update ledger.aggregate as a set version = a.version + 1 from shown as s
             where a.collection = s.collection and a.key = s.key
             returning a.collection, a.key, a.version, s.schema_version, s.change
         ), entry as (
             insert into ledger.entry (event_id, collection, key, version, schema_version, change)
             select gen_random_uuid(), collection, key, version, schema_version, change from next
             returning id, collection, key
         ), outbox as (
             insert into ledger.outbox (collection, key, entry)
             select collection, key, id from entry
             on conflict (collection, key) do update set entry = excluded.entry, refill = false
         )
         select count(*) as "count!" from recorded"#,
            &references,
            &days,
            &euros,
            Collection::Properties.name(),
        );
        let recorded = with_answer_timeout(recorded.fetch_one(&mut *transaction)).await?;
        with_answer_timeout(transaction.commit()).await?;
        Ok(recorded.cast_unsigned())
    }
}
