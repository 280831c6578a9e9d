//! Detects a Postgres that refuses writes: with a full disk, or in read-only mode, it still answers
//! reads.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use sqlx::PgPool;

/// Checks whether Postgres accepts writes again, once a write was refused. Clones share this state.
#[derive(Clone, Debug)]
pub struct WriteProbe {
    schema: &'static str,
    was_refused: Arc<AtomicBool>,
}

impl WriteProbe {
    /// Creates a probe for a role that owns `schema`.
    pub fn new(schema: &'static str) -> Self {
        Self { schema, was_refused: Arc::default() }
    }

    /// Records that a write failed with `error`.
    pub fn record(&self, error: &sqlx::Error) {
        if refuses_writes(error) {
            self.was_refused.store(true, Ordering::Relaxed);
        }
    }

    /// Fails after a write was refused, until a write of its own succeeds. Each call tries one.
    pub async fn check(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        if self.was_refused.load(Ordering::Relaxed) {
            self.try_to_write(pool).await?;
            self.was_refused.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes more data than an enquiry has, and rolls back. It creates a table for that: a new row in
    /// an existing table might fit into an existing page, and so succeed even with a full disk.
    async fn try_to_write(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        let mut transaction = pool.begin().await?;
        sqlx::query("select set_config('search_path', $1, true)")
            .bind(self.schema)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "create table write_probe as
             select repeat('x', 1000) as filler from generate_series(1, 64)",
        )
        .execute(&mut *transaction)
        .await?;
        transaction.rollback().await
    }
}

/// Whether Postgres answers but refuses writes: disk full (53100), I/O error (58030), read-only (25006),
/// or no permission (42501).
fn refuses_writes(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    refusal.code().is_some_and(|code| ["53100", "58030", "25006", "42501"].contains(&&*code))
}
