//! Reads the body of a response, up to a limit.

use bytes::{Bytes, BytesMut};
use reqwest::Response;

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The body is longer than the limit.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The connection failed or timed out before the last byte.
    #[error("the answer is incomplete")]
    Broken(#[source] reqwest::Error),
}

/// Returns the body of `response`, unless it is longer than `limit` bytes. Never buffers more than that,
/// whatever `Content-Length` announces.
pub async fn read_body(response: &mut Response, limit: usize) -> Result<Bytes, BodyError> {
    let announced = response.content_length().and_then(|bytes| usize::try_from(bytes).ok());
    let mut body = BytesMut::with_capacity(announced.unwrap_or_default().min(limit));
    while let Some(chunk) = response.chunk().await.map_err(BodyError::Broken)? {
        if body.len() + chunk.len() > limit {
            return Err(BodyError::TooLarge { limit });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &'static str) -> Response {
        http::Response::new(body).into()
    }

    #[tokio::test]
    async fn a_body_is_read_up_to_its_limit() {
        let read = read_body(&mut answer("seven b"), 7).await;
        assert_eq!(read.expect("a body within its limit"), "seven b");
        let refused = read_body(&mut answer("eight by"), 7).await;
        assert!(matches!(refused, Err(BodyError::TooLarge { limit: 7 })), "{refused:?}");
    }
}
