//! The audit trail: a line before something is done, and one after, that only adds up.
//!
//! Each is a line of the log as well, so that it stands where whoever owns the database can't reach.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{PgExecutor, PgPool};

use crate::Error;

/// How many lines a page of the trail has.
const PAGE: i64 = 100;

/// Who does what to what, from where.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    operator: &'a str,
    action: &'a str,
    target: &'a str,
    address: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// `operator` does `action` to `target`, asking from `address`.
    pub const fn of(
        operator: &'a str,
        action: &'a str,
        target: &'a str,
        address: Option<&'a str>,
    ) -> Self {
        Self { operator, action, target, address }
    }
}

/// A line as it is listed.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Its number; later ones are higher.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// Who.
    pub operator: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub target: String,
    /// `begun`, or what became of it.
    pub outcome: String,
    /// From where.
    pub address: Option<String>,
    /// The line that says that it was begun; none for that line itself, and where there is only one.
    pub begun: Option<i64>,
}

/// A page of the trail.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// Its lines, the latest first.
    pub items: Vec<Listed>,
    /// What to ask for the page after this one before; none where this is the last.
    pub next: Option<i64>,
}

/// Adds the line that `entry` had this `outcome`, after the line `begun`; gives its number.
pub async fn add(
    executor: impl PgExecutor<'_>,
    entry: &Entry<'_>,
    outcome: &str,
    begun: Option<i64>,
) -> Result<i64, Error> {
    let Entry { operator, action, target, address } = *entry;
    let id = sqlx::query_scalar!(
        "insert into operator.audit (operator, action, target, outcome, address, begun)
         values ($1, $2, $3, $4, $5, $6) returning id",
        operator,
        action,
        // The one character that Postgres keeps in no text.
        target.replace('\0', "\u{FFFD}"),
        outcome,
        address,
        begun,
    )
    .fetch_one(executor)
    .await?;
    tracing::info!(audit = id, operator, action, to = target, outcome, address, "audited");
    Ok(id)
}

/// The lines before the line `before`, or the latest.
pub async fn page(pool: &PgPool, before: Option<i64>) -> Result<Page, Error> {
    let mut items = sqlx::query_as!(
        Listed,
        "select id, at, operator, action, target, outcome, address, begun from operator.audit
         where id < coalesce($1, 9223372036854775807) order by id desc limit $2",
        before,
        PAGE + 1,
    )
    .fetch_all(pool)
    .await?;
    let has_more = items.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
    if has_more {
        items.pop();
    }
    let next = items.last().filter(|_| has_more).map(|last| last.id);
    Ok(Page { items, next })
}
