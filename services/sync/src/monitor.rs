//! Monitors the database, the backlog in it, parked items and unreadable collections, independently of
//! the other tasks, which may be stuck.

use std::{collections::BTreeMap, time::Duration};

use chrono::{DateTime, Utc};
use contracts::{Collection, Violation};
use runtime::{Health, error_text, health::Details, postgres::is_missing_tables};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::{
    Context, Error, Parked, ParkedCounts, ParkedItem,
    failures::{Failures, Task},
};

const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The timeout of one poll.
const POLL_TIMEOUT: Duration = Duration::from_secs(5);
/// How many things of a kind the health report lists individually.
const MAX_LISTED: i64 = 20;

/// Polls until `shutdown`, or until the tables are gone.
pub async fn run(
    context: Context,
    health: Health,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let check = health.renewed_check(admin_answers::checks::DATABASE);
    let (unreadable, parked_details) = (health.detail("unreadable"), health.detail("parked"));
    let paused = health.detail("paused");
    loop {
        report_failures(&context.failures, &unreadable);
        let polled =
            tokio::time::timeout(POLL_TIMEOUT, poll(&context, &parked_details, &paused)).await;
        let timeout = Error::Timeout { what: "an answer of postgres", limit: POLL_TIMEOUT };
        match polled.unwrap_or(Err(timeout)) {
            Ok(()) => check.ready(),
            Err(Error::Database(error)) if is_missing_tables(&error) => {
                return Err(Error::NoTables(error));
            }
            Err(error) => check.not_ready(error_text(&error)),
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Measures the backlog and what is parked, reports which steps an operator paused, and checks that
/// writes are accepted.
async fn poll(context: &Context, parked_details: &Details, paused: &Details) -> Result<(), Error> {
    let steps = context.ledger.paused().await?;
    paused.set(steps.has_items().then(|| json!(steps)));
    for (step, since) in [("capture", steps.capture), ("relay", steps.relay)] {
        metrics::gauge!("sync_paused_seconds", "step" => step).set(seconds_since(since));
    }
    let backlog = context.ledger.backlog().await?;
    metrics::gauge!("sync_outbox_entries").set(backlog.entries);
    metrics::gauge!("sync_outbox_oldest_seconds").set(backlog.oldest);
    metrics::gauge!("sync_outbox_refill_entries").set(backlog.refill);
    metrics::gauge!("sync_aggregates_due").set(backlog.due);
    metrics::gauge!("sync_aggregates_due_oldest_seconds").set(backlog.oldest_due);
    metrics::gauge!("sync_hints_unresolved").set(backlog.unresolved);
    if backlog.due < 1.0 {
        // What this process failed to read has been read since, perhaps by another one.
        context.failures.nothing_left_to_capture();
        context.breaker.nothing_left_to_read();
    }
    let counts = context.ledger.parked_counts().await?;
    for collection in Collection::ALL {
        let name = collection.name();
        let count_of = |counts: &BTreeMap<String, i64>| as_gauge(counts.get(name).copied());
        metrics::gauge!("sync_parked", "collection" => name).set(count_of(&counts.items));
        metrics::gauge!("sync_left_out", "collection" => name).set(count_of(&counts.left_out));
    }
    metrics::gauge!("sync_outbox_refused_entries").set(as_gauge(Some(counts.refused)));
    let parked = context.ledger.oldest_parked(MAX_LISTED).await?;
    parked_details.set(parked.has_items().then(|| describe_parked(&counts, &parked)));
    context.ledger.check_writes().await
}

fn as_gauge(count: Option<i64>) -> f64 {
    f64::from(u32::try_from(count.unwrap_or_default()).unwrap_or(u32::MAX))
}

/// Returns how many seconds have passed `since`; 0 for none.
fn seconds_since(since: Option<DateTime<Utc>>) -> f64 {
    as_gauge(since.map(|since| (Utc::now() - since).num_seconds().max(0)))
}

/// Describes what is parked: the numbers of all, and `parked` individually.
fn describe_parked(counts: &ParkedCounts, parked: &Parked) -> Value {
    let items = parked.items.iter().map(|item| {
        let id = format!("{}/{}", item.collection, item.key);
        json!({ "item": id, "since": item.first_at, "why": why(item) })
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
    let listed = items.chain(hints).chain(left_out).chain(refused);
    json!({
        "counts": counts.items,
        "planned": counts.planned,
        "unresolvedHints": counts.hints,
        "leftOut": counts.left_out.values().sum::<i64>(),
        "refused": counts.refused,
        "named": listed.collect::<Vec<_>>(),
    })
}

/// Describes what is wrong with `item`; unless it is about a person, with the values of its fields.
fn why(item: &ParkedItem) -> String {
    let describe = |violation: &Violation| {
        if item.is_of_a_person() {
            return format!("{} {}", violation.field, violation.rule).trim_start().to_owned();
        }
        violation.to_string()
    };
    item.violations.iter().map(describe).collect::<Vec<_>>().join("; ")
}

fn report_failures(failures: &Failures, unreadable: &Details) {
    let failing = failures.all();
    for collection in Collection::ALL.map(Collection::name) {
        for task in Task::ALL.map(Task::name) {
            let failure = failing.iter().find(|it| it.collection == collection && it.task == task);
            let gauge = metrics::gauge!(
                "sync_collection_failing_seconds", "collection" => collection, "task" => task
            );
            gauge.set(seconds_since(failure.map(|failure| failure.since)));
        }
    }
    metrics::gauge!("sync_activity_failing_seconds")
        .set(seconds_since(failures.activity().map(|failure| failure.since)));
    unreadable.set((!failing.is_empty()).then(|| json!(failing)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_about_a_person_names_the_field_but_not_its_value() {
        let parked = |collection: Collection| ParkedItem {
            collection: collection.name().to_owned(),
            key: "7".to_owned(),
            violations: vec![
                Violation::new("email", &json!("jo(at)homes.example"), "must be an address"),
                Violation {
                    field: String::new(),
                    value: String::new(),
                    rule: "can't be read".to_owned(),
                },
            ],
            first_at: Utc::now(),
            last_at: Utc::now(),
            tries: 1,
            next_try: None,
            trace_id: None,
        };
        assert_eq!(why(&parked(Collection::Team)), "email must be an address; can't be read");
        let about_a_page = why(&parked(Collection::Pages));
        assert_eq!(
            about_a_page,
            "email must be an address; it is \"jo(at)homes.example\"; can't be read"
        );
    }
}
