//! The write side: checks what visitors send, writes it with its event in one transaction, and answers;
//! workers do the rest.
//!
//! Guarantees: what was answered with 201 is on disk, and everybody who has to be notified of it is,
//! effectively once, however often a process, a server or a connection fails meanwhile. Not guaranteed:
//! that a mail arrives. It is handed to the mail server, and the server's reply is stored.
//!
//! Invariant: the row in Postgres is the source of truth. The stream, logs and traces contain no
//! personal data, and losing the stream costs seconds.

mod account;
mod admin;
mod alerts;
mod answer;
mod bearer;
mod bounces;
mod clock;
mod config;
mod consent;
mod embedded;
mod enhanced_status;
mod enquiry;
mod enquiry_items;
mod error;
mod events;
mod failure;
mod jobs;
mod mail;
mod mailing_list;
mod metric_list;
mod office;
mod place_searches;
mod rate;
mod read_api;
mod reason;
mod receive;
mod receive_picture;
mod retention;
mod storage;
mod stored_enquiry;
mod unknown_parameters;
mod verify;
mod visitor_deletion;

use std::{sync::Arc, time::Duration};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use event_log::EventLog;
use runtime::{
    Process, Secrets,
    migrations::{self, migrate_with_retries},
};
use sqlx::PgPool;
use tokio::sync::Notify;

pub use alerts::renew_searches;
pub use clock::Clock;
pub use config::Config;
pub use enquiry_items::EnquiryItems;
pub use error::Error;
pub use jobs::{
    JobKind, JobSelector, UnfinishedJob, retry_jobs, undelivered_visitor_mails, unfinished_jobs,
};
pub use mailing_list::{MailingListEntry, mailing_list};
pub use metric_list::METRICS;
pub use office::{delete_blocked_items, sync_enquiry_states};
pub use receive::openapi;
pub use retention::erase_old;
use runtime::problem::Problem;
pub use verify::{VerifyReport, verify};
pub use visitor_deletion::VisitorDeletion;

use crate::{
    account::Accounts, alerts::Alerts, jobs::Workers, mail::Mailer, read_api::ReadApi,
    receive::Receiver, storage::Storage,
};

/// Connections to Postgres: a few for requests, and one for each worker.
const CONNECTIONS: u32 = 12;
/// The maximum size of a request body, in bytes: the longest message in the widest characters, with all
/// other fields.
const MAX_BYTES: usize = 32 << 10;

/// Migrates the schema `visitor`. The role `almijara_query`, if it exists, may select from its search
/// counts, and see nothing else.
pub async fn migrate(pool: &PgPool) -> Result<(), Error> {
    migrations::migrate(sqlx::migrate!(), "visitor", pool).await?;
    place_searches::grant_to_query(pool).await
}

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect(&config.database_url, "command", CONNECTIONS)?;
    let log = EventLog::connect(&config.nats_url, "command").await?;
    let log = log.with_replicas(config.stream_replicas);
    let enquiries_secrets = config.enquiries_secret.as_ref();
    let enquiries_secrets =
        enquiries_secrets.map(|text| Secrets::parse("ENQUIRIES_SECRET", text)).transpose()?;
    let bounces_secrets = config.bounces_secret.as_ref();
    let bounces_secrets =
        bounces_secrets.map(|text| Secrets::parse("BOUNCES_SECRET", text)).transpose()?;
    consent::check_texts()?;
    retention::check_rules()?;
    enquiry::check_texts()?;
    let storage = Storage::new(pool.clone());
    let mailer = Mailer::new(&config)?;
    let workers = Workers::new(storage.clone(), mailer, &config)?;
    let unpublished = Arc::new(Notify::new());
    let office_items = EnquiryItems::with_erase_token(&config)?;
    let read_api = ReadApi::new(&config.query_url)?;
    let burst = config.enquiry_burst;
    let receiver = Receiver::new(storage.clone(), read_api.clone(), unpublished.clone(), &config);
    let accounts = Accounts::new(storage.clone(), unpublished.clone(), &config);
    let alerts = Alerts::new(storage.clone(), unpublished.clone(), &config);
    let database = process.health().renewed_check(admin_answers::checks::DATABASE);

    // The API answers from the start, if only with a 503.
    let router = Router::new()
        .merge(receive::router(receiver))
        .merge(receive_picture::router(storage.clone(), burst))
        .merge(account::router(accounts))
        .merge(alerts::router(alerts))
        .merge(office::router(storage.clone(), enquiries_secrets))
        .merge(bounces::router(storage.clone(), bounces_secrets))
        .merge(place_searches::router(storage.clone(), read_api))
        .route_layer(middleware::from_fn(unknown_parameters::refuse_unknown_parameters))
        .fallback(|| async { Problem::not_found("there is no such call") })
        .layer(DefaultBodyLimit::max(MAX_BYTES));
    let due = Arc::new(Notify::new());
    process.serve_admin_calls(admin::router(storage, due.clone(), workers.kinds()));
    let shutdown = process.shutdown();
    let api = runtime::http::with_request_metrics(router);
    process.spawn("api", runtime::http::serve(config.address(), api, shutdown.clone()));
    if !migrate_with_retries(|| migrate(&pool), Error::is_transient, &database, &shutdown).await? {
        return Ok(());
    }
    process.spawn("workers", workers.run(due.clone(), database, shutdown.clone()));
    process.spawn("retention", retention::run(pool.clone(), office_items, shutdown.clone()));
    let pause = Duration::from_secs(config.alert_pause);
    let (content_log, wake_workers) = (log.clone(), due.clone());
    process.spawn(
        "alerts",
        alerts::run(pool.clone(), content_log, pause, wake_workers, shutdown.clone()),
    );
    process.spawn("events", events::relay(pool, log.clone(), unpublished, shutdown.clone()));
    process.spawn("wake-ups", events::wake(log, due, shutdown));
    Ok(())
}
