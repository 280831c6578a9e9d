//! `/admin/parked`: what can't be recorded, beside what the site goes on showing; tried again, or
//! dropped.

use std::collections::HashMap;

use contracts::Locale;
use runtime::telemetry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;

use crate::{
    Error,
    parked::{MOST, ParkedItem, RefusedVersion, UnresolvedHint, WithoutPicture, parked},
};

/// As much of a value as is told, in characters: as much as a violation tells.
const FOUND_LIMIT: usize = 80;

/// What waits for somebody to mend it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    items: Vec<ListedItem>,
    hints: Vec<UnresolvedHint>,
    left_out: Vec<WithoutPicture>,
    refused: Vec<RefusedVersion>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedItem {
    #[serde(flatten)]
    item: ParkedItem,
    differences: Vec<Difference>,
}

/// A field that keeps an item from being recorded.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Difference {
    field: String,
    /// What it holds, as JSON, shortened.
    parked: String,
    /// What it held in the version that the site shows; none where there is no such version or it does
    /// not hold the field.
    last_good: Option<String>,
}

/// An item by its name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    collection: String,
    key: String,
}

impl Listed {
    /// What is parked in the ledger of `pool`.
    pub async fn now(pool: &PgPool) -> Result<Self, Error> {
        let parked = parked(pool).await?;
        let shown = last_good(pool).await?;
        let items = parked
            .items
            .into_iter()
            .map(|item| {
                let snapshot = shown.get(&(item.collection.clone(), item.key.clone()));
                let differences = differences(&item, snapshot);
                ListedItem { item, differences }
            })
            .collect();
        let (hints, left_out, refused) = (parked.hints, parked.left_out, parked.refused);
        Ok(Self { items, hints, left_out, refused })
    }
}

/// The snapshots that the site goes on showing of what is parked, by collection and key.
async fn last_good(pool: &PgPool) -> Result<HashMap<(String, String), Value>, Error> {
    let rows = sqlx::query!(
        r#"select distinct on (collection, key) collection as "collection!", key as "key!",
                change -> 'snapshot' as snapshot
           from (select collection, key from ledger.parked
                 order by first_at, collection, key limit $1) as p
           join ledger.entry using (collection, key)
           order by collection, key, version desc"#,
        MOST,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .filter_map(|row| Some(((row.collection, row.key), row.snapshot?)))
        .collect())
}

/// Each field of `item` that breaks a rule, beside what `shown` holds in its place.
fn differences(item: &ParkedItem, shown: Option<&Value>) -> Vec<Difference> {
    item.violations
        .iter()
        .filter(|violation| !violation.field.is_empty())
        .map(|violation| {
            let held = shown.and_then(|shown| held(&item.collection, shown, &violation.field));
            Difference {
                field: violation.field.clone(),
                parked: violation.value.clone(),
                last_good: held.map(|value| value.to_string().chars().take(FOUND_LIMIT).collect()),
            }
        })
        .collect()
}

/// What `snapshot` holds of the field that the content service calls `field`: most have the same name
/// in both, but for the way in which words are joined.
fn held<'s>(collection: &str, snapshot: &'s Value, field: &str) -> Option<&'s Value> {
    if let Some(text) = field.strip_prefix("translations.") {
        let (row, name) = text.rsplit_once('.').unwrap_or(("", text));
        let written = snapshot.get("text")?;
        // One that is missing in all languages is told of none.
        let locales = match Locale::from_language_tag(row) {
            Some(locale) => vec![locale],
            None => Locale::ALL.to_vec(),
        };
        let name = camel_case(name);
        return locales.iter().find_map(|locale| written.get(locale.code())?.get(&name));
    }
    let own = match (collection, field) {
        // The one that is published and the one that is parked have the same.
        (_, "status") => return None,
        ("properties", "listing_status") => "/status",
        ("properties", "listed_on") => "/listedAt",
        ("properties", "built_m2") => "/builtArea",
        ("properties", "plot_m2") => "/plotArea",
        ("properties", "terrace_m2") => "/terraceArea",
        ("properties", "energy_rating") => "/energy/rating",
        ("properties", "energy_exemption") => "/energy/exemption",
        ("properties", "energy_value") => "/energy/consumption",
        ("properties", "emissions_value") => "/energy/emissions",
        ("properties", "emissions_rating") => "/energy/emissionsRating",
        ("properties", "community_fees_year") => "/annualCosts/communityFees",
        ("properties", "ibi_year") => "/annualCosts/ibi",
        ("properties", "garbage_year") => "/annualCosts/garbage",
        ("properties", "useful_m2") => "/particulars/usefulArea",
        ("properties", "orientation") => "/particulars/orientation",
        ("properties", "beach_walk_minutes") => "/particulars/beachWalk/minutes",
        ("properties", "beach_slope") => "/particulars/beachWalk/slope",
        ("properties", "video_url") => "/particulars/video/id",
        ("properties", "tour_url") => "/particulars/tour/id",
        ("properties", "location") => "/location/slug",
        ("properties" | "locations", "lat") => "/coordinates/lat",
        ("properties" | "locations", "lng") => "/coordinates/lng",
        ("site_settings", "lat") => "/agency/coordinates/lat",
        ("site_settings", "lng") => "/agency/coordinates/lng",
        _ => "",
    };
    if !own.is_empty() {
        return snapshot.pointer(own);
    }
    let name = camel_case(field);
    snapshot.get(&name).or_else(|| snapshot.get("agency")?.get(&name))
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut joined = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        joined.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        joined.push_str(letters.as_str());
    }
    joined
}

