//! The answers of query nodes.

use chrono::{DateTime, Utc};
use contracts::{Locale, Sequence};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of a node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryState {
    /// Its search index.
    pub index: IndexState,
    /// The read models, as the node knows them.
    pub read_models: ReadModelsState,
    /// Its change stream.
    pub feed: ChangeStreamState,
}

/// The search index of a node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IndexState {
    /// The position in the log that it has reached.
    pub sequence: Sequence,
    /// The number of documents.
    pub documents: u64,
    /// The number of segments.
    pub segments: usize,
    /// The size on disk.
    pub bytes: u64,
}

/// The read models that a node reads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadModelsState {
    /// The position in the log that they have reached.
    pub sequence: Sequence,
}

/// The change stream of a node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeStreamState {
    /// The number of its clients.
    pub listeners: usize,
}

/// A call of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// Its path.
    pub call: String,
    /// Its query string; empty if that may contain an email address.
    pub query: String,
}

/// A search without results.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmptySearch {
    /// What was searched for, folded as the index folds it.
    pub query: String,
    /// The language of the visitor.
    pub locale: Locale,
    /// How often it was searched for.
    pub count: u64,
    /// When it was last searched for.
    pub last_at: DateTime<Utc>,
}
