//! `GET /admin/applied`: when the read models had what stands at positions of the log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::PgPool;

use crate::Error;

/// How many positions are asked for at the most.
pub const MOST: usize = 200;

/// A position whose effect is in the tables.
#[derive(Debug, Serialize)]
pub struct Applied {
    sequence: i64,
    at: DateTime<Utc>,
}

/// Those of `sequences` that the change feed still holds.
pub async fn list(pool: &PgPool, sequences: &[i64]) -> Result<Vec<Applied>, Error> {
    let applied = sqlx::query_as!(
        Applied,
        "select sequence, at from read.change where sequence = any ($1) order by sequence",
        sequences,
    );
    Ok(applied.fetch_all(pool).await?)
}
