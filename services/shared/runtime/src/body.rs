//! Reading the body of an answer, as far as there is room for it.

use bytes::{Bytes, BytesMut};
use reqwest::Response;

/// Why a body could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is longer than it may be.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// The most bytes that were asked for.
        limit: usize,
    },
    /// The connection failed before the last byte, or took too long.
    #[error("no whole answer came")]
    Broken(#[source] reqwest::Error),
}

/// The body of `response`, unless it is longer than `limit` bytes. No more is held of it than that,
/// whatever length it announces.
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
