//! A client of the read API, for what is published, to compare a draft with.

use std::{error::Error, time::Duration};

use runtime::read_body;
use serde_json::Value;
use url::Url;

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);
/// The maximum size of an answer, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// A client of the query service.
#[derive(Clone, Debug)]
pub struct Published {
    client: reqwest::Client,
    base: String,
}

/// The query service does not answer, or not as expected.
#[derive(Debug, thiserror::Error)]
#[error("the query service is unavailable")]
pub struct Unavailable(#[source] Box<dyn Error + Send + Sync>);

impl Published {
    /// Returns a client of the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        Ok(Self { client, base: query_url.as_str().trim_end_matches('/').to_owned() })
    }

    /// Returns what is published at `path`; none if nothing is.
    pub async fn read(&self, path: &str, locale: &str) -> Result<Option<Value>, Unavailable> {
        let url = format!("{}{path}?locale={locale}", self.base);
        let sent = self.client.get(url).send().await;
        let mut answer = sent.map_err(|error| Unavailable(error.without_url().into()))?;
        let status = answer.status();
        let read = read_body(&mut answer, MAX_BYTES).await;
        let body = read.map_err(|error| Unavailable(error.into()))?;
        match status.as_u16() {
            200 => {
                serde_json::from_slice(&body).map(Some).map_err(|error| Unavailable(error.into()))
            }
            404 | 410 => Ok(None),
            _ => Err(Unavailable(format!("it answers {status}").into())),
        }
    }
}
