//! A client of Directus's REST API, with an administrator's token.

use std::{
    error::Error as StdError,
    time::{Duration, Instant},
};

use reqwest::{Method, RequestBuilder, StatusCode, multipart::Form};
use runtime::read_body;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::Error;

/// The timeout of a call. Creating all tables takes two seconds on an idle machine.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// The timeout of a ping.
const PING_LIMIT: Duration = Duration::from_secs(2);
const PING_PAUSE: Duration = Duration::from_millis(200);
/// The maximum size of a response in bytes. A snapshot of the schema takes a quarter of a mebibyte.
const BODY_LIMIT: usize = 16 << 20;

/// A Directus, and the token of one of its administrators.
#[derive(Clone, Debug)]
pub struct Directus {
    http: reqwest::Client,
    base: Url,
    token: SecretString,
}

impl Directus {
    /// Creates a client of the Directus at `base` with `token`.
    ///
    /// # Errors
    /// Fails if the HTTP client can't be created.
    pub fn new(base: Url, token: SecretString) -> Result<Self, Error> {
        let http = runtime::content_service_client()
            .timeout(ANSWER_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(Error::Unreachable)?;
        Ok(Self { http, base, token })
    }

    /// Returns a client of the same Directus with another token.
    pub(crate) fn with_token(&self, token: SecretString) -> Self {
        Self { token, ..self.clone() }
    }

    /// Waits until Directus answers a ping, for at most `limit`.
    ///
    /// # Errors
    /// Returns [`Error::NotReady`] after `limit`.
    pub async fn wait_until_ready(&self, limit: Duration) -> Result<(), Error> {
        let deadline = Instant::now() + limit;
        loop {
            let ping = self.http.get(self.url("/server/ping")).timeout(PING_LIMIT).send().await;
            if ping.is_ok_and(|answer| answer.status().is_success()) {
                return Ok(());
            }
            if Instant::now() > deadline {
                return Err(Error::NotReady { seconds: limit.as_secs() });
            }
            tokio::time::sleep(PING_PAUSE).await;
        }
    }

    /// Returns the data at `path`.
    ///
    /// # Errors
    /// Fails if the call fails or the response is malformed.
    pub async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, Error> {
        let request = self.http.get(self.url(path)).query(query);
        self.send(Method::GET, path, request).await
    }

    /// Returns all rows at `path`.
    ///
    /// # Errors
    /// Fails if the call fails or the response is not a list.
    pub async fn list(&self, path: &str, query: &[(&str, &str)]) -> Result<Vec<Value>, Error> {
        let query: Vec<_> = [("limit", "-1")].iter().chain(query).copied().collect();
        match self.get(path, &query).await? {
            Value::Array(rows) => Ok(rows),
            _ => Err(malformed(&Method::GET, path, "it is no list")),
        }
    }

    /// Returns whether the collection has no item.
    pub(crate) async fn has_no_item(&self, collection: &str) -> Result<bool, Error> {
        let first = self.get(&format!("/items/{collection}"), &[("limit", "1")]).await?;
        // A singleton has no id before it is first saved.
        Ok(first.as_array().map_or_else(|| first["id"].is_null(), Vec::is_empty))
    }

    /// Posts `body` to `path`, and returns the resulting data.
    ///
    /// # Errors
    /// Fails if the call fails or is rejected.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let request = self.http.post(self.url(path)).json(body);
        self.send(Method::POST, path, request).await
    }

    /// Updates the item at `path` with `body`.
    ///
    /// # Errors
    /// Fails if the call fails or is rejected.
    pub async fn patch(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let request = self.http.patch(self.url(path)).json(body);
        self.send(Method::PATCH, path, request).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<Value, Error> {
        self.send(Method::DELETE, path, self.http.delete(self.url(path))).await
    }

    /// Uploads a file with its fields.
    ///
    /// # Errors
    /// Fails if the call fails or is rejected.
    pub async fn upload(&self, form: Form) -> Result<Value, Error> {
        let request = self.http.post(self.url("/files")).multipart(form);
        self.send(Method::POST, "/files", request).await
    }

    /// Returns the URL of `path`, which may have a query.
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Sends the request, and returns the response's data; null if it has no body.
    async fn send(
        &self,
        method: Method,
        path: &str,
        request: RequestBuilder,
    ) -> Result<Value, Error> {
        let answer = request.bearer_auth(self.token.expose_secret()).send().await;
        let mut answer = answer.map_err(|error| Error::Unreachable(error.without_url()))?;
        let status = answer.status();
        let body = read_body(&mut answer, BODY_LIMIT)
            .await
            .map_err(|error| malformed(&method, path, error))?;
        if !status.is_success() {
            return Err(refusal(&method, path, status, &body));
        }
        if body.is_empty() {
            return Ok(Value::Null);
        }
        data(&body).map_err(|error| malformed(&method, path, error))
    }
}

/// Returns the `data` of a response body; null if there is none.
fn data(body: &[u8]) -> Result<Value, Box<dyn StdError + Send + Sync>> {
    match serde_json::from_slice(body)? {
        Value::Object(mut answer) => Ok(answer.remove("data").unwrap_or_default()),
        Value::Null => Ok(Value::Null),
        _ => Err("it is no object".into()),
    }
}

pub(crate) fn malformed(
    method: &Method,
    path: &str,
    source: impl Into<Box<dyn StdError + Send + Sync>>,
) -> Error {
    Error::Malformed { call: call(method, path), source: source.into() }
}

fn call(method: &Method, path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    format!("{method} {path}")
}

fn refusal(method: &Method, path: &str, status: StatusCode, body: &[u8]) -> Error {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let first = &body["errors"][0];
    let text = |value: &Value| value.as_str().unwrap_or("no explanation").to_owned();
    Error::Refused {
        call: call(method, path),
        status,
        code: text(&first["extensions"]["code"]),
        message: text(&first["message"]),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_response_of_another_service_is_rejected() {
        let data = |body: &[u8]| data(body).map_err(|error| error.to_string());
        assert_eq!(data(br#"{ "data": [1] }"#), Ok(json!([1])));
        assert_eq!(data(b"{}"), Ok(Value::Null));
        for body in ["[1]", "\"pong\"", "7", "true"] {
            assert_eq!(data(body.as_bytes()), Err("it is no object".to_owned()), "{body}");
        }
    }
}
