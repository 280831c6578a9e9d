//! Requests with limits; those that read are retried.

use std::{error::Error as StdError, time::Duration};

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use contracts::rules::MAX_PICTURE_BYTES;
use reqwest::{Method, RequestBuilder, StatusCode, header};
use runtime::{BodyError, error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::error::{Error, Refusal, ServiceError};

/// The timeout of each attempt to read a few items.
pub(crate) const ITEM_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of each attempt to read a page of a list.
pub(crate) const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// The timeout of each attempt to read a file.
pub(crate) const FILE_TIMEOUT: Duration = Duration::from_secs(15);
/// The timeout of connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The maximum size of a response in bytes. A page of 500 properties takes under 3 MB.
const BODY_LIMIT: usize = 64 << 20;
/// The same for the answer to something that is written: only why it is refused is read.
const REFUSAL_LIMIT: usize = 64 << 10;
/// The wait if the service limits requests and does not state for how long.
const DEFAULT_RATE_LIMIT_WAIT: Duration = Duration::from_secs(1);
/// The maximum wait between two attempts. If the service requests a longer one, the caller gets the error.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// How many characters of a response that is text, not JSON, an error quotes.
const TEXT_LIMIT: usize = 300;

/// The HTTP client, with the service's URL and token.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    http: reqwest::Client,
    base: Url,
    token: SecretString,
}

/// The service's envelope around every response.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer<T> {
    pub data: T,
    #[serde(default)]
    pub meta: Meta,
    errors: Option<Vec<FailureEntry>>,
}

/// Counts that were requested with `meta`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Meta {
    pub filter_count: Option<u64>,
}

#[derive(Deserialize)]
struct Failure {
    errors: Vec<FailureEntry>,
}

#[derive(Debug, Deserialize)]
struct FailureEntry {
    #[serde(default)]
    message: String,
    #[serde(default)]
    extensions: Extensions,
}

#[derive(Debug, Default, Deserialize)]
struct Extensions {
    #[serde(default)]
    code: String,
    reset: Option<Value>,
}

impl Transport {
    pub(crate) fn new(base: Url, token: SecretString) -> Result<Self, reqwest::Error> {
        let http = runtime::content_service_client()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { http, base, token })
    }

    /// Reads `path` with `query`, and retries short failures. A response that contains errors is a failure,
    /// whatever else it contains.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
        timeout: Duration,
    ) -> Result<Answer<T>, Error> {
        let (status, body) = self.get_bytes(path, query, timeout, BODY_LIMIT).await?;
        let refused =
            |errors| Error::Refused(Refusal { status, errors: to_service_errors(errors) });
        match serde_json::from_slice(&body) {
            Ok(Answer { errors: Some(errors), .. }) => Err(refused(errors)),
            Ok(answer) => Ok(answer),
            Err(error) => Err(match failures(&body) {
                Some(errors) => refused(errors),
                None => malformed(path, with_text(&error, &body)),
            }),
        }
    }

    /// Reads the file at `path`, with the same retries.
    pub(crate) async fn get_file(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Bytes, Error> {
        let (_, body) = self.get_bytes(path, query, FILE_TIMEOUT, MAX_PICTURE_BYTES).await?;
        Ok(body)
    }

    async fn get_bytes(
        &self,
        path: &str,
        query: &[(&str, String)],
        timeout: Duration,
        limit: usize,
    ) -> Result<(StatusCode, Bytes), Error> {
        let backoff = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(50))
            .with_max_delay(MAX_WAIT)
            .with_max_times(3)
            .with_jitter();
        (|| self.try_get(path, query, timeout, limit))
            .retry(backoff)
            .when(Error::is_momentary)
            .adjust(|error, planned| match (error, planned) {
                (Error::RateLimited { wait }, Some(_)) if *wait > MAX_WAIT => None,
                (Error::RateLimited { wait }, Some(planned)) => Some(planned.max(*wait)),
                (_, planned) => planned,
            })
            .notify(|error, wait| {
                tracing::debug!(error = error_text(error), ?wait, path, "reading again");
            })
            .await
    }

    async fn try_get(
        &self,
        path: &str,
        query: &[(&str, String)],
        timeout: Duration,
        limit: usize,
    ) -> Result<(StatusCode, Bytes), Error> {
        let request = self
            .request(Method::GET, path, timeout)
            .query(query)
            .header(header::ACCEPT, "application/json, image/*")
            .header(header::CONTENT_TYPE, "application/json");
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let body = read_body(&mut response, limit).await.map_err(|error| match error {
            BodyError::TooLarge { limit } => Error::TooLarge { limit },
            BodyError::Broken(error) => unreachable(error),
        })?;
        if status.is_success() { Ok((status, body)) } else { Err(refusal(status, &body)) }
    }

    /// Sends `body` to `path`, once. What the service answers to it is not read.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: &impl Serialize,
        timeout: Duration,
    ) -> Result<(), Error> {
        let request = self.request(method, path, timeout).json(body);
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if status.is_success() {
            return Ok(());
        }
        // The status alone says that it is refused.
        let body = read_body(&mut response, REFUSAL_LIMIT).await.unwrap_or_default();
        Err(refusal(status, &body))
    }

    fn request(&self, method: Method, path: &str, timeout: Duration) -> RequestBuilder {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let request = self.http.request(method, url).timeout(timeout);
        // Without a token, the service returns public content.
        match self.token.expose_secret() {
            "" => request,
            token => request.bearer_auth(token),
        }
    }
}

