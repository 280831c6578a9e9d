//! One GET, with its limits and retries.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use reqwest::{StatusCode, header};
use runtime::{BodyError, read_body};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use url::Url;

use crate::error::{Error, Refusal, ServiceError};

/// The longest that reading a few items may take, each try.
pub(crate) const ITEM_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest that reading a page of a list may take, each try.
pub(crate) const LIST_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest that reading a file may take, each try.
pub(crate) const FILE_TIMEOUT: Duration = Duration::from_secs(15);
/// The longest that connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest answer that is read. A page of 500 properties takes under 3 MB.
const BODY_LIMIT: usize = 64 << 20;
/// The largest file that is read: what the site takes for an original too.
const FILE_LIMIT: usize = 32 << 20;
/// The wait when the service limits requests and does not say for how long.
const DEFAULT_RATE_LIMIT_WAIT: Duration = Duration::from_secs(1);
/// The longest wait between two tries; what asks for more is handed to the caller.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// How much of an answer that is text and no JSON is repeated, in characters.
const TEXT_LIMIT: usize = 300;

/// The wire: where the service is and how to speak to it.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    http: reqwest::Client,
    base: Url,
    token: SecretString,
}

/// The service's envelope around every answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer<T> {
    pub data: T,
    #[serde(default)]
    pub meta: Meta,
    errors: Option<Vec<FailureEntry>>,
}

/// Counts that were asked for with `meta`.
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
        let http = runtime::content_service()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { http, base, token })
    }

    /// Reads `path` with `query`, trying again what passes in a moment. An answer that tells of errors
    /// has failed, whatever else it holds.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, String)],
        timeout: Duration,
    ) -> Result<Answer<T>, Error> {
        let (status, body) = self.get_bytes(path, query, timeout, BODY_LIMIT).await?;
        let refused = |errors| Error::Refused(Refusal { status, errors: said(errors) });
        match serde_json::from_slice(&body) {
            Ok(Answer { errors: Some(errors), .. }) => Err(refused(errors)),
            Ok(answer) => Ok(answer),
            Err(error) => Err(match failures(&body) {
                Some(errors) => refused(errors),
                None => malformed(path, with_text(&error, &body)),
            }),
        }
    }

    /// Reads the file at `path`, in the same way.
    pub(crate) async fn get_file(
        &self,
        path: &str,
        query: &[(&str, String)],
    ) -> Result<Bytes, Error> {
        let (_, body) = self.get_bytes(path, query, FILE_TIMEOUT, FILE_LIMIT).await?;
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
            .when(Error::passes_soon)
            .adjust(|error, planned| match (error, planned) {
                (Error::RateLimited { wait }, Some(_)) if *wait > MAX_WAIT => None,
                (Error::RateLimited { wait }, Some(planned)) => Some(planned.max(*wait)),
                (_, planned) => planned,
            })
            .notify(|error, wait| tracing::debug!(%error, ?wait, path, "reading again"))
            .await
    }

    async fn try_get(
        &self,
        path: &str,
        query: &[(&str, String)],
        timeout: Duration,
        limit: usize,
    ) -> Result<(StatusCode, Bytes), Error> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let mut request = self
            .http
            .get(url)
            .query(query)
            .header(header::ACCEPT, "application/json, image/*")
            .header(header::CONTENT_TYPE, "application/json")
            .timeout(timeout);
        // Without one the service gives what it gives to everybody.
        if !self.token.expose_secret().is_empty() {
            request = request.bearer_auth(self.token.expose_secret());
        }
        let mut response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let body = read_body(&mut response, limit).await.map_err(|error| match error {
            BodyError::TooLarge { limit } => Error::TooLarge { limit },
            BodyError::Broken(error) => unreachable(error),
        })?;
        if status.is_success() { Ok((status, body)) } else { Err(refusal(status, &body)) }
    }
}

/// A failed exchange, without its address: the query of a long list of keys tells nobody anything.
fn unreachable(error: reqwest::Error) -> Error {
    Error::Unreachable(error.without_url())
}

pub(crate) fn malformed(path: &str, reason: impl Into<String>) -> Error {
    Error::Malformed { path: path.to_owned(), reason: reason.into() }
}

/// The error that an answer with `status` stands for.
fn refusal(status: StatusCode, body: &[u8]) -> Error {
    let errors = failures(body).unwrap_or_else(|| {
        let message = text(body).unwrap_or_else(|| "no explanation".to_owned());
        vec![FailureEntry { message, extensions: Extensions::default() }]
    });
    if status == StatusCode::TOO_MANY_REQUESTS {
        let reset = errors.iter().find_map(|entry| entry.extensions.reset.as_ref());
        return Error::RateLimited { wait: rate_limit_wait(reset) };
    }
    let refusal = Refusal { status, errors: said(errors) };
    match status {
        StatusCode::UNAUTHORIZED => Error::Unauthorized(refusal),
        StatusCode::FORBIDDEN => Error::NotFoundOrForbidden(refusal),
        status if status.is_server_error() => Error::Unavailable(refusal),
        _ => Error::Refused(refusal),
    }
}

/// The errors that an answer tells of, if it does.
fn failures(body: &[u8]) -> Option<Vec<FailureEntry>> {
    serde_json::from_slice::<Failure>(body).ok().map(|failure| failure.errors)
}

fn said(errors: Vec<FailureEntry>) -> Vec<ServiceError> {
    let error = |it: FailureEntry| ServiceError { code: it.extensions.code, message: it.message };
    errors.into_iter().map(error).collect()
}

/// An answer that is text, HTML or plain: its beginning, on one line. What is meant as JSON is content,
/// perhaps of a draft, and never repeated.
fn text(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?.trim_start();
    if text.starts_with(['{', '[']) {
        return None;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then(|| text.chars().take(TEXT_LIMIT).collect())
}

/// Why an answer is not what was asked for, with what it says instead.
fn with_text(error: &serde_json::Error, body: &[u8]) -> String {
    match text(body) {
        Some(text) => format!("{error}; it says: {text}"),
        None => error.to_string(),
    }
}

/// How long to wait by the service's `extensions.reset`, which is the moment when it takes requests
/// again. Its `Retry-After` is of no use: it is rounded down to whole seconds, mostly 0.
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
    fn whatever_moment_is_named_there_is_a_wait() {
        assert_eq!(rate_limit_wait(Some(&i64::MIN.into())), DEFAULT_RATE_LIMIT_WAIT);
        assert!(rate_limit_wait(Some(&i64::MAX.into())) > MAX_WAIT);
    }
}
