//! The append-only audit trail: a line before each action, and one after it.
//!
//! Each line is logged as well, so that there is a copy that the database's owner cannot change.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{PgExecutor, PgPool};
use utoipa::ToSchema;

use crate::Error;

/// The number of lines in a page of the trail.
const PAGE_SIZE: i64 = 100;

/// An action of an operator on a target, from an address.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    operator: &'a str,
    action: &'a str,
    target: &'a str,
    address: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// Creates the entry for `action` of `operator` on `target`, requested from `address`.
    pub const fn of(
        operator: &'a str,
        action: &'a str,
        target: &'a str,
        address: Option<&'a str>,
    ) -> Self {
        Self { operator, action, target, address }
    }
}

/// A line of the trail, as listed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditLine)]
pub struct Listed {
    /// Its number, in ascending order of time.
    pub id: i64,
    /// When it was written.
    pub at: DateTime<Utc>,
    /// The name of the operator.
    pub operator: String,
    /// The action.
    pub action: String,
    /// What the action is applied to.
    pub target: String,
    /// `begun`, or the outcome.
    pub outcome: String,
    /// The address of the client.
    pub address: Option<String>,
    /// The number of the `begun` line of the same action; `None` for that line itself, and for actions
    /// with only one line.
    pub begun: Option<i64>,
}

/// A page of the trail.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AuditPage)]
pub struct Page {
    /// The lines, the latest first.
    pub items: Vec<Listed>,
    /// The value of `before` for the next page; `None` on the last page.
    pub next: Option<i64>,
}

/// Appends a line with the `outcome` of `entry`, which refers to the line `begun`; returns its number.
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
        // Postgres cannot store U+0000 in text.
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

/// Returns the page of lines before the line `before`, or the latest.
pub async fn page(pool: &PgPool, before: Option<i64>) -> Result<Page, Error> {
    let mut items = sqlx::query_as!(
        Listed,
        "select id, at, operator, action, target, outcome, address, begun from operator.audit
         where id < coalesce($1, 9223372036854775807) order by id desc limit $2",
        before,
        PAGE_SIZE + 1,
    )
    .fetch_all(pool)
    .await?;
    let has_more = items.len() > usize::try_from(PAGE_SIZE).unwrap_or(usize::MAX);
    if has_more {
        items.pop();
    }
    let next = items.last().filter(|_| has_more).map(|last| last.id);
    Ok(Page { items, next })
}
