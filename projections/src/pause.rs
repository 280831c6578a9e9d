//! Pauses and resumes following the log, for operators.
//!
//! The pause is stored in the checkpoint row of the live generation, which every transaction locks that
//! applies messages to it. So it takes effect for all processes at once, and survives a restart. The log
//! retains the messages that arrive meanwhile.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};

use crate::Error;

/// Returns since when following is paused; `None` if it is not paused, or has not begun.
pub async fn since(pool: &PgPool) -> Result<Option<DateTime<Utc>>, Error> {
    let since = sqlx::query_scalar!("select paused_since from read.checkpoint where live");
    Ok(since.fetch_optional(pool).await?.flatten())
}

/// Pauses following after the current batch. If it is paused already, the time of that pause stays.
pub async fn pause(pool: &PgPool) -> Result<(), Error> {
    let mut transaction = lock_live(pool).await?;
    sqlx::query!(
        "update read.checkpoint set paused_since = coalesce(paused_since, now()) where live"
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    tracing::warn!("following the log is paused by an operator");
    Ok(())
}

/// Resumes following.
pub async fn resume(pool: &PgPool) -> Result<(), Error> {
    let mut transaction = lock_live(pool).await?;
    sqlx::query!("update read.checkpoint set paused_since = null where live")
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    tracing::info!("following the log is resumed by an operator");
    Ok(())
}

/// Begins a transaction with the live generation's row locked, so that it stays live. If the statement waits
/// while another generation is swapped in, it finds only the previous one, which is no longer live, and
/// locks nothing. Then it is executed once more.
async fn lock_live(pool: &PgPool) -> Result<PgTransaction<'static>, Error> {
    let mut transaction = pool.begin().await?;
    for _ in 0..2 {
        let live =
            sqlx::query_scalar!("select generation from read.checkpoint where live for update")
                .fetch_optional(&mut *transaction)
                .await?;
        if live.is_some() {
            break;
        }
    }
    Ok(transaction)
}
