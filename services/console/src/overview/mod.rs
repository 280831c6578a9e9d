//! The overview of all roles. One task takes a sample every two seconds, however many operators watch.

mod flow;
mod prometheus;
mod rates;
mod role_state;
mod sample;
mod stores;

use std::{
    collections::BTreeMap,
    convert::Infallible,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Number, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use self::{
    rates::{Point, Rates},
    sample::Sample,
    stores::{Breaker, Cache, Queue, Replica},
};
use crate::calls::Roles;

/// How often a sample is taken.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(2);
/// How many overviews are buffered for a client that reads slowly.
const BUFFERED_UPDATES: usize = 4;
/// The maximum number of subscriptions.
const MAX_SUBSCRIPTIONS: usize = 100;

/// The latest overview, and the subscriptions to new ones. Clones share this state.
#[derive(Clone, Debug)]
pub struct Overview(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    latest: RwLock<Option<Arc<str>>>,
    updates: broadcast::Sender<Arc<str>>,
    permits: Arc<Semaphore>,
    trace_url: Option<String>,
}

/// A subscription to the overview.
#[derive(Debug)]
pub struct Subscription {
    /// The latest overview.
    pub latest: Option<Arc<str>>,
    /// All later overviews.
    pub receiver: broadcast::Receiver<Arc<str>>,
    /// Counts against the maximum of subscriptions until it is dropped.
    pub permit: OwnedSemaphorePermit,
}

/// A process in the overview.
#[derive(Serialize, ToSchema)]
#[schema(as = RoleState)]
struct Process<'a> {
    role: &'static str,
    /// Its host and port.
    instance: &'a str,
    reachable: bool,
    ready: bool,
    /// The failing checks, with the reason.
    failing: &'a BTreeMap<String, String>,
    /// What it reports about itself beside its readiness.
    details: &'a BTreeMap<String, Value>,
}

/// The overview, as sent to browsers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Overview)]
pub struct Report<'a> {
    at: DateTime<Utc>,
    roles: Vec<Process<'a>>,
    flow: Vec<flow::StepReport>,
    breakers: Vec<Breaker>,
    queues: Vec<Queue>,
    caches: Vec<Cache>,
    indexes: Vec<Replica>,
    /// The address of a trace in the viewer, with the placeholder `{traceId}`.
    trace_url: Option<&'a str>,
    history: Vec<Point>,
}

impl Overview {
    /// Creates an empty overview; `trace_url` is the address template of traces.
    pub fn new(trace_url: Option<String>) -> Self {
        Self(Arc::new(Parts {
            latest: RwLock::default(),
            updates: broadcast::Sender::new(BUFFERED_UPDATES),
            permits: Arc::new(Semaphore::new(MAX_SUBSCRIPTIONS)),
            trace_url,
        }))
    }

    /// Returns the latest overview, as JSON.
    pub fn latest(&self) -> Option<Arc<str>> {
        self.0.latest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Subscribes to the overview; returns `None` if there are too many subscriptions.
    pub fn subscribe(&self) -> Option<Subscription> {
        let permit = self.0.permits.clone().try_acquire_owned().ok()?;
        let receiver = self.0.updates.subscribe();
        Some(Subscription { latest: self.latest(), receiver, permit })
    }

    /// Publishes the overview of `sample`.
    fn publish(&self, sample: &Sample, rates: &mut Rates) {
        let processes = sample.processes.iter().flat_map(|(role, processes)| {
            processes.iter().map(|process| Process {
                role: role.name(),
                instance: &process.instance,
                reachable: process.reachable,
                ready: process.ready,
                failing: &process.failing,
                details: &process.details,
            })
        });
        let report = Report {
            at: sample.at,
            roles: processes.collect(),
            flow: flow::flow(sample, rates),
            breakers: stores::breakers(sample),
            queues: stores::queues(sample),
            caches: stores::caches(sample),
            indexes: stores::indexes(sample),
            trace_url: self.0.trace_url.as_deref(),
            history: rates.history(),
        };
        let Ok(json) = serde_json::to_string(&report) else { return };
        let json: Arc<str> = json.into();
        *self.0.latest.write().unwrap_or_else(PoisonError::into_inner) = Some(json.clone());
        // An error means only that there are no subscribers.
        let _no_subscribers = self.0.updates.send(json);
    }
}

/// Returns a number of a state in the type of the metrics.
fn figure(number: impl Into<Number>) -> f64 {
    number.into().as_f64().unwrap_or_default()
}

/// Takes samples and publishes overviews until `shutdown`.
pub async fn watch(
    overview: Overview,
    roles: Roles,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let mut rates = Rates::default();
    let mut ticks = tokio::time::interval(SAMPLE_INTERVAL);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let sampling = async {
        loop {
            ticks.tick().await;
            let sample = Sample::take(&roles).await;
            rates.add(&sample);
            overview.publish(&sample, &mut rates);
        }
    };
    shutdown.run_until_cancelled(sampling).await;
    Ok(())
}
