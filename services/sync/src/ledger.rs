//! The ledger's tables: hints, aggregates with their fences, parts, and versions.

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, Utc};
use content_client::Part;
use contracts::{AggregateId, Change, Collection, SCHEMA_VERSION, Version};
use sqlx::{FromRow, PgPool, types::Json};
use uuid::Uuid;

use crate::{
    Error,
    receive::{Hint, Subject},
};

/// How long a capture holds its claim, in seconds: longer than its reading may take.
const LEASE_SECONDS: f64 = 20.0;
/// A hint about more than this claims nothing: reading it all would outlast the lease.
const MOST_CLAIMS: i64 = 100;

/// The tables.
#[derive(Clone, Debug)]
pub struct Ledger {
    pool: PgPool,
}

/// A claim on an aggregate: nobody else captures it until it is released or the lease is over.
#[derive(Clone, Debug)]
pub struct Claim {
    pub id: AggregateId,
    pub fence: i64,
    pub dirty_gen: i64,
    pub version: Version,
    /// The hash of what is published; none where nothing is.
    pub hash: Option<Vec<u8>>,
    pub traceparent: Option<String>,
}

#[derive(FromRow)]
struct ClaimRow {
    collection: String,
    key: String,
    fence: i64,
    dirty_gen: i64,
    version: i64,
    hash: Option<Vec<u8>>,
    traceparent: Option<String>,
}

/// What keeping a hint led to.
#[derive(Debug)]
pub struct Kept {
    /// Whether all that the hint is about is known.
    pub resolved: bool,
    /// What may be captured at once.
    pub claimed: Vec<Claim>,
}

/// A hint whose aggregates are not all known yet.
#[derive(Debug, FromRow)]
pub struct Unresolved {
    pub id: i64,
    pub collection: String,
    pub keys: Vec<String>,
    pub traceparent: Option<String>,
    /// How often it was tried in vain.
    pub attempts: i32,
}

