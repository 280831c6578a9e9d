//! A crowd of enquiries while everything that takes part is killed, the mail server is away for an hour,
//! and the content service fails after it did what it was asked: each is kept once, and each of its mails and
//! items is there once in effect.

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

/// How many enquiries; `FAULT_ENQUIRIES=500` is the long run.
fn count() -> usize {
    std::env::var("FAULT_ENQUIRIES").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

const SENDERS: usize = 6;
/// What is killed, in turn; each is a part of one child's command line.
const VICTIMS: [&str; 4] = ["almijara command", "nats-server", "bin/postgres", "almijara site"];

/// How long each thing may take that is waited for.
fn limit() -> Duration {
    stack::patient(Duration::from_mins(5))
}

/// While it is away, everything that waits is tried at once so often: by itself that takes an hour.
const TRIES_OF_AN_HOUR: i32 = 10;

/// A mail server that can go away: what it has taken stays.
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
        server.come_back().await?;
        Ok(server)
    }

    async fn go_away(&self) -> Result<()> {
        self.process.clone().finish().await.context("the mail server ends")
    }

    async fn come_back(&mut self) -> Result<()> {
        self.process = Process::new();
        mail_catcher::start(self.mails.clone(), self.smtp, self.page, &self.process).await?;
        Ok(())
    }
}

/// How often each item was made and asked for, by its id.
type Items = Arc<Mutex<BTreeMap<String, usize>>>;

/// A content service that takes enquiries as items.
async fn content_service(items: Items) -> Result<String> {
    let router = Router::new().route("/items/enquiries", post(create)).with_state(items);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    tokio::spawn(async { axum::serve(listener, router).await });
    Ok(format!("http://{address}"))
}

/// Makes an item once; each third one it makes and then fails.
async fn create(State(items): State<Items>, Json(item): Json<Value>) -> Response {
    let id = item["id"].as_str().unwrap_or_default().to_owned();
    let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
    let number = items.len();
    let asked = items.entry(id).or_default();
    *asked += 1;
    match (*asked, number % 3) {
        (1, 0) => StatusCode::BAD_GATEWAY.into_response(),
        (1, _) => StatusCode::NO_CONTENT.into_response(),
        _ => {
            let error = json!({ "errors": [{ "extensions": { "code": "RECORD_NOT_UNIQUE" } }] });
            (StatusCode::BAD_REQUEST, Json(error)).into_response()
        }
    }
}

