//! Whether Postgres takes writes: one whose disk is full, or that can only be read, goes on answering
//! whoever reads.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use sqlx::PgPool;

/// Finds out whether a role's writes are taken, once one of them was refused. Its copies know the same.
#[derive(Clone, Debug)]
pub struct WriteProbe {
    schema: &'static str,
    was_refused: Arc<AtomicBool>,
}

impl WriteProbe {
    /// For a role that owns `schema`.
    pub fn new(schema: &'static str) -> Self {
        Self { schema, was_refused: Arc::default() }
    }

    /// A write failed with `error`.
    pub fn note(&self, error: &sqlx::Error) {
        if refuses_writes(error) {
            self.was_refused.store(true, Ordering::Relaxed);
        }
    }

    /// Fails where a write was refused, until one goes well that it tries itself each time.
    pub async fn check(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        if self.was_refused.load(Ordering::Relaxed) {
            self.try_to_write(pool).await?;
            self.was_refused.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Writes more than an enquiry takes, and takes it back: into a table of its own, since a row of
    /// another may find room in a page that is there.
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

/// Whether Postgres answers and does not write: its disk is full or broken, it can only be read, or
/// the account may not write.
fn refuses_writes(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    refusal.code().is_some_and(|code| ["53100", "58030", "25006", "42501"].contains(&&*code))
}
