//! What is published, to compare a draft with.

use std::time::Duration;

use answers::client::{Client, Error};
use contracts::Locale;
use http::StatusCode;
use serde_json::Value;
use url::Url;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// A reader of the query service's answers.
#[derive(Clone, Debug)]
pub struct Published(Client);

impl Published {
    /// Returns a reader of the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, reqwest::Error> {
        Ok(Self(Client::new(query_url, ANSWER_TIMEOUT)?))
    }

    /// Returns what is published at `path`; none if nothing is.
    pub async fn read(&self, path: &str, locale: Locale) -> Result<Option<Value>, Error> {
        match self.0.get(path, locale).await {
            Err(Error::Status(StatusCode::NOT_FOUND | StatusCode::GONE)) => Ok(None),
            answer => answer.map(Some),
        }
    }
}
