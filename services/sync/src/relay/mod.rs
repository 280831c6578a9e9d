//! The relay: publishes the outbox of the ledger to the stream, in order, from one leader.

mod lineage;
mod outbox;
mod recover;

use std::{
    convert::Infallible,
    future::Future,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use event_log::{EventLog, Outgoing, Published, Publisher, STREAM};
use runtime::{Check, error_text, telemetry};
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;
use tracing::Span;

use self::{lineage::Leadership, outbox::Entry};
use crate::{Context, Error, Ledger, OffersByKey, failures::Failures};

/// The advisory lock that the leading relay holds; the letters `almijara` as a number.
const LEADER_LOCK: i64 = 0x616c_6d69_6a61_7261;
/// How often the outbox is polled without a notification, which also proves that the connection of the
/// lock is alive. This is short because this process gets no notification of what another one captures.
const POLL: Duration = Duration::from_millis(100);
/// How often the stream is compared with what this relay wrote to it.
const STREAM_CHECK: Duration = Duration::from_secs(2);
/// The pause after a failure; it doubles up to the maximum.
const FAILURE_PAUSE: Duration = Duration::from_millis(300);
const MAX_FAILURE_PAUSE: Duration = Duration::from_secs(3);
/// How often a standby relay tries to become the leader.
const STANDBY_PAUSE: Duration = Duration::from_secs(2);
/// The timeout of one round, for Postgres and NATS together.
const ROUND_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout for taking over: the outbox may be filled with a complete catalogue.
const TAKEOVER_TIMEOUT: Duration = Duration::from_mins(5);

/// Relays until `shutdown`, whenever this process is the leader.
pub async fn run(
    context: Context,
    log: EventLog,
    check: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut failure_pause = FAILURE_PAUSE;
    loop {
        let began = Instant::now();
        let leading = async {
            let mut connection = with_timeout(
                ROUND_TIMEOUT,
                "asking postgres for the lead",
                acquire_leadership(&context.ledger),
            )
            .await?;
            run_as_leader(&context, &mut connection, &log, &check).await
        };
        let pause = tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            ended = leading => match ended {
                // Another process relays, which is fine.
                Err(Error::NotLeader) => {
                    check.ready();
                    STANDBY_PAUSE
                }
                Err(error) => {
                    let reason = error_text(&error);
                    tracing::warn!(error = reason, "the relay failed and backs off");
                    check.not_ready(reason);
                    if began.elapsed() > MAX_FAILURE_PAUSE {
                        failure_pause = FAILURE_PAUSE;
                    }
                    let pause = failure_pause;
                    failure_pause = (pause * 2).min(MAX_FAILURE_PAUSE);
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

/// Returns a dedicated connection that holds the lock of the leader. The lock ends with the connection,
/// which carries all reads and marks of the relay. Writes to the stream are guarded by the stream
/// itself: it accepts a message only from a writer that knows its last one. Until the new leader has
/// written a message, a relay that lost the lock may still write one; the new leader then finds it in
/// the stream and marks it as published.
async fn acquire_leadership(ledger: &Ledger) -> Result<PgConnection, Error> {
    let mut connection = ledger.connect().await?;
    let acquired =
        sqlx::query_scalar!(r#"select pg_try_advisory_lock($1) as "leads!""#, LEADER_LOCK)
            .fetch_one(&mut connection)
            .await?;
    if acquired { Ok(connection) } else { Err(Error::NotLeader) }
}

/// Publishes the outbox as the leader, until a failure.
async fn run_as_leader(
    context: &Context,
    connection: &mut PgConnection,
    log: &EventLog,
    check: &Check,
) -> Result<Infallible, Error> {
    let publisher = &log.publisher();
    let taken = lineage::take(connection, log, publisher);
    let mut leadership = with_timeout(TAKEOVER_TIMEOUT, "becoming the leader", taken).await?;
    tracing::debug!(epoch = %leadership.lineage.epoch, "this relay is the leader");
    let _leader_guard = LeaderGuard::begin(context, &leadership);
    check.ready();
    let (mut checked, mut refilled, began) = (Instant::now(), 0, Instant::now());
    loop {
        if checked.elapsed() > STREAM_CHECK {
            with_timeout(
                ROUND_TIMEOUT,
                "checking the stream",
                verify_stream(publisher, &leadership),
            )
            .await?;
            check.ready();
            checked = Instant::now();
        }
        let round = with_timeout(
            ROUND_TIMEOUT,
            "publishing",
            publish_batch(connection, publisher, &mut leadership),
        )
        .await?;
        refilled += round.refilled;
        let may_be_complete = round.refilled == 0 && !leadership.lineage.complete;
        if may_be_complete
            && with_timeout(
                ROUND_TIMEOUT,
                "an answer of postgres",
                is_complete(&context.failures, connection, &leadership),
            )
            .await?
        {
            leadership.lineage.complete = true;
            let described = publisher.describe(&leadership.lineage);
            with_timeout(ROUND_TIMEOUT, "describing the stream", described).await?;
            context.stream_incomplete.send_replace(false);
            let seconds = began.elapsed().as_secs_f64();
            tracing::info!(refilled, seconds, "the log is complete");
        }
        if round.published > 0 {
            context.wakeups.live_status.notify_one();
        } else {
            tokio::select! {
                () = context.wakeups.relay.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Returns whether everything that is published is in the stream.
async fn is_complete(
    failures: &Failures,
    connection: &mut PgConnection,
    leadership: &Leadership,
) -> Result<bool, Error> {
    let withheld = failures.withheld();
    let is_complete = outbox::is_complete(connection, leadership.lineage.ledger, &withheld).await?;
    // If the properties were compared meanwhile, the withheld collections are to be retried first.
    Ok(is_complete && failures.withheld() == withheld)
}

/// Marks this process as the leader until it is dropped.
struct LeaderGuard<'a>(&'a Context);

impl<'a> LeaderGuard<'a> {
    fn begin(context: &'a Context, leadership: &Leadership) -> Self {
        context.is_leader.store(true, Ordering::Relaxed);
        context.stream_incomplete.send_replace(!leadership.lineage.complete);
        Self(context)
    }
}

impl Drop for LeaderGuard<'_> {
    fn drop(&mut self) {
        self.0.is_leader.store(false, Ordering::Relaxed);
        self.0.stream_incomplete.send_replace(false);
    }
}

/// Waits for `work` up to `limit`. The error names the work as `what`, since either Postgres or NATS may
/// be the cause.
async fn with_timeout<T, E: Into<Error>>(
    limit: Duration,
    what: &'static str,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Error> {
    let done = tokio::time::timeout(limit, work).await;
    done.map_err(|_| Error::Timeout { what, limit })?.map_err(Into::into)
}

/// Verifies that the leadership can go on with the stream as it is now.
async fn verify_stream(publisher: &Publisher, leadership: &Leadership) -> Result<(), Error> {
    let state = publisher.stream_state().await?.ok_or(event_log::Error::NoStream)?;
    metrics::gauge!("sync_stream_bytes").set(as_gauge(state.bytes));
    let limit = state.max_bytes.map_or(f64::INFINITY, as_gauge);
    metrics::gauge!("sync_stream_limit_bytes").set(limit);
    leadership.verify(&state)
}

/// The result of one round.
struct Round {
    /// The number of entries that the stream accepted, or that were set aside.
    published: usize,
    /// The number of those entries that fill a new stream.
    refilled: usize,
}

/// Publishes the first waiting entries and marks them.
async fn publish_batch(
    connection: &mut PgConnection,
    publisher: &Publisher,
    leadership: &mut Leadership,
) -> Result<Round, Error> {
    let entries = outbox::waiting(connection).await?;
    let mut round = Round { published: 0, refilled: 0 };
    if entries.is_empty() {
        return Ok(round);
    }
    let offered = outbox::offered(connection, &entries).await?;
    let (born, epoch) = (leadership.lineage.born, leadership.lineage.epoch);
    let mut batch = Batch::default();
    for entry in entries {
        let (id, refill) = (entry.id, entry.refill);
        round.published += 1;
        round.refilled += usize::from(refill);
        if let Err(error) = batch.add(entry, &offered) {
            // An entry that the log will never accept must not block the others.
            outbox::refuse(connection, born, id, &error).await?;
        }
    }
    runtime::failpoint("sync.publish").map_err(sqlx::Error::from)?;
    let Published { sequences, failure } =
        publisher.publish(epoch, leadership.last, &batch.events).await;
    // Acknowledged entries are marked even if a later one failed. If the process crashes before this,
    // the next relay finds in the stream which entries it contains.
    if let Some(last) = sequences.last() {
        leadership.last = last.stream();
        runtime::failpoint("sync.mark_published").map_err(sqlx::Error::from)?;
        outbox::mark_published(connection, epoch, &batch.ids[..sequences.len()], &sequences)
            .await?;
    }
    match failure.map(Error::from) {
        None => Ok(round),
        Some(error) if error.is_transient() => Err(error),
        Some(error) => {
            if let Some(id) = batch.ids.get(sequences.len()) {
                outbox::refuse(connection, born, *id, &error).await?;
            }
            // The entries after it are published by the next round.
            Ok(round)
        }
    }
}

/// Entries that are published together.
#[derive(Default)]
struct Batch {
    ids: Vec<i64>,
    events: Vec<Outgoing>,
    /// Each lasts until the event is published.
    spans: Vec<Span>,
}

impl Batch {
    fn add(&mut self, entry: Entry, offered: &OffersByKey) -> Result<(), Error> {
        let span = tracing::info_span!(
            "publish",
            otel.kind = "producer",
            collection = %entry.collection,
            key = %entry.key,
            messaging.system = "nats",
            messaging.destination.name = STREAM,
            messaging.operation.name = "publish",
            messaging.operation.type = "send",
        );
        // Entries that fill a new stream were already published in their trace long ago.
        let trace = entry.traceparent.as_deref().filter(|_| !entry.refill);
        telemetry::link_parent(&span, trace);
        let traceparent = trace.and_then(|_| telemetry::traceparent_of(&span));
        let id = entry.id;
        let event = entry.into_event(offered)?;
        self.ids.push(id);
        self.events.push(Outgoing { event, traceparent });
        self.spans.push(span);
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
const fn as_gauge(bytes: u64) -> f64 {
    bytes as f64
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test]
    async fn a_timeout_names_the_work() {
        let never = pending::<Result<(), Error>>();
        let late =
            with_timeout(Duration::ZERO, "publishing", never).await.expect_err("it never ends");
        assert_eq!(late.to_string(), "publishing took more than 0 s");
        assert!(late.is_transient());
    }
}
