//! Parking: an item that can't be recorded is set aside alone, together with the reason, and retried.
//!
//! An item is parked when it is published but breaks a rule of the model, when the content service can't
//! read it, or when the ledger can't store it. The site keeps showing its last version, or nothing if a
//! property was removed together with its place, or a menu entry with the one above it. An item is
//! unparked by the next read of it that can be recorded.

use std::collections::BTreeMap;

pub use admin_answers::sync::{ParkedItem, RefusedVersion, UnresolvedHint, WithoutPicture};
use content_client::Part;
use contracts::{Collection, Locale, Violation, rules::OtherRule};
use runtime::{postgres::with_answer_timeout, telemetry};
use serde::Serialize;
use sqlx::types::Json;

use super::{Claim, Ledger};
use crate::Error;

/// The maximum number listed of each kind; those parked for the longest time come first.
pub(super) const MAX_LISTED_PER_KIND: i64 = 1_000;
/// The rule that an article is parked for while its publication day is in the future.
const FUTURE_DAY_RULE: &str = OtherRule::FutureDay.words_in(Locale::En);

/// Everything that waits for a correction, or for its publication day.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Parked {
    /// Items that can't be recorded.
    pub items: Vec<ParkedItem>,
    /// Hints that can't be resolved.
    pub hints: Vec<UnresolvedHint>,
    /// Items that the site shows without a picture that they name.
    pub left_out: Vec<WithoutPicture>,
    /// Versions that the log can't take.
    pub refused: Vec<RefusedVersion>,
}

impl Parked {
    /// Returns whether anything waits.
    pub const fn has_items(&self) -> bool {
        !(self.items.is_empty()
            && self.hints.is_empty()
            && self.left_out.is_empty()
            && self.refused.is_empty())
    }
}

/// The number of items that wait for a correction, or for their publication day.
#[derive(Debug)]
pub struct Counts {
    /// Items that can't be recorded, by collection; collections without any are absent.
    pub items: BTreeMap<String, i64>,
    /// Articles that wait for their publication day; they are not included in `items`.
    pub planned: i64,
    /// Items that the site shows without a picture that they name, by collection.
    pub left_out: BTreeMap<String, i64>,
    /// Hints that can't be resolved.
    pub hints: i64,
    /// Versions that the log can't take.
    pub refused: i64,
}

impl Ledger {
    /// Lists what is parked, at most 1,000 of each kind.
    pub async fn parked(&self) -> Result<Parked, Error> {
        with_answer_timeout(self.oldest_parked(MAX_LISTED_PER_KIND)).await
    }

    /// Lists what is parked, at most `limit` of each kind, those parked for the longest time first.
    pub(crate) async fn oldest_parked(&self, limit: i64) -> Result<Parked, Error> {
        let items = sqlx::query!(
            r#"select p.collection, p.key, p.violations as "violations: Json<Vec<Violation>>",
                p.first_at, p.last_at, p.tries, p.traceparent, a.recheck_at as "next_try?"
         from ledger.parked as p left join ledger.aggregate as a using (collection, key)
         order by p.first_at, p.collection, p.key limit $1"#,
            limit,
        )
        .map(|item| ParkedItem {
            collection: item.collection,
            key: item.key,
            violations: item.violations.0,
            first_at: item.first_at,
            last_at: item.last_at,
            tries: item.tries,
            next_try: item.next_try,
            trace_id: item.traceparent.as_deref().and_then(telemetry::trace_id).map(str::to_owned),
        })
        .fetch_all(&self.pool)
        .await?;
        let hints = sqlx::query_as!(
            UnresolvedHint,
            r#"select id, collection, keys, failure as "failure!", received_at, attempts as tries,
                due_at as next_try
         from ledger.inbox where resolved_at is null and failure is not null
         order by id limit $1"#,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        let left_out = sqlx::query!(
            r#"select collection, key, pictures as "pictures: Json<Vec<Violation>>", since
           from ledger.left_out order by since, collection, key limit $1"#,
            limit,
        )
        .map(|row| WithoutPicture {
            collection: row.collection,
            key: row.key,
            pictures: row.pictures.0,
            since: row.since,
        })
        .fetch_all(&self.pool)
        .await?;
        let refused = sqlx::query_as!(
            RefusedVersion,
            r#"select collection, key, version, refused as "reason!", captured_at as since
         from ledger.entry as e
         where refused is not null and not exists (
            select from ledger.entry as later
            where later.collection = e.collection and later.key = e.key
                and later.version > e.version)
         order by id limit $1"#,
            limit,
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(Parked { items, hints, left_out, refused })
    }

    /// Parks the claimed item, if `claim` still holds: records which parts it shows, since a change of
    /// one of them may correct it, and has it read again after a pause that doubles up to an hour.
    /// Returns whether it is newly parked, or parked for other reasons than before. `trace` is the trace
    /// of the read; it is recorded if the trace of a hint is not known.
    pub(crate) async fn park(
        &self,
        claim: &Claim,
        violations: &[Violation],
        parts: &[Part],
        trace: Option<&str>,
    ) -> Result<bool, Error> {
        let violations: Vec<Violation> = violations.iter().map(storable).collect();
        let (part_collections, part_keys): (Vec<String>, Vec<String>) =
            parts.iter().map(|part| (part.collection_name(), part.key().to_owned())).unzip();
        // The parts of the version that the site shows are kept beside the new ones.
        let parked = sqlx::query_scalar!(
            r#"with held as (
                update ledger.aggregate set
                    clean_gen = greatest(clean_gen, $4),
                    attempts = 0,
                    traceparent = case when dirty_gen > $4 then traceparent end,
                    lease_until = null,
                    recheck_at = least(recheck_at, now() + least(interval '1 hour',
                        interval '15 seconds' * power(2, coalesce((
                            select least(tries, 10) from ledger.parked
                            where collection = $1 and key = $2 and violations = $5), 0))))
                where collection = $1 and key = $2 and fence = $3
                returning collection, key
             ), shown as (
                insert into ledger.part (part_collection, part_key, collection, key)
                select distinct part_collection, part_key, $1, $2
                from held, unnest($6::text[], $7::text[]) as p(part_collection, part_key)
                on conflict do nothing
             )
             insert into ledger.parked as p (collection, key, violations, traceparent)
             select collection, key, $5, coalesce($8, $9) from held
             on conflict (collection, key) do update set
                violations = excluded.violations,
                last_at = now(),
                traceparent = case when $8 is null and p.violations = excluded.violations
                    then coalesce(p.traceparent, excluded.traceparent)
                    else excluded.traceparent end,
                tries = case when p.violations = excluded.violations then p.tries + 1 else 1 end
             returning tries = 1 as "new!""#,
            claim.id.collection.name(),
            &claim.id.key,
            claim.fence,
            claim.dirty_gen,
            Json(violations) as _,
            &part_collections,
            &part_keys,
            claim.traceparent.as_deref(),
            trace,
        );
        Ok(self
            .observe_write(with_answer_timeout(parked.fetch_optional(&self.pool)).await)?
            .unwrap_or(false))
    }

