//! A visitor who sends one enquiry after another.

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use reqwest::{Client, StatusCode};
use serde_json::json;
use sqlx::PgPool;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::world::World;
use crate::stack::seen_limit;

/// How long the visitor takes to write an enquiry.
const WRITING: Duration = Duration::from_millis(100);
/// How long the visitor waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// How many more enquiries [`Forms::wait_for_more`] waits for.
const MORE_FORMS: u64 = 5;

/// What became of the enquiries so far.
#[derive(Default)]
pub struct Forms {
    stored: AtomicU64,
    broken: AtomicU64,
}

impl Forms {
    /// Returns how many enquiries were confirmed as stored.
    pub fn stored(&self) -> u64 {
        self.stored.load(Ordering::Relaxed)
    }

    /// Returns how often a request was not answered, or with a server error. The enquiry was then sent
    /// again.
    pub fn broken(&self) -> u64 {
        self.broken.load(Ordering::Relaxed)
    }

    /// Waits until a number of further enquiries is stored.
    pub async fn wait_for_more(&self) -> Result<()> {
        let (before, started) = (self.stored(), Instant::now());
        while self.stored() < before + MORE_FORMS {
            ensure!(started.elapsed() < seen_limit(), "enquiries wait");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Sends enquiries to the site at `url` from `address` until `stop`. Each has its own idempotency
    /// key, and is sent with it until it is stored. Fails if one is refused.
    pub async fn send(&self, address: Ipv4Addr, url: &str, stop: &CancellationToken) -> Result<()> {
        let client = Client::builder().timeout(ANSWER_TIMEOUT).local_address(IpAddr::V4(address));
        let client = client.build()?;
        let mut written = tokio::time::interval(WRITING);
        written.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !stop.is_cancelled() {
            written.tick().await;
            self.send_until_stored(&client, url).await?;
        }
        Ok(())
    }

    async fn send_until_stored(&self, client: &Client, url: &str) -> Result<()> {
        let number = self.stored();
        let enquiry = json!({
            "kind": "general", "name": "Ann", "email": format!("ann{number}@x.example"),
            "message": format!("Is there a lift in house {number}?"), "privacyAccepted": true,
        });
        let started = Instant::now();
        loop {
            let sent = client
                .post(format!("{url}/api/enquiries"))
                .header("idempotency-key", format!("enquiry-of-a-cluster-{number:05}"))
                .json(&enquiry)
                .send()
                .await;
            let reason = match sent {
                Ok(answer) if answer.status() == StatusCode::CREATED => {
                    self.stored.fetch_add(1, Ordering::Relaxed);
                    return Ok(());
                }
                Ok(answer) if !answer.status().is_server_error() => {
                    bail!("enquiry {number}: {}: {}", answer.status(), answer.text().await?);
                }
                Ok(answer) => answer.status().to_string(),
                Err(error) => runtime::error_text(&error),
            };
            println!("enquiry {number} is sent again: {reason}");
            self.broken.fetch_add(1, Ordering::Relaxed);
            ensure!(started.elapsed() < seen_limit(), "enquiry {number} is not stored: {reason}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl World {
    /// Checks that the database has `sent` enquiries, each once.
    pub async fn ensure_each_enquiry_is_stored_once(&self, sent: u64) -> Result<()> {
        let url = self.operator.iter().find(|(name, _)| *name == "COMMAND_DATABASE_URL");
        let (_, url) = url.context("the write side's database")?;
        let pool = PgPool::connect(url).await?;
        let (rows, senders): (i64, i64) =
            sqlx::query_as("select count(*), count(distinct email) from visitor.enquiry")
                .fetch_one(&pool)
                .await?;
        let sent = i64::try_from(sent)?;
        ensure!(
            rows == sent && senders == sent,
            "{rows} rows of {senders} senders, of {sent} sent"
        );
        Ok(())
    }
}
