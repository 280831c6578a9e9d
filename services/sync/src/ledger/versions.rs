//! Versions: what capture found of an aggregate, written down.

use std::collections::HashSet;

use content_client::Part;
use contracts::{Change, Collection, SCHEMA_VERSION};
use runtime::postgres::answered;
use sqlx::types::Json;
use uuid::Uuid;

use super::{Claim, Ledger, claims::LEASE_SECONDS};
use crate::Error;

/// What became of an aggregate, as capture found it.
#[derive(Debug)]
pub enum Finding {
    /// The same as before.
    Unchanged,
    /// It looks like this now.
    Changed { hash: [u8; 32], change: Change },
    /// It was published and is no more.
    Removed,
}

/// What was written of a [`Finding`].
#[derive(Debug)]
pub struct Recorded {
    /// Whether it made a version.
    pub version: bool,
    /// The trace that the version goes on in, if not the capture's: of a hint that came meanwhile.
    pub newer_hint: Option<String>,
}

impl Ledger {
    /// Writes what capture found, if `claim` still holds: version and outbox, the parts, and that
    /// every aggregate that shows this one is to be read again: also where this is the first reading
    /// of it and finds nothing published, since they may have been read while it was; and where its
    /// parts are others, since what lies in a place that is a draft lies in what is around that. What
    /// can be recorded is parked no more. Gives none where the claim was lost.
    ///
    /// A part that was recorded after the claim may not have known yet that it shows here: then this
    /// is read again itself. One that was recorded in times to come, by a clock that was set back since,
    /// says nothing of that, and would have it read again until then.
    ///
    /// Who saved an item that is shown as before is told so: without a word they could not know that it was
    /// heard of.
    ///
    /// A hint that came while the item was read may be about what was read already: it finds nothing
    /// left to publish, so the version goes on in that hint's trace.
    ///
    /// What shows it is locked in the order that hints lock in, so that the two seldom wait for each other: its
    /// own row comes first. Who is ended for that is tried again.
    pub async fn record(
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
        let held = self.noted(answered(recorded.fetch_optional(&self.pool)).await)?;
        runtime::failpoint("sync.recorded").map_err(sqlx::Error::from)?;
        Ok(held.map(|newer_hint| Recorded { version: changed, newer_hint }))
    }

    /// Key and hash of everything that is published in `collection`.
    pub async fn published(&self, collection: Collection) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let published = sqlx::query!(
            r#"select key, hash as "hash!" from ledger.aggregate
               where collection = $1 and hash is not null"#,
            collection.name(),
        )
        .map(|row| (row.key, row.hash));
        Ok(answered(published.fetch_all(&self.pool)).await?)
    }

    /// Every key of `collection` that was ever heard of, drafts among them.
    pub async fn keys(&self, collection: Collection) -> Result<HashSet<String>, Error> {
        let known = sqlx::query_scalar!(
            "select key from ledger.aggregate where collection = $1",
            collection.name(),
        );
        let keys = answered(known.fetch_all(&self.pool)).await?;
        Ok(keys.into_iter().collect())
    }
}
