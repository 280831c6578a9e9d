//! The answers of command. None of them contains personal data.

use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The jobs that are not done.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Jobs {
    /// How many wait.
    pub waiting: i64,
    /// How many have failed.
    pub failed: i64,
    /// Failed jobs first, then waiting ones, then mails that mailboxes refused or bounced.
    pub items: Vec<Job>,
}

/// A job that is not done.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its id.
    #[schema(value_type = String)]
    pub id: Uuid,
    /// What it does.
    pub kind: String,
    /// Such as `due`, `failed`, `refused` or `bounced`.
    pub state: String,
    /// How often it was tried.
    pub tries: i32,
    /// `None` for a job that is no longer retried automatically.
    pub next_try: Option<DateTime<Utc>>,
    /// When it was created.
    pub created_at: Option<DateTime<Utc>>,
    /// The class of its last failure; never a server's own words, which may contain personal data.
    pub failure: Option<String>,
}

/// What arrived in the last day, and what was delivered.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deliveries {
    /// The enquiries that arrived.
    pub enquiries: EnquiryCounts,
    /// The jobs, by kind.
    pub jobs: Vec<JobCounts>,
    /// The events that wait.
    pub events: WaitingEvents,
    /// The saved searches.
    pub alerts: AlertsState,
}

/// The number of enquiries that arrived.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EnquiryCounts {
    /// In the last day.
    pub last_day: i64,
    /// In the last hour.
    pub last_hour: i64,
}

/// The number of jobs of a kind.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobCounts {
    /// What they do.
    pub kind: String,
    /// Those done in the last day.
    pub done: i64,
    /// All that wait now, of any age.
    pub waiting: i64,
    /// Includes mails that mailboxes refused or bounced.
    pub failed: i64,
}

/// The events that are not published to the stream `VISITOR` yet.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingEvents {
    /// Their number.
    pub waiting: i64,
    /// `None` if no event waits.
    pub oldest_seconds: Option<f64>,
}

/// How far the content log has been matched with saved searches.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertsState {
    /// Searches whose owners want mails. Unreadable ones are counted by the metric
    /// `command_saved_searches_unreadable`.
    pub saved_searches: i64,
    /// The last matched sequence of the log.
    pub sequence: i64,
    /// Whether the initial replay of the log is complete; no home counts as new before that.
    pub is_filled: bool,
}
