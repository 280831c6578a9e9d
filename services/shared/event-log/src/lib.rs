//! The content log on NATS JetStream: publishing to it, and reading it from a position on; and the
//! wake-ups of the write side.
//!
//! This is the one crate that knows NATS. It promises that a [`Reader`] gives the latest message of
//! each aggregate after its position, in order and once, across restarts of the server and cut
//! connections, and that it says so when its position is part of no log any more. It does not promise
//! that an acknowledged message survives the server's machine: the ledger does that.
//!
//! Its one invariant: only a [`Publisher`] makes or deletes the stream, and the stream's description
//! tells its [`Lineage`] before the first message of an epoch.

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
mod visitor;

pub use connection::EventLog;
pub use error::{Error, LogDisposition};
pub use hint::{Hints, PROJECTED};
pub use lag::Lag;
pub use lineage::{EndedEpoch, Lineage, NoLineage, Standing};
pub use message::{Delivered, Outgoing, Poison};
pub use publisher::{Published, Publisher, Stored};
pub use reader::Reader;
pub use stream::{STREAM, StreamState};
pub use visitor::{VISITOR_MEMORY, VisitorEvent, VisitorEvents, VisitorRecord};
