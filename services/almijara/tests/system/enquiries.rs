//! Many enquiries while all participating processes are killed, the mail server is down for an hour, and
//! the content service fails after it has created an item. Each enquiry is stored once, and each of its
//! mails and items exists effectively once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
    routing::post,
};
use mail_catcher::{Mail, Mails};
use runtime::Process;
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio::{net::TcpListener, task::JoinSet};

use crate::stack::{self, Options, Stack};

/// Returns the number of enquiries; `FAULT_ENQUIRIES=500` is for a long run.
fn count() -> usize {
    std::env::var("FAULT_ENQUIRIES").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

const SENDERS: usize = 6;
/// The processes that are killed in turn; each is a part of a child's command line.
const VICTIMS: [&str; 4] = ["almijara command", "nats-server", "bin/postgres", "almijara site"];

/// Returns the timeout of every wait.
fn limit() -> Duration {
    stack::scaled(Duration::from_mins(5))
}

/// How often waiting jobs are tried within an hour. While the mail server is down, the test makes that
/// happen at once.
const TRIES_PER_HOUR: i32 = 10;

/// A mail server that can be stopped and started; it keeps the mails that it has accepted.
struct MailServer {
    mails: Mails,
    smtp: u16,
    page: u16,
    process: Process,
}

impl MailServer {
    async fn start() -> Result<Self> {
        let (smtp, page) = (local_servers::free_port()?, local_servers::free_port()?);
        let mut server = Self { mails: Mails::default(), smtp, page, process: Process::new() };
        server.start_again().await?;
        Ok(server)
    }

    async fn stop(&self) -> Result<()> {
        self.process.clone().finish().await.context("the mail server ends")
    }

    async fn start_again(&mut self) -> Result<()> {
        self.process = Process::new();
        mail_catcher::start(self.mails.clone(), self.smtp, self.page, &self.process).await?;
        Ok(())
    }
}

/// How often each item was requested, by its id.
type Items = Arc<Mutex<BTreeMap<String, usize>>>;

/// Starts a content service that accepts enquiries as items, and returns its address.
async fn content_service(items: Items) -> Result<String> {
    let router = Router::new().route("/items/enquiries", post(create)).with_state(items);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async { axum::serve(listener, router).await });
    Ok(format!("http://{address}"))
}

/// Creates an item once. For every third item, it fails after it has created it.
async fn create(State(items): State<Items>, Json(item): Json<Value>) -> Response {
    let id = item["id"].as_str().unwrap_or_default().to_owned();
    let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
    let number = items.len();
    let requests = items.entry(id).or_default();
    *requests += 1;
    match (*requests, number % 3) {
        (1, 0) => StatusCode::BAD_GATEWAY.into_response(),
        (1, _) => StatusCode::NO_CONTENT.into_response(),
        _ => {
            let error = json!({ "errors": [{ "extensions": { "code": "RECORD_NOT_UNIQUE" } }] });
            (StatusCode::BAD_REQUEST, Json(error)).into_response()
        }
    }
}

