//! The role's Postgres, shared by the calls and the workers.

use runtime::{
    postgres::{WriteProbe, with_answer_timeout},
    problem::Problem,
};
use sqlx::PgPool;

use crate::{Error, failure::unavailable};

/// A connection pool, and a probe of whether Postgres accepts writes.
#[derive(Clone, Debug)]
pub struct Storage {
    pool: PgPool,
    probe: WriteProbe,
}

impl Storage {
    /// Creates a storage that uses `pool`.
    pub fn new(pool: PgPool) -> Self {
        Self { pool, probe: WriteProbe::new("visitor") }
    }

    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Runs `operation` with a time limit. On failure the caller gets a 503, and `message` is logged.
    pub async fn run<T>(
        &self,
        message: &str,
        operation: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Problem> {
        with_answer_timeout(operation).await.map_err(|error| self.log_failure(&error, message))
    }

    /// Only the error code is logged, because the error's text may repeat a value.
    fn log_failure(&self, error: &Error, message: &str) -> Problem {
        self.record_error(error);
        let kind = match error {
            Error::Database(sqlx::Error::Database(refusal)) => {
                refusal.code().map_or_else(|| "refused".to_owned(), |code| format!("code {code}"))
            }
            Error::Database(_) => "no answer".to_owned(),
            _ => "other".to_owned(),
        };
        tracing::warn!(kind, "{message}");
        unavailable()
    }

    /// Records `error` in the write probe if it is a refused write.
    pub fn record_error(&self, error: &Error) {
        if let Error::Database(error) = error {
            self.probe.record(error);
        }
    }

    /// Fails after a refused write until a write succeeds.
    pub async fn check_writes(&self) -> Result<(), Error> {
        Ok(with_answer_timeout(self.probe.check(&self.pool)).await?)
    }
}
