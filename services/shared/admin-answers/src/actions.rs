//! What operators' actions answer: on how many items they took effect.

use serde::Serialize;
use utoipa::ToSchema;

/// The answer of `parked/retry` and `jobs/retry`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Retried {
    /// How many items are tried again.
    pub retried: u64,
}

/// The answer of `parked/drop` and `dead-letters/drop`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Dropped {
    /// How many items were dropped.
    pub dropped: u64,
}

/// The answer of `dead-letters/replay`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Replayed {
    /// How many messages were applied.
    pub replayed: u64,
}

/// The answer of `purge`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Purged {
    /// How many pages were purged.
    pub purged: u64,
}
