//! The tables of the ledger: hints, aggregates with their fences, parts, versions, and which collections
//! were compared.
//!
//! Every statement has a timeout, since a frozen server, or one whose host is gone, never answers.

mod claims;
mod compared;
mod hints;
mod versions;

use chrono::{DateTime, Utc};
use contracts::Collection;
use runtime::postgres::{WriteProbe, with_answer_timeout};
use sqlx::PgPool;

pub use claims::Claim;
pub use hints::Unresolved;
pub use versions::{Finding, Recorded};

use crate::Error;

/// Access to the tables of the ledger.
#[derive(Clone, Debug)]
pub struct Ledger {
    pool: PgPool,
    probe: WriteProbe,
}

/// The number of items that wait to be published or read.
#[derive(Clone, Copy, Debug)]
pub struct Backlog {
    /// Entries that the log has not taken yet.
    pub entries: f64,
    /// Entries that are republished to fill a new stream.
    pub refill: f64,
    /// The age in seconds of the oldest waiting entry, except those that fill a new stream.
    pub oldest: f64,
    /// Aggregates that are to be read.
    pub due: f64,
    /// For how many seconds the first of them has been due, of the collections that this build knows.
    pub oldest_due: f64,
    /// Hints that could not be resolved yet.
    pub unresolved: f64,
}

impl Ledger {
    pub fn new(pool: PgPool) -> Self {
        Self { pool, probe: WriteProbe::new("ledger") }
    }

    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Passes on the result of a write, and remembers if Postgres refused it.
    pub fn observe_write<T>(&self, written: sqlx::Result<T>) -> sqlx::Result<T> {
        written.inspect_err(|error| self.probe.record(error))
    }

    /// Fails after a write was refused, until one succeeds.
    pub async fn check_writes(&self) -> Result<(), Error> {
        Ok(self.probe.check(&self.pool).await?)
    }

    /// Returns what waits to be published or read.
    pub async fn backlog(&self) -> Result<Backlog, Error> {
        let known = Collection::ALL.map(|collection| collection.name().to_owned());
        Ok(sqlx::query_as!(
            Backlog,
            r#"select
                count(*) filter (where not o.refill)::float8 as "entries!",
                count(*) filter (where o.refill)::float8 as "refill!",
                coalesce(extract(epoch from clock_timestamp() - min(e.captured_at)
                    filter (where not o.refill)), 0)::float8 as "oldest!",
                (select count(*) from ledger.aggregate
                 where dirty_gen > clean_gen)::float8 as "due!",
                -- A failure postpones an item, possibly into the future.
                (select greatest(extract(epoch from clock_timestamp() - min(due_at)), 0)
                 from ledger.aggregate
                 where dirty_gen > clean_gen
                   and collection = any($1))::float8 as "oldest_due!",
                (select count(*) from ledger.inbox
                 where resolved_at is null and failure is not null)::float8 as "unresolved!"
             from ledger.outbox as o
             left join ledger.entry as e on e.id = o.entry and not o.refill"#,
            &known[..],
        )
        .fetch_one(&self.pool)
        .await?)
    }

    /// Returns up to which time the activity log was read.
    pub async fn activity_read_to(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let read_to = sqlx::query_scalar!("select read_to from ledger.activity_cursor");
        Ok(with_answer_timeout(read_to.fetch_optional(&self.pool)).await?)
    }

    /// Records that the activity log was read up to `moment`, by the content service's clock.
    pub async fn set_activity_read_to(&self, moment: DateTime<Utc>) -> Result<(), Error> {
        let read = sqlx::query!(
            "insert into ledger.activity_cursor (read_to) values ($1)
             on conflict (only_one) do update set read_to = excluded.read_to",
            moment,
        );
        self.observe_write(with_answer_timeout(read.execute(&self.pool)).await)?;
        Ok(())
    }
}