/// Has those of `items` that are parked read at once, and those of `hints` that can't be resolved
/// tried; gives how many there were. What is read goes on in the current trace.
pub async fn retry(pool: &PgPool, items: Vec<Item>, hints: &[i64]) -> Result<u64, Error> {
    let (collections, keys): (Vec<String>, Vec<String>) =
        items.into_iter().map(|item| (item.collection, item.key)).unzip();
    let traceparent = telemetry::traceparent();
    let retried = sqlx::query_scalar!(
        r#"with items as (
            update ledger.aggregate as a set
                dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0,
                traceparent = coalesce($4, a.traceparent)
            from (select distinct collection, key
                  from unnest($1::text[], $2::text[]) as t(collection, key)
                  join ledger.parked using (collection, key)) as p
            where a.collection = p.collection and a.key = p.key
            returning a.key
         ), hints as (
            update ledger.inbox set due_at = now()
            where id = any($3) and resolved_at is null and failure is not null
            returning id
         )
         select (select count(*) from items) + (select count(*) from hints) as "retried!""#,
        &collections,
        &keys,
        hints,
        traceparent,
    )
    .fetch_one(pool)
    .await?;
    Ok(retried.cast_unsigned())
}

/// Forgets those of `hints` that can't be resolved; gives how many there were. Reconciling finds what
/// they may have been about.
pub async fn drop_hints(pool: &PgPool, hints: &[i64]) -> Result<u64, Error> {
    let dropped = sqlx::query!(
        "update ledger.inbox set resolved_at = now()
         where id = any($1) and resolved_at is null and failure is not null",
        hints,
    );
    Ok(dropped.execute(pool).await?.rows_affected())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_is_found_in_the_snapshot_by_the_content_services_name() {
        let home = json!({
            "ref": "AH-1", "status": "available", "price": 100, "previousPrice": 120,
            "coordinates": { "lat": 36.7, "lng": -3.9 }, "location": { "slug": "nerja" },
            "annualCosts": { "communityFees": 600 }, "builtArea": 90,
            "text": { "en": { "title": "Villa" }, "es": { "title": "Chalé" } },
        });
        for (field, value) in [
            ("price", json!(100)),
            ("previous_price", json!(120)),
            ("listing_status", json!("available")),
            ("lat", json!(36.7)),
            ("location", json!("nerja")),
            ("community_fees_year", json!(600)),
            ("built_m2", json!(90)),
            ("translations.es-ES.title", json!("Chalé")),
            ("translations.title", json!("Villa")),
        ] {
            assert_eq!(held("properties", &home, field), Some(&value), "{field}");
        }
        for field in
            ["status", "bedrooms", "translations", "translations.en-GB.summary", "images[1]"]
        {
            assert_eq!(held("properties", &home, field), None, "{field}");
        }
        let settings = json!({ "agency": { "companyName": "Almijara", "postalCode": "29780" } });
        assert_eq!(held("site_settings", &settings, "postal_code"), Some(&json!("29780")));
    }
}
