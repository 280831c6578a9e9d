//! From the content service into the log: webhooks, capture, ledger, relay, reconcile.
//!
//! Promises: a hint that was answered with 204 is never forgotten; every change of published
//! content becomes exactly one version in the ledger, whether a hint told of it or not, and every
//! version reaches the stream in order; what can't be recorded is parked alone, with why. Does not
//! promise that each of two quick changes is seen: the later one may be all there is to read.
//!
//! Its one invariant: an aggregate's version only rises, and what stands under a version is what
//! was read from the content service after the hint, never what a webhook said.

mod admin;
mod breaker;
mod capture;
mod config;
mod doubles;
mod error;
mod ledger;
mod left_out;
mod live_status;
mod metric_list;
mod monitor;
mod offers;
mod parked;
mod pause;
mod placeholders;
mod receive;
mod reconcile;
mod relay;
mod resolve;
mod snapshot_hash;
mod troubles;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use content_client::Client;
use event_log::EventLog;
use runtime::{Process, migrations::until_migrated};
use sqlx::PgPool;
use tokio::sync::{Notify, Semaphore, watch};

pub use config::{Config, ContentConfig, Intervals};
pub use error::Error;
pub use live_status::{LiveStatus, LiveStatusConfig};
pub use metric_list::METRICS;
pub use offers::{EarlierPrice, Offered, all_offers, record_earlier_prices};
pub use parked::{
    Counts as ParkedCounts, Parked, ParkedItem, RefusedVersion, UnresolvedHint, WithoutPicture,
    last_good, parked, parked_counts,
};
pub use placeholders::unreadable as unreadable_pictures;
pub use receive::router;
pub use reconcile::{Report, Scope};

use crate::{breaker::Breaker, ledger::Ledger, receive::Secrets, troubles::Troubles};

/// How many readings hints may begin at once; the content service answers one after another anyway, and
/// what more there is is read together.
const READINGS_AT_ONCE: u32 = 8;

/// What the tasks of this role share.
#[derive(Clone, Debug)]
pub struct Sync {
    ledger: Ledger,
    content: Client,
    breaker: Arc<Breaker>,
    /// Collections that can't be read now.
    troubles: Arc<Troubles>,
    /// How many more hints may begin a reading.
    readings: Arc<Semaphore>,
    /// Something is due for capture.
    dirty: Arc<Notify>,
    /// A hint waits for its aggregates.
    unresolved: Arc<Notify>,
    /// An entry waits for the relay.
    unpublished: Arc<Notify>,
    /// A picture waits for its placeholder.
    unmade: Arc<Notify>,
    /// Editors are to be told of something.
    untold: Arc<Notify>,
    /// Whether the relay of this process leads.
    leads: Arc<AtomicBool>,
    /// Whether that relay leads a stream that is not complete. Where another process leads one, this
    /// one compares on its timers alone.
    incomplete: Arc<watch::Sender<bool>>,
    /// The comparison that an operator asked for.
    asked: Arc<reconcile::Asked>,
}

impl Sync {
    /// The parts of the role over a database and a content service.
    pub fn new(pool: PgPool, content: Client) -> Self {
        Self {
            ledger: Ledger::new(pool),
            content,
            breaker: Arc::default(),
            troubles: Arc::default(),
            readings: Arc::new(Semaphore::new(READINGS_AT_ONCE as usize)),
            dirty: Arc::default(),
            unresolved: Arc::default(),
            unpublished: Arc::default(),
            unmade: Arc::default(),
            untold: Arc::default(),
            leads: Arc::default(),
            incomplete: Arc::default(),
            asked: Arc::default(),
        }
    }

    /// Runs the tasks that need no address: resolving, capture, placeholders, relay, reconcile.
    pub fn start(&self, log: EventLog, intervals: Intervals, process: &Process) {
        let shutdown = process.shutdown();
        process.spawn("resolve", resolve::run(self.clone(), shutdown.clone()));
        process.spawn(
            "capture",
            capture::run(self.clone(), process.health().check("content service"), shutdown.clone()),
        );
        process.spawn("last readings", capture::end_readings(self.clone(), shutdown.clone()));
        process.spawn("placeholders", placeholders::run(self.clone(), shutdown.clone()));
        process.spawn(
            "relay",
            relay::run(self.clone(), log, process.health().renewed_check("log"), shutdown.clone()),
        );
        process.spawn("reconcile", reconcile::run(self.clone(), intervals, shutdown.clone()));
        process.spawn("monitor", monitor::run(self.clone(), process.health().clone(), shutdown));
    }

    /// Compares the content service with the ledger and captures what differs; see [`Scope`].
    pub async fn reconcile(&self, scope: Scope, allow_mass_removal: bool) -> Result<Report, Error> {
        reconcile::once(self, scope, allow_mass_removal).await
    }

    /// Captures everything that is due now, and says how many new versions that made.
    pub async fn capture_due(&self) -> Result<u64, Error> {
        capture::drain(self).await
    }

    /// Whether the relay of this process leads.
    fn leads(&self) -> bool {
        self.leads.load(Ordering::Relaxed)
    }
}

/// Brings the schema `ledger` up to date.
pub async fn migrate(pool: &PgPool) -> Result<(), Error> {
    Ok(runtime::migrations::migrate(sqlx::migrate!(), "ledger", pool).await?)
}

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect(&config.database_url, "sync", 12)?;
    let content = config.content.client()?;
    let log = EventLog::connect(&config.nats_url, "sync").await?;
    let log = log.with_replicas(config.stream_replicas);
    let secrets = Secrets::parse("WEBHOOK_SECRET", &config.webhook_secret)?;
    let live_status = LiveStatus::new(&config.live_status, &config.content.content_url)?;
    let sync = Sync::new(pool.clone(), content);
    let database = process.health().check("database");

    // Webhooks are answered from the first moment, if only with a 503 that says why.
    let router = router(sync.clone(), secrets);
    process.spawn("webhooks", runtime::http::serve(config.address(), router, process.shutdown()));
    process.answer_operators(admin::router(sync.clone(), log.clone(), process));

    let shutdown = process.shutdown();
    if !until_migrated(|| migrate(&pool), Error::is_transient, &database, &shutdown).await? {
        return Ok(());
    }
    database.ready();
    sync.start(log, config.intervals, process);
    if let Some(telling) = live_status {
        let told = process.health().details("live status");
        process.spawn("live status", telling.run(sync, told, process.shutdown()));
    }
    Ok(())
}
