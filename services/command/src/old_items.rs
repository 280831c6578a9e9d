//! Enquiries of the content service that were kept long enough.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use crate::{Config, Error};

/// Years of them may go at once, the first time.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);

/// The way to them, for whoever may delete them and nothing else.
#[derive(Clone, Debug)]
pub struct OldItems {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

impl OldItems {
    /// As `config` says; none where it names no content service or no token.
    pub fn new(config: &Config) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.enquiries_erase_token) else {
            return Ok(None);
        };
        let client = reqwest::Client::builder().timeout(ANSWER_LIMIT).no_proxy().build()?;
        let url = format!("{}/items/enquiries", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    /// Deletes those that are older than `days`. What it answers says nothing of how many.
    pub async fn erase(&self, days: i32) -> Result<(), reqwest::Error> {
        let before = Utc::now() - TimeDelta::days(i64::from(days));
        let old = json!({ "received_at": { "_lt": before.to_rfc3339() } });
        self.client
            .delete(&self.url)
            .bearer_auth(self.token.expose_secret())
            .json(&json!({ "query": { "filter": old, "limit": -1 } }))
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map(drop)
            .map_err(reqwest::Error::without_url)
    }
}
