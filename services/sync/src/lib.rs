//! Moves content from the content service into the log: webhooks, capture, ledger, relay, reconcile.
//!
//! Guarantees: a hint that was answered with 204 is never lost; every change of published content
//! becomes exactly one version in the ledger, whether or not a hint announced it; every version reaches
//! the stream in order; an item that can't be recorded is parked alone, together with the reason. Not
//! guaranteed: that each of two changes in quick succession is seen, since a read may find only the
//! later one.
//!
//! The one invariant: the version of an aggregate only increases, and a version holds what was read from
//! the content service after the hint, never the content of a webhook.

mod admin;
mod breaker;
mod capture;
mod config;
mod duplicate_redirects;
mod error;
mod failures;
mod ledger;
mod left_out;
mod live_status;
mod metric_list;
mod monitor;
mod placeholders;
mod receive;
mod reconcile;
mod relay;
mod resolve;
mod snapshot_hash;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use admin_answers::checks;
use content_client::Client;
use event_log::EventLog;
use runtime::{Process, migrations::migrate_with_retries};
use sqlx::PgPool;
use tokio::sync::{Notify, Semaphore, watch};

pub use config::{Config, ContentConfig, Intervals};
pub use error::Error;
pub use ledger::{
    EarlierPrice, Ledger, OffersByKey, Parked, ParkedCounts, ParkedItem, RefusedVersion,
    UnresolvedHint, WithoutPicture,
};
pub use live_status::LiveStatusConfig;
pub use metric_list::METRICS;
pub use reconcile::{Depth, MassRemoval, Report};

use crate::{breaker::Breaker, failures::Failures, live_status::LiveStatus, receive::Secrets};

/// The maximum number of reads that hints may start concurrently. The content service answers one
/// request after another anyway, and the capture loop reads the remaining hints in batches.
const MAX_CONCURRENT_HINT_READS: u32 = 8;

/// What the tasks of this role share.
#[derive(Clone, Debug)]
pub struct Context {
    ledger: Ledger,
    content: Client,
    breaker: Arc<Breaker>,
    /// Collections that currently can't be read.
    failures: Arc<Failures>,
    wakeups: Arc<Wakeups>,
    /// Permits for hints to start a read of their own.
    hint_reads: Arc<Semaphore>,
    /// Whether this process's relay is the leader.
    is_leader: Arc<AtomicBool>,
    /// Whether that relay leads a stream that is not complete yet. Where the leader is another process,
    /// this one compares on its timers only.
    stream_incomplete: Arc<watch::Sender<bool>>,
    /// The comparison that an operator requested.
    requested_comparison: Arc<reconcile::RequestedComparison>,
}

/// Wakes the task that has something to do, which would otherwise find it at its next poll.
#[derive(Debug, Default)]
struct Wakeups {
    /// An aggregate is due for capture.
    capture: Notify,
    /// A hint has to be resolved into aggregates.
    resolve: Notify,
    /// An entry waits for the relay.
    relay: Notify,
    /// A picture needs a placeholder.
    placeholders: Notify,
    /// The live status of an item has to be reported to editors.
    live_status: Notify,
}

impl Context {
    /// Creates the context over a database and a content service.
    pub fn new(pool: PgPool, content: Client) -> Self {
        Self {
            ledger: Ledger::new(pool),
            content,
            breaker: Arc::default(),
            failures: Arc::default(),
            wakeups: Arc::default(),
            hint_reads: Arc::new(Semaphore::new(MAX_CONCURRENT_HINT_READS as usize)),
            is_leader: Arc::default(),
            stream_incomplete: Arc::default(),
            requested_comparison: Arc::default(),
        }
    }

    /// Spawns the tasks that listen on no address: resolve, capture, placeholders, relay, reconcile,
    /// monitor.
    fn start(&self, log: EventLog, intervals: Intervals, process: &Process) {
        let shutdown = process.shutdown();
        process.spawn("resolve", resolve::run(self.clone(), shutdown.clone()));
        process.spawn(
            "capture",
            capture::run(
                self.clone(),
                process.health().check(checks::CONTENT_SERVICE),
                shutdown.clone(),
            ),
        );
        process.spawn("last readings", capture::await_hint_reads(self.clone(), shutdown.clone()));
        process.spawn("placeholders", placeholders::run(self.clone(), shutdown.clone()));
        process.spawn(
            "relay",
            relay::run(
                self.clone(),
                log,
                process.health().renewed_check(checks::LOG),
                shutdown.clone(),
            ),
        );
        process.spawn("reconcile", reconcile::run(self.clone(), intervals, shutdown.clone()));
        process.spawn("monitor", monitor::run(self.clone(), process.health().clone(), shutdown));
    }

    /// Compares every collection with the content service once, and marks what differs as dirty.
    ///
    /// # Errors
    /// Returns the first error, after all collections have been tried.
    pub async fn reconcile(&self, depth: Depth, removal: MassRemoval) -> Result<Report, Error> {
        reconcile::all(self, depth, removal).await
    }

    /// Captures everything that is due now, and returns the number of new versions.
    pub async fn capture_due(&self) -> Result<u64, Error> {
        capture::drain(self).await
    }

    /// Returns whether this process's relay is the leader.
    fn is_leader(&self) -> bool {
        self.is_leader.load(Ordering::Relaxed)
    }
}

/// Migrates the schema `ledger` to the current version.
pub async fn migrate(pool: &PgPool) -> Result<(), Error> {
    Ok(runtime::migrations::migrate(sqlx::migrate!(), "ledger", pool).await?)
}

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect(&config.database_url, "sync", 12)?;
    let client = config.content.client()?;
    let log = EventLog::connect(&config.nats_url, "sync").await?;
    let log = log.with_replicas(config.stream_replicas);
    let secrets = Secrets::parse("WEBHOOK_SECRET", &config.webhook_secret)?;
    let live_status = LiveStatus::new(&config.live_status, &config.content.content_url)?;
    let context = Context::new(pool.clone(), client);
    let database = process.health().check(checks::DATABASE);

    // Webhooks are answered from the start; until the role is ready, with a 503 that states why.
    let router = receive::router(context.clone(), secrets);
    process.spawn("webhooks", runtime::http::serve(config.address(), router, process.shutdown()));
    process.serve_admin_calls(admin::router(context.clone(), log.clone(), process));

    let shutdown = process.shutdown();
    if !migrate_with_retries(|| migrate(&pool), Error::is_transient, &database, &shutdown).await? {
        return Ok(());
    }
    database.ready();
    context.start(log, config.intervals, process);
    if let Some(reporter) = live_status {
        let details = process.health().detail("live status");
        let Context { ledger, wakeups, .. } = context;
        let reporting = reporter.run(ledger, wakeups, details, process.shutdown());
        process.spawn("live status", reporting);
    }
    Ok(())
}
