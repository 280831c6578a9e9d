//! Claims: which aggregates are to be captured, and by whom.

use std::time::Instant;

use contracts::{AggregateId, Collection, Version};
use runtime::postgres::answered;

use super::Ledger;
use crate::Error;

/// How long a capture holds its claim, in seconds: longer than its reading may take.
pub(super) const LEASE_SECONDS: f64 = 20.0;

/// A claim on an aggregate: nobody else captures it until it is released or the lease is over.
#[derive(Clone, Debug)]
pub struct Claim {
    pub id: AggregateId,
    /// The transaction that claimed it: no other has the same, as two may have the same time.
    pub fence: i64,
    pub dirty_gen: i64,
    pub version: Version,
    /// The hash of what is published; none where nothing is.
    pub hash: Option<Vec<u8>>,
    pub traceparent: Option<String>,
    /// When it was claimed.
    pub at: Instant,
}

/// A [`Claim`] as it stands in `ledger.aggregate`.
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
    /// Marks `ids` dirty, to be captured as soon as somebody gets to it.
    pub async fn mark_dirty(
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
        self.noted(answered(marked.execute(&self.pool)).await)?;
        Ok(())
    }

    /// Claims at most `limit` aggregates that are due, none of the collections that are `resting` or
    /// that only a later build knows; none at all while an operator has paused capture. What is read once
    /// more is dirty from then on: a claim that nobody ends would else take that reading along.
    pub async fn claim_due(&self, limit: i64, resting: &[Collection]) -> Result<Vec<Claim>, Error> {
        let claimable =
            Collection::ALL.into_iter().filter(|collection| !resting.contains(collection));
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
        let rows = self.noted(answered(claimed.fetch_all(&self.pool)).await)?;
        claims(rows)
    }

    /// Gives `claims` back after a failure, to be tried again after a pause that doubles.
    pub async fn release(&self, claims: &[Claim]) -> Result<(), Error> {
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
        self.noted(answered(released.execute(&self.pool)).await)?;
        Ok(())
    }
}

/// Collections and keys, each as Postgres takes them in one array.
fn columns<'a>(ids: impl IntoIterator<Item = &'a AggregateId>) -> (Vec<String>, Vec<String>) {
    ids.into_iter().map(|id| (id.collection.name().to_owned(), id.key.clone())).unzip()
}

/// Fails where this build does not know a collection.
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
                at: Instant::now(),
            })
        })
        .collect()
}
