//! The names of the health checks that stand for a step of the flow.

/// Of sync and command: Postgres answers and accepts writes.
pub const DATABASE: &str = "database";
/// Of sync: the content service can be read.
pub const CONTENT_SERVICE: &str = "content service";
/// Of sync: the log accepts messages.
pub const LOG: &str = "log";
/// Of projections and query: the read models can be used.
pub const READ_MODELS: &str = "read models";
/// Of query: the search index follows the log.
pub const INDEX: &str = "index";
/// Of site: it serves visitors.
pub const DOOR: &str = "door";
