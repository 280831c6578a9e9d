//! `GET /admin/applied`: when the read models reached given positions of the log.

use contracts::Sequence;
use runtime::admin::{Positions, Reached};
use sqlx::PgPool;

use crate::Error;

/// Returns when each of `positions` was applied, for those that the change feed still has.
pub async fn list(pool: &PgPool, Positions(positions): &Positions) -> Result<Vec<Reached>, Error> {
    let sequences: Vec<i64> =
        positions.iter().map(|&position| Sequence::from(position).to_i64()).collect();
    let applied = sqlx::query!(
        "select sequence, at from read.change where sequence = any ($1) order by sequence",
        &sequences,
    )
    .fetch_all(pool)
    .await?;
    let reached = applied
        .into_iter()
        .map(|row| Reached { sequence: Sequence::from_i64(row.sequence).get(), at: Some(row.at) });
    Ok(reached.collect())
}
