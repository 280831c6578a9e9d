//! Capture: read what was hinted at, and write down what it has become.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    time::{Duration, Instant},
};

use content_client::{Items, Part, Reading};
use contracts::{Change, Collection, Violation, rules::ItemFault};
use runtime::{Check, telemetry};
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::{
    Error, READINGS_AT_ONCE, Sync, doubles,
    ledger::{Claim, Finding, Recorded},
    left_out, placeholders, snapshot_hash,
    troubles::Task,
};

/// How many aggregates one round claims; one call to the content service reads as many.
const BATCH: i64 = 100;
/// How often due aggregates are looked for without a hint: for rechecks and second tries.
const POLL: Duration = Duration::from_millis(250);
/// The pause after a failure that is not one aggregate's.
const FAILURE_PAUSE: Duration = Duration::from_millis(500);
/// How long the end of the process waits for readings that hints began: less than all tasks have for ending.
const LAST_READINGS: Duration = Duration::from_secs(5);

/// Captures `claims` in a task of its own, at once: it is one of the few that `permit` says may read.
pub fn at_once(sync: Sync, claims: Vec<Claim>, permit: OwnedSemaphorePermit) {
    tokio::spawn(async move {
        let _permit = permit;
        if let Err(error) = capture(&sync, claims).await {
            // The claims were given back, and the loop below tries them again.
            tracing::warn!(%error, "a capture failed and will be tried again");
        }
        // A hint may have come while this held the claim.
        sync.dirty.notify_one();
    });
}

/// Captures whatever is due until `shutdown`. Once a reading has failed, `check` is not ready before
/// one goes well, whoever began it: a round that reads nothing says nothing of the content service.
/// Nor is it while the rounds themselves are refused; that Postgres is away is another check's word.
pub async fn run(sync: Sync, check: Check, shutdown: CancellationToken) -> Result<(), Error> {
    loop {
        let mut refused = None;
        let pause = match round(&sync).await {
            Ok(0) => POLL,
            Ok(_) => Duration::ZERO,
            Err(error) => {
                tracing::debug!(%error, "capture rests");
                refused = (!error.is_transient()).then(|| error.to_string());
                sync.breaker.wait().unwrap_or(FAILURE_PAUSE)
            }
        };
        match sync.breaker.reason().or(refused) {
            None => check.ready(),
            Some(reason) => check.not_ready(reason),
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(pause) => {}
            () = sync.dirty.notified(), if pause == POLL => {}
        }
    }
}

/// Waits, once the process ends, for the readings that hints began: the next one would wait for their leases. What
/// comes from then on is only marked.
pub async fn end_readings(sync: Sync, shutdown: CancellationToken) -> Result<(), Infallible> {
    shutdown.cancelled().await;
    let all = sync.readings.acquire_many(READINGS_AT_ONCE);
    let ended = tokio::time::timeout(LAST_READINGS, all).await;
    if ended.is_err() {
        tracing::warn!("readings that hints began are given up");
    }
    sync.readings.close();
    Ok(())
}

/// Captures until nothing is due; gives the number of new versions.
pub async fn drain(sync: &Sync) -> Result<u64, Error> {
    let mut versions = 0;
    loop {
        let claims = sync.ledger.claim_due(BATCH, &sync.troubles.resting(Task::Capture)).await?;
        if claims.is_empty() {
            return Ok(versions);
        }
        versions += capture(sync, claims).await?;
    }
}

async fn round(sync: &Sync) -> Result<usize, Error> {
    if sync.breaker.wait().is_some() {
        return Err(Error::BreakerOpen);
    }
    let claims = sync.ledger.claim_due(BATCH, &sync.troubles.resting(Task::Capture)).await?;
    let count = claims.len();
    if count > 0 {
        capture(sync, claims).await?;
    }
    Ok(count)
}

