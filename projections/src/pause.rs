//! Following, as an operator paused it.
//!
//! The word stands in the row that each transaction locks which applies messages to what is shown, so
//! that it holds for every process at once and for the next start too. The log keeps what comes
//! meanwhile.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};

use crate::Error;

/// Since when following is paused; none where it goes on, or has not begun.
pub async fn since(pool: &PgPool) -> Result<Option<DateTime<Utc>>, Error> {
    let since = sqlx::query_scalar!("select paused_since from read.checkpoint where live");
    Ok(since.fetch_optional(pool).await?.flatten())
}

/// Applies nothing more, once what is being applied is done. Where it is paused already, it stays so.
pub async fn pause(pool: &PgPool) -> Result<(), Error> {
    let mut transaction = locked(pool).await?;
    sqlx::query!(
        "update read.checkpoint set paused_since = coalesce(paused_since, now()) where live"
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    tracing::warn!("following the log is paused by an operator");
    Ok(())
}

/// Goes on.
pub async fn resume(pool: &PgPool) -> Result<(), Error> {
    let mut transaction = locked(pool).await?;
    sqlx::query!("update read.checkpoint set paused_since = null where live")
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    tracing::info!("following the log is resumed by an operator");
    Ok(())
}

/// A transaction in which the live generation stays the live one. A statement that waits until another
/// is shown finds the one of before, which is not live any more, and locks nothing: then it is asked
/// once more.
async fn locked(pool: &PgPool) -> Result<PgTransaction<'static>, Error> {
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
