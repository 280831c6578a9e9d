//! The size limits of the stream.

/// The maximum size of the stream, in bytes. Beyond it new messages are refused; old ones are never dropped.
pub(crate) const MAX_STREAM_BYTES: u64 = 8 << 30;
/// The maximum size of a message, in bytes. A property with all its texts takes about ten thousand.
pub(crate) const MAX_MESSAGE_BYTES: i32 = 2 << 20;
