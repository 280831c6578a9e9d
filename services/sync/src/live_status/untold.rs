//! Of what editors are still to be told, and what there is to tell.

use chrono::{DateTime, Utc};
use contracts::{Change, Violation};
use sqlx::{PgPool, types::Json};

use crate::Error;

/// How long one process has what it claims for itself, in seconds.
const CLAIM_SECONDS: f64 = 30.0;
/// How many hints are looked through for the one by which a version came: it is among the last.
const LAST_HINTS: i64 = 1_000;

/// An item of which editors are to be told.
#[derive(Debug)]
pub struct Untold {
    /// Its collection.
    pub collection: String,
    /// Its key there.
    pub key: String,
    /// When it was noted; a later note is another one.
    noted_at: DateTime<Utc>,
    /// The newest version's place in the log, and what it is. None of what was never recorded.
    pub newest: Option<Newest>,
    /// Which rules it breaks since.
    pub violations: Vec<Violation>,
}

/// The newest version of an item.
#[derive(Debug)]
pub struct Newest {
    /// What it says.
    pub change: Change,
    /// Where it stands in the log; none where the log refused it.
    pub sequence: Option<u64>,
    /// Why the log refused it.
    pub refused: Option<String>,
    /// When somebody told of it, or it was read where nobody did.
    pub told_at: DateTime<Utc>,
}

/// Claims at most `most` of them, what was noted last first. What still waits for the relay is left.
pub async fn claim(pool: &PgPool, most: i64) -> Result<Vec<Untold>, Error> {
    let rows = sqlx::query!(
        r#"with due as (
               select u.collection, u.key
               from ledger.untold as u
               where (u.claimed_until is null or u.claimed_until < now())
                 and not exists (select from ledger.outbox as o
                                 where o.collection = u.collection and o.key = u.key
                                   and not o.refill)
               order by u.noted_at desc limit $1
               for update of u skip locked
           ), claimed as (
               update ledger.untold as u set claimed_until = now() + $2 * interval '1 second'
               from due where u.collection = due.collection and u.key = due.key
               returning u.collection, u.key, u.noted_at
           )
           select c.collection as "collection!", c.key as "key!", c.noted_at as "noted_at!",
               e.change as "change?: Json<Change>", e.sequence as "sequence?",
               e.refused as "refused?", e.captured_at as "captured_at?",
               p.violations as "violations?: Json<Vec<Violation>>",
               (select max(i.received_at)
                from (select * from ledger.inbox order by id desc limit $3) as i
                where i.collection = c.collection and c.key = any (i.keys)
                  and i.received_at <= e.captured_at) as received_at
           from claimed as c
           left join ledger.aggregate as a on a.collection = c.collection and a.key = c.key
           left join ledger.entry as e
               on e.collection = c.collection and e.key = c.key and e.version = a.version
           left join ledger.parked as p on p.collection = c.collection and p.key = c.key"#,
        most,
        CLAIM_SECONDS,
        LAST_HINTS,
    )
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Untold {
            newest: row.change.zip(row.captured_at).map(|(change, captured_at)| Newest {
                change: change.0,
                sequence: row.sequence.map(i64::cast_unsigned),
                refused: row.refused,
                told_at: row.received_at.unwrap_or(captured_at),
            }),
            violations: row.violations.map(|Json(violations)| violations).unwrap_or_default(),
            collection: row.collection,
            key: row.key,
            noted_at: row.noted_at,
        })
        .collect())
}

/// Editors were told of it, unless something was noted meanwhile.
pub async fn told(pool: &PgPool, untold: &Untold) -> Result<(), Error> {
    sqlx::query!(
        "delete from ledger.untold where collection = $1 and key = $2 and noted_at = $3",
        untold.collection,
        untold.key,
        untold.noted_at,
    )
    .execute(pool)
    .await?;
    Ok(())
}
