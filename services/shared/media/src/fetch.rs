//! Fetches originals from the content service.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use contracts::rules::MAX_PICTURE_BYTES;
use http::StatusCode;
use reqwest::Response;
use runtime::{BodyError, BoundedSemaphore, error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use crate::{Original, PictureError};

/// How many originals are fetched and decoded concurrently, and how many more may wait.
const MAX_CONCURRENT: usize = 4;
const MAX_WAITING: usize = 60;
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const FETCH_LIMIT: Duration = Duration::from_secs(10);

/// A client for the content service's files.
#[derive(Debug)]
pub struct Originals {
    client: reqwest::Client,
    base: String,
    token: SecretString,
    slots: BoundedSemaphore,
    /// One permit for each kilobyte of memory.
    memory: Arc<Semaphore>,
    /// Whether the content service is unavailable. An outage is logged once, and not for every picture.
    is_unavailable: AtomicBool,
}

/// The bytes of an original. It holds a fetch slot and its part of the memory limit until it is dropped.
#[derive(Debug)]
pub struct Fetched {
    /// The original's bytes.
    pub bytes: Bytes,
    _slot: OwnedSemaphorePermit,
    _memory: OwnedSemaphorePermit,
}

impl Originals {
    /// Creates a client for the service at `url`, with `token`. At most `max_bytes` of originals are in
    /// memory at once, or one original if that is larger.
    pub fn new(url: &Url, token: SecretString, max_bytes: u64) -> Result<Self, reqwest::Error> {
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX >> 4);
        let client = runtime::content_service_client()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(FETCH_LIMIT)
            .build()?;
        Ok(Self {
            client,
            base: url.as_str().trim_end_matches('/').to_owned(),
            token,
            slots: BoundedSemaphore::new(MAX_CONCURRENT, MAX_WAITING),
            memory: Arc::new(Semaphore::new(max_bytes.max(MAX_PICTURE_BYTES) >> 10)),
            is_unavailable: AtomicBool::new(false),
        })
    }

    /// Fetches `original` as soon as there is a slot and memory for it.
    pub async fn fetch(&self, original: &Original) -> Result<Fetched, PictureError> {
        let slot = self.slots.acquire().await.ok_or(PictureError::Busy)?;
        let mut response = self.request(original).await?;
        let content_length =
            response.content_length().and_then(|bytes| usize::try_from(bytes).ok());
        let max_bytes =
            content_length.map_or(MAX_PICTURE_BYTES, |bytes| bytes.min(MAX_PICTURE_BYTES));
        let kilobytes = u32::try_from(max_bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let memory = self.memory.clone().acquire_many_owned(kilobytes).await;
        let memory = memory.map_err(|_| PictureError::Busy)?;
        let bytes =
            read_body(&mut response, MAX_PICTURE_BYTES).await.map_err(|error| match error {
                BodyError::TooLarge { limit } => {
                    PictureError::broken(format!("the original is larger than {} MB", limit >> 20))
                }
                BodyError::Broken(error) => unavailable(error),
            })?;
        Ok(Fetched { bytes, _slot: slot, _memory: memory })
    }

    /// Requests `original`, and returns the response with its body unread.
    async fn request(&self, original: &Original) -> Result<Response, PictureError> {
        let Original { file, version } = original;
        let request = self
            .client
            .get(format!("{}/assets/{file}?v={version}", self.base))
            .bearer_auth(self.token.expose_secret());
        let sent = request.send().await.map_err(unavailable);
        let response = sent.inspect_err(|failure| self.log_transition(Some(failure)))?;
        let status = response.status();
        let failure =
            || PictureError::unavailable(format!("the content service answered {status}"));
        match status {
            // The content service answers 403 for a file that does not exist.
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => {
                self.log_transition(None);
                Err(PictureError::NotFound)
            }
            // This may concern only one file, so it says nothing about the service.
            StatusCode::INTERNAL_SERVER_ERROR => Err(failure()),
            status if status.is_success() => {
                self.log_transition(None);
                Ok(response)
            }
            _ => {
                let failure = failure();
                self.log_transition(Some(&failure));
                Err(failure)
            }
        }
    }

    /// Logs when the content service becomes unavailable, with `failure`, and when it is available
    /// again.
    fn log_transition(&self, failure: Option<&PictureError>) {
        let was_unavailable = self.is_unavailable.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(failure) if !was_unavailable => {
                tracing::warn!(
                    error = error_text(failure),
                    "originals of pictures can't be fetched"
                );
            }
            None if was_unavailable => tracing::info!("originals of pictures can be fetched again"),
            _ => {}
        }
    }
}

fn unavailable(error: reqwest::Error) -> PictureError {
    // The URL is removed to keep it out of the log.
    PictureError::unavailable(error.without_url())
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpListener,
    };
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn a_failure_of_one_original_is_not_an_outage() {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let url = url.parse().expect("an address");
        let originals = Originals::new(&url, "none".into(), 0).expect("a client");
        let original = Original { file: Uuid::nil(), version: "1".into() };
        for (status, is_unavailable) in [
            ("200 OK", false),
            ("500 Internal Server Error", false),
            ("503 Service Unavailable", true),
            ("500 Internal Server Error", true),
            ("404 Not Found", false),
            ("401 Unauthorized", true),
            ("200 OK", false),
        ] {
            let answer = async {
                let (mut stream, _) = listener.accept().await.expect("a call");
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n") {
                    assert_ne!(stream.read_buf(&mut request).await.expect("a part of it"), 0);
                }
                let head =
                    format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                stream.write_all(head.as_bytes()).await.expect("it is read");
            };
            let (fetched, ()) = tokio::join!(originals.fetch(&original), answer);
            assert_eq!(fetched.is_ok(), status == "200 OK", "{status}");
            assert_eq!(
                originals.is_unavailable.load(Ordering::Relaxed),
                is_unavailable,
                "{status}"
            );
        }
        drop(listener);
        assert!(originals.fetch(&original).await.is_err());
        assert!(originals.is_unavailable.load(Ordering::Relaxed), "nobody answers");
    }
}
