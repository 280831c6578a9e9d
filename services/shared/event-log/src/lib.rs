//! The content log on NATS JetStream: publishes to it, reads it from a position on, and carries the
//! events of the write side.
//!
//! No other crate uses NATS directly. A [`Reader`] returns the latest message of each aggregate after
//! its position, in order and exactly once, across server restarts and cut connections. It reports an
//! error when its position is no longer part of the log. An acknowledged message does not necessarily
//! survive the loss of the server's machine: the ledger guarantees that.
//!
//! Invariant: only a [`Publisher`] creates or deletes the stream, and the stream's description states
//! its [`Lineage`] before the first message of an epoch.

mod connection;
mod error;
mod hint;
mod lag;
mod limits;
mod lineage;
mod message;
mod publisher;
mod reader;
mod stream;
mod timeout;
mod visitor;

pub use connection::{EventLog, stream_replicas};
pub use error::{Error, LogDisposition};
pub use hint::{Hints, PROJECTED};
pub use lag::Lag;
pub use lineage::{CheckpointStatus, EndedEpoch, Lineage, NoLineage};
pub use message::{Delivered, Outgoing, Poison};
pub use publisher::{Published, Publisher, Stored};
pub use reader::Reader;
pub use stream::{STREAM, StreamState};
pub use visitor::{
    MAX_VISITOR_EVENTS, VISITOR_RETENTION, VisitorEvent, VisitorEvents, VisitorRecord,
};
