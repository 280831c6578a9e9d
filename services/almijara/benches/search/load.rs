//! Generates load: a number of clients, each of which sends its next request as soon as it has an answer.

use std::{
    future::Future,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use futures::future::{join_all, try_join_all};
use serde::Serialize;

/// The duration of the warm-up, which is not counted, relative to that of the run.
const WARM_UP: f64 = 0.2;

/// A client that sends requests.
pub trait Client {
    /// Sends request `number` of an endless sequence, and returns the size of the answer in bytes.
    fn ask(&mut self, number: usize) -> impl Future<Output = Result<usize>>;
}

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figures {
    pub clients: usize,
    pub asked: usize,
    /// Requests that failed; they are in no other figure.
    pub failed: usize,
    pub per_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
    pub mean_bytes: usize,
}

/// Runs `clients` clients, created by `make`, for `duration` on a single thread, so that the load costs
/// at most one processor, and the same for all servers.
pub async fn run<C: Client>(
    clients: usize,
    duration: Duration,
    make: impl Fn() -> C + Send + 'static,
) -> Result<Figures> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    thread::Builder::new().name("load".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let figures = runtime.map_err(Into::into).and_then(|runtime| {
            runtime.block_on(async {
                let started = Instant::now();
                let asked = join_all(
                    (0..clients).map(|client| ask(make(), client, clients, started, duration)),
                );
                figures(clients, duration, asked.await)
            })
        });
        // An error means that the bench was ended meanwhile.
        let _gone = sender.send(figures);
    })?;
    receiver.await.context("the load has panicked")?
}

/// Does the same with a thread for each client, for calls that block.
pub async fn run_blocking(
    clients: usize,
    duration: Duration,
    ask: impl Fn(usize) -> Result<usize> + Send + Sync + Clone + 'static,
) -> Result<Figures> {
    let started = Instant::now();
    let threads: Vec<_> = (0..clients)
        .map(|client| {
            let ask = ask.clone();
            tokio::task::spawn_blocking(move || {
                let mut answers = Answers::new(started, duration);
                for round in 0.. {
                    let sent = Instant::now();
                    let answer = ask(client + round * clients);
                    if !answers.record(sent, answer) {
                        break;
                    }
                }
                answers
            })
        })
        .collect();
    figures(clients, duration, try_join_all(threads).await?)
}

async fn ask<C: Client>(
    mut client: C,
    number: usize,
    clients: usize,
    started: Instant,
    duration: Duration,
) -> Answers {
    let mut answers = Answers::new(started, duration);
    for round in 0.. {
        let sent = Instant::now();
        // The clients share one sequence of requests.
        let answer = client.ask(number + round * clients).await;
        if !answers.record(sent, answer) {
            break;
        }
    }
    answers
}

/// The answers of one client.
struct Answers {
    from: Instant,
    until: Instant,
    times: Vec<Duration>,
    bytes: usize,
    failed: usize,
    failure: Option<anyhow::Error>,
}

impl Answers {
    fn new(started: Instant, duration: Duration) -> Self {
        let from = started + duration.mul_f64(WARM_UP);
        let until = from + duration;
        Self { from, until, times: Vec::new(), bytes: 0, failed: 0, failure: None }
    }

    /// Records an answer to a request that was sent at `sent`. Returns false when the run is over.
    fn record(&mut self, sent: Instant, answer: Result<usize>) -> bool {
        let now = Instant::now();
        if now > self.until {
            return false;
        }
        match answer {
            Err(error) => {
                self.failed += 1;
                self.failure = Some(error);
            }
            Ok(bytes) if now >= self.from => {
                self.times.push(now - sent);
                self.bytes += bytes;
            }
            Ok(_) => {}
        }
        true
    }
}

/// Summarizes the answers. Fails if all requests failed.
fn figures(clients: usize, duration: Duration, mut answers: Vec<Answers>) -> Result<Figures> {
    let failed = answers.iter().map(|answers| answers.failed).sum();
    let failure = answers.iter_mut().find_map(|answers| answers.failure.take());
    let bytes: usize = answers.iter().map(|answers| answers.bytes).sum();
    let mut times: Vec<Duration> = answers.into_iter().flat_map(|answers| answers.times).collect();
    let asked = times.len();
    times.sort_unstable();
    if asked == 0
        && let Some(failure) = failure
    {
        return Err(failure);
    }
    Ok(Figures {
        clients,
        asked,
        failed,
        per_second: as_f64(asked) / duration.as_secs_f64(),
        p50_ms: percentile(&times, 500),
        p99_ms: percentile(&times, 990),
        max_ms: percentile(&times, 1000),
        mean_bytes: bytes / asked.max(1),
    })
}

/// Returns the percentile of the sorted `times`, in milliseconds.
pub fn percentile(times: &[Duration], permille: usize) -> f64 {
    let index = times.len().saturating_sub(1) * permille / 1000;
    times.get(index).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

#[expect(clippy::cast_precision_loss, reason = "counts of a bench are far below 2^52")]
pub const fn as_f64(count: usize) -> f64 {
    count as f64
}
