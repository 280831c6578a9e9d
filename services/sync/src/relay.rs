//! The relay: from the ledger's outbox to the stream, in order, by one leader.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use contracts::{AggregateId, Epoch, Event, Sequence, Version};
use event_log::{EventLog, Publisher};
use runtime::{Check, telemetry};
use sqlx::{Connection, FromRow, PgConnection};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use uuid::Uuid;

use crate::{Error, Sync};

/// The advisory lock of the one relay that leads; the letters `almijara` as a number.
const LEADER_LOCK: i64 = 0x616c_6d69_6a61_7261;
/// How many entries one round takes.
const BATCH: i64 = 100;
/// How often the outbox is looked at without a notice, and the lock's connection proven.
const POLL: Duration = Duration::from_millis(500);
/// How often the stream is compared with what the ledger knows of it.
const STREAM_CHECK: Duration = Duration::from_secs(2);
/// The pause after a failure; it doubles up to the longest.
const FAILURE_PAUSE: Duration = Duration::from_millis(300);
const LONGEST_FAILURE_PAUSE: Duration = Duration::from_secs(3);
/// How often a relay that does not lead asks for the lead.
const STANDBY_PAUSE: Duration = Duration::from_secs(2);

#[derive(FromRow)]
struct Entry {
    id: i64,
    event_id: Uuid,
    collection: String,
    key: String,
    version: i64,
    schema_version: i16,
    captured_at: DateTime<Utc>,
    change: String,
    traceparent: Option<String>,
}

impl Entry {
    fn into_event(self) -> Result<Event, Error> {
        Ok(Event {
            id: self.event_id,
            schema_version: self.schema_version.cast_unsigned(),
            aggregate: AggregateId::new(self.collection.parse()?, self.key),
            version: Version(self.version),
            captured_at: self.captured_at,
            change: serde_json::from_str(&self.change)?,
        })
    }
}

