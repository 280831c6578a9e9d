//! Originals from the content service.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use http::StatusCode;
use reqwest::Response;
use runtime::{BodyError, Turns, error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use url::Url;

use crate::{NoPictureMade, Original};

/// How many are fetched and decoded at once, and how many more may wait.
const PLACES: usize = 4;
const WAITING: usize = 60;
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const FETCH_LIMIT: Duration = Duration::from_secs(10);
/// The largest original.
const MAX_BYTES: usize = 32 << 20;

/// The content service, as far as pictures go.
#[derive(Debug)]
pub struct Originals {
    client: reqwest::Client,
    base: String,
    token: SecretString,
    turns: Turns,
    /// A permit for each kilobyte.
    room: Arc<Semaphore>,
    /// Whether none can be had: an outage is one line in the log, not one a picture.
    are_away: AtomicBool,
}

/// The bytes of an original, which take up a place and room until they are dropped.
#[derive(Debug)]
pub struct Fetched {
    /// The bytes.
    pub bytes: Bytes,
    _place: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

impl Originals {
    /// At `url`, with `token`; at most `max_bytes` of originals are in memory at once, or one.
    pub fn new(url: &Url, token: SecretString, max_bytes: u64) -> Result<Self, reqwest::Error> {
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX >> 4);
        let client = runtime::content_service()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(FETCH_LIMIT)
            .build()?;
        Ok(Self {
            client,
            base: url.as_str().trim_end_matches('/').to_owned(),
            token,
            turns: Turns::new(PLACES, WAITING),
            room: Arc::new(Semaphore::new(max_bytes.max(MAX_BYTES) >> 10)),
            are_away: AtomicBool::new(false),
        })
    }

    /// The bytes of `original`, as soon as there is a place and room for them.
    pub async fn fetch(&self, original: &Original) -> Result<Fetched, NoPictureMade> {
        let place = self.turns.take().await.ok_or(NoPictureMade::Busy)?;
        let mut response = self.ask(original).await?;
        let announced = response.content_length().and_then(|bytes| usize::try_from(bytes).ok());
        let most = announced.map_or(MAX_BYTES, |bytes| bytes.min(MAX_BYTES));
        let kilobytes = u32::try_from(most.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let room = self.room.clone().acquire_many_owned(kilobytes).await;
        let room = room.map_err(|_| NoPictureMade::Busy)?;
        let bytes = read_body(&mut response, MAX_BYTES).await.map_err(|error| match error {
            BodyError::TooLarge { limit } => {
                NoPictureMade::Broken(format!("the original is larger than {} MB", limit >> 20))
            }
            BodyError::Broken(error) => away(error),
        })?;
        Ok(Fetched { bytes, _place: place, _room: room })
    }

    /// The answer for `original`, whose bytes are yet to come.
    async fn ask(&self, original: &Original) -> Result<Response, NoPictureMade> {
        let Original { file, version } = original;
        let asked = self
            .client
            .get(format!("{}/assets/{file}?v={version}", self.base))
            .bearer_auth(self.token.expose_secret());
        let sent = asked.send().await.map_err(away);
        let response = sent.inspect_err(|failure| self.tell(Some(failure)))?;
        let status = response.status();
        let failure = || NoPictureMade::Away(format!("the content service answered {status}"));
        match status {
            // The content service answers 403 for what is not there.
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => {
                self.tell(None);
                Err(NoPictureMade::NotFound)
            }
            // Of this one alone, maybe: it tells nothing of the others.
            StatusCode::INTERNAL_SERVER_ERROR => Err(failure()),
            status if status.is_success() => {
                self.tell(None);
                Ok(response)
            }
            _ => {
                let failure = failure();
                self.tell(Some(&failure));
                Err(failure)
            }
        }
    }

    /// Logs that originals can't be had, by `failure`, or can be again, where it was otherwise before.
    fn tell(&self, failure: Option<&NoPictureMade>) {
        let were_away = self.are_away.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(failure) if !were_away => {
                tracing::warn!(error = %failure, "originals can't be had");
            }
            None if were_away => tracing::info!("originals can be had again"),
            _ => {}
        }
    }
}

fn away(error: reqwest::Error) -> NoPictureMade {
    // Without the address, which a log need not have.
    NoPictureMade::Away(error_text(&error.without_url()))
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
    async fn one_original_that_can_t_be_read_is_no_outage() {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let url = url.parse().expect("an address");
        let originals = Originals::new(&url, "none".into(), 0).expect("a client");
        let original = Original { file: Uuid::nil(), version: "1".into() };
        for (status, are_away) in [
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
            assert_eq!(originals.are_away.load(Ordering::Relaxed), are_away, "{status}");
        }
        drop(listener);
        assert!(originals.fetch(&original).await.is_err());
        assert!(originals.are_away.load(Ordering::Relaxed), "nobody answers");
    }
}