/// Converts a failed request, and removes its URL: the query with a long list of keys is of no use.
fn unreachable(error: reqwest::Error) -> Error {
    Error::Unreachable(error.without_url())
}

pub(crate) fn malformed(path: &str, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    Error::Malformed { path: path.to_owned(), source: source.into() }
}

/// Returns the error for a response with `status`.
fn refusal(status: StatusCode, body: &[u8]) -> Error {
    let errors = failures(body).unwrap_or_else(|| {
        let message = text(body).unwrap_or_else(|| "no explanation".to_owned());
        vec![FailureEntry { message, extensions: Extensions::default() }]
    });
    if status == StatusCode::TOO_MANY_REQUESTS {
        let reset = errors.iter().find_map(|entry| entry.extensions.reset.as_ref());
        return Error::RateLimited { wait: rate_limit_wait(reset) };
    }
    let refusal = Refusal { status, errors: to_service_errors(errors) };
    match status {
        StatusCode::UNAUTHORIZED => Error::Unauthorized(refusal),
        StatusCode::FORBIDDEN => Error::NotFoundOrForbidden(refusal),
        status if status.is_server_error() => Error::Unavailable(refusal),
        _ => Error::Refused(refusal),
    }
}

/// Returns the errors in a response, if it has any.
fn failures(body: &[u8]) -> Option<Vec<FailureEntry>> {
    serde_json::from_slice::<Failure>(body).ok().map(|failure| failure.errors)
}

fn to_service_errors(errors: Vec<FailureEntry>) -> Vec<ServiceError> {
    let error = |it: FailureEntry| ServiceError { code: it.extensions.code, message: it.message };
    errors.into_iter().map(error).collect()
}

/// Returns the start of a response that is plain text or HTML, on one line. A response that looks like JSON
/// is content, possibly of a draft, and is never quoted.
fn text(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.trim_start();
    if text.starts_with(['{', '[']) {
        return None;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(TEXT_LIMIT).collect())
}

/// Returns why a response is not the expected JSON, with its text if it is text.
fn with_text(error: &serde_json::Error, body: &[u8]) -> String {
    match text(body) {
        Some(text) => format!("{error}; it says: {text}"),
        None => error.to_string(),
    }
}

/// Returns how long to wait according to the service's `extensions.reset`, the time from which it accepts
/// requests again. Its `Retry-After` is of no use: it is rounded down to whole seconds, mostly 0.
fn rate_limit_wait(reset: Option<&Value>) -> Duration {
    let now = chrono::Utc::now().timestamp_millis();
    let at = match reset {
        Some(Value::String(text)) => {
            chrono::DateTime::parse_from_rfc3339(text).ok().map(|moment| moment.timestamp_millis())
        }
        Some(Value::Number(millis)) => millis.as_i64(),
        _ => None,
    };
    at.and_then(|at| u64::try_from(at.saturating_sub(now)).ok())
        .map_or(DEFAULT_RATE_LIMIT_WAIT, Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_reset_time_gives_a_wait() {
        assert_eq!(rate_limit_wait(Some(&i64::MIN.into())), DEFAULT_RATE_LIMIT_WAIT);
        assert!(rate_limit_wait(Some(&i64::MAX.into())) > MAX_WAIT);
    }
}
