//! How long the server is waited for, and how much it keeps.

use std::{future::Future, time::Duration};

use futures::FutureExt;
use tokio::time::timeout;

use crate::Error;

/// The longest that a request to the server may take.
pub(crate) const REQUEST_LIMIT: Duration = Duration::from_secs(3);
/// The bound of the stream, in bytes; new messages are refused beyond it, old ones never dropped.
pub(crate) const MAX_STREAM_BYTES: u64 = 8 << 30;
/// The largest message, in bytes: a property with all its texts takes some ten thousand.
pub(crate) const MAX_MESSAGE: i32 = 2 << 20;

/// What `work` gives within the limit of a request; `late` says what there was none of.
pub(crate) fn in_time<T>(
    late: &str,
    work: impl Future<Output = T>,
) -> impl Future<Output = Result<T, Error>> {
    timeout(REQUEST_LIMIT, work)
        .map(move |answer| answer.map_err(|_| Error::Unavailable(format!("{late} in time"))))
}
