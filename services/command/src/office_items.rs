//! A client for the enquiry items of the content service: reads their states and deletes them.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use reqwest::{RequestBuilder, Response};
use runtime::read_body;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::json;
use uuid::Uuid;

use crate::{Config, Error, office::EnquiryState};

/// The first deletion may cover years of enquiries.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);
/// The number of items that are read at a time.
const PAGE_SIZE: usize = 1_000;
/// The maximum length of a response body that is read, in bytes: each item has an id and a state.
const MAX_BYTES: usize = PAGE_SIZE * 256;

/// A client with a token that may read and delete enquiry items, and nothing else.
#[derive(Clone, Debug)]
pub struct OfficeItems {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

/// The fields of an enquiry item that are read.
#[derive(Debug, Deserialize)]
pub struct OfficeItem {
    /// The enquiry's own id.
    pub id: Uuid,
    /// `None` if an editor cleared it or added a state that is not known here.
    #[serde(deserialize_with = "deserialize_known_state")]
    pub state: Option<EnquiryState>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<OfficeItem>,
}

impl OfficeItems {
    /// Creates the client from `config`, or returns `None` if it has no content service or no token.
    pub fn new(config: &Config) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.enquiries_erase_token) else {
            return Ok(None);
        };
        let client = runtime::content_service_client().timeout(ANSWER_TIMEOUT).build()?;
        let url = format!("{}/items/enquiries", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    /// Returns the states of the items on `page`, which counts from 1. An empty page is the end.
    pub async fn states(&self, page: usize) -> Result<Vec<OfficeItem>, Error> {
        let (limit, page) = (PAGE_SIZE.to_string(), page.to_string());
        let query = [("fields", "id,state"), ("sort", "id"), ("limit", &limit), ("page", &page)];
        let request = self.client.get(&self.url).query(&query);
        let mut answer = self.send(request).await?;
        let body = read_body(&mut answer, MAX_BYTES).await?;
        let answer: Answer = serde_json::from_slice(&body)?;
        Ok(answer.data)
    }

    /// Deletes the items that are older than `days`. The response does not tell how many.
    pub async fn erase(&self, days: i32) -> Result<(), Error> {
        let before = Utc::now() - TimeDelta::days(i64::from(days));
        let old = json!({ "received_at": { "_lt": before.to_rfc3339() } });
        let query = json!({ "query": { "filter": old, "limit": -1 } });
        self.send(self.client.delete(&self.url).json(&query)).await.map(drop)
    }

    /// Deletes the items of `ids`. A missing one is not an error.
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

/// Deserializes a state that is known here. Any other value, which an editor may have added, is `None`.
fn deserialize_known_state<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<EnquiryState>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum StateValue {
        Known(EnquiryState),
        Other(IgnoredAny),
    }
    Ok(match StateValue::deserialize(deserializer)? {
        StateValue::Known(state) => Some(state),
        StateValue::Other(_) => None,
    })
}
