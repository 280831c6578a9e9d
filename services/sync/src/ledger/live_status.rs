//! The queue of items whose live status has to be reported (`ledger.untold`), and the data that a report
//! is made from.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use contracts::{Change, Violation, content::Snapshot};
use runtime::{error_text, postgres::with_answer_timeout};
use serde::Deserialize;
use sqlx::types::Json;

use super::Ledger;
use crate::Error;

/// How long a claim lasts, in seconds.
const CLAIM_SECONDS: f64 = 30.0;
/// After how many seconds an item that the site does not show yet is checked again.
const RETRY_SECONDS: f64 = 2.0;

/// An item whose live status has to be reported.
#[derive(Debug)]
pub struct PendingItem {
    /// Its collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// When it was queued, by the database's clock; queueing it again changes this.
    noted_at: DateTime<Utc>,
    /// Until when it is claimed; this also distinguishes one claim from another.
    claimed_until: DateTime<Utc>,
    /// How long it had been queued when it was claimed, and when that was.
    age: Duration,
    claimed_at: Instant,
    /// The newest version; none if no version was ever recorded.
    pub newest: Option<Newest>,
    /// The rules that it has broken since.
    pub violations: Vec<Violation>,
    /// The pictures that it names and that the site omits.
    pub left_out: Vec<Violation>,
}

/// The newest version of an item.
#[derive(Debug, Deserialize)]
pub struct Newest {
    /// Its entry in the ledger.
    pub entry: i64,
    /// The change that it records.
    pub change: Change,
    /// Its position in the log; none where the log refused it.
    pub sequence: Option<u64>,
    /// Why the log refused it.
    pub refused: Option<String>,
    /// When it was read.
    pub captured_at: DateTime<Utc>,
    /// When the webhook arrived that caused it, since the version before was read; none if it was found
    /// without a webhook, and if it changes nothing for editors.
    pub hinted_at: Option<DateTime<Utc>>,
    /// Since when the site was seen to show it, if it was, and after how long.
    seen: Option<Seen>,
    /// The version before it, if the ledger still has it; none if the newest version changes nothing for
    /// editors.
    earlier: Option<Earlier>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Seen {
    since: DateTime<Utc>,
    milliseconds: Option<i64>,
}

/// The version before the newest.
#[derive(Debug, Deserialize)]
struct Earlier {
    change: Change,
    seen: Option<Seen>,
}

impl Newest {
    /// Returns since when, and after how many milliseconds, the site was seen to show what an editor
    /// published: if this version was seen already, or if it only adds placeholders to one that was.
    /// Placeholders are made after the publish and are no change to its editor.
    pub fn seen_before(&self) -> Option<(DateTime<Utc>, Option<i64>)> {
        let seen = self.seen.or_else(|| {
            let earlier = self.earlier.as_ref()?;
            let same =
                without_placeholders(&self.change)? == without_placeholders(&earlier.change)?;
            earlier.seen.filter(|_| same)
        })?;
        Some((seen.since, seen.milliseconds))
    }
}

fn without_placeholders(change: &Change) -> Option<Snapshot> {
    let Change::Upserted { snapshot } = change else { return None };
    let mut snapshot = snapshot.as_ref().clone();
    snapshot.pictures_mut().for_each(|picture| picture.placeholder = None);
    Some(snapshot)
}

impl PendingItem {
    /// Returns how long it has been queued.
    pub fn age(&self) -> Duration {
        self.age + self.claimed_at.elapsed()
    }
}

impl Ledger {
    /// Claims at most `limit` items, the most recently queued first. Skips items that still wait for the
    /// relay. An item that this build can't read was recorded by a later build, and is left to that one.
    pub(crate) async fn claim_pending(&self, limit: i64) -> Result<Vec<PendingItem>, Error> {
        let claimed = sqlx::query!(
            r#"with candidate as materialized (
               select u.collection, u.key, u.noted_at
               from ledger.untold as u
               where (u.claimed_until is null or u.claimed_until < now())
                 and not exists (select from ledger.outbox as o
                                 where o.collection = u.collection and o.key = u.key
                                   and not o.refill)
               order by u.noted_at desc limit $1
           ), due as (
               -- Looked at again once it is locked: what is noted of an item meanwhile is news that this
               -- statement does not see, and somebody else may have claimed it.
               select u.collection, u.key
               from ledger.untold as u join candidate as c using (collection, key)
               where u.noted_at = c.noted_at
                 and (u.claimed_until is null or u.claimed_until < now())
               for update of u skip locked
           ), claimed as (
               update ledger.untold as u set claimed_until = now() + $2 * interval '1 second'
               from due where u.collection = due.collection and u.key = due.key
               returning u.collection, u.key, u.noted_at, u.version, u.claimed_until
           )
           select c.collection as "collection!", c.key as "key!", c.noted_at as "noted_at!",
               c.claimed_until as "claimed_until!",
               extract(epoch from clock_timestamp() - c.noted_at)::float8 as "age!",
               (select jsonb_build_object(
                    'entry', e.id, 'change', e.change, 'sequence', e.sequence, 'refused', e.refused,
                    'captured_at', e.captured_at,
                    'hinted_at',
                        case when c.version = e.version
                            then ledger.hinted_at(e.collection, e.key, e.version, e.captured_at) end,
                    'seen',
                        (select jsonb_build_object(
                             'since', l.since, 'milliseconds', l.milliseconds)
                         from ledger.live as l where l.entry = e.id and l.since is not null),
                    'earlier',
                        (select jsonb_build_object(
                             'change', earlier.change,
                             'seen',
                                 (select jsonb_build_object(
                                      'since', l.since, 'milliseconds', l.milliseconds)
                                  from ledger.live as l
                                  where l.entry = earlier.id and l.since is not null))
                         from ledger.entry as earlier
                         where c.version = e.version
                           and earlier.collection = e.collection and earlier.key = e.key
                           and earlier.version = e.version - 1))
                from ledger.entry as e
                join ledger.aggregate as a
                    on a.collection = e.collection and a.key = e.key and a.version = e.version
                where e.collection = c.collection and e.key = c.key
               ) as "newest?",
               (select p.violations from ledger.parked as p
                where p.collection = c.collection and p.key = c.key
               ) as "violations: Json<Vec<Violation>>",
               (select l.pictures from ledger.left_out as l
                where l.collection = c.collection and l.key = c.key
               ) as "left_out: Json<Vec<Violation>>"
           from claimed as c"#,
            limit,
            CLAIM_SECONDS,
        );
        let rows = with_answer_timeout(claimed.fetch_all(&self.pool)).await?;
        let claimed_at = Instant::now();
        let readable = rows.into_iter().filter_map(|row| {
            let newest = match row.newest.map(serde_json::from_value).transpose() {
                Ok(newest) => newest,
                Err(error) => {
                    let (collection, key) = (row.collection, row.key);
                    tracing::warn!(
                        collection,
                        key,
                        error = error_text(&error),
                        "the live status of an unreadable version is not reported"
                    );
                    return None;
                }
            };
            Some(PendingItem {
                newest,
                violations: row.violations.map(|Json(violations)| violations).unwrap_or_default(),
                left_out: row.left_out.map(|Json(pictures)| pictures).unwrap_or_default(),
                collection: row.collection,
                key: row.key,
                noted_at: row.noted_at,
                claimed_until: row.claimed_until,
                age: Duration::try_from_secs_f64(row.age).unwrap_or_default(),
                claimed_at,
            })
        });
        Ok(readable.collect())
    }