/// What waits to be published or read.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct Backlog {
    /// Entries that the log has not taken yet.
    pub entries: f64,
    /// Entries that fill a new stream.
    pub refill: f64,
    /// Entries that it will never take.
    pub refused: f64,
    /// The age in seconds of the oldest that waits, less what fills a new stream.
    pub oldest: f64,
    /// Aggregates that are to be read.
    pub due: f64,
    /// Hints that could not be resolved yet.
    pub unresolved: f64,
}

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
    pub const fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Commits `hint`, marks dirty what it is known to be about, and claims what nobody captures
    /// now: all in one statement, since an editor's change waits behind it. `recheck` is when to read
    /// the item once more, for a hint that may have come before its change was committed.
    pub async fn keep_hint(
        &self,
        hint: &Hint,
        traceparent: Option<&str>,
        recheck: Option<Duration>,
    ) -> Result<Kept, Error> {
        let (own, resolved) = match &hint.subject {
            Subject::Aggregates(..) => (true, true),
            // The part may belong to an aggregate that is not known to show it.
            Subject::Parts(..) | Subject::Whole(_) => (false, false),
        };
        let rows: Vec<ClaimRow> = sqlx::query_as(
            "with hint as (
                insert into ledger.inbox (event, collection, keys, traceparent, resolved_at)
                values ($1, $2, $3, $4, case when $6 then now() end)
             ), about as (
                select $2 as collection, key from unnest($3::text[]) as key where $5
                union
                select collection, key from ledger.part
                where part_collection = $2 and part_key = any($3) and not $5
             ), marked as (
                insert into ledger.aggregate as a
                    (collection, key, dirty_gen, fence, lease_until, recheck_at, traceparent)
                select collection, key, 1, few::int,
                       case when few then now() + make_interval(secs => $7) end,
                       now() + make_interval(secs => $8), $4
                from about, (select count(*) <= $9 as few from about) as n
                order by collection, key
                on conflict (collection, key) do update set
                    dirty_gen = a.dirty_gen + 1,
                    due_at = now(),
                    attempts = 0,
                    recheck_at = coalesce(excluded.recheck_at, a.recheck_at),
                    traceparent = coalesce(excluded.traceparent, a.traceparent),
                    fence = a.fence + case when a.lease_until > now() then 0 else excluded.fence end,
                    lease_until = case when a.lease_until > now() then a.lease_until
                                       else excluded.lease_until end
                returning collection, key, fence, dirty_gen, version, hash, traceparent, lease_until
             )
             select collection, key, fence, dirty_gen, version, hash, traceparent from marked
             where lease_until = now() + make_interval(secs => $7)",
        )
        .bind(&hint.event)
        .bind(hint.subject.name())
        .bind(hint.subject.keys())
        .bind(traceparent)
        .bind(own)
        .bind(resolved)
        .bind(LEASE_SECONDS)
        .bind(recheck.map(|recheck| recheck.as_secs_f64()))
        .bind(MOST_CLAIMS)
        .fetch_all(&self.pool)
        .await?;
        Ok(Kept { resolved, claimed: claims(rows)? })
    }

    /// Marks `ids` dirty, to be captured as soon as somebody gets to it.
    pub async fn mark_dirty(
        &self,
        ids: &[AggregateId],
        traceparent: Option<&str>,
    ) -> Result<(), Error> {
        let (collections, keys) = columns(ids);
        sqlx::query(
            "insert into ledger.aggregate as a (collection, key, dirty_gen, traceparent)
             select distinct collection, key, 1, $3 from unnest($1::text[], $2::text[]) as t(collection, key)
             order by collection, key
             on conflict (collection, key) do update set
                dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0,
                traceparent = coalesce(excluded.traceparent, a.traceparent)",
        )
        .bind(collections)
        .bind(keys)
        .bind(traceparent)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Claims at most `limit` aggregates that are due, none of the collections that are `resting`.
    pub async fn claim_due(&self, limit: i64, resting: &[Collection]) -> Result<Vec<Claim>, Error> {
        let resting: Vec<&str> = resting.iter().map(|collection| collection.name()).collect();
        let rows: Vec<ClaimRow> = sqlx::query_as(
            "with due as (
                select collection, key from ledger.aggregate
                where ((dirty_gen > clean_gen and due_at <= now()) or recheck_at <= now())
                  and (lease_until is null or lease_until <= now())
                  and collection <> all($3)
                order by due_at limit $1
                for update skip locked
             )
             update ledger.aggregate as a set
                fence = a.fence + 1,
                lease_until = now() + make_interval(secs => $2),
                recheck_at = case when a.recheck_at <= now() then null else a.recheck_at end
             from due where a.collection = due.collection and a.key = due.key
             returning a.collection, a.key, a.fence, a.dirty_gen, a.version, a.hash, a.traceparent",
        )
        .bind(limit)
        .bind(LEASE_SECONDS)
        .bind(resting)
        .fetch_all(&self.pool)
        .await?;
        claims(rows)
    }

    /// Writes what capture found, if `claim` still holds: version and outbox, the parts, and that
    /// every aggregate that shows this one is to be read again. What can be recorded is parked no
    /// more. Gives none where the claim was lost.
    ///
    /// A hint that came while the item was read may be about what was read already: it finds nothing
    /// left to publish, so the version goes on in that hint's trace.
    pub async fn record(
        &self,
        claim: &Claim,
        finding: Finding,
        parts: &[Part],
        traceparent: Option<&str>,
    ) -> Result<Option<Recorded>, Error> {
        let (changed, hash, change) = match finding {
            Finding::Unchanged => (false, claim.hash.clone(), None),
            Finding::Changed { hash, change } => (true, Some(hash.to_vec()), Some(change)),
            Finding::Removed => (true, None, Some(Change::Removed)),
        };
        let (part_collections, part_keys): (Vec<String>, Vec<String>) =
            parts.iter().map(|part| (part.collection_name(), part.key().to_owned())).unzip();
        let held: Option<(Option<String>,)> = sqlx::query_as(
            "with held as (
                update ledger.aggregate set
                    version = version + case when $5 then 1 else 0 end,
                    hash = $6,
                    clean_gen = greatest(clean_gen, $4),
                    attempts = 0,
                    traceparent = case when dirty_gen > $4 then traceparent end,
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
                  and (part_collection, part_key) not in (select * from unnest($11::text[], $12::text[]))
             ), shown as (
                insert into ledger.part (part_collection, part_key, collection, key)
                select distinct part_collection, part_key, $1, $2
                from held, unnest($11::text[], $12::text[]) as p(part_collection, part_key)
                on conflict do nothing
             ), mended as (
                delete from ledger.parked as p using held
                where p.collection = $1 and p.key = $2 returning p.key
             ), dependants as (
                update ledger.aggregate as a set
                    dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0,
                    traceparent = coalesce($10, a.traceparent)
                from ledger.part as p, held
                where ($5 or exists (select from mended)) and p.part_collection = $1 and p.part_key = $2
                  and a.collection = p.collection and a.key = p.key
             )
             select newer_hint from held",
        )
        .bind(claim.id.collection.name())
        .bind(&claim.id.key)
        .bind(claim.fence)
        .bind(claim.dirty_gen)
        .bind(changed)
        .bind(hash)
        .bind(Uuid::now_v7())
        .bind(SCHEMA_VERSION.cast_signed())
        .bind(change.map(Json))
        .bind(traceparent)
        .bind(part_collections)
        .bind(part_keys)
        .fetch_optional(&self.pool)
        .await?;
        Ok(held.map(|(newer_hint,)| Recorded { version: changed, newer_hint }))
    }

    /// Gives `claims` back after a failure, to be tried again after a pause that doubles.
    pub async fn release(&self, claims: &[Claim]) -> Result<(), Error> {
        let ids: Vec<AggregateId> = claims.iter().map(|claim| claim.id.clone()).collect();
        let fences: Vec<i64> = claims.iter().map(|claim| claim.fence).collect();
        let (collections, keys) = columns(&ids);
        sqlx::query(
            "update ledger.aggregate as a set
                lease_until = null,
                dirty_gen = greatest(a.dirty_gen, a.clean_gen + 1),
                attempts = least(a.attempts + 1, 20),
                due_at = now() + least(interval '30 seconds',
                                       interval '200 milliseconds' * power(2, least(a.attempts, 10)))
             from unnest($1::text[], $2::text[], $3::bigint[]) as t(collection, key, fence)
             where a.collection = t.collection and a.key = t.key and a.fence = t.fence",
        )
        .bind(collections)
        .bind(keys)
        .bind(fences)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The hints that wait for their aggregates and are due, the longest due first.
    pub async fn unresolved(&self, limit: i64) -> Result<Vec<Unresolved>, Error> {
        Ok(sqlx::query_as(
            "select id, collection, keys, traceparent, attempts from ledger.inbox
             where resolved_at is null and due_at <= now() order by due_at, id limit $1",
        )
        .bind(limit)
        .fetch_all(&self.pool)
        .await?)
    }

    /// Puts a hint off that could not be resolved because of `failure`: for a pause that doubles up
    /// to `longest`.
    pub async fn put_off(&self, id: i64, failure: &str, longest: Duration) -> Result<(), Error> {
        sqlx::query(
            "update ledger.inbox set
                attempts = least(attempts + 1, 1000),
                failure = $2,
                due_at = now() + least(make_interval(secs => $3),
                                       interval '1 second' * power(2, least(attempts, 20)))
             where id = $1",
        )
        .bind(id)
        .bind(failure.replace('\0', "\u{FFFD}"))
        .bind(longest.as_secs_f64())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// The parts among `keys` of `collection` that no aggregate is known to show.
    pub async fn unknown_parts(
        &self,
        collection: &str,
        keys: &[String],
    ) -> Result<Vec<String>, Error> {
        Ok(sqlx::query_scalar(
            "select key from unnest($2::text[]) as key where not exists (
                select from ledger.part where part_collection = $1 and part_key = key)",
        )
        .bind(collection)
        .bind(keys)
        .fetch_all(&self.pool)
        .await?)
    }

    /// The hint's aggregates are all marked.
    pub async fn resolved(&self, id: i64) -> Result<(), Error> {
        sqlx::query("update ledger.inbox set resolved_at = now(), failure = null where id = $1")
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Forgets hints that were resolved a week ago.
    pub async fn prune_inbox(&self) -> Result<(), Error> {
        sqlx::query("delete from ledger.inbox where resolved_at < now() - interval '7 days'")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Key and hash of everything that is published in `collection`.
    pub async fn published(&self, collection: Collection) -> Result<Vec<(String, Vec<u8>)>, Error> {
        Ok(sqlx::query_as(
            "select key, hash from ledger.aggregate where collection = $1 and hash is not null",
        )
        .bind(collection.name())
        .fetch_all(&self.pool)
        .await?)
    }

    /// Every key of `collection` that was ever heard of, drafts among them.
    pub async fn keys(&self, collection: Collection) -> Result<HashSet<String>, Error> {
        let keys: Vec<String> =
            sqlx::query_scalar("select key from ledger.aggregate where collection = $1")
                .bind(collection.name())
                .fetch_all(&self.pool)
                .await?;
        Ok(keys.into_iter().collect())
    }

    /// What waits.
    pub async fn backlog(&self) -> Result<Backlog, Error> {
        Ok(sqlx::query_as(
            "select
                count(*) filter (where not o.refill)::float8 as entries,
                count(*) filter (where o.refill)::float8 as refill,
                coalesce(extract(epoch from clock_timestamp() - min(e.captured_at)
                    filter (where not o.refill)), 0)::float8 as oldest,
                (select count(*) from ledger.entry where refused is not null)::float8 as refused,
                (select count(*) from ledger.aggregate where dirty_gen > clean_gen)::float8 as due,
                (select count(*) from ledger.inbox
                 where resolved_at is null and failure is not null)::float8 as unresolved
             from ledger.outbox as o left join ledger.entry as e on e.id = o.entry and not o.refill",
        )
        .fetch_one(&self.pool)
        .await?)
    }

    /// How far the activity log was read.
    pub async fn activity_read_to(&self) -> Result<Option<DateTime<Utc>>, Error> {
        Ok(sqlx::query_scalar("select read_to from ledger.activity_cursor")
            .fetch_optional(&self.pool)
            .await?)
    }

    /// The activity log was read to `moment` of the content service's clock.
    pub async fn set_activity_read_to(&self, moment: DateTime<Utc>) -> Result<(), Error> {
        sqlx::query(
            "insert into ledger.activity_cursor (read_to) values ($1)
             on conflict (only_one) do update set read_to = excluded.read_to",
        )
        .bind(moment)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

fn columns(ids: &[AggregateId]) -> (Vec<&'static str>, Vec<&str>) {
    ids.iter().map(|id| (id.collection.name(), id.key.as_str())).unzip()
}

fn claims(rows: Vec<ClaimRow>) -> Result<Vec<Claim>, Error> {
    rows.into_iter()
        .map(|row| {
            Ok(Claim {
                id: AggregateId::new(row.collection.parse()?, row.key),
                fence: row.fence,
                dirty_gen: row.dirty_gen,
                version: Version(row.version),
                hash: row.hash,
                traceparent: row.traceparent,
            })
        })
        .collect()
}
