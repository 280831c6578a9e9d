//! The content log on NATS JetStream: publishing to it, and reading it from a position on.
//!
//! This is the one crate that knows NATS. It promises that a [`Reader`] gives every message of the
//! stream once and in order from its position on, across restarts of the server, and starts over
//! when the stream begins a new epoch. It does not promise that an acknowledged message survives
//! the server's machine: the ledger does that.
//!
//! Its one invariant: only a [`Publisher`] makes or deletes the stream, and it writes the epoch
//! into the stream's description before the first message.

mod connection;
mod error;
mod hint;
mod message;
mod publisher;
mod reader;
mod stream;

pub use connection::EventLog;
pub use error::{Disposition, Error};
pub use hint::Hints;
pub use message::{Delivered, Poison};
pub use publisher::Publisher;
pub use reader::Reader;
pub use stream::{STREAM, StreamState};
