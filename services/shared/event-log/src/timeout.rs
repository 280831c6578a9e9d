//! The timeout of requests to the server.

use std::{future::Future, time::Duration};

use futures::FutureExt;
use tokio::time::timeout;

use crate::Error;

/// The timeout of a request to the server.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);

/// Runs `work` with the timeout of a request. On a timeout the error message is `failure`, followed by
/// "in time".
pub(crate) fn in_time<T>(
    failure: &str,
    work: impl Future<Output = T>,
) -> impl Future<Output = Result<T, Error>> {
    timeout(REQUEST_TIMEOUT, work)
        .map(move |answer| answer.map_err(|_| Error::unavailable(format!("{failure} in time"))))
}
