//! How everything is: looked at every two seconds by one task, however many operators look.

mod flow;
mod prometheus;
mod rates;
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
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};
use tokio_util::sync::CancellationToken;

use self::{
    rates::{Point, Rates},
    sample::Sample,
    stores::{Breaker, Cache, Queue, Replica},
};
use crate::calls::Roles;

/// How often everything is looked at.
const EVERY: Duration = Duration::from_secs(2);
/// How many overviews wait for a page that reads slowly.
const KEPT: usize = 4;
/// The most open pages.
const MAX_LISTENERS: usize = 100;

/// The latest overview, for whoever looks. Clones are of the same.
#[derive(Clone, Debug)]
pub struct Overview(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    latest: RwLock<Option<Arc<str>>>,
    told: broadcast::Sender<Arc<str>>,
    places: Arc<Semaphore>,
    trace_url: Option<String>,
}

/// What somebody who follows it gets.
#[derive(Debug)]
pub struct Following {
    /// The latest.
    pub latest: Option<Arc<str>>,
    /// Each that comes then.
    pub receiver: broadcast::Receiver<Arc<str>>,
    /// Their place, for as long as they follow.
    pub place: OwnedSemaphorePermit,
}

/// A process, as it is told of.
#[derive(Serialize)]
struct Process<'a> {
    role: &'static str,
    instance: &'a str,
    reachable: bool,
    ready: bool,
    failing: &'a BTreeMap<String, String>,
    details: &'a BTreeMap<String, Value>,
}

/// Everything.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    at: DateTime<Utc>,
    roles: Vec<Process<'a>>,
    flow: Vec<flow::Told>,
    breakers: Vec<Breaker>,
    queues: Vec<Queue>,
    caches: Vec<Cache>,
    indexes: Vec<Replica>,
    /// Where a trace is shown, with `{traceId}` in it.
    trace_url: Option<&'a str>,
    history: Vec<Point>,
}

impl Overview {
    /// One of nothing yet; traces are shown at `trace_url`.
    pub fn new(trace_url: Option<String>) -> Self {
        Self(Arc::new(Parts {
            latest: RwLock::default(),
            told: broadcast::Sender::new(KEPT),
            places: Arc::new(Semaphore::new(MAX_LISTENERS)),
            trace_url,
        }))
    }

    /// The latest, as JSON.
    pub fn latest(&self) -> Option<Arc<str>> {
        self.0.latest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Follows it; none where too many do.
    pub fn follow(&self) -> Option<Following> {
        let place = self.0.places.clone().try_acquire_owned().ok()?;
        let receiver = self.0.told.subscribe();
        Some(Following { latest: self.latest(), receiver, place })
    }

    /// Tells of `sample`.
    fn tell(&self, sample: &Sample, rates: &mut Rates) {
        let processes = sample.seen.iter().flat_map(|(role, seen)| {
            seen.iter().map(|one| Process {
                role: role.name(),
                instance: &one.instance,
                reachable: one.reachable,
                ready: one.ready,
                failing: &one.failing,
                details: &one.details,
            })
        });
        let told = Told {
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
        let Ok(told) = serde_json::to_string(&told) else { return };
        let told: Arc<str> = told.into();
        *self.0.latest.write().unwrap_or_else(PoisonError::into_inner) = Some(told.clone());
        // Nobody may be looking.
        let _listeners = self.0.told.send(told);
    }
}

/// Looks at everything again and again, until `shutdown`.
pub async fn watch(
    overview: Overview,
    roles: Roles,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let mut rates = Rates::default();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let looking = async {
        loop {
            ticks.tick().await;
            let sample = Sample::take(&roles).await;
            rates.take_in(&sample);
            overview.tell(&sample, &mut rates);
        }
    };
    shutdown.run_until_cancelled(looking).await;
    Ok(())
}