/// The office and each of `count` senders have one mail about each enquiry, however often it was sent.
fn told_once(mails: &[Mail], count: usize) -> Result<()> {
    let mut by_reader: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mail in mails {
        for reader in &mail.to {
            by_reader.entry(reader).or_default().insert(&mail.message_id);
        }
    }
    let office = by_reader.remove("office@almijara.example").map_or(0, |mails| mails.len());
    ensure!(office == count, "the office was told {office} times");
    ensure!(by_reader.len() == count, "{} senders were thanked", by_reader.len());
    ensure!(by_reader.values().all(|mails| mails.len() == 1), "somebody was thanked twice");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_enquiry_is_kept_and_told_once_whatever_dies() -> Result<()> {
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
    let url = stack.operators_environment()?.remove("COMMAND_DATABASE_URL");
    let url = url.context("the write side's database")?;
    // Each in turn, once more enquiries were kept since the last.
    let (mut kills, mut is_away, mut was_away) = (0, false, false);
    for victim in VICTIMS.iter().cycle() {
        let before = kept.load(Ordering::Relaxed);
        let enough = (before + count / 12).min(count);
        let begun = Instant::now();
        while kept.load(Ordering::Relaxed) < enough && begun.elapsed() < limit() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        if kept.load(Ordering::Relaxed) >= count {
            break;
        }
        ensure!(begun.elapsed() < limit(), "only {before} enquiries were kept");
        // The mail server is away for the middle third.
        let third = 3 * enough / count;
        if third == 1 && !was_away {
            mail_server.go_away().await?;
            (is_away, was_away) = (true, true);
        } else if third == 2 && is_away {
            an_hour_passes(&url).await?;
            mail_server.come_back().await?;
            is_away = false;
        }
        // What is just being started again is killed the next time.
        kills += usize::from(stack.kill(victim).is_ok());
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    ensure!(kills >= VICTIMS.len(), "only {kills} kills");
    ensure!(was_away, "the mail server was not away for its third");
    if is_away {
        an_hour_passes(&url).await?;
        mail_server.come_back().await?;
    }

    let pool = PgPool::connect_lazy(&url)?;
    // Whoever had a lease is dead now, so nobody needs to wait for its end. One that is just being
    // started again is waited for.
    let began = Instant::now();
    while let Err(error) = stack.kill("almijara command") {
        ensure!(began.elapsed() < limit(), "{error}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let freed = "update visitor.job set lease_until = null where state = 'due'";
    // Postgres may be the one that was killed last.
    while let Err(error) = sqlx::query(freed).execute(&pool).await {
        ensure!(began.elapsed() < limit(), "{error}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    settle(&pool).await?;
    let kept: i64 = sqlx::query_scalar("select count(distinct email) from visitor.enquiry")
        .fetch_one(&pool)
        .await?;
    let rows: i64 =
        sqlx::query_scalar("select count(*) from visitor.enquiry").fetch_one(&pool).await?;
    ensure!(kept == rows && rows == i64::try_from(count)?, "{rows} rows of {kept} senders");

    let mails = mail_server.mails.all();
    told_once(&mails, count)?;
    let asked = items.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let kept: Vec<String> = sqlx::query_scalar("select id::text from visitor.enquiry order by id")
        .fetch_all(&pool)
        .await?;
    let mut made: Vec<&String> = asked.keys().collect();
    made.sort();
    ensure!(made == kept.iter().collect::<Vec<_>>(), "{} items were made", made.len());
    let again = asked.values().filter(|times| **times > 1).count();
    ensure!(again > 0, "no item was asked for twice");
    let said = stack.verify_with(&["--enquiry-items"]).await?;
    ensure!(
        said.contains(&format!("{count} enquiries")) && said.contains("none is late"),
        "{said}"
    );
    println!(
        "{count} enquiries, {kills} kills, {} mails, of which {} twice; {again} items asked for twice",
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
    while begun.elapsed() < limit() {
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

/// Has everything that waits tried as often as within an hour.
async fn an_hour_passes(url: &str) -> Result<()> {
    let begun = Instant::now();
    let mut tried = 0;
    while tried < TRIES_OF_AN_HOUR {
        ensure!(begun.elapsed() < limit(), "only {tried} tries");
        tokio::time::sleep(Duration::from_millis(100)).await;
        // Postgres is killed too, now and then.
        let Ok(pool) = PgPool::connect(url).await else { continue };
        if hurry(&pool).await.is_ok() {
            let most = "select coalesce(max(attempts), 0) from visitor.job where state = 'due'";
            tried = sqlx::query_scalar(most).fetch_one(&pool).await.unwrap_or(tried);
        }
        pool.close().await;
    }
    Ok(())
}

/// Has what waits for a later try tried now, as hours later.
async fn hurry(pool: &PgPool) -> Result<()> {
    sqlx::query(
        "update visitor.job set due_at = now()
         where state = 'due' and due_at > now() and (lease_until is null or lease_until < now())",
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Waits until nothing is left to do.
async fn settle(pool: &PgPool) -> Result<()> {
    let begun = Instant::now();
    loop {
        let due: i64 = sqlx::query_scalar("select count(*) from visitor.job where state = 'due'")
            .fetch_one(pool)
            .await?;
        if due == 0 {
            return Ok(());
        }
        ensure!(begun.elapsed() < limit(), "{due} jobs are still due");
        hurry(pool).await?;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
