//! Reads the bodies of requests, within limits.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, StatusCode, header},
};
use bytes::Bytes;
use tokio::time::timeout;

use crate::problem::Problem;

/// Why the body of a request was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestBodyError {
    /// The body is longer than the limit. This includes one that broke off: then no client is left to
    /// read the answer.
    #[error("{max_bytes} bytes are read")]
    TooLarge {
        /// The limit, in bytes.
        max_bytes: usize,
    },
    /// The body had not arrived within the limit.
    #[error("it is waited for {} seconds", limit.as_secs())]
    TooSlow {
        /// The limit.
        limit: Duration,
    },
}

impl From<RequestBodyError> for Problem {
    fn from(error: RequestBodyError) -> Self {
        let problem = match error {
            RequestBodyError::TooLarge { .. } => too_large(),
            RequestBodyError::TooSlow { .. } => {
                let title = "This took too long to arrive";
                Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", title)
            }
        };
        problem.with_detail(error.to_string())
    }
}

/// Returns the complete `body`, if it has at most `max_bytes` and arrives within `limit`.
pub async fn read_limited(
    body: Body,
    max_bytes: usize,
    limit: Duration,
) -> Result<Bytes, RequestBodyError> {
    match timeout(limit, to_bytes(body, max_bytes)).await {
        Ok(body) => body.map_err(|_| RequestBodyError::TooLarge { max_bytes }),
        Err(_) => Err(RequestBodyError::TooSlow { limit }),
    }
}

/// Returns the problem for a body that exceeds its limit.
pub(crate) fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "This is too long")
}

/// Checks that a request with these `headers` announces JSON.
pub fn require_json(headers: &HeaderMap) -> Result<(), Problem> {
    if media_type_is(headers, "application/json") {
        return Ok(());
    }
    let title = "What is sent has to be JSON";
    Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", title))
}

/// Returns whether `Content-Type` is `media_type`, with any parameters.
pub fn media_type_is(headers: &HeaderMap, media_type: &str) -> bool {
    let announced = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    announced
        .and_then(|announced| announced.split(';').next())
        .is_some_and(|announced| announced.trim().eq_ignore_ascii_case(media_type))
}

#[cfg(test)]
mod tests {
    use futures::stream;

    use super::*;

    #[tokio::test]
    async fn a_body_is_read_within_its_limits() {
        let limit = Duration::from_mins(1);
        let read = async |body| read_limited(body, 5, limit).await;
        assert_eq!(read("whole".into()).await.as_deref(), Ok(&b"whole"[..]));
        let refused = read("longer".into()).await.map_err(Problem::from).expect_err("it is long");
        assert_eq!((refused.status, &*refused.kind), (413, "urn:almijara:problem:too-large"));
        assert_eq!(refused.detail.as_deref(), Some("5 bytes are read"));

        let silent = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        let refused = read_limited(silent, 5, Duration::ZERO).await.map_err(Problem::from);
        let refused = refused.expect_err("it never arrives");
        assert_eq!((refused.status, &*refused.kind), (408, "urn:almijara:problem:too-slow"));
    }

    #[test]
    fn a_media_type_is_compared_without_its_parameters() {
        let is_json = |value: &str| {
            let value = value.parse().expect("a value");
            media_type_is(
                &HeaderMap::from_iter([(header::CONTENT_TYPE, value)]),
                "application/json",
            )
        };
        assert!(is_json("application/json") && is_json("Application/JSON ; charset=utf-8"));
        assert!(!is_json("application/json-patch") && !is_json("text/plain"));
        assert!(!media_type_is(&HeaderMap::new(), "application/json"));
    }
}
