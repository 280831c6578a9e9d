//! The answers of projections.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of the role.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectionsState {
    /// The generations of the read models, the newest first.
    pub generations: Vec<Generation>,
    /// How many messages of the log are not applied yet; `None` while NATS is unreachable.
    pub lag: Option<u64>,
    /// Whether an operator has paused following the log.
    pub paused: bool,
    /// The running or last fill job of this process.
    pub rebuild: FillStatus,
}

/// A generation of the read models.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// Its number, in ascending order of time.
    pub number: i32,
    /// The form of its tables.
    pub model_version: i32,
    /// The position in the log that it has reached.
    pub sequence: i64,
    /// Whether it is the one that is read.
    pub live: bool,
    /// When it reached that position.
    pub updated_at: DateTime<Utc>,
    /// The number of messages that could not be applied to it.
    pub dead_letters: i64,
    /// Whether an operator can go back to it.
    pub can_swap_back: bool,
}

/// Why a generation is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FillKind {
    /// A new generation is filled from the start of the log.
    Rebuild,
    /// The former generation is brought up to date, to be shown again.
    SwapBack,
}

/// The progress of a fill job.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FillStatus {
    /// Whether it is running.
    pub running: bool,
    /// Why the generation is filled; `None` before the first job.
    pub kind: Option<FillKind>,
    /// How many messages were applied.
    pub done: u64,
    /// How many messages are left, as of the log's last answer.
    pub left: u64,
    /// The estimated time left; `None` before any message was applied.
    pub seconds_left: Option<u64>,
    /// When it started.
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// Why it failed, or what it waits for while it is running.
    pub error: Option<String>,
}

/// A message that could not be applied.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadLetter {
    /// Its subject in the log.
    pub subject: String,
    /// Its position in the log.
    pub sequence: i64,
    /// The version of the item in it; `None` if it can't be read.
    pub version: Option<i64>,
    /// Why it could not be applied.
    pub error: String,
    /// How often that was tried.
    pub tries: i32,
    /// When it was last tried.
    pub at: DateTime<Utc>,
    /// The trace of its publish.
    pub trace_id: Option<String>,
    /// What it would change; `None` if that is unknown, and for all but the oldest letters.
    pub differences: Option<Vec<LetterDifference>>,
}

/// A field that a message would change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LetterDifference {
    /// Its name, with its language as a prefix.
    pub field: String,
    /// Its value in the message, as JSON, truncated.
    pub message: String,
    /// Its value in the live row, as JSON, truncated; `None` if there is none.
    pub shown: Option<String>,
}
