//! Hints: kept before they are answered, and resolved into aggregates.

use std::time::Duration;

use contracts::Collection;
use runtime::postgres::answered;

use super::{
    Claim, Ledger,
    claims::{ClaimRow, LEASE_SECONDS, claims},
};
use crate::{
    Error,
    receive::{Hint, Subject},
};

/// A hint about more than this claims nothing: reading it all would outlast the lease.
const MAX_CLAIMS: i64 = 100;

/// What keeping a hint led to.
#[derive(Debug)]
pub struct Kept {
    /// Whether all that the hint is about is known.
    pub resolved: bool,
    /// What may be captured at once.
    pub claimed: Vec<Claim>,
}

/// A hint whose aggregates are not all known yet.
#[derive(Debug)]
pub struct Unresolved {
    pub id: i64,
    pub collection: String,
    pub keys: Vec<String>,
    pub traceparent: Option<String>,
    /// How often it was tried in vain.
    pub attempts: i32,
}

impl Ledger {
    /// Commits `hint`, marks dirty what it is known to be about, and, where it `may_claim`, claims what
    /// nobody captures now, unless capture is paused: all in one statement, since an editor's change
    /// waits behind it. What only a later build knows of is marked for that one. `recheck` is when to
    /// read the item once more, for a hint that may have come before its change was committed.
    pub async fn keep_hint(
        &self,
        hint: &Hint,
        traceparent: Option<&str>,
        recheck: Option<Duration>,
        may_claim: bool,
    ) -> Result<Kept, Error> {
        runtime::failpoint("sync.keep_hint").map_err(sqlx::Error::from)?;
        let (own, resolved) = match &hint.subject {
            Subject::Aggregates(..) => (true, true),
            // The part may belong to an aggregate that is not known to show it.
            Subject::Parts(..) | Subject::Whole(_) => (false, false),
        };
        let max_claims = if may_claim { MAX_CLAIMS } else { 0 };
        let known = Collection::ALL.map(|collection| collection.name().to_owned());
        let kept = sqlx::query_as!(
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
            own,
            resolved,
            LEASE_SECONDS,
            recheck.map(|recheck| recheck.as_secs_f64()),
            max_claims,
            &known[..],
        );
        let rows = self.noted(answered(kept.fetch_all(&self.pool)).await)?;
        Ok(Kept { resolved, claimed: claims(rows)? })
    }

    /// The hints that wait for their aggregates and are due, the longest due first.
    pub async fn unresolved(&self, limit: i64) -> Result<Vec<Unresolved>, Error> {
        runtime::failpoint("sync.resolve").map_err(sqlx::Error::from)?;
        let due = sqlx::query_as!(
            Unresolved,
            "select id, collection, keys, traceparent, attempts from ledger.inbox
             where resolved_at is null and due_at <= now() order by due_at, id limit $1",
            limit,
        );
        Ok(answered(due.fetch_all(&self.pool)).await?)
    }

    /// Puts a hint off that could not be resolved because of `failure`: for a pause that doubles up
    /// to `longest`.
    pub async fn put_off(&self, id: i64, failure: &str, longest: Duration) -> Result<(), Error> {
        let put_off = sqlx::query!(
            "update ledger.inbox set
                attempts = least(attempts + 1, 1000),
                failure = $2,
                due_at = now() + least(make_interval(secs => $3),
                                       interval '1 second' * power(2, least(attempts, 20)))
             where id = $1",
            id,
            failure.replace('\0', "\u{FFFD}"),
            longest.as_secs_f64(),
        );
        self.noted(answered(put_off.execute(&self.pool)).await)?;
        Ok(())
    }

    /// The parts among `keys` of `collection` that no aggregate is known to show.
    pub async fn unknown_parts(
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
        Ok(answered(unknown.fetch_all(&self.pool)).await?)
    }

    /// The hint's aggregates are all marked.
    pub async fn resolved(&self, id: i64) -> Result<(), Error> {
        let resolved = sqlx::query!(
            "update ledger.inbox set resolved_at = now(), failure = null where id = $1",
            id,
        );
        self.noted(answered(resolved.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Forgets hints that were resolved a week ago.
    pub async fn prune_inbox(&self) -> Result<(), Error> {
        let pruned =
            sqlx::query!("delete from ledger.inbox where resolved_at < now() - interval '7 days'");
        self.noted(answered(pruned.execute(&self.pool)).await)?;
        Ok(())
    }
}
