//! Versions: what capture found of an aggregate, as recorded.

use std::collections::HashSet;

use content_client::Part;
use contracts::{Change, Collection, SCHEMA_VERSION};
use runtime::postgres::with_answer_timeout;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Claim, Ledger, claims::LEASE_SECONDS};
use crate::Error;

/// The state of an aggregate, as capture found it.
#[derive(Debug)]
pub enum Finding {
    /// The same as before.
    Unchanged,
    /// It has changed to this.
    Changed { hash: [u8; 32], change: Change },
    /// It was published and no longer is.
    Removed,
}

/// The result of recording a [`Finding`].
#[derive(Debug)]
pub struct Recorded {
    /// Whether it created a version.
    pub is_version: bool,
    /// The trace that the version continues, if not that of the capture: the one of a hint that arrived
    /// during the read.
    pub newer_hint: Option<String>,
}

impl Ledger {
    /// Records what capture found, if `claim` still holds, and returns none if the claim was lost.
    /// Writes the version, the outbox entry and the parts, and unparks the item.
    ///
    /// Every aggregate that shows this one is marked to be read again: also if this is the first read of
    /// it and finds nothing published, since they may have been read while it was published; and if its
    /// parts changed, since what lies in a place that is a draft counts as lying in the place around
    /// that one.
    ///
    /// A part that was recorded after the claim may not have known yet that it is shown here, so this
    /// aggregate is itself read again. A part with a recording time in the future, from a clock that was
    /// set back since, does not count: it would cause reads until that time is reached.
    ///
    /// If an item was saved and is shown as before, its live status is reported all the same: otherwise
    /// its editor could not know that the save was noticed.
    ///
    /// A hint that arrived during the read may be about the change that was read already. It will find
    /// nothing left to publish, so the version continues the trace of that hint.
    ///
    /// The aggregates that show this one are locked in the order in which hints lock, after this
    /// aggregate's own row, so that deadlocks are rare. Where Postgres ends this statement because of
    /// one, it is retried.
    pub(crate) async fn record(
        &self,
        claim: &Claim,
        finding: Finding,
        parts: &[Part],
        traceparent: Option<&str>,
    ) -> Result<Option<Recorded>, Error> {
        runtime::failpoint("sync.record").map_err(sqlx::Error::from)?;
        let (changed, hash, change) = match finding {
            Finding::Unchanged => (false, claim.hash.clone(), None),
            Finding::Changed { hash, change } => (true, Some(hash.to_vec()), Some(change)),
            Finding::Removed => (true, None, Some(Change::Removed)),
        };
        let (part_collections, part_keys): (Vec<String>, Vec<String>) =
            parts.iter().map(|part| (part.collection_name(), part.key().to_owned())).unzip();
        let recorded = sqlx::query_scalar!(
            "with held as (
                update ledger.aggregate set
                    version = version + case when $5 then 1 else 0 end,
                    hash = $6,
                    clean_gen = greatest(clean_gen, $4),
                    dirty_gen = dirty_gen + case when exists (
                        select from unnest($11::text[], $12::text[]) as p(part_collection, part_key)
                        join ledger.entry as e
                            on e.collection = p.part_collection and e.key = p.part_key
                        where e.captured_at > lease_until - make_interval(secs => $13)
                          and e.captured_at <= clock_timestamp()
                    ) then 1 else 0 end,
                    attempts = 0,
                    traceparent = case when dirty_gen > $4 then traceparent end,
                    hinted = hinted and dirty_gen > $4,
                    lease_until = null
                where collection = $1 and key = $2 and fence = $3
                returning version, traceparent as newer_hint
             ), entry as (
                insert into ledger.entry
                    (event_id, collection, key, version, schema_version, change, traceparent)
                select $7, $1, $2, version, $8, $9, coalesce(newer_hint, $10) from held where $5
                returning id
             ), outbox as (
                insert into ledger.outbox (collection, key, entry) select $1, $2, id from entry
                on conflict (collection, key) do update set entry = excluded.entry, refill = false
             ), gone as (
                delete from ledger.part using held
                where collection = $1 and key = $2
                  and (part_collection, part_key) not in (
                      select * from unnest($11::text[], $12::text[]))
                returning part_key
             ), shown as (
                insert into ledger.part (part_collection, part_key, collection, key)
                select distinct part_collection, part_key, $1, $2
                from held, unnest($11::text[], $12::text[]) as p(part_collection, part_key)
                on conflict do nothing
                returning part_key
             ), mended as (
                delete from ledger.parked as p using held
                where p.collection = $1 and p.key = $2 returning p.key
             ), as_before as (
                insert into ledger.untold (collection, key)
                select $1, $2 from held, ledger.aggregate as before
                where not $5 and $6 is not null
                  and before.collection = $1 and before.key = $2 and before.hinted
                on conflict (collection, key) do update set
                    noted_at = excluded.noted_at, claimed_until = null
             ), showing as (
                select a.collection, a.key from ledger.aggregate as a, ledger.part as p, held
                where ($5 or exists (select from mended)
                       or exists (select from gone) or exists (select from shown)
                       or exists (select from ledger.aggregate as before
                                  where before.collection = $1 and before.key = $2
                                    and before.clean_gen = 0))
                  and p.part_collection = $1 and p.part_key = $2
                  and a.collection = p.collection and a.key = p.key
                order by a.collection, a.key
                for update of a
             ), dependants as (
                update ledger.aggregate as a set
                    dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0,
                    traceparent = coalesce($10, a.traceparent)
                from showing
                where a.collection = showing.collection and a.key = showing.key
             )
             select newer_hint from held",
            claim.id.collection.name(),
            &claim.id.key,
            claim.fence,
            claim.dirty_gen,
            changed,
            hash,
            Uuid::now_v7(),
            SCHEMA_VERSION.cast_signed(),
            change.map(Json) as _,
            traceparent,
            &part_collections,
            &part_keys,
            LEASE_SECONDS,
        );
        let held =
            self.observe_write(with_answer_timeout(recorded.fetch_optional(&self.pool)).await)?;
        runtime::failpoint("sync.recorded").map_err(sqlx::Error::from)?;
        Ok(held.map(|newer_hint| Recorded { is_version: changed, newer_hint }))
    }

    /// Returns key and hash of everything that is published in `collection`.
    pub(crate) async fn published(
        &self,
        collection: Collection,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let published = sqlx::query!(
            r#"select key, hash as "hash!" from ledger.aggregate
               where collection = $1 and hash is not null"#,
            collection.name(),
        )
        .map(|row| (row.key, row.hash));
        Ok(with_answer_timeout(published.fetch_all(&self.pool)).await?)
    }

    /// Returns every key of `collection` that was ever seen, including drafts.
    pub(crate) async fn known_keys(
        &self,
        collection: Collection,
    ) -> Result<HashSet<String>, Error> {
        let known = sqlx::query_scalar!(
            "select key from ledger.aggregate where collection = $1",
            collection.name(),
        );
        let keys = with_answer_timeout(known.fetch_all(&self.pool)).await?;
        Ok(keys.into_iter().collect())
    }
}
