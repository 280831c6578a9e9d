//! Five hundred enquiries while everything that takes part is killed: each is kept once, and each of its
//! mails is sent once in effect.

mod stack;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgPool;
use stack::{Options, Stack};
use tokio::task::JoinSet;

/// How many enquiries; `FAULT_ENQUIRIES=500` is the long run.
fn count() -> usize {
    std::env::var("FAULT_ENQUIRIES").ok().and_then(|text| text.parse().ok()).unwrap_or(500)
}

const SENDERS: usize = 6;
/// What is killed, in turn; each is a part of one child's command line.
const VICTIMS: [&str; 4] = ["almijara command", "nats-server", "bin/postgres", "almijara site"];
const LIMIT: Duration = Duration::from_mins(5);

/// A mail, as the mail catcher tells of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mail {
    to: Vec<String>,
    message_id: String,
}

#[tokio::test(flavor = "multi_thread")]
async fn each_enquiry_is_kept_and_told_once_whatever_dies() -> Result<()> {
    let count = count();
    let options = Options::default().with("ENQUIRY_BURST", "0").with("RATE_LIMIT", "0");
    let stack = Stack::start(options).await?;
    let kept = Arc::new(AtomicUsize::new(0));
    let mut senders = JoinSet::new();
    for sender in 0..SENDERS {
        let (url, kept) = (stack.url("/api/enquiries"), Arc::clone(&kept));
        senders.spawn(async move {
            for number in (sender..count).step_by(SENDERS) {
                send(&url, number).await?;
                kept.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        });
    }
    // Each in turn, once more enquiries were kept since the last.
    let mut kills = 0;
    for victim in VICTIMS.iter().cycle() {
        let before = kept.load(Ordering::Relaxed);
        let enough = (before + count / 12).min(count);
        let begun = Instant::now();
        while kept.load(Ordering::Relaxed) < enough && begun.elapsed() < LIMIT {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if kept.load(Ordering::Relaxed) >= count {
            break;
        }
        ensure!(begun.elapsed() < LIMIT, "only {before} enquiries were kept");
        // What is just being started again is killed the next time.
        kills += usize::from(stack.kill(victim).is_ok());
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    ensure!(kills >= VICTIMS.len(), "only {kills} kills");

    let url = stack.operators_environment()?.remove("COMMAND_DATABASE_URL");
    let pool = PgPool::connect(&url.context("the write side's database")?).await?;
    // Whoever had a lease is dead now, so nobody needs to wait for its end.
    stack.kill("almijara command")?;
    sqlx::query("update visitor.job set lease_until = null where state = 'due'")
        .execute(&pool)
        .await?;
    settle(&pool).await?;
    let kept: i64 = sqlx::query_scalar("select count(distinct email) from visitor.enquiry")
        .fetch_one(&pool)
        .await?;
    let rows: i64 =
        sqlx::query_scalar("select count(*) from visitor.enquiry").fetch_one(&pool).await?;
    ensure!(kept == rows && rows == i64::try_from(count)?, "{rows} rows of {kept} senders");

    let catcher = format!("http://127.0.0.1:{}/api/messages", stack.port_of("mail")?);
    let mails: Vec<Mail> = reqwest::get(catcher).await?.json().await?;
    let mut by_reader: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mail in &mails {
        for reader in &mail.to {
            by_reader.entry(reader).or_default().insert(&mail.message_id);
        }
    }
    let office = by_reader.remove("office@almijara.example").map_or(0, |mails| mails.len());
    ensure!(office == count, "the office was told {office} times");
    ensure!(by_reader.len() == count, "{} senders were thanked", by_reader.len());
    ensure!(by_reader.values().all(|mails| mails.len() == 1), "somebody was thanked twice");
    let said = stack.verify().await?;
    ensure!(
        said.contains(&format!("{count} enquiries")) && said.contains("none is late"),
        "{said}"
    );
    println!(
        "{count} enquiries, {kills} kills, {} mails, of which {} twice",
        mails.len(),
        mails.len().saturating_sub(2 * count)
    );
    stack.stop().await?;
    Ok(())
}

/// Sends an enquiry until it is kept, under one key.
async fn send(url: &str, number: usize) -> Result<()> {
    let enquiry = json!({
        "kind": "general", "name": "Ann", "email": format!("ann{number}@x.example"),
        "message": format!("Is there a lift in house {number}?"), "privacyAccepted": true,
    });
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build()?;
    let begun = Instant::now();
    let mut last = String::new();
    while begun.elapsed() < LIMIT {
        let sent = client
            .post(url)
            .header("idempotency-key", format!("enquiry-of-a-test-{number:05}"))
            .json(&enquiry)
            .send()
            .await;
        match sent {
            Ok(answer) if answer.status() == 201 => return Ok(()),
            Ok(answer) => {
                let status = answer.status();
                ensure!(status.is_server_error(), "{status}: {}", answer.text().await?);
                last = status.to_string();
            }
            Err(error) => last = error.to_string(),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    anyhow::bail!("enquiry {number} was not kept: {last}")
}

/// Waits until nothing is left to do; what waits for a later try is tried at once, as hours later.
async fn settle(pool: &PgPool) -> Result<()> {
    let begun = Instant::now();
    loop {
        // Without a token of the content service no items are made.
        let due: i64 = sqlx::query_scalar(
            "select count(*) from visitor.job where state = 'due' and kind <> 'content_item'",
        )
        .fetch_one(pool)
        .await?;
        if due == 0 {
            return Ok(());
        }
        ensure!(begun.elapsed() < LIMIT, "{due} jobs are still due");
        sqlx::query(
            "update visitor.job set due_at = now()
             where state = 'due' and due_at > now() and (lease_until is null or lease_until < now())",
        )
        .execute(pool)
        .await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
