//! The role's Postgres, as the calls and the workers share it.

use runtime::{
    postgres::{WriteProbe, answered},
    problem::Problem,
};
use sqlx::PgPool;

use crate::{Error, failure::away};

/// Connections to it, and whether it takes writes.
#[derive(Clone, Debug)]
pub struct Storage {
    pool: PgPool,
    probe: WriteProbe,
}

impl Storage {
    /// What `pool` leads to.
    pub fn new(pool: PgPool) -> Self {
        Self { pool, probe: WriteProbe::new("visitor") }
    }

    pub const fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// What was `asked` of it, with a limit. Of a failure the caller learns that nothing can be kept, and
    /// the log `what` happened.
    pub async fn kept<T>(
        &self,
        what: &str,
        asked: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Problem> {
        answered(asked).await.map_err(|error| self.not_kept(&error, what))
    }

    /// Only what Postgres calls the failure is told, for its text may repeat a value.
    fn not_kept(&self, error: &Error, what: &str) -> Problem {
        self.note(error);
        let kind = match error {
            Error::Database(sqlx::Error::Database(refusal)) => {
                refusal.code().map_or_else(|| "refused".to_owned(), |code| format!("code {code}"))
            }
            Error::Database(_) => "no answer".to_owned(),
            _ => "other".to_owned(),
        };
        tracing::warn!(kind, "{what}");
        away()
    }

    /// Something failed with `error`: where that is a write that was refused, it is remembered.
    pub fn note(&self, error: &Error) {
        if let Error::Database(error) = error {
            self.probe.note(error);
        }
    }

    /// Fails where a write was refused, until one goes well.
    pub async fn check_writes(&self) -> Result<(), Error> {
        Ok(answered(self.probe.check(&self.pool)).await?)
    }
}
