//! What the office has of enquiries in the content service: where they stand, and which are old.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use reqwest::{RequestBuilder, Response};
use runtime::read_body;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::json;
use uuid::Uuid;

use crate::{Config, Error, office::EnquiryState};

/// Years of them may go at once, the first time.
const ANSWER_LIMIT: Duration = Duration::from_mins(1);
/// So many are read at a time.
const PAGE: usize = 1_000;
/// The longest answer that is read, in bytes: each says an id and a state.
const MAX_BYTES: usize = PAGE * 256;

/// The way to them, for whoever may read and delete them and nothing else.
#[derive(Clone, Debug)]
pub struct OfficeItems {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

/// An enquiry, as far as it is read.
#[derive(Debug, Deserialize)]
pub struct OfficeItem {
    /// The enquiry's own.
    pub id: Uuid,
    /// None where an editor emptied it or made a word of their own.
    #[serde(deserialize_with = "known")]
    pub state: Option<EnquiryState>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<OfficeItem>,
}

impl OfficeItems {
    /// As `config` says; none where it names no content service or no token.
    pub fn new(config: &Config) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.enquiries_erase_token) else {
            return Ok(None);
        };
        let client = runtime::content_service().timeout(ANSWER_LIMIT).build()?;
        let url = format!("{}/items/enquiries", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    /// Where they stand: those of `page`, which counts from 1. None are left after an empty one.
    pub async fn states(&self, page: usize) -> Result<Vec<OfficeItem>, Error> {
        let (limit, page) = (PAGE.to_string(), page.to_string());
        let query = [("fields", "id,state"), ("sort", "id"), ("limit", &limit), ("page", &page)];
        let request = self.client.get(&self.url).query(&query);
        let mut answer = self.send(request).await?;
        let body = read_body(&mut answer, MAX_BYTES).await?;
        let answer: Answer = serde_json::from_slice(&body)?;
        Ok(answer.data)
    }

    /// Deletes those that are older than `days`. What it answers says nothing of how many.
    pub async fn erase(&self, days: i32) -> Result<(), Error> {
        let before = Utc::now() - TimeDelta::days(i64::from(days));
        let old = json!({ "received_at": { "_lt": before.to_rfc3339() } });
        let query = json!({ "query": { "filter": old, "limit": -1 } });
        self.send(self.client.delete(&self.url).json(&query)).await.map(drop)
    }

    /// Deletes these. One that is not there is no failure.
    pub async fn delete(&self, ids: &[Uuid]) -> Result<(), Error> {
        let query = json!({ "query": { "filter": { "id": { "_in": ids } }, "limit": -1 } });
        self.send(self.client.delete(&self.url).json(&query)).await.map(drop)
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, Error> {
        let answer = request.bearer_auth(self.token.expose_secret()).send().await;
        answer
            .and_then(Response::error_for_status)
            .map_err(|error| Error::Content(error.without_url()))
    }
}

/// A state that we know: a word of the office's own is none.
fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<EnquiryState>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Said {
        Known(EnquiryState),
        Other(IgnoredAny),
    }
    Ok(match Said::deserialize(deserializer)? {
        Said::Known(state) => Some(state),
        Said::Other(_) => None,
    })
}
