//! `/admin/parked`: lists what can't be recorded, beside what the site keeps showing; retries or drops
//! it.

use std::collections::HashMap;

use runtime::telemetry;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgPool;

use super::names::field_value;
use crate::{
    Error,
    parked::{
        MAX_LISTED_PER_KIND, ParkedItem, RefusedVersion, UnresolvedHint, WithoutPicture, parked,
    },
};

/// The maximum length of a returned value, in characters: the same as in a violation.
const MAX_VALUE_LENGTH: usize = 80;

/// Everything that waits for a correction.
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
    /// Its value as JSON, shortened.
    parked: String,
    /// Its value in the version that the site shows; none if there is no such version or it lacks the
    /// field.
    last_good: Option<String>,
}

/// The address of an item.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub(super) collection: String,
    pub(super) key: String,
}

impl Listed {
    /// Returns what is parked in the ledger of `pool`.
    pub async fn now(pool: &PgPool) -> Result<Self, Error> {
        let parked = parked(pool).await?;
        let shown = last_good(pool).await?;
        let items = parked
            .items
            .into_iter()
            .map(|item| {
                let snapshot = shown.get(&(item.collection.clone(), item.key.clone()));
                listed(item, snapshot)
            })
            .collect();
        let (hints, left_out, refused) = (parked.hints, parked.left_out, parked.refused);
        Ok(Self { items, hints, left_out, refused })
    }
}

/// Returns the snapshots of parked items that the site keeps showing, by collection and key.
async fn last_good(pool: &PgPool) -> Result<HashMap<(String, String), Value>, Error> {
    let rows = sqlx::query!(
        r#"select distinct on (collection, key) collection as "collection!", key as "key!",
                change -> 'snapshot' as snapshot
           from (select collection, key from ledger.parked
                 order by first_at, collection, key limit $1) as p
           join ledger.entry using (collection, key)
           order by collection, key, version desc"#,
        MAX_LISTED_PER_KIND,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .filter_map(|row| Some(((row.collection, row.key), row.snapshot?)))
        .collect())
}

/// Returns `item` beside the snapshot that is `shown`; about a person, only which fields break a rule,
/// without values.
fn listed(mut item: ParkedItem, shown: Option<&Value>) -> ListedItem {
    if item.is_of_a_person() {
        for violation in &mut item.violations {
            violation.value.clear();
        }
        return ListedItem { item, differences: Vec::new() };
    }
    let differences = differences(&item, shown);
    ListedItem { item, differences }
}

/// Returns each field of `item` that breaks a rule, beside the value in `shown`.
fn differences(item: &ParkedItem, shown: Option<&Value>) -> Vec<Difference> {
    item.violations
        .iter()
        .filter(|violation| !violation.field.is_empty())
        .map(|violation| {
            let good =
                shown.and_then(|shown| field_value(&item.collection, shown, &violation.field));
            Difference {
                field: violation.field.clone(),
                parked: violation.value.clone(),
                last_good: good
                    .map(|value| value.to_string().chars().take(MAX_VALUE_LENGTH).collect()),
            }
        })
        .collect()
}

/// Has the parked ones among `items` read, and the unresolved ones among `hints` tried, immediately;
/// returns how many there were. The reads continue the current trace.
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

/// Drops the unresolved ones among `hints`, and returns how many there were. Reconciling finds the
/// changes that they were about.
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
    use chrono::Utc;
    use contracts::{Collection, Violation};
    use serde_json::json;

    use super::*;

    #[test]
    fn no_values_about_a_person_are_listed() {
        let listed = |collection: Collection| {
            let item = ParkedItem {
                collection: collection.name().to_owned(),
                key: "7".to_owned(),
                violations: vec![Violation::new("email", &json!("jo(at)homes.example"), "must be")],
                first_at: Utc::now(),
                last_at: Utc::now(),
                tries: 1,
                next_try: None,
                trace_id: None,
            };
            let shown = json!({ "email": "joanna@homes.example" });
            json!(listed(item, Some(&shown))).to_string()
        };
        let about_a_person = listed(Collection::Team);
        assert!(about_a_person.contains(r#""field":"email""#), "{about_a_person}");
        assert!(!about_a_person.contains("homes.example"), "{about_a_person}");
        assert!(listed(Collection::Pages).contains("jo(at)homes.example"));
    }
}
