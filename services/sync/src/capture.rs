//! Capture: reads the items that hints are about, and records what has become of them.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    time::{Duration, Instant},
};

use content_client::{Client, Items, Part, Reading};
use contracts::{Change, Collection, Violation, rules::ItemFault};
use runtime::{Check, error_text, telemetry};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    Context, Error, Ledger, MAX_CONCURRENT_HINT_READS, Wakeups,
    breaker::Breaker,
    duplicate_redirects,
    failures::Task,
    ledger::{Claim, Finding, Recorded},
    left_out, placeholders, snapshot_hash,
};

/// The maximum number of aggregates claimed in a round; one call to the content service reads as many.
const BATCH: i64 = 100;
/// How often due aggregates are polled without a notification: for rechecks and retries.
const POLL: Duration = Duration::from_millis(250);
/// The pause after a failure that is not caused by a single aggregate.
const FAILURE_PAUSE: Duration = Duration::from_millis(500);
/// How long shutdown waits for the reads that hints started: less than the time that all tasks have to
/// stop.
const HINT_READS_TIMEOUT: Duration = Duration::from_secs(5);

/// Captures `claims` immediately, in a task of its own that holds `permit`.
pub fn spawn(context: Context, claims: Vec<Claim>, permit: OwnedSemaphorePermit) {
    tokio::spawn(async move {
        let _permit = permit;
        if let Err(error) = capture(&context, claims).await {
            // The claims were released, and the capture loop tries them again.
            tracing::warn!(error = error_text(&error), "a capture failed and will be retried");
        }
        // A hint may have arrived for an aggregate that was claimed here.
        context.wakeups.capture.notify_one();
    });
}

/// Captures everything that is due until `shutdown`. Once a read has failed, `check` is not ready until
/// one succeeds, from whichever task, or until nothing is left to read: a round that reads nothing proves
/// nothing about the content service. It is also not ready while the content service can't be reached for
/// its activity log, and while the rounds themselves fail permanently; an unreachable Postgres is reported
/// by another check.
pub async fn run(context: Context, check: Check, shutdown: CancellationToken) -> Result<(), Error> {
    loop {
        let mut refused = None;
        let pause = match round(&context).await {
            Ok(0) => POLL,
            Ok(_) => Duration::ZERO,
            Err(error) => {
                let reason = error_text(&error);
                tracing::debug!(error = reason, "capture failed and backs off");
                refused = (!error.is_transient()).then_some(reason);
                context.breaker.retry_after().unwrap_or(FAILURE_PAUSE)
            }
        };
        match context.breaker.reason().or(refused) {
            None => check.ready(),
            Some(reason) => check.not_ready(reason),
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
            () = context.wakeups.capture.notified(), if pause == POLL => {}
        }
    }
}

/// Waits at shutdown for the reads that hints started, since the next process would have to wait for
/// their leases. Hints that arrive after that are only marked.
pub async fn await_hint_reads(
    context: Context,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    shutdown.cancelled().await;
    let all = context.hint_reads.acquire_many(MAX_CONCURRENT_HINT_READS);
    let ended = tokio::time::timeout(HINT_READS_TIMEOUT, all).await;
    if ended.is_err() {
        tracing::warn!("the reads that hints started were aborted");
    }
    context.hint_reads.close();
    Ok(())
}

/// Captures until nothing is due, and returns the number of new versions.
pub async fn drain(context: &Context) -> Result<u64, Error> {
    let mut versions = 0;
    loop {
        let claims =
            context.ledger.claim_due(BATCH, &context.failures.backing_off(Task::Capture)).await?;
        if claims.is_empty() {
            return Ok(versions);
        }
        versions += capture(context, claims).await?;
    }
}

async fn round(context: &Context) -> Result<usize, Error> {
    if context.breaker.retry_after().is_some() {
        return Err(Error::BreakerOpen);
    }
    let claims =
        context.ledger.claim_due(BATCH, &context.failures.backing_off(Task::Capture)).await?;
    let count = claims.len();
    if count > 0 {
        capture(context, claims).await?;
    }
    Ok(count)
}

/// Captures `claims` with one read per collection, and returns the number of new versions. A collection
/// that can't be read is paused and fails no other.
async fn capture(context: &Context, claims: Vec<Claim>) -> Result<u64, Error> {
    let mut by_collection: BTreeMap<Collection, Vec<Claim>> = BTreeMap::new();
    for claim in claims {
        by_collection.entry(claim.id.collection).or_default().push(claim);
    }
    let mut versions = 0;
    let mut failure = None;
    for (collection, claims) in by_collection {
        match capture_collection(context, collection, &claims).await {
            Ok(written) => {
                context.failures.succeeded(collection, Task::Capture);
                versions += written;
            }
            Err(error) => {
                let released = context.ledger.release(&claims).await;
                let error = if error.concerns_single_collection() {
                    context.failures.failed(collection, Task::Capture, &error);
                    released.err()
                } else {
                    Some(error)
                };
                failure = failure.or(error);
            }
        }
    }
    failure.map_or(Ok(versions), Err)
}

