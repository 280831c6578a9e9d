//! `GET /admin/applied`: when the read models had what stands at positions of the log.

use chrono::{DateTime, Utc};
use contracts::Sequence;
use runtime::admin::Positions;
use serde::Serialize;
use sqlx::PgPool;

use crate::Error;

/// A position whose effect is in the tables.
#[derive(Debug, Serialize)]
pub struct Applied {
    sequence: i64,
    at: DateTime<Utc>,
}

/// Those of `positions` that the change feed still holds.
pub async fn list(pool: &PgPool, Positions(positions): &Positions) -> Result<Vec<Applied>, Error> {
    let sequences: Vec<i64> =
        positions.iter().map(|&position| Sequence::from(position).to_i64()).collect();
    let applied = sqlx::query_as!(
        Applied,
        "select sequence, at from read.change where sequence = any ($1) order by sequence",
        &sequences,
    );
    Ok(applied.fetch_all(pool).await?)
}
