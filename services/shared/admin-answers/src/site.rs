//! The answers of site.

use chrono::{DateTime, Utc};
use contracts::Sequence;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The state of the door.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteState {
    /// The page cache.
    pub cache: PageCacheState,
    /// The last purge.
    pub purge: PurgeState,
    /// The renders of pages.
    pub renders: RenderState,
    /// The converted pictures.
    pub pictures: PictureState,
    /// The change stream of a query node.
    pub feed: FeedState,
}

/// The page cache.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageCacheState {
    /// The number of pages.
    pub pages: usize,
    /// Pages that were not purged. Purged pages are shown only when they can't be rendered again.
    #[serde(default)]
    pub current: usize,
    /// The size of the pages.
    pub bytes: usize,
    /// The maximum size.
    pub limit_bytes: usize,
    /// Lookups that found a page, since this process started.
    pub hits: u64,
    /// Lookups that found none, or a stale page, since this process started.
    pub misses: u64,
    /// Stale pages that were served, since this process started.
    pub stale: u64,
}

/// The last purge.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurgeState {
    /// The position up to which all changes have been purged; none before the change stream is
    /// connected.
    #[schema(value_type = Option<u64>)]
    pub sequence: Option<Sequence>,
    /// When pages were last purged, by a change or an operator.
    pub last: Option<DateTime<Utc>>,
}

/// The renders of pages.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderState {
    /// How many are running.
    pub running: usize,
    /// How many wait.
    pub waiting: usize,
}

/// The converted pictures.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PictureState {
    /// How many are being converted.
    pub running: usize,
    /// How many wait.
    pub waiting: usize,
    /// The bytes stored on disk.
    pub cached_bytes: u64,
    /// The maximum of bytes stored.
    pub limit_bytes: u64,
}

/// The change stream of a query node, as the site follows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedState {
    /// Whether it is connected.
    pub connected: bool,
    /// The position in the log of its last event.
    #[schema(value_type = Option<u64>)]
    pub position: Option<Sequence>,
}

/// A rendered page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Render {
    /// Its path, without what identifies a visitor.
    pub path: String,
}

/// A path that was answered with 404.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotFoundPath {
    /// The path.
    pub path: String,
    /// How often it was requested.
    pub count: u64,
    /// When it was last requested.
    pub last_at: DateTime<Utc>,
    /// The last page that linked to it.
    pub referrer: Option<String>,
}
