//! Originals from the content service.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{NoPictureMade, address::Original};

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
}

impl Originals {
    /// At `url`, with `token`.
    pub fn new(url: &Url, token: SecretString) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(FETCH_LIMIT)
            .pool_idle_timeout(IDLE_LIMIT)
            .no_proxy()
            .build()?;
        Ok(Self { client, base: url.as_str().trim_end_matches('/').to_owned(), token })
    }

    /// The bytes of `original`.
    pub async fn fetch(&self, original: &Original) -> Result<Bytes, NoPictureMade> {
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
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(away)? {
            if body.len() + chunk.len() > MOST_BYTES {
                return Err(NoPictureMade::Broken(format!(
                    "the original is larger than {} MB",
                    MOST_BYTES >> 20
                )));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    }
}

fn away(error: reqwest::Error) -> NoPictureMade {
    // Without the address, which a log need not have.
    NoPictureMade::Away(error.without_url().to_string())
}