async fn capture_collection(
    context: &Context,
    collection: Collection,
    claims: &[Claim],
) -> Result<u64, Error> {
    if context.breaker.retry_after().is_some() {
        return Err(Error::BreakerOpen);
    }
    let span = tracing::info_span!("capture", %collection, items = claims.len());
    // One read is one span, in the trace of the first claim; see `record` for those of the others.
    let trace = claims.first().and_then(|claim| claim.traceparent.as_deref());
    telemetry::link_parent(&span, trace);
    let captured = async {
        let (items, absence_credible) = read_claimed(context, collection, claims).await?;
        record_items(context, collection, claims, items, absence_credible, trace).await
    };
    let captured = captured.instrument(span.clone()).await;
    captured.inspect_err(|error: &Error| telemetry::mark_failed(&span, &error_text(error)))
}

/// Reads the items of `claims`, and returns them with whether those may be removed that are absent.
async fn read_claimed(
    context: &Context,
    collection: Collection,
    claims: &[Claim],
) -> Result<(Items, bool), Error> {
    let Context { content, breaker, .. } = context;
    let keys: Vec<String> = claims.iter().map(|claim| claim.id.key.clone()).collect();
    let items = read(content, breaker, collection, &keys).await?;
    let absent = claims.iter().any(|claim| claim.hash.is_some() && items.is_absent(&claim.id.key));
    if !absent {
        return Ok((items, true));
    }
    // An item is taken for absent only if the service shows this token other items, and a second read
    // after that check still lacks it: at the first, the service may have shown nothing.
    if !content.canary(collection).await? {
        return Ok((items, false));
    }
    Ok((read(content, breaker, collection, &keys).await?, true))
}

/// Records or parks each of the `items` that were read for `claims`, and returns the number of new
/// versions.
async fn record_items(
    context: &Context,
    collection: Collection,
    claims: &[Claim],
    mut items: Items,
    absence_credible: bool,
    trace: Option<&str>,
) -> Result<u64, Error> {
    let Context { ledger, wakeups, .. } = context;
    let _lock_until_recorded = match collection {
        Collection::Redirects => Some(ledger.lock_redirects().await?),
        _ => None,
    };
    let readings = items.readings.iter_mut().map(|(key, reading)| (key.as_str(), reading));
    duplicate_redirects::invalidate_duplicates(ledger, readings.collect()).await?;
    let snapshots = items.readings.values_mut().filter_map(Reading::snapshot_mut);
    let filled = placeholders::fill(ledger, snapshots).await?;
    let (mut versions, mut read) = (0, Vec::new());
    for claim in claims {
        if let Some(error) = items.unreadable.get(&claim.id.key) {
            let fault = Violation::of_the_item(ItemFault::Unreadable, &error_text(error));
            park(ledger, wakeups, claim, &[fault], &[]).await?;
            continue;
        }
        let reading = items.readings.remove(&claim.id.key).unwrap_or(Reading::Absent);
        if reading == Reading::Absent && claim.hash.is_some() && !absence_credible {
            ledger.release(std::slice::from_ref(claim)).await?;
            tracing::warn!(aggregate = %claim.id, "not removed: the item is absent, but so is every other item");
            continue;
        }
        versions += u64::from(record_or_park(ledger, wakeups, claim, &reading, trace).await?);
        if !matches!(reading, Reading::Invalid { .. }) {
            read.push((claim, left_out::of(&reading, &filled.unreadable)));
        }
    }
    if versions > 0 {
        wakeups.relay.notify_one();
    }
    left_out::record(ledger, collection, read).await?;
    placeholders::request(ledger, wakeups, filled.missing).await?;
    Ok(versions)
}

async fn read(
    content: &Client,
    breaker: &Breaker,
    collection: Collection,
    keys: &[String],
) -> Result<Items, Error> {
    runtime::failpoint("sync.read").map_err(sqlx::Error::from)?;
    let began = Instant::now();
    let span = tracing::info_span!("read", %collection);
    let read = content.read_many(collection, keys).instrument(span).await;
    metrics::histogram!("sync_content_read_seconds").record(began.elapsed().as_secs_f64());
    match &read {
        Ok(_) => breaker.succeeded(),
        Err(error) if error.is_transient() => breaker.failed(error_text(error)),
        // The error concerns this collection only.
        Err(content_client::Error::NotFoundOrForbidden(_)) => {}
        Err(error) => breaker.refused(error_text(error)),
    }
    Ok(read?)
}

