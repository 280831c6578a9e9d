//! What one message of the log says.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    collection::AggregateId,
    content::{ListingStatus, PropertyType, Snapshot},
};

/// The version of the message body that this build writes. Readers take it and every earlier one;
/// a later one is parked until the reader is newer.
pub const SCHEMA_VERSION: u16 = 1;

/// The version of one aggregate: 1 for its first snapshot, and one more for each change.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Version(pub i64);

impl Version {
    /// The version after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One message of the log: a change of one aggregate, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The message's own id, the `ce-id` of its headers.
    pub id: Uuid,
    /// Which form of body this is.
    pub schema_version: u16,
    /// Whose change it is.
    pub aggregate: AggregateId,
    /// The aggregate's version after the change.
    pub version: Version,
    /// When the change was captured, by the ledger's clock.
    pub captured_at: DateTime<Utc>,
    /// What the aggregate became.
    pub change: Change,
    /// What a property was offered at before and now, the oldest first. It travels with each
    /// version, since the log keeps only the latest message of an aggregate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Offer>,
}

/// What a property was offered at from one of its versions on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The version.
    pub version: Version,
    /// When it was captured, by the ledger's clock.
    pub at: DateTime<Utc>,
    /// The reference that it had.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The slug of the place that it was listed under.
    pub location: String,
    /// The type that visitors choose by.
    pub property_type: PropertyType,
    /// Euros; none where it was told on request.
    pub price: Option<i64>,
    /// Where the sale stood.
    pub status: ListingStatus,
}

impl Event {
    /// The `ce-type` of the event: `content.<collection>.upserted` or `….removed`.
    pub fn kind(&self) -> String {
        let change = match self.change {
            Change::Upserted { .. } => "upserted",
            Change::Removed => "removed",
        };
        format!("content.{}.{change}", self.aggregate.collection)
    }
}

/// What became of an aggregate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Change {
    /// It is published and looks like this.
    Upserted {
        /// All of it.
        snapshot: Box<Snapshot>,
    },
    /// It is gone from the public: deleted, unpublished or archived.
    Removed,
}
