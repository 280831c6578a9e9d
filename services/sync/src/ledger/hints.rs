//! Hints: stored before they are answered, and resolved into aggregates.

use std::time::Duration;

use contracts::Collection;
use runtime::postgres::with_answer_timeout;

use super::{
    Claim, Ledger,
    claims::{ClaimRow, LEASE_SECONDS, claims},
};
use crate::{
    Error,
    receive::{Hint, Subject},
};

/// A hint about more aggregates than this claims none: reading them all would outlast the lease.
const MAX_CLAIMS: i64 = 100;

/// The result of storing a hint.
#[derive(Debug)]
pub struct StoredHint {
    /// Whether all aggregates that the hint is about are known.
    pub resolved: bool,
    /// The claimed aggregates, to be captured immediately.
    pub claimed: Vec<Claim>,
}

/// A hint whose aggregates are not all known yet.
#[derive(Debug)]
pub struct Unresolved {
    pub id: i64,
    pub collection: String,
    pub keys: Vec<String>,
    pub traceparent: Option<String>,
    /// The number of failed attempts.
    pub attempts: i32,
}

impl Ledger {
    /// Stores `hint`, marks the aggregates dirty that it is known to be about, and, if it `may_claim`
    /// and capture is not paused, claims those that no capture holds. All of this is one statement,
    /// since the transaction of an editor's change waits for it. Aggregates of collections that only a
    /// later build knows are marked for that build. `recheck` is after how long to read the item again,
    /// for a hint that may have been sent before its change was committed.
    pub(crate) async fn store_hint(
        &self,
        hint: &Hint,
        traceparent: Option<&str>,
        recheck: Option<Duration>,
        may_claim: bool,
    ) -> Result<StoredHint, Error> {
        runtime::failpoint("sync.keep_hint").map_err(sqlx::Error::from)?;
        let (names_aggregates, resolved) = match &hint.subject {
            Subject::Aggregates(..) => (true, true),
            // The part may belong to an aggregate that is not yet recorded as showing it.
            Subject::Parts(..) | Subject::WholeCollection(_) => (false, false),
        };
        let max_claims = if may_claim { MAX_CLAIMS } else { 0 };
        let known = Collection::ALL.map(|collection| collection.name().to_owned());
        let stored = sqlx::query_as!(
            ClaimRow,
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
                    (collection, key, dirty_gen, fence, lease_until, recheck_at, traceparent, hinted)
                select collection, key, 1,
                       case when free then pg_current_xact_id()::text::bigint else 0 end,
                       case when free then now() + make_interval(secs => $7) end,
                       now() + make_interval(secs => $8), $4, $5
                from about, lateral (
                    select collection = any($10) and (select count(*) from about) <= $9
                        and not exists (select from ledger.pause where step = 'capture')
                        as free) as n
                order by collection, key
                on conflict (collection, key) do update set
                    dirty_gen = a.dirty_gen + 1,
                    due_at = now(),
                    attempts = 0,
                    recheck_at = coalesce(excluded.recheck_at, a.recheck_at),
                    traceparent = coalesce(excluded.traceparent, a.traceparent),
                    hinted = a.hinted or excluded.hinted,
                    fence = case when a.lease_until > now() or excluded.fence = 0 then a.fence
                                 else excluded.fence end,
                    lease_until = case when a.lease_until > now() then a.lease_until
                                       else excluded.lease_until end
                returning collection, key, fence, dirty_gen, version, hash, traceparent
             )
             select collection, key, fence, dirty_gen, version, hash, traceparent from marked
             where fence = pg_current_xact_id()::text::bigint",
            &hint.event,
            hint.subject.name(),
            hint.subject.keys(),
            traceparent,
            names_aggregates,
            resolved,
            LEASE_SECONDS,
            recheck.map(|recheck| recheck.as_secs_f64()),
            max_claims,
            &known[..],
        );
        let rows = self.observe_write(with_answer_timeout(stored.fetch_all(&self.pool)).await)?;
        Ok(StoredHint { resolved, claimed: claims(rows)? })
    }

    /// Returns the unresolved hints that are due, those due for the longest time first.
    pub(crate) async fn unresolved(&self, limit: i64) -> Result<Vec<Unresolved>, Error> {
        runtime::failpoint("sync.resolve").map_err(sqlx::Error::from)?;
        let due = sqlx::query_as!(
            Unresolved,
            "select id, collection, keys, traceparent, attempts from ledger.inbox
             where resolved_at is null and due_at <= now() order by due_at, id limit $1",
            limit,
        );
        Ok(with_answer_timeout(due.fetch_all(&self.pool)).await?)
    }

    /// Postpones a hint that could not be resolved because of `failure`: for a pause that doubles up to
    /// `max_backoff`.
    pub(crate) async fn postpone(
        &self,
        id: i64,
        failure: &str,
        max_backoff: Duration,
    ) -> Result<(), Error> {
        let postponed = sqlx::query!(
            "update ledger.inbox set
                attempts = least(attempts + 1, 1000),
                failure = $2,
                due_at = now() + least(make_interval(secs => $3),
                                       interval '1 second' * power(2, least(attempts, 20)))
             where id = $1",
            id,
            failure.replace('\0', "\u{FFFD}"),
            max_backoff.as_secs_f64(),
        );
        self.observe_write(with_answer_timeout(postponed.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Returns the parts among `keys` of `collection` that no aggregate is known to show.
    pub(crate) async fn unknown_parts(
        &self,
        collection: &str,
        keys: &[String],
    ) -> Result<Vec<String>, Error> {
        let unknown = sqlx::query_scalar!(
            r#"select key as "key!" from unnest($2::text[]) as key where not exists (
                select from ledger.part where part_collection = $1 and part_key = key)"#,
            collection,
            keys,
        );
        Ok(with_answer_timeout(unknown.fetch_all(&self.pool)).await?)
    }

    /// Marks a hint as resolved: all its aggregates are marked dirty.
    pub(crate) async fn mark_resolved(&self, id: i64) -> Result<(), Error> {
        let resolved = sqlx::query!(
            "update ledger.inbox set resolved_at = now(), failure = null where id = $1",
            id,
        );
        self.observe_write(with_answer_timeout(resolved.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Deletes hints that were resolved a week ago.
    pub(crate) async fn prune_inbox(&self) -> Result<(), Error> {
        let pruned =
            sqlx::query!("delete from ledger.inbox where resolved_at < now() - interval '7 days'");
        self.observe_write(with_answer_timeout(pruned.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Drops the unresolved ones among `hints`, and returns how many there were. Reconciling finds the
    /// changes that they were about.
    pub(crate) async fn drop_hints(&self, hints: &[i64]) -> Result<u64, Error> {
        let dropped = sqlx::query!(
            "update ledger.inbox set resolved_at = now()
         where id = any($1) and resolved_at is null and failure is not null",
            hints,
        );
        let dropped = with_answer_timeout(dropped.execute(&self.pool)).await?;
        Ok(dropped.rows_affected())
    }
}