/// Records the result of `reading` for `claim`, or parks it with the rules that it breaks. Returns
/// whether that created a version.
async fn record_or_park(
    ledger: &Ledger,
    wakeups: &Wakeups,
    claim: &Claim,
    reading: &Reading,
    trace: Option<&str>,
) -> Result<bool, Error> {
    let broken = reading.broken();
    // An item that is hidden together with its place, or with the menu entry above it, is first taken
    // off the site; its editors are told why after that.
    let is_taken_off = matches!(reading, Reading::Hidden { .. }) && claim.hash.is_some();
    let mut is_version = false;
    if broken.is_empty() || is_taken_off {
        is_version = match record(ledger, claim, reading, trace).await {
            Err(error) if error.concerns_single_item() => {
                let fault = Violation::of_the_item(ItemFault::Unstorable, &error_text(&error));
                park(ledger, wakeups, claim, &[fault], reading.parts()).await?;
                return Ok(false);
            }
            recorded => recorded?,
        };
    }
    if !broken.is_empty() {
        park(ledger, wakeups, claim, &broken, reading.parts()).await?;
    }
    Ok(is_version)
}

/// Parks the item with the reasons, and leaves what the site shows of it unchanged.
async fn park(
    ledger: &Ledger,
    wakeups: &Wakeups,
    claim: &Claim,
    violations: &[Violation],
    parts: &[Part],
) -> Result<(), Error> {
    runtime::failpoint("sync.park").map_err(sqlx::Error::from)?;
    let trace = telemetry::traceparent();
    if ledger.park(claim, violations, parts, trace.as_deref()).await? {
        let why: Vec<String> = violations.iter().map(ToString::to_string).collect();
        tracing::warn!(aggregate = %claim.id, why = %why.join("; "), "parked");
        metrics::counter!("sync_parkings_total", "collection" => claim.id.collection.name())
            .increment(1);
        wakeups.live_status.notify_one();
    }
    Ok(())
}

/// Records the result of `reading`, which is part of `trace`, for `claim`. Returns whether that created
/// a version.
async fn record(
    ledger: &Ledger,
    claim: &Claim,
    reading: &Reading,
    trace: Option<&str>,
) -> Result<bool, Error> {
    let finding = finding(claim, reading)?;
    if let Finding::Removed = finding {
        let reason = match reading {
            Reading::Hidden { reason, .. } => reason.to_string(),
            _ => "it was deleted".to_owned(),
        };
        tracing::info!(aggregate = %claim.id, %reason, "removed");
    }
    let own = claim.traceparent.clone().filter(|own| Some(own.as_str()) != trace);
    let traceparent = own.clone().or_else(telemetry::traceparent);
    let recorded = ledger.record(claim, finding, reading.parts(), traceparent.as_deref()).await?;
    let Some(Recorded { is_version: true, newer_hint }) = recorded else { return Ok(false) };
    let newer = newer_hint.filter(|newer| claim.traceparent.as_ref() != Some(newer));
    if let Some(hint) = newer.or(own) {
        // The trace of that hint shows this way that a read started for another hint served it.
        let span = tracing::info_span!("capture", collection = %claim.id.collection, joined = true);
        telemetry::link_parent(&span, Some(&hint));
    }
    let collection = claim.id.collection.name();
    metrics::counter!("sync_versions_total", "collection" => collection).increment(1);
    metrics::histogram!("sync_capture_seconds", "collection" => collection)
        .record(claim.claimed_at.elapsed().as_secs_f64());
    tracing::debug!(aggregate = %claim.id, version = %claim.version.next(), "captured");
    Ok(true)
}

fn finding(claim: &Claim, reading: &Reading) -> Result<Finding, Error> {
    Ok(match reading {
        Reading::Published { snapshot, .. } => {
            let hash = snapshot_hash::of(snapshot)?;
            if claim.hash.as_deref() == Some(hash.as_slice()) {
                Finding::Unchanged
            } else {
                Finding::Changed { hash, change: Change::Upserted { snapshot: snapshot.clone() } }
            }
        }
        Reading::Hidden { .. } | Reading::Absent if claim.hash.is_some() => Finding::Removed,
        // An invalid item does not get here; if one did, it must remove nothing.
        Reading::Hidden { .. } | Reading::Absent | Reading::Invalid { .. } => Finding::Unchanged,
    })
}
