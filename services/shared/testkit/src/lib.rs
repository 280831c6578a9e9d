//! Real Postgres, NATS and Directus for tests, and ways to wait without guessing.
//!
//! One Postgres cluster serves a whole test binary, with a database a test; a test that breaks
//! NATS starts one of its own. Everything lives in temporary folders and ends with the test binary.
#![expect(clippy::expect_used, reason = "a test that cannot have its servers must fail loudly")]

mod directus;
mod keeper;
pub mod log;
mod nats;
mod operator;
mod postgres;

use std::{future::Future, time::Duration};

pub use directus::Directus;
pub use nats::{Nats, StoreCopy};
pub use operator::{ADMIN_TOKEN, Operator};
pub use postgres::{Database, DatabaseCopy, Postgres, postgres};
use runtime::Process;

/// How long [`eventually`] waits.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until `condition` gives a value, trying again every few milliseconds; fails the test
/// after a minute, saying `what` did not happen.
pub async fn eventually<T, F>(what: &str, mut condition: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        if let Some(value) = condition().await {
            return value;
        }
        assert!(tokio::time::Instant::now() < deadline, "{what} did not happen in {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Waits for `process` to end by itself, within a minute, and says why it did.
pub async fn ended(process: Process) -> String {
    let shutdown = process.shutdown();
    let ending = tokio::time::timeout(PATIENCE, shutdown.cancelled());
    ending.await.expect("it ends by itself");
    process.finish().await.expect_err("a task failed").to_string()
}