    /// Returns the violations of each parked item of `collection`, by key.
    pub(crate) async fn parked_in(
        &self,
        collection: Collection,
    ) -> Result<BTreeMap<String, Vec<Violation>>, Error> {
        let listed = sqlx::query!(
            r#"select key, violations as "violations: Json<Vec<Violation>>" from ledger.parked
               where collection = $1"#,
            collection.name(),
        );
        let rows = with_answer_timeout(listed.fetch_all(&self.pool)).await?;
        Ok(rows.into_iter().map(|row| (row.key, row.violations.0)).collect())
    }

    /// Counts what is parked of each kind, without the limit of [`Self::parked`].
    pub async fn parked_counts(&self) -> Result<Counts, Error> {
        with_answer_timeout(self.count_parked()).await
    }

    async fn count_parked(&self) -> Result<Counts, Error> {
        let items = sqlx::query!(
            r#"select collection, count(*) as "count!" from ledger.parked
               where not (jsonb_array_length(violations) = 1 and violations->0->>'rule' = $1)
               group by collection"#,
            FUTURE_DAY_RULE,
        )
        .map(|row| (row.collection, row.count))
        .fetch_all(&self.pool)
        .await?;
        let left_out = sqlx::query!(
            r#"select collection, count(*) as "count!" from ledger.left_out group by collection"#,
        )
        .map(|row| (row.collection, row.count))
        .fetch_all(&self.pool)
        .await?;
        let others = sqlx::query!(
            r#"select
                (select count(*) from ledger.parked
                 where jsonb_array_length(violations) = 1
                    and violations->0->>'rule' = $1) as "planned!",
                (select count(*) from ledger.inbox
                 where resolved_at is null and failure is not null) as "hints!",
                (select count(*) from ledger.entry as e
                 where refused is not null and not exists (
                    select from ledger.entry as later
                    where later.collection = e.collection and later.key = e.key
                        and later.version > e.version)) as "refused!""#,
            FUTURE_DAY_RULE,
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(Counts {
            items: items.into_iter().collect(),
            planned: others.planned,
            left_out: left_out.into_iter().collect(),
            hints: others.hints,
            refused: others.refused,
        })
    }

    /// Has the parked ones among `items` (collection and key) read, and the unresolved ones among `hints`
    /// tried, immediately; returns how many there were. The reads continue the current trace.
    pub(crate) async fn retry_parked(
        &self,
        items: Vec<(String, String)>,
        hints: &[i64],
    ) -> Result<u64, Error> {
        let (collections, keys): (Vec<String>, Vec<String>) = items.into_iter().unzip();
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
        );
        let retried = with_answer_timeout(retried.fetch_one(&self.pool)).await?;
        Ok(retried.cast_unsigned())
    }
}

/// Returns `violation` in characters that Postgres can store: without NUL.
pub fn storable(violation: &Violation) -> Violation {
    let storable = |text: &str| text.replace('\0', "\u{FFFD}");
    Violation {
        field: storable(&violation.field),
        value: storable(&violation.value),
        rule: storable(&violation.rule),
    }
}