/// Checks that the office has one mail for each of `count` enquiries, and each sender one. A mail that
/// was sent twice counts once.
fn ensure_mailed_once(mails: &[Mail], count: usize) -> Result<()> {
    let mut by_reader: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mail in mails {
        for reader in &mail.to {
            by_reader.entry(reader).or_default().insert(&mail.message_id);
        }
    }
    let office = by_reader.remove("office@almijara.example").map_or(0, |mails| mails.len());
    ensure!(office == count, "the office got {office} mails");
    ensure!(by_reader.len() == count, "{} senders got a mail", by_reader.len());
    ensure!(by_reader.values().all(|mails| mails.len() == 1), "a sender got two mails");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_enquiry_is_stored_and_delivered_once_whatever_is_killed() -> Result<()> {
    let count = count();
    let mut mail_server = MailServer::start().await?;
    let items = Items::default();
    let options = Options::default()
        .with("ENQUIRY_BURST", "0")
        .with("RATE_LIMIT", "0")
        .with("SMTP_URL", format!("smtp://127.0.0.1:{}", mail_server.smtp))
        .with("CONTENT_URL", content_service(items.clone()).await?)
        .with("ENQUIRIES_TOKEN", "a-token-of-a-test");
    let stack = Stack::start_with_sample(options).await?;
    let stored = Arc::new(AtomicUsize::new(0));
    let mut senders = JoinSet::new();
    for sender in 0..SENDERS {
        let (url, stored) = (stack.url("/api/enquiries"), Arc::clone(&stored));
        senders.spawn(async move {
            for number in (sender..count).step_by(SENDERS) {
                send(&url, number).await?;
                stored.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        });
    }
    let url = stack.operator_environment()?.remove("COMMAND_DATABASE_URL");
    let url = url.context("the write side's database")?;
    // The next process is killed after some more enquiries were stored.
    let (mut kills, mut is_down, mut was_down) = (0, false, false);
    for victim in VICTIMS.iter().cycle() {
        let before = stored.load(Ordering::Relaxed);
        let target = (before + count / 12).min(count);
        let started = Instant::now();
        while stored.load(Ordering::Relaxed) < target && started.elapsed() < limit() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if stored.load(Ordering::Relaxed) >= count {
            break;
        }
        ensure!(started.elapsed() < limit(), "only {before} enquiries were stored");
        // The mail server is down for the middle third.
        let third = 3 * target / count;
        if third == 1 && !was_down {
            mail_server.stop().await?;
            (is_down, was_down) = (true, true);
        } else if third == 2 && is_down {
            simulate_an_hour(&url).await?;
            mail_server.start_again().await?;
            is_down = false;
        }
        // A process that is just being restarted is skipped this time.
        kills += usize::from(stack.kill(victim).is_ok());
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    ensure!(kills >= VICTIMS.len(), "only {kills} kills");
    ensure!(was_down, "the mail server was not away for its third");
    if is_down {
        simulate_an_hour(&url).await?;
        mail_server.start_again().await?;
    }

    let pool = PgPool::connect_lazy(&url)?;
    // Kills the owner of any leases, so that they can be released at once. If it is just being
    // restarted, this waits for it.
    let started = Instant::now();
    while let Err(error) = stack.kill("almijara command") {
        ensure!(started.elapsed() < limit(), "{error}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let freed = "update visitor.job set lease_until = null where state = 'due'";
    // Postgres may have been killed last.
    while let Err(error) = sqlx::query(freed).execute(&pool).await {
        ensure!(started.elapsed() < limit(), "{error}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    wait_until_done(&pool).await?;
    let stored: i64 = sqlx::query_scalar("select count(distinct email) from visitor.enquiry")
        .fetch_one(&pool)
        .await?;
    let rows: i64 =
        sqlx::query_scalar("select count(*) from visitor.enquiry").fetch_one(&pool).await?;
    ensure!(stored == rows && rows == i64::try_from(count)?, "{rows} rows of {stored} senders");

    let mails = mail_server.mails.all();
    ensure_mailed_once(&mails, count)?;
    let requests = items.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let stored: Vec<String> =
        sqlx::query_scalar("select id::text from visitor.enquiry order by id")
            .fetch_all(&pool)
            .await?;
    let mut made: Vec<&String> = requests.keys().collect();
    made.sort();
    ensure!(made == stored.iter().collect::<Vec<_>>(), "{} items were made", made.len());
    let repeated = requests.values().filter(|times| **times > 1).count();
    ensure!(repeated > 0, "no item was requested twice");
    let output = stack.verify_with(&["--enquiry-items"]).await?;
    ensure!(
        output.contains(&format!("{count} enquiries")) && output.contains("none is late"),
        "{output}"
    );
    println!(
        "{count} enquiries, {kills} kills, {} mails, of which {} twice; {repeated} items requested twice",
        mails.len(),
        mails.len().saturating_sub(2 * count)
    );
    stack.stop().await?;
    Ok(())
}

/// Sends an enquiry until it is stored, always with the same idempotency key.
async fn send(url: &str, number: usize) -> Result<()> {
    let enquiry = json!({
        "kind": "general", "name": "Ann", "email": format!("ann{number}@x.example"),
        "message": format!("Is there a lift in house {number}?"), "privacyAccepted": true,
    });
    let client = reqwest::Client::builder().timeout(Duration::from_secs(20)).build()?;
    let started = Instant::now();
    let mut last = String::new();
    while started.elapsed() < limit() {
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
    anyhow::bail!("enquiry {number} was not stored: {last}")
}

/// Makes all waiting jobs run as often as within an hour.
async fn simulate_an_hour(url: &str) -> Result<()> {
    let started = Instant::now();
    let mut tried = 0;
    while tried < TRIES_PER_HOUR {
        ensure!(started.elapsed() < limit(), "only {tried} tries");
        tokio::time::sleep(Duration::from_millis(100)).await;
        // Postgres may have been killed.
        let Ok(pool) = PgPool::connect(url).await else { continue };
        if make_jobs_due(&pool).await.is_ok() {
            let statement =
                "select coalesce(max(attempts), 0) from visitor.job where state = 'due'";
            tried = sqlx::query_scalar(statement).fetch_one(&pool).await.unwrap_or(tried);
        }
        pool.close().await;
    }
    Ok(())
}

/// Makes the waiting jobs due now.
async fn make_jobs_due(pool: &PgPool) -> Result<()> {
    sqlx::query(
        "update visitor.job set due_at = now()
         where state = 'due' and due_at > now() and (lease_until is null or lease_until < now())",
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Waits until no job is left.
async fn wait_until_done(pool: &PgPool) -> Result<()> {
    let started = Instant::now();
    loop {
        let due: i64 = sqlx::query_scalar("select count(*) from visitor.job where state = 'due'")
            .fetch_one(pool)
            .await?;
        if due == 0 {
            return Ok(());
        }
        ensure!(started.elapsed() < limit(), "{due} jobs are still due");
        make_jobs_due(pool).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