/// Relays until `shutdown`, whenever this process leads.
pub async fn run(
    sync: Sync,
    log: EventLog,
    check: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let publisher = log.publisher();
    let mut failure_pause = FAILURE_PAUSE;
    loop {
        let began = Instant::now();
        let leading = async {
            let mut connection = take_lead(&sync).await?;
            lead(&sync, &mut connection, &publisher, &check).await
        };
        let pause = tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            ended = leading => match ended {
                // Another process relays, which is as well.
                Err(Error::NotLeader) => {
                    check.ready();
                    STANDBY_PAUSE
                }
                Err(error) => {
                    tracing::warn!(%error, "the relay rests");
                    check.not_ready(error.to_string());
                    if began.elapsed() > LONGEST_FAILURE_PAUSE {
                        failure_pause = FAILURE_PAUSE;
                    }
                    let pause = failure_pause;
                    failure_pause = (pause * 2).min(LONGEST_FAILURE_PAUSE);
                    pause
                }
                Ok(never) => match never {},
            },
        };
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// A connection of its own that holds the leader's lock. The lock ends with the connection, and
/// all that the relay reads and writes goes over it, so a relay that lost the lead can do nothing.
async fn take_lead(sync: &Sync) -> Result<PgConnection, Error> {
    let options = sync.ledger.pool().connect_options();
    let mut connection = PgConnection::connect_with(options.as_ref()).await?;
    let leads: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(LEADER_LOCK)
        .fetch_one(&mut connection)
        .await?;
    if leads { Ok(connection) } else { Err(Error::NotLeader) }
}

/// Publishes what is unpublished, for as long as nothing fails.
async fn lead(
    sync: &Sync,
    connection: &mut PgConnection,
    publisher: &Publisher,
    check: &Check,
) -> Result<std::convert::Infallible, Error> {
    tracing::debug!("this relay leads");
    let mut epoch = settle_epoch(connection, publisher).await?;
    check.ready();
    let mut checked = Instant::now();
    loop {
        if checked.elapsed() > STREAM_CHECK {
            epoch = settle_epoch(connection, publisher).await?;
            checked = Instant::now();
        }
        let count = publish_some(connection, publisher, epoch).await?;
        if count == 0 {
            tokio::select! {
                () = sync.unpublished.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Publishes the oldest entries of the outbox and marks them; gives how many.
async fn publish_some(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
) -> Result<usize, Error> {
    let entries: Vec<Entry> = sqlx::query_as(
        "select id, event_id, collection, key, version, schema_version, captured_at, change::text as change, traceparent
         from ledger.entry where sequence is null and refused is null order by id limit $1",
    )
    .bind(BATCH)
    .fetch_all(&mut *connection)
    .await?;
    let count = entries.len();
    let (mut ids, mut sequences) = (Vec::new(), Vec::new());
    let mut failure = None;
    for entry in entries {
        let id = entry.id;
        match publish_one(publisher, entry, epoch).await {
            Ok(sequence) => {
                ids.push(id);
                sequences.push(sequence.to_i64());
            }
            Err(error) if error.is_transient() => {
                failure = Some(error);
                break;
            }
            // One entry that the log will never take keeps no other from it.
            Err(error) => refuse(connection, id, &error).await?,
        }
    }
    // What was acknowledged is marked even where a later one failed. A crash before this publishes
    // again, which the message's id and the version make harmless.
    if !ids.is_empty() {
        mark_published(connection, &ids, &sequences).await?;
    }
    failure.map_or(Ok(count), Err)
}

async fn publish_one(publisher: &Publisher, entry: Entry, epoch: Epoch) -> Result<Sequence, Error> {
    let span = tracing::info_span!("publish", collection = %entry.collection, key = %entry.key);
    telemetry::link_parent(&span, entry.traceparent.as_deref());
    async {
        let traced = entry.traceparent.is_some();
        let event = entry.into_event()?;
        let traceparent = telemetry::traceparent().filter(|_| traced);
        Ok(publisher.publish(&event, epoch, traceparent.as_deref()).await?)
    }
    .instrument(span)
    .await
}

async fn refuse(connection: &mut PgConnection, id: i64, error: &Error) -> Result<(), Error> {
    tracing::error!(entry = id, %error, "an entry can't be published and is set aside");
    sqlx::query("update ledger.entry set refused = $2 where id = $1")
        .bind(id)
        .bind(error.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn mark_published(
    connection: &mut PgConnection,
    ids: &[i64],
    sequences: &[i64],
) -> Result<(), Error> {
    sqlx::query(
        "with marked as (
            update ledger.entry as e set sequence = t.sequence
            from unnest($1::bigint[], $2::bigint[]) as t(id, sequence) where e.id = t.id
         )
         update ledger.epoch set highest = greatest(highest, (select max(s) from unnest($2::bigint[]) as s))",
    )
    .bind(ids)
    .bind(sequences)
    .execute(connection)
    .await?;
    Ok(())
}

/// Makes sure that the stream is the one that the ledger's sequences are of, and begins a new
/// epoch where it was lost, made anew by someone else, or restored from an older copy.
async fn settle_epoch(
    connection: &mut PgConnection,
    publisher: &Publisher,
) -> Result<Epoch, Error> {
    let known: Option<(i32, DateTime<Utc>, i64)> =
        sqlx::query_as("select epoch, stream_created, highest from ledger.epoch")
            .fetch_optional(&mut *connection)
            .await?;
    let stream = publisher.stream_state().await?;
    let known_epoch = known.map(|(epoch, _, _)| Epoch(epoch.cast_unsigned()));
    if let (Some((_, created, highest)), Some(stream)) = (known, stream)
        && stream.epoch == known_epoch
        && same_moment(stream.created, created)
        && stream.position() >= Some(Sequence::from_i64(highest))
    {
        return Ok(stream.epoch.unwrap_or_default());
    }
    let next = [known_epoch, stream.and_then(|stream| stream.epoch)]
        .into_iter()
        .flatten()
        .max()
        .map_or(Epoch(0), |latest| Epoch(latest.0 + 1));
    begin_epoch(connection, publisher, next).await?;
    Ok(next)
}

async fn begin_epoch(
    connection: &mut PgConnection,
    publisher: &Publisher,
    epoch: Epoch,
) -> Result<(), Error> {
    if epoch > Epoch(0) {
        tracing::warn!(%epoch, "the stream is not the one of before: a new epoch begins");
    }
    // The stream first: a crash before the ledger knows of it only begins one epoch more.
    let stream = publisher.recreate(epoch).await?;
    let mut transaction = connection.begin().await?;
    // Every entry of the ledger is marked, which may be many.
    sqlx::query("set local statement_timeout = 0").execute(&mut *transaction).await?;
    sqlx::query(
        "update ledger.entry set sequence = null, refused = null
         where sequence is not null or refused is not null",
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "insert into ledger.epoch (epoch, stream_created, highest) values ($1, $2, $3)
         on conflict (only_one) do update set
            epoch = excluded.epoch, stream_created = excluded.stream_created,
            highest = excluded.highest",
    )
    .bind(epoch.0.cast_signed())
    .bind(stream.created)
    .bind(Sequence::new(epoch, 0).to_i64())
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Postgres keeps microseconds, NATS nanoseconds.
fn same_moment(one: DateTime<Utc>, other: DateTime<Utc>) -> bool {
    one.timestamp_micros() == other.timestamp_micros()
}
