//! Every step of the flow fails a few times, or ends its process. What editors publish is still shown, and
//! nothing differs in the end.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sqlx::PgPool;
use tempfile::TempDir;

use crate::stack::{self, Options, Stack, content};

/// The steps, in the order of the flow.
const STEPS: [&str; 16] = [
    "sync.keep_hint",
    "sync.resolve",
    "sync.read",
    "sync.record",
    "sync.recorded",
    "sync.park",
    "sync.recreate",
    "sync.publish",
    "sync.mark_published",
    "projections.read",
    "projections.commit",
    "projections.committed",
    "query.look",
    "query.announce",
    "site.purge",
    "site.render",
];
const REFERENCE: &str = "AH-1042";

/// Runs a stack with `failpoints`, and checks that a mistake is parked and each publish is shown, and that
/// each step has failed as often as `failures` requires.
async fn publish_through(failpoints: String, failures: &[(&str, usize)]) -> Result<()> {
    let content = content::copy()?;
    let options = Options::default()
        .with("CONTENT_DIR", content.path().to_string_lossy())
        .with("FAILPOINTS", failpoints);
    let stack = Stack::start(options).await?;
    stack.wait_until_idle().await?;
    let home = format!("/api/properties/{REFERENCE}");
    // The site may be restarting.
    let home = stack.page_when(&home, "the home", |status, _| status == 200).await?;
    let home: Value = serde_json::from_str(&home)?;
    let page = home["url"].as_str().unwrap_or_default().to_owned();
    content::edit_property(content.path(), REFERENCE, &json!({ "price": -5 }))?;
    stack.wait_for_parked("price").await?;
    for price in [401_000, 402_000, 403_000] {
        content::edit_property(content.path(), REFERENCE, &json!({ "price": price }))?;
        let shown = format!("{},{:03}", price / 1_000, price % 1_000);
        stack.wait_for_page(&page, &shown, |_, html| html.contains(&shown)).await?;
    }
    stack.verify().await?;
    for (step, times) in failures {
        let failed = stack.count_lines(&format!("step={step}"));
        ensure!(failed >= *times, "{step} failed {failed} times");
    }
    stack.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_at_any_step_is_retried() -> Result<()> {
    let failpoints: Vec<String> = STEPS.iter().map(|step| format!("{step}=2*return")).collect();
    let failures = STEPS.map(|step| (step, 2));
    publish_through(failpoints.join(";"), &failures).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_ends_at_any_step_continues_when_it_is_restarted() -> Result<()> {
    let ended = TempDir::with_prefix("almijara-ended-")?;
    let file = |step: &str| ended.path().join(step);
    let failpoints = STEPS.map(|step| format!("{step}=return({})", file(step).display()));
    publish_through(failpoints.join(";"), &[]).await?;
    for step in STEPS {
        ensure!(file(step).exists(), "no process has ended at {step}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_node_reopens_its_index_after_a_failure() -> Result<()> {
    // Each failure ends the node, and the next one counts again: every fourth batch fails.
    publish_through("query.index=3*off->1*return".to_owned(), &[("query.index", 1)]).await
}

/// The steps of visitors' enquiries and alerts.
const VISITORS_STEPS: [&str; 5] =
    ["command.store", "command.publish", "command.match", "command.job", "command.job_done"];

#[tokio::test(flavor = "multi_thread")]
async fn enquiries_and_alerts_are_delivered_once_whatever_step_fails() -> Result<()> {
    let content = content::copy()?;
    let failpoints = VISITORS_STEPS.map(|step| format!("{step}=2*return")).join(";");
    let options = Options::default()
        .with("CONTENT_DIR", content.path().to_string_lossy())
        .with("FAILPOINTS", failpoints)
        .with("ALERT_PAUSE", "0");
    let stack = Stack::start_with_sample(options).await?;
    stack.wait_until_idle().await?;
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let pool = PgPool::connect(&url.context("the write side's database")?).await?;
    let count = async |what: &'static str| -> Result<i64> {
        Ok(sqlx::query_scalar(what).fetch_one(&pool).await?)
    };
    let until = async |what: &str, counted: &'static str, wanted: i64| -> Result<()> {
        let started = Instant::now();
        while count(counted).await? != wanted {
            ensure!(started.elapsed() < stack::seen_limit(), "{what}: {}", count(counted).await?);
            // Makes waiting jobs due at once.
            sqlx::query(
                "update visitor.job set due_at = now()
                 where state = 'due' and (lease_until is null or lease_until < now())",
            )
            .execute(&pool)
            .await?;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        Ok(())
    };
    let filled = "select count(*) from visitor.alert_checkpoint where is_filled";
    until("every home is known", filled, 1).await?;

    let enquiry = json!({
        "kind": "general", "name": "Ann", "email": "ann@example.com", "privacyAccepted": true,
        "message": "Is there a lift in the house?",
    });
    let mut answers = Vec::new();
    while answers.last() != Some(&201) && answers.len() < 9 {
        let request = stack.client.post(stack.url("/api/enquiries")).json(&enquiry);
        let request = request.header("idempotency-key", "enquiry-of-a-test");
        answers.push(request.send().await?.status().as_u16());
    }
    // A busy door also answers 503, so there may be more of these.
    let (last, before) = answers.split_last().context("nothing was sent")?;
    let are_refused = before.len() >= 2 && before.iter().all(|status| *status == 503);
    ensure!(are_refused && *last == 201, "{answers:?}");
    let search = json!({
        "address": "", "name": "All homes", "locale": "en", "frequency": "at_once",
        "email": "bob@example.com",
    });
    let answer = stack.client.post(stack.url("/api/alerts")).json(&search).send().await?;
    ensure!(answer.status() == 202, "{}", answer.text().await?);
    sqlx::query("update visitor.saved_search set confirmed_at = now(), changed_at = now()")
        .execute(&pool)
        .await?;
    content::edit_property(content.path(), REFERENCE, &json!({ "price": 190_000 }))?;
    until("the alert is queued", "select count(*) from visitor.alert", 1).await?;
    let due = "select count(*) from visitor.job where state = 'due' and kind <> 'content_item'";
    until("nothing is left to do", due, 0).await?;
    until("all is on the stream", "select count(*) from visitor.event", 0).await?;

    ensure!(count("select count(*) from visitor.enquiry").await? == 1);
    ensure!(count("select count(*) from visitor.alert").await? == 1);
    let mails = format!("http://127.0.0.1:{}/api/messages", stack.port_of("mail")?);
    let mails: Vec<Value> = stack.client.get(mails).send().await?.json().await?;
    // The mail server may get the same mail twice, with the same message id.
    let count_mails = |reader: &str, mark: &str| {
        let theirs = mails.iter().filter(|mail| mail["to"][0] == reader);
        let marked =
            theirs.filter(|mail| mail["head"].as_str().is_some_and(|it| it.contains(mark)));
        marked.filter_map(|mail| mail["messageId"].as_str()).collect::<BTreeSet<_>>().len()
    };
    ensure!(count_mails("office@almijara.example", "") == 1, "the office gets one mail");
    ensure!(count_mails("ann@example.com", "") == 1, "the sender gets one mail");
    ensure!(count_mails("bob@example.com", "List-Unsubscribe:") == 1, "the alert is mailed once");
    stack.verify().await?;
    for step in VISITORS_STEPS {
        let failed = stack.count_lines(&format!("step={step}"));
        ensure!(failed >= 2, "{step} failed {failed} times");
    }
    stack.stop().await?;
    Ok(())
}
