//! The relay: from the ledger's outbox to the stream, in order, by one leader.

mod lineage;
mod outbox;

use std::{
    convert::Infallible,
    future::Future,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use event_log::{EventLog, Outgoing, Published, Publisher};
use runtime::{Check, telemetry};
use sqlx::{Connection, PgConnection};
use tokio_util::sync::CancellationToken;
use tracing::Span;

use self::{lineage::Lead, outbox::Entry};
use crate::{Error, Sync, offers::Offered};

/// The advisory lock of the one relay that leads; the letters `almijara` as a number.
const LEADER_LOCK: i64 = 0x616c_6d69_6a61_7261;
/// How often the outbox is looked at without a notice, and the lock's connection proven: so often because nothing
/// is noticed here of what another process captures.
const POLL: Duration = Duration::from_millis(100);
/// How often the stream is compared with what this relay wrote to it.
const STREAM_CHECK: Duration = Duration::from_secs(2);
/// The pause after a failure; it doubles up to the longest.
const FAILURE_PAUSE: Duration = Duration::from_millis(300);
const MAX_FAILURE_PAUSE: Duration = Duration::from_secs(3);
/// How often a relay that does not lead asks for the lead.
const STANDBY_PAUSE: Duration = Duration::from_secs(2);
/// The longest that Postgres and NATS may take for one round together.
const ROUND_LIMIT: Duration = Duration::from_secs(20);
/// The longest that taking the lead may take: a whole catalogue may be put into the outbox.
const LEAD_LIMIT: Duration = Duration::from_mins(5);

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
            let mut connection =
                within(ROUND_LIMIT, "asking postgres for the lead", take_lead(&sync)).await?;
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

/// A connection of its own that holds the leader's lock. The lock ends with the connection, and all
/// that the relay reads and marks goes over it. What it writes to the stream is held by the stream
/// itself: it takes a message only from who knows its last one. Until the next lead has written one, that
/// may be a relay which has lost the lead: its message is found there then, and noted as its own.
async fn take_lead(sync: &Sync) -> Result<PgConnection, Error> {
    let options = sync.ledger.pool().connect_options();
    let mut connection = PgConnection::connect_with(options.as_ref()).await?;
    let leads = sqlx::query_scalar!(r#"select pg_try_advisory_lock($1) as "leads!""#, LEADER_LOCK)
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
) -> Result<Infallible, Error> {
    let mut lead =
        within(LEAD_LIMIT, "taking the lead", lineage::take(connection, publisher)).await?;
    tracing::debug!(epoch = %lead.lineage.epoch, "this relay leads");
    let _leads = Leads::begin(sync, &lead);
    check.ready();
    let (mut checked, mut refilled, began) = (Instant::now(), 0, Instant::now());
    loop {
        if checked.elapsed() > STREAM_CHECK {
            within(ROUND_LIMIT, "looking at the stream", confirm(publisher, &lead)).await?;
            check.ready();
            checked = Instant::now();
        }
        let round =
            within(ROUND_LIMIT, "publishing", publish_some(connection, publisher, &mut lead))
                .await?;
        refilled += round.refilled;
        let may_be_complete = round.refilled == 0 && !lead.lineage.complete;
        if may_be_complete
            && within(ROUND_LIMIT, "an answer of postgres", is_complete(sync, connection, &lead))
                .await?
        {
            lead.lineage.complete = true;
            let described = publisher.describe(&lead.lineage);
            within(ROUND_LIMIT, "describing the stream", described).await?;
            sync.incomplete.send_replace(false);
            let seconds = began.elapsed().as_secs_f64();
            tracing::info!(refilled, seconds, "the log is complete");
        }
        if round.published > 0 {
            sync.untold.notify_one();
        } else {
            tokio::select! {
                () = sync.unpublished.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Whether all that is published stands in the stream.
async fn is_complete(
    sync: &Sync,
    connection: &mut PgConnection,
    lead: &Lead,
) -> Result<bool, Error> {
    let kept_back = sync.troubles.kept_back();
    let is_complete = outbox::is_complete(connection, lead.lineage.ledger, &kept_back).await?;
    // The homes may have been compared meanwhile, and then each is to be tried anew.
    Ok(is_complete && sync.troubles.kept_back() == kept_back)
}

/// That this process leads, until it is dropped.
struct Leads<'a>(&'a Sync);

impl<'a> Leads<'a> {
    fn begin(sync: &'a Sync, lead: &Lead) -> Self {
        sync.leads.store(true, Ordering::Relaxed);
        sync.incomplete.send_replace(!lead.lineage.complete);
        Self(sync)
    }
}

impl Drop for Leads<'_> {
    fn drop(&mut self) {
        self.0.leads.store(false, Ordering::Relaxed);
        self.0.incomplete.send_replace(false);
    }
}

/// Waits for `work` up to `limit`; where that is over it is named by `what` it was, of which Postgres may
/// be the one to blame or NATS.
async fn within<T, E: Into<Error>>(
    limit: Duration,
    what: &'static str,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Error> {
    let done = tokio::time::timeout(limit, work).await;
    done.map_err(|_| Error::Late { what, limit })?.map_err(Into::into)
}

/// Makes sure that the stream is as this relay left it: not restored, made anew or written to.
async fn confirm(publisher: &Publisher, lead: &Lead) -> Result<(), event_log::Error> {
    let state = publisher.stream_state().await?.ok_or(event_log::Error::NoStream)?;
    metrics::gauge!("sync_stream_bytes").set(as_gauge(state.bytes));
    let most = state.max_bytes.map_or(f64::INFINITY, as_gauge);
    metrics::gauge!("sync_stream_limit_bytes").set(most);
    if state.lineage.as_ref() == Some(&lead.lineage) && state.last == lead.last {
        return Ok(());
    }
    let found = format!("it ends at {} and not at {}", state.last, lead.last);
    Err(event_log::Error::Overtaken(found))
}

/// What one round did.
struct Round {
    /// Entries that the stream took, or that were set aside.
    published: usize,
    /// How many of them fill a new stream.
    refilled: usize,
}

/// Publishes what waits first and marks it.
async fn publish_some(
    connection: &mut PgConnection,
    publisher: &Publisher,
    lead: &mut Lead,
) -> Result<Round, Error> {
    let entries = outbox::waiting(connection).await?;
    let mut round = Round { published: 0, refilled: 0 };
    if entries.is_empty() {
        return Ok(round);
    }
    let offered = outbox::offered(connection, &entries).await?;
    let (born, epoch) = (lead.lineage.born, lead.lineage.epoch);
    let mut batch = Batch::default();
    for entry in entries {
        let (id, refill) = (entry.id, entry.refill);
        round.published += 1;
        round.refilled += usize::from(refill);
        if let Err(error) = batch.add(entry, &offered) {
            // One entry that the log will never take keeps no other from it.
            outbox::refuse(connection, born, id, &error).await?;
        }
    }
    runtime::failpoint("sync.publish").map_err(sqlx::Error::from)?;
    let Published { sequences, failure } = publisher.publish(epoch, lead.last, &batch.events).await;
    // What was acknowledged is marked even where a later one failed. After a crash before this the
    // next relay finds in the stream what stands there.
    if let Some(last) = sequences.last() {
        lead.last = last.stream();
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
            // What came behind it is taken by the next round.
            Ok(round)
        }
    }
}

/// Entries as they are published together.
#[derive(Default)]
struct Batch {
    ids: Vec<i64>,
    events: Vec<Outgoing>,
    /// Each as long as the event is on its way.
    spans: Vec<Span>,
}

impl Batch {
    fn add(&mut self, entry: Entry, offered: &Offered) -> Result<(), Error> {
        let span = tracing::info_span!("publish", collection = %entry.collection, key = %entry.key);
        // What fills a new stream was seen in its trace long ago.
        let traced = entry.traceparent.as_deref().filter(|_| !entry.refill);
        telemetry::link_parent(&span, traced);
        let traceparent = traced.and_then(|_| span.in_scope(telemetry::traceparent));
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
    async fn what_takes_too_long_is_told_by_what_it_is() {
        let never = pending::<Result<(), Error>>();
        let late = within(Duration::ZERO, "publishing", never).await.expect_err("it never ends");
        assert_eq!(late.to_string(), "publishing took more than 0 s");
        assert!(late.is_transient());
    }
}
