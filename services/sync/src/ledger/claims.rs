//! Claims: which aggregates are to be captured, and which capture holds them.

use std::time::Instant;

use contracts::{AggregateId, Collection, Version};
use runtime::postgres::with_answer_timeout;

use super::Ledger;
use crate::Error;

/// How long a capture holds its claim, in seconds: longer than the timeout of its read.
pub(super) const LEASE_SECONDS: f64 = 20.0;

/// A claim on an aggregate: no other capture takes it until the claim is released or its lease expires.
#[derive(Clone, Debug)]
pub struct Claim {
    pub id: AggregateId,
    /// The id of the claiming transaction. It is unique, unlike a time, which two transactions may
    /// share.
    pub fence: i64,
    pub dirty_gen: i64,
    pub version: Version,
    /// The hash of the published snapshot; none where nothing is published.
    pub hash: Option<Vec<u8>>,
    pub traceparent: Option<String>,
    /// When it was claimed.
    pub claimed_at: Instant,
}

/// A [`Claim`] as stored in `ledger.aggregate`.
pub(super) struct ClaimRow {
    pub collection: String,
    pub key: String,
    pub fence: i64,
    pub dirty_gen: i64,
    pub version: i64,
    pub hash: Option<Vec<u8>>,
    pub traceparent: Option<String>,
}

impl Ledger {
    /// Marks `ids` dirty, to be captured as soon as possible.
    pub(crate) async fn mark_dirty(
        &self,
        ids: &[AggregateId],
        traceparent: Option<&str>,
    ) -> Result<(), Error> {
        let (collections, keys) = columns(ids);
        let marked = sqlx::query!(
            "insert into ledger.aggregate as a (collection, key, dirty_gen, traceparent)
             select distinct collection, key, 1, $3
             from unnest($1::text[], $2::text[]) as t(collection, key)
             order by collection, key
             on conflict (collection, key) do update set
                dirty_gen = a.dirty_gen + 1, due_at = now(), attempts = 0,
                traceparent = coalesce(excluded.traceparent, a.traceparent)",
            &collections,
            &keys,
            traceparent,
        );
        self.observe_write(with_answer_timeout(marked.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Claims at most `limit` aggregates that are due, except those of collections that are
    /// `backing_off` or that only a later build knows. Claims nothing while an operator has paused
    /// capture. An aggregate that is due for a recheck becomes dirty: otherwise the recheck would be
    /// lost with a claim that nothing ends.
    pub(crate) async fn claim_due(
        &self,
        limit: i64,
        backing_off: &[Collection],
    ) -> Result<Vec<Claim>, Error> {
        let claimable =
            Collection::ALL.into_iter().filter(|collection| !backing_off.contains(collection));
        let claimable: Vec<String> =
            claimable.map(|collection| collection.name().to_owned()).collect();
        let claimed = sqlx::query_as!(
            ClaimRow,
            "with due as (
                select collection, key from ledger.aggregate
                where ((dirty_gen > clean_gen and due_at <= now()) or recheck_at <= now())
                  and (lease_until is null or lease_until <= now())
                  and collection = any($3)
                  and not exists (select from ledger.pause where step = 'capture')
                order by due_at limit $1
                for update skip locked
             )
             update ledger.aggregate as a set
                fence = pg_current_xact_id()::text::bigint,
                lease_until = now() + make_interval(secs => $2),
                dirty_gen = greatest(a.dirty_gen, a.clean_gen + 1),
                due_at = case when a.dirty_gen > a.clean_gen then a.due_at else now() end,
                recheck_at = case when a.recheck_at <= now() then null else a.recheck_at end
             from due where a.collection = due.collection and a.key = due.key
             returning a.collection, a.key, a.fence, a.dirty_gen, a.version, a.hash, a.traceparent",
            limit,
            LEASE_SECONDS,
            &claimable,
        );
        let rows = self.observe_write(with_answer_timeout(claimed.fetch_all(&self.pool)).await)?;
        claims(rows)
    }

    /// Releases `claims` after a failure, to be retried after a pause that doubles.
    pub(crate) async fn release(&self, claims: &[Claim]) -> Result<(), Error> {
        let (collections, keys) = columns(claims.iter().map(|claim| &claim.id));
        let fences: Vec<i64> = claims.iter().map(|claim| claim.fence).collect();
        let released = sqlx::query!(
            "with own as (
                select a.collection, a.key
                from ledger.aggregate as a
                join unnest($1::text[], $2::text[], $3::bigint[]) as t(collection, key, fence)
                    using (collection, key, fence)
                order by a.collection, a.key
                for update of a
             )
             update ledger.aggregate as a set
                lease_until = null,
                dirty_gen = greatest(a.dirty_gen, a.clean_gen + 1),
                attempts = least(a.attempts + 1, 20),
                due_at = now() + least(
                    interval '30 seconds',
                    interval '200 milliseconds' * power(2, least(a.attempts, 10)))
             from own where a.collection = own.collection and a.key = own.key",
            &collections,
            &keys,
            &fences,
        );
        self.observe_write(with_answer_timeout(released.execute(&self.pool)).await)?;
        Ok(())
    }
}

/// Splits ids into their collections and keys, one Postgres array each.
fn columns<'a>(ids: impl IntoIterator<Item = &'a AggregateId>) -> (Vec<String>, Vec<String>) {
    ids.into_iter().map(|id| (id.collection.name().to_owned(), id.key.clone())).unzip()
}

/// Converts rows to claims; fails on a collection that this build does not know.
pub(super) fn claims(rows: Vec<ClaimRow>) -> Result<Vec<Claim>, Error> {
    rows.into_iter()
        .map(|row| {
            Ok(Claim {
                id: AggregateId::new(row.collection.parse()?, row.key),
                fence: row.fence,
                dirty_gen: row.dirty_gen,
                version: Version(row.version),
                hash: row.hash,
                traceparent: row.traceparent,
                claimed_at: Instant::now(),
            })
        })
        .collect()
}
