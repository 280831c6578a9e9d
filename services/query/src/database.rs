//! Asking the read models: one statement an answer, which also tells the position.

use contracts::Sequence;
use runtime::postgres::answered;
use serde::de::DeserializeOwned;
use sqlx::{AssertSqlSafe, PgPool, Postgres, postgres::PgArguments, query::QueryAs};

use crate::error::ApiError;

/// A statement under construction.
pub(crate) type Statement = QueryAs<'static, Postgres, (i64, serde_json::Value), PgArguments>;

/// A statement that gives the JSON of `select`, a subselect (null where it has no row), and where the
/// read models stand. Both are of one snapshot of the database, so the position is exactly that of
/// the rows.
pub(crate) fn statement(select: &str) -> Statement {
    sqlx::query_as(AssertSqlSafe(format!(
        "select (select sequence from read.checkpoint where live), coalesce(({select}), 'null')"
    )))
}

/// Runs `statement` and reads its JSON.
pub(crate) async fn fetch<T: DeserializeOwned>(
    pool: &PgPool,
    statement: Statement,
) -> Result<(T, Sequence), ApiError> {
    let (sequence, json) = answered(statement.fetch_one(pool)).await?;
    Ok((serde_json::from_value(json)?, Sequence::from_i64(sequence)))
}