    /// Postpones an item that the site does not show yet.
    pub(crate) async fn postpone_pending(&self, item: &PendingItem) -> Result<(), Error> {
        let postponed = sqlx::query!(
            "update ledger.untold set claimed_until = now() + $5 * interval '1 second'
         where collection = $1 and key = $2 and noted_at = $3 and claimed_until = $4",
            item.collection,
            item.key,
            item.noted_at,
            item.claimed_until,
            RETRY_SECONDS,
        );
        with_answer_timeout(postponed.execute(&self.pool)).await?;
        Ok(())
    }

    /// Records that since `since` the site was seen to show the version of `entry` (nothing, if that is
    /// a removal) at `addresses`, `milliseconds` after its hint. The first record of an entry stays.
    pub(crate) async fn record_seen(
        &self,
        entry: i64,
        since: DateTime<Utc>,
        milliseconds: Option<i64>,
        addresses: &[String],
    ) -> Result<(), Error> {
        let seen = sqlx::query!(
            "insert into ledger.live (entry, since, milliseconds, addresses) values ($1, $2, $3, $4)
         on conflict do nothing",
            entry,
            since,
            milliseconds,
            addresses,
        );
        with_answer_timeout(seen.execute(&self.pool)).await?;
        Ok(())
    }

    /// Removes a reported item from the queue. If it was queued again meanwhile, another process may
    /// have reported that request before this report overwrote it, so the item is reported once more, by
    /// a claim that starts after this.
    ///
    /// This terminates: only the report of an older request triggers another one, and triggering it does
    /// not change the time of the queued request. A process that lost its claim has reported the same as
    /// the one that holds it.
    pub(crate) async fn mark_reported(&self, item: &PendingItem) -> Result<(), Error> {
        let removed = sqlx::query!(
            "with gone as (
            delete from ledger.untold
            where collection = $1 and key = $2 and noted_at = $3 and claimed_until = $4
            returning key
         )
         insert into ledger.untold as u (collection, key)
         select $1, $2 where not exists (select from gone)
         on conflict (collection, key) do update set claimed_until = null
             where u.noted_at <> $3 and u.claimed_until is not null",
            item.collection,
            item.key,
            item.noted_at,
            item.claimed_until,
        );
        with_answer_timeout(removed.execute(&self.pool)).await?;
        Ok(())
    }
}
