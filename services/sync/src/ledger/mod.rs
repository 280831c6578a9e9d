//! The tables of the ledger, and every statement about them, except those of the relay: they run on the
//! connection that holds its lock.
//!
//! Every statement has a timeout, since a frozen server, or one whose host is gone, never answers.

mod claims;
mod compared;
mod hints;
mod last_good;
mod left_out;
mod live_status;
mod offers;
mod parked;
mod pause;
mod placeholders;
mod publishes;
mod redirects;
mod versions;

use chrono::{DateTime, Utc};
use contracts::Collection;
use runtime::postgres::{WriteProbe, with_answer_timeout};
use sqlx::{Connection, PgConnection, PgPool};
use uuid::Uuid;

pub use claims::Claim;
pub use hints::Unresolved;
pub use live_status::{Newest, PendingItem};
pub use offers::{EarlierPrice, OffersByKey, RecoveredOffers, offers_of, record_recovered};
pub use parked::{
    Counts as ParkedCounts, Parked, ParkedItem, RefusedVersion, UnresolvedHint, WithoutPicture,
    storable,
};
pub use pause::Step;
pub use placeholders::{FileVersion, MadePlaceholders, StoredPlaceholder};
pub use publishes::MAX_PUBLISHES;
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

/// The state of the ledger, as reported to operators.
#[derive(Debug)]
pub struct Figures {
    /// Its identity; none before a relay led for the first time.
    pub ledger: Option<Uuid>,
    pub epoch: Option<i32>,
    /// Entries that the log has not taken yet.
    pub fresh: i64,
    /// Entries that are republished to fill a new stream.
    pub refill: i64,
    /// Hints that are not resolved yet.
    pub unresolved: i64,
    /// The age in seconds of the oldest of them.
    pub hint_waits: Option<f64>,
    /// Aggregates that are to be read.
    pub dirty: i64,
    /// The time in seconds since the first of them was due; negative if it is postponed.
    pub item_waits: Option<f64>,
}

impl Ledger {
    /// Returns the ledger in the database of `pool`.
    pub fn new(pool: PgPool) -> Self {
        Self { pool, probe: WriteProbe::new("ledger") }
    }

    /// Opens a connection that is not from the pool, for a lock that ends with it.
    pub(crate) async fn connect(&self) -> sqlx::Result<PgConnection> {
        PgConnection::connect_with(self.pool.connect_options().as_ref()).await
    }

    /// Passes on the result of a write, and remembers if Postgres refused it.
    fn observe_write<T>(&self, written: sqlx::Result<T>) -> sqlx::Result<T> {
        written.inspect_err(|error| self.probe.record(error))
    }

    /// Fails after a write was refused, until one succeeds.
    pub(crate) async fn check_writes(&self) -> Result<(), Error> {
        Ok(with_answer_timeout(self.probe.check(&self.pool)).await?)
    }

    /// Returns what waits to be published or read.
    pub(crate) async fn backlog(&self) -> Result<Backlog, Error> {
        let known = Collection::ALL.map(|collection| collection.name().to_owned());
        let backlog = sqlx::query_as!(
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
        );
        Ok(with_answer_timeout(backlog.fetch_one(&self.pool)).await?)
    }

    /// Returns what operators are told about the ledger.
    pub(crate) async fn figures(&self) -> Result<Figures, Error> {
        let figures = sqlx::query_as!(
            Figures,
            r#"select
            (select ledger from ledger.epoch order by epoch desc limit 1) as ledger,
            (select epoch from ledger.epoch order by epoch desc limit 1) as epoch,
            (select count(*) from ledger.outbox where not refill) as "fresh!",
            (select count(*) from ledger.outbox where refill) as "refill!",
            (select count(*) from ledger.inbox where resolved_at is null) as "unresolved!",
            (select extract(epoch from now() - min(received_at))::float8
             from ledger.inbox where resolved_at is null) as hint_waits,
            (select count(*) from ledger.aggregate where dirty_gen > clean_gen) as "dirty!",
            (select extract(epoch from now() - min(due_at))::float8
             from ledger.aggregate where dirty_gen > clean_gen) as item_waits"#,
        );
        Ok(with_answer_timeout(figures.fetch_one(&self.pool)).await?)
    }

    /// Returns up to which time the activity log was read.
    pub(crate) async fn activity_read_to(&self) -> Result<Option<DateTime<Utc>>, Error> {
        let read_to = sqlx::query_scalar!("select read_to from ledger.activity_cursor");
        Ok(with_answer_timeout(read_to.fetch_optional(&self.pool)).await?)
    }

    /// Records that the activity log was read up to `moment`, by the content service's clock.
    pub(crate) async fn set_activity_read_to(&self, moment: DateTime<Utc>) -> Result<(), Error> {
        let read = sqlx::query!(
            "insert into ledger.activity_cursor (read_to) values ($1)
             on conflict (only_one) do update set read_to = excluded.read_to",
            moment,
        );
        self.observe_write(with_answer_timeout(read.execute(&self.pool)).await)?;
        Ok(())
    }
}
