//! Originals from the content service.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use http::StatusCode;
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
/// Less than the 5 s after which Node, on which Directus runs, closes a quiet connection.
const IDLE_LIMIT: Duration = Duration::from_secs(3);
/// The largest original.
const MOST_BYTES: usize = 32 << 20;

/// The content service, as far as pictures go.
#[derive(Debug)]
pub struct Originals {
    client: reqwest::Client,
    base: String,
    token: SecretString,
    turns: Turns,
    /// A permit for each kilobyte.
    room: Arc<Semaphore>,
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
    /// At `url`, with `token`; at most `most_bytes` of originals are in memory at once, or one.
    pub fn new(url: &Url, token: SecretString, most_bytes: u64) -> Result<Self, reqwest::Error> {
        let most_bytes = usize::try_from(most_bytes).unwrap_or(usize::MAX >> 4);
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(FETCH_LIMIT)
            .pool_idle_timeout(IDLE_LIMIT)
            .no_proxy()
            .build()?;
        Ok(Self {
            client,
            base: url.as_str().trim_end_matches('/').to_owned(),
            token,
            turns: Turns::new(PLACES, WAITING),
            room: Arc::new(Semaphore::new(most_bytes.max(MOST_BYTES) >> 10)),
        })
    }

    /// The bytes of `original`, as soon as there is a place and room for them.
    pub async fn fetch(&self, original: &Original) -> Result<Fetched, NoPictureMade> {
        let place = self.turns.take().await.ok_or(NoPictureMade::Busy)?;
        let Original { file, version } = original;
        let mut response = self
            .client
            .get(format!("{}/assets/{file}?v={version}", self.base))
            .bearer_auth(self.token.expose_secret())
            .send()
            .await
            .map_err(away)?;
        match response.status() {
            // The content service answers 403 for what is not there.
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => return Err(NoPictureMade::NotFound),
            status if !status.is_success() => {
                return Err(NoPictureMade::Away(format!("the content service answered {status}")));
            }
            _ => {}
        }
        let announced = response.content_length().and_then(|bytes| usize::try_from(bytes).ok());
        let most = announced.map_or(MOST_BYTES, |bytes| bytes.min(MOST_BYTES));
        let kilobytes = u32::try_from(most.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let room = self.room.clone().acquire_many_owned(kilobytes).await;
        let room = room.map_err(|_| NoPictureMade::Busy)?;
        let bytes = read_body(&mut response, MOST_BYTES).await.map_err(|error| match error {
            BodyError::TooLarge { limit } => {
                NoPictureMade::Broken(format!("the original is larger than {} MB", limit >> 20))
            }
            BodyError::Broken(error) => away(error),
        })?;
        Ok(Fetched { bytes, _place: place, _room: room })
    }
}

fn away(error: reqwest::Error) -> NoPictureMade {
    // Without the address, which a log need not have.
    NoPictureMade::Away(error_text(&error.without_url()))
}
