//! Watching the database, what waits in it and what can't be read, whoever else is stuck.

use std::{collections::BTreeMap, time::Duration};

use chrono::Utc;
use contracts::Collection;
use runtime::{Health, health::Details, postgres::lacks_tables};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Sync,
    parked::{Parked, parked},
    pause::Paused,
    troubles::{Failing, Task},
};

const EVERY: Duration = Duration::from_secs(2);
/// How long one look may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// How many things of a kind the health names one by one.
const NAMED: usize = 20;

/// Looks until `shutdown`, or until the tables are gone.
pub async fn run(sync: Sync, health: Health, shutdown: CancellationToken) -> Result<(), Error> {
    let check = health.renewed_check("database");
    let (unreadable, unrecorded) = (health.details("unreadable"), health.details("parked"));
    let paused = health.details("paused");
    loop {
        tell_troubles(&sync.troubles.all(), &unreadable);
        let looked = tokio::time::timeout(ANSWER_LIMIT, look(&sync, &unrecorded, &paused)).await;
        match looked.unwrap_or(Err(Error::Silent(ANSWER_LIMIT))) {
            Ok(()) => check.ready(),
            Err(Error::Database(error)) if lacks_tables(&error) => {
                return Err(Error::NoTables(error));
            }
            Err(error) => check.not_ready(error.to_string()),
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Measures what waits and what is parked, and tells what an operator paused.
async fn look(sync: &Sync, unrecorded: &Details, paused: &Details) -> Result<(), Error> {
    let steps = Paused::now(sync.ledger.pool()).await?;
    paused.set(steps.is_anything().then(|| json!(steps)));
    let backlog = sync.ledger.backlog().await?;
    metrics::gauge!("sync_outbox_entries").set(backlog.entries);
    metrics::gauge!("sync_outbox_oldest_seconds").set(backlog.oldest);
    metrics::gauge!("sync_outbox_refill_entries").set(backlog.refill);
    metrics::gauge!("sync_aggregates_due").set(backlog.due);
    metrics::gauge!("sync_hints_unresolved").set(backlog.unresolved);
    let counts = sync.ledger.parked_counts().await?;
    for collection in Collection::ALL {
        let count = counts.get(collection.name()).copied().unwrap_or_default();
        let gauge = metrics::gauge!("sync_parked", "collection" => collection.name());
        gauge.set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
    let parked = parked(sync.ledger.pool()).await?;
    for collection in Collection::ALL {
        let of_it = parked.left_out.iter().filter(|item| item.collection == collection.name());
        let gauge = metrics::gauge!("sync_left_out", "collection" => collection.name());
        gauge.set(f64::from(u32::try_from(of_it.count()).unwrap_or(u32::MAX)));
    }
    let refused = u32::try_from(parked.refused.len()).unwrap_or(u32::MAX);
    metrics::gauge!("sync_outbox_refused_entries").set(f64::from(refused));
    unrecorded.set(parked.is_anything().then(|| named(&counts, &parked)));
    Ok(())
}

/// What is parked, the longest parked first and the rest as a number.
fn named(counts: &BTreeMap<String, i64>, parked: &Parked) -> Value {
    let items = parked.items.iter().map(|item| {
        let why: Vec<String> = item.violations.iter().map(ToString::to_string).collect();
        let id = format!("{}/{}", item.collection, item.key);
        json!({ "item": id, "since": item.first_at, "why": why.join("; ") })
    });
    let hints = parked.hints.iter().map(|hint| {
        json!({
            "hint": hint.collection, "keys": hint.keys, "since": hint.received_at,
            "why": hint.failure,
        })
    });
    let left_out = parked.left_out.iter().map(|item| {
        let why: Vec<String> = item.pictures.iter().map(ToString::to_string).collect();
        let id = format!("{}/{}", item.collection, item.key);
        json!({ "shownWithoutPicture": id, "since": item.since, "why": why.join("; ") })
    });
    let refused = parked.refused.iter().map(|version| {
        let id = format!("{}/{}", version.collection, version.key);
        json!({ "refusedByTheLog": id, "since": version.since, "why": version.reason })
    });
    let named = items
        .take(NAMED)
        .chain(hints.take(NAMED))
        .chain(left_out.take(NAMED))
        .chain(refused.take(NAMED));
    json!({
        "counts": counts,
        "unresolvedHints": parked.hints.len(),
        "leftOut": parked.left_out.len(),
        "refused": parked.refused.len(),
        "named": named.collect::<Vec<_>>(),
    })
}

fn tell_troubles(failing: &[Failing], unreadable: &Details) {
    for collection in Collection::ALL {
        for task in Task::ALL {
            let trouble = failing.iter().find(|it| it.collection == collection && it.task == task);
            let gauge = metrics::gauge!(
                "sync_collection_failing_seconds",
                "collection" => collection.name(), "task" => task.name()
            );
            let age = trouble.map_or(0, |trouble| (Utc::now() - trouble.since).num_seconds());
            gauge.set(f64::from(i32::try_from(age).unwrap_or(i32::MAX)));
        }
    }
    unreadable.set((!failing.is_empty()).then(|| json!(failing)));
}
