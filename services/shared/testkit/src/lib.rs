//! Real Postgres, NATS and Directus for tests, and functions that wait for conditions.
//!
//! One Postgres cluster serves a whole test binary, with a database per test; each test with NATS starts
//! its own server. Everything is in temporary folders and ends with the test binary.
#![expect(clippy::expect_used, reason = "a test that cannot have its servers must fail loudly")]

mod directus;
pub mod log;
mod nats;
mod operator;
mod postgres;
mod server_thread;

use std::{future::Future, time::Duration};

pub use directus::Directus;
pub use nats::{Nats, StoreCopy};
pub use operator::{ADMIN_TOKEN, Operator};
pub use postgres::{Database, DatabaseCopy, Postgres, postgres};
use runtime::Process;

/// The timeout of [`eventually`] and [`wait_for_failure`].
const TIMEOUT: Duration = Duration::from_mins(1);

/// Polls `condition` every few milliseconds until it returns a value. After a minute it fails the test,
/// with the message that `what` did not happen.
pub async fn eventually<T, F>(what: &str, mut condition: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let deadline = tokio::time::Instant::now() + TIMEOUT;
    loop {
        if let Some(value) = condition().await {
            return value;
        }
        assert!(tokio::time::Instant::now() < deadline, "{what} did not happen in {TIMEOUT:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Waits for `process` to end by itself, within a minute, and returns why, with all causes.
pub async fn wait_for_failure(process: Process) -> String {
    let shutdown = process.shutdown();
    let ending = tokio::time::timeout(TIMEOUT, shutdown.cancelled());
    ending.await.expect("it ends by itself");
    runtime::error_text(&process.finish().await.expect_err("a task failed"))
}
