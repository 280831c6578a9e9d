//! Of what editors are still to be told, and what there is to tell.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use contracts::{Change, Violation, content::Snapshot};
use runtime::postgres::answered;
use serde::Deserialize;
use sqlx::{PgPool, types::Json};

use crate::Error;

/// How long one process has what it claims for itself, in seconds.
const CLAIM_SECONDS: f64 = 30.0;
/// After how many seconds what is not shown yet is looked for again.
const LATER_SECONDS: f64 = 2.0;
/// How many hints are looked through for the one by which a version came: it is among the last.
const LAST_HINTS: i64 = 1_000;

/// An item of which editors are to be told.
#[derive(Debug)]
pub struct Untold {
    /// Its collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// When it was noted, by the database's clock; a later note is another one.
    noted_at: DateTime<Utc>,
    /// Until when it is claimed, by which one claim is known from another.
    claimed_until: DateTime<Utc>,
    /// How long ago it was noted when it was claimed, and when that was.
    age: Duration,
    claimed: Instant,
    /// The newest version's place in the log, and what it is. None of what was never recorded.
    pub newest: Option<Newest>,
    /// Which rules it breaks since.
    pub violations: Vec<Violation>,
    /// The pictures that it names and is shown without.
    pub left_out: Vec<Violation>,
}

/// The newest version of an item.
#[derive(Debug, Deserialize)]
pub struct Newest {
    /// Its entry in the ledger.
    pub entry: i64,
    /// What it says.
    pub change: Change,
    /// Where it stands in the log; none where the log refused it.
    pub sequence: Option<u64>,
    /// Why the log refused it.
    pub refused: Option<String>,
    /// When it was read.
    pub captured_at: DateTime<Utc>,
    /// When a webhook told of it, since the version before was read; none of what was found without
    /// that, and of a version that is no news.
    pub hinted_at: Option<DateTime<Utc>>,
    /// Since when, and after how long, the site was seen to show it, if it was.
    seen: Option<Seen>,
    /// The version before it, as long as the ledger has it; none of a version that is no news.
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
    /// Since when, and after how many milliseconds, the site was seen to show what an editor published,
    /// where it was seen already, or the newest version only adds placeholders to what was. They are made
    /// behind the publish: to its editor they are no news.
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

impl Untold {
    /// How long ago it was noted.
    pub fn age(&self) -> Duration {
        self.age + self.claimed.elapsed()
    }
}

/// Claims at most `most` of them, what was noted last first. What still waits for the relay is left; so is,
/// to a build that can, what this one can't read, since a later one recorded it.
pub async fn claim(pool: &PgPool, most: i64) -> Result<Vec<Untold>, Error> {
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
                        (select max(i.received_at)
                         from (select * from ledger.inbox order by id desc limit $3) as i
                         where c.version = e.version
                           and i.collection = e.collection and e.key = any (i.keys)
                           -- Found out by reconciling, not told.
                           and i.event <> 'activity'
                           and i.received_at <= e.captured_at
                           and i.received_at > coalesce(
                               (select earlier.captured_at from ledger.entry as earlier
                                where earlier.collection = e.collection and earlier.key = e.key
                                  and earlier.version = e.version - 1), '-infinity')),
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
        most,
        CLAIM_SECONDS,
        LAST_HINTS,
    );
    let rows = answered(claimed.fetch_all(pool)).await?;
    let claimed = Instant::now();
    let readable = rows.into_iter().filter_map(|row| {
        let newest = match row.newest.map(serde_json::from_value).transpose() {
            Ok(newest) => newest,
            Err(error) => {
                let (collection, key) = (row.collection, row.key);
                tracing::warn!(collection, key, %error, "a version can't be read to tell of it");
                return None;
            }
        };
        Some(Untold {
            newest,
            violations: row.violations.map(|Json(violations)| violations).unwrap_or_default(),
            left_out: row.left_out.map(|Json(pictures)| pictures).unwrap_or_default(),
            collection: row.collection,
            key: row.key,
            noted_at: row.noted_at,
            claimed_until: row.claimed_until,
            age: Duration::try_from_secs_f64(row.age).unwrap_or_default(),
            claimed,
        })
    });
    Ok(readable.collect())
}

/// The site does not show it yet: it is tried again a little later.
pub async fn later(pool: &PgPool, untold: &Untold) -> Result<(), Error> {
    let put_off = sqlx::query!(
        "update ledger.untold set claimed_until = now() + $5 * interval '1 second'
         where collection = $1 and key = $2 and noted_at = $3 and claimed_until = $4",
        untold.collection,
        untold.key,
        untold.noted_at,
        untold.claimed_until,
        LATER_SECONDS,
    );
    answered(put_off.execute(pool)).await?;
    Ok(())
}

/// The site was seen to show the version of `entry`, or nothing where that is a removal, `since` then, so
/// many `milliseconds` after it was told of, at `addresses`. What was seen first stands.
pub async fn seen(
    pool: &PgPool,
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
    answered(seen.execute(pool)).await?;
    Ok(())
}

/// Editors were told of it. Where something was noted meanwhile, another may have told them of that
/// before, and this wrote over it: they are told once more, by a claim that begins after this.
///
/// It comes to an end: only who told of an older note has it told once more, and a note that stands
/// gets no newer by that. Who loses the claim on it has told the same as who has it then.
pub async fn told(pool: &PgPool, untold: &Untold) -> Result<(), Error> {
    let told = sqlx::query!(
        "with gone as (
            delete from ledger.untold
            where collection = $1 and key = $2 and noted_at = $3 and claimed_until = $4
            returning key
         )
         insert into ledger.untold as u (collection, key)
         select $1, $2 where not exists (select from gone)
         on conflict (collection, key) do update set claimed_until = null
             where u.noted_at <> $3 and u.claimed_until is not null",
        untold.collection,
        untold.key,
        untold.noted_at,
        untold.claimed_until,
    );
    answered(told.execute(pool)).await?;
    Ok(())
}
