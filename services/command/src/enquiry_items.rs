//! A client for the enquiry items of the content service, where the office works on them: creates them,
//! reads their states and deletes them.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use contracts::content::PropertyKind;
use http::StatusCode;
use reqwest::{RequestBuilder, Response};
use runtime::{error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    Config, Error, mail::Outcome, office::EnquiryState, reason::CONTENT_SERVICE,
    stored_enquiry::StoredEnquiry,
};

const CREATE_TIMEOUT: Duration = Duration::from_secs(15);
/// The first deletion may cover years of enquiries.
const OFFICE_TIMEOUT: Duration = Duration::from_mins(1);
/// The number of items that are read at a time.
const PAGE_SIZE: usize = 1_000;
/// The maximum length of a response body that is read, in bytes: each item has an id and a state.
const MAX_BYTES: usize = PAGE_SIZE * 256;
/// The same for the answer to a refused item.
const MAX_REFUSAL_BYTES: usize = 64 << 10;
/// The Directus error code for an id that already exists.
const HAS_IT: &str = "RECORD_NOT_UNIQUE";

/// A client with a token that may either create enquiry items, or read and delete them.
#[derive(Clone, Debug)]
pub struct EnquiryItems {
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

impl EnquiryItems {
    /// Creates a client that may only create items, or returns `None` if `config` has no content service
    /// or no token for that.
    pub fn with_create_token(config: &Config) -> Result<Option<Self>, Error> {
        Self::new(config, config.enquiries_token.as_ref(), CREATE_TIMEOUT)
    }

    /// Creates a client that may only read states and delete items, or returns `None` if `config` has no
    /// content service or no token for that.
    pub fn with_erase_token(config: &Config) -> Result<Option<Self>, Error> {
        Self::new(config, config.enquiries_erase_token.as_ref(), OFFICE_TIMEOUT)
    }

    fn new(
        config: &Config,
        token: Option<&SecretString>,
        timeout: Duration,
    ) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, token) else { return Ok(None) };
        let client = runtime::content_service_client().timeout(timeout).build()?;
        let url = format!("{}/items/enquiries", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    /// Creates the item under the enquiry's own id, which makes retries idempotent.
    pub async fn create(&self, enquiry: &StoredEnquiry) -> Outcome {
        let sent = self
            .client
            .post(&self.url)
            .bearer_auth(self.token.expose_secret())
            .json(&item(enquiry))
            .send()
            .await;
        let mut answer = match sent {
            Ok(answer) => answer,
            Err(error) => {
                let why = error_text(&error.without_url());
                return Outcome::Retry(format!("{CONTENT_SERVICE}: {why}"));
            }
        };
        let status = answer.status();
        if status.is_success() {
            return Outcome::Done;
        }
        let body = read_body(&mut answer, MAX_REFUSAL_BYTES).await.unwrap_or_default();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        // Only the code is stored, because the message may repeat what was sent.
        let code = body["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        match status {
            StatusCode::BAD_REQUEST if code == HAS_IT => Outcome::Done,
            StatusCode::BAD_REQUEST => Outcome::refused(format!("{CONTENT_SERVICE}: {code}")),
            _ => Outcome::Retry(format!("{CONTENT_SERVICE} answers {status} {code}")),
        }
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

fn item(enquiry: &StoredEnquiry) -> Value {
    let times: Vec<String> =
        enquiry.times.iter().map(|time| time.format("%Y-%m-%d %H:%M").to_string()).collect();
    json!({
        "id": enquiry.id,
        "reference": enquiry.reference,
        "state": "new",
        "kind": enquiry.kind,
        "name": enquiry.name,
        "email": enquiry.email,
        "phone": enquiry.phone,
        "mobile": enquiry.mobile,
        "message": enquiry.message,
        "property_ref": enquiry.home_reference,
        "property_title": enquiry.home_title,
        "property_price": enquiry.home_price,
        "times": (!times.is_empty()).then(|| times.join(", ")),
        "language": enquiry.locale.language_tag(),
        "suspect": enquiry.suspect,
        "address": enquiry.address,
        "property_kind": enquiry.property_kind.map(PropertyKind::name),
        "built_area": enquiry.built_area,
        "pictures": enquiry.pictures,
        "received_at": enquiry.received_at,
    })
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