/// Captures `claims`, a reading a collection; gives the number of new versions. A collection that may
/// not be read is left alone for a while and fails nothing else.
async fn capture(sync: &Sync, claims: Vec<Claim>) -> Result<u64, Error> {
    let mut by_collection: BTreeMap<Collection, Vec<Claim>> = BTreeMap::new();
    for claim in claims {
        by_collection.entry(claim.id.collection).or_default().push(claim);
    }
    let mut versions = 0;
    let mut failure = None;
    for (collection, claims) in by_collection {
        match capture_collection(sync, collection, &claims).await {
            Ok(written) => {
                sync.troubles.ended(collection, Task::Capture);
                versions += written;
            }
            Err(error) => {
                let released = sync.ledger.release(&claims).await;
                let error = if error.is_of_the_collection() {
                    sync.troubles.failed(collection, Task::Capture, &error);
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
    sync: &Sync,
    collection: Collection,
    claims: &[Claim],
) -> Result<u64, Error> {
    if sync.breaker.wait().is_some() {
        return Err(Error::BreakerOpen);
    }
    let span = tracing::info_span!("capture", %collection, items = claims.len());
    // One reading is one span, in the trace of the first claim; see `record` for the others'.
    let trace = claims.first().and_then(|claim| claim.traceparent.as_deref());
    telemetry::link_parent(&span, trace);
    let captured = async {
        let keys: Vec<String> = claims.iter().map(|claim| claim.id.key.clone()).collect();
        let mut items = read(sync, collection, &keys).await?;
        let absent =
            claims.iter().any(|claim| claim.hash.is_some() && items.is_absent(&claim.id.key));
        // Absence is believed only of a service that shows this token other things, and only when it
        // is found again after that: it may have shown nothing before.
        let believed = !absent || sync.content.canary(collection).await?;
        if absent && believed {
            items = read(sync, collection, &keys).await?;
        }
        let _until_recorded = match collection {
            Collection::Redirects => Some(doubles::turn(sync).await?),
            _ => None,
        };
        let readings = items.readings.iter_mut().map(|(key, reading)| (key.as_str(), reading));
        doubles::refuse(sync, readings.collect()).await?;
        let snapshots = items.readings.values_mut().filter_map(Reading::snapshot_mut);
        let filled = placeholders::fill(sync, snapshots).await?;
        let (mut versions, mut read) = (0, Vec::new());
        for claim in claims {
            if let Some(error) = items.unreadable.get(&claim.id.key) {
                let fault = Violation::of_the_item(ItemFault::Unreadable, error);
                park(sync, claim, &[fault], &[]).await?;
                continue;
            }
            let reading = items.readings.remove(&claim.id.key).unwrap_or(Reading::Absent);
            if reading == Reading::Absent && claim.hash.is_some() && !believed {
                sync.ledger.release(std::slice::from_ref(claim)).await?;
                tracing::warn!(aggregate = %claim.id, "absent, but so is everything else: not removed");
                continue;
            }
            versions += u64::from(settle(sync, claim, &reading, trace).await?);
            if !matches!(reading, Reading::Invalid { .. }) {
                read.push((claim, left_out::of(&reading, &filled.unreadable)));
            }
        }
        if versions > 0 {
            sync.unpublished.notify_one();
        }
        left_out::note(sync, collection, read).await?;
        placeholders::want(sync, filled.unmade).await?;
        Ok(versions)
    };
    let captured = captured.instrument(span.clone()).await;
    captured.inspect_err(|error: &Error| telemetry::failed(&span, error))
}

async fn read(sync: &Sync, collection: Collection, keys: &[String]) -> Result<Items, Error> {
    runtime::failpoint("sync.read").map_err(sqlx::Error::from)?;
    let began = Instant::now();
    let span = tracing::info_span!("read", %collection);
    let read = sync.content.read_many(collection, keys).instrument(span).await;
    metrics::histogram!("sync_content_read_seconds").record(began.elapsed().as_secs_f64());
    match &read {
        Ok(_) => sync.breaker.succeeded(),
        Err(error) if error.is_transient() => sync.breaker.failed(error.to_string()),
        // Of this collection alone.
        Err(content_client::Error::NotFoundOrForbidden(_)) => {}
        Err(error) => sync.breaker.refused(error.to_string()),
    }
    Ok(read?)
}

/// Records what `reading` says of `claim`, or parks it with the rules that it breaks; gives whether that
/// made a version.
async fn settle(
    sync: &Sync,
    claim: &Claim,
    reading: &Reading,
    trace: Option<&str>,
) -> Result<bool, Error> {
    let broken = reading.broken();
    // What goes with its place, or with the entry above it, is taken off the site before its editors are told why.
    let goes = matches!(reading, Reading::Hidden { .. }) && claim.hash.is_some();
    let mut is_version = false;
    if broken.is_empty() || goes {
        is_version = match record(sync, claim, reading, trace).await {
            Err(error) if error.is_of_the_item() => {
                let fault = Violation::of_the_item(ItemFault::Unstorable, &error);
                park(sync, claim, &[fault], reading.parts()).await?;
                return Ok(false);
            }
            recorded => recorded?,
        };
    }
    if !broken.is_empty() {
        park(sync, claim, &broken, reading.parts()).await?;
    }
    Ok(is_version)
}

/// Sets the item aside with why, and changes nothing of what the site shows of it.
async fn park(
    sync: &Sync,
    claim: &Claim,
    violations: &[Violation],
    parts: &[Part],
) -> Result<(), Error> {
    let trace = telemetry::traceparent();
    if sync.ledger.park(claim, violations, parts, trace.as_deref()).await? {
        let why: Vec<String> = violations.iter().map(ToString::to_string).collect();
        tracing::warn!(aggregate = %claim.id, why = %why.join("; "), "parked");
        metrics::counter!("sync_parkings_total", "collection" => claim.id.collection.name())
            .increment(1);
        sync.untold.notify_one();
    }
    Ok(())
}

/// Writes what `reading`, which is part of `trace`, says of `claim`; gives whether that made a
/// version.
async fn record(
    sync: &Sync,
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
    let recorded =
        sync.ledger.record(claim, finding, reading.parts(), traceparent.as_deref()).await?;
    let Some(Recorded { version: true, newer_hint }) = recorded else { return Ok(false) };
    let newer = newer_hint.filter(|newer| claim.traceparent.as_ref() != Some(newer));
    if let Some(hint) = newer.or(own) {
        // Whoever follows that hint finds in its trace that a reading begun for another served it.
        let span = tracing::info_span!("capture", collection = %claim.id.collection, joined = true);
        telemetry::link_parent(&span, Some(&hint));
    }
    let collection = claim.id.collection.name();
    metrics::counter!("sync_versions_total", "collection" => collection).increment(1);
    metrics::histogram!("sync_capture_seconds", "collection" => collection)
        .record(claim.at.elapsed().as_secs_f64());
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
        // An invalid one never gets here; if it did, it would take nothing away.
        Reading::Hidden { .. } | Reading::Absent | Reading::Invalid { .. } => Finding::Unchanged,
    })
}
