//! A client of the read API, for the roles that need an answer of it.

use std::{error::Error as StdError, time::Duration};

use contracts::Locale;
use reqwest::StatusCode;
use runtime::{read_body, telemetry::traceparent};
use serde::de::DeserializeOwned;
use url::Url;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum size of an answer, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The query service refuses the call.
    #[error("the query service answers {0}")]
    Status(StatusCode),
    /// The query service does not answer, or not as expected.
    #[error("the query service is unavailable")]
    Unavailable(#[source] Box<dyn StdError + Send + Sync>),
}

/// A client of the query service.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    /// Creates a client of the query service at `query_url`, for calls that may take `timeout`.
    pub fn new(query_url: &Url, timeout: Duration) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(timeout)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        Ok(Self { http, base: query_url.as_str().trim_end_matches('/').to_owned() })
    }

    /// Reads the answer at `path` in `locale`.
    pub async fn get<T: DeserializeOwned>(&self, path: &str, locale: Locale) -> Result<T, Error> {
        let url = format!("{}{path}?locale={}", self.base, locale.code());
        let mut request = self.http.get(url);
        if let Some(traceparent) = traceparent() {
            request = request.header("traceparent", traceparent);
        }
        let sent = request.send().await;
        let mut answer = sent.map_err(|error| Error::Unavailable(error.without_url().into()))?;
        if answer.status() != StatusCode::OK {
            return Err(Error::Status(answer.status()));
        }
        let read = read_body(&mut answer, MAX_BYTES).await;
        let body = read.map_err(|error| Error::Unavailable(error.into()))?;
        serde_json::from_slice(&body).map_err(|error| Error::Unavailable(error.into()))
    }
}
