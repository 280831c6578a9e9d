//! A client for the enquiry items of the content service, where the office works on them: creates them,
//! reads their states and deletes them.

use std::time::Duration;

use chrono::{TimeDelta, Utc};
use content_client::Writer;
use contracts::content::PropertyKind;
use http::StatusCode;
use runtime::error_text;
use secrecy::SecretString;
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

/// A client with a token that may either create enquiry items, or read and delete them.
#[derive(Clone, Debug)]
pub struct EnquiryItems(Writer);

/// The fields of an enquiry item that are read.
#[derive(Debug, Deserialize)]
pub struct OfficeItem {
    /// The enquiry's own id.
    pub id: Uuid,
    /// `None` if an editor cleared it or added a state that is not known here.
    #[serde(deserialize_with = "deserialize_known_state")]
    pub state: Option<EnquiryState>,
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
        Ok(Some(Self(Writer::new(url.clone(), token.clone(), "enquiries", timeout)?)))
    }

    /// Creates the item under the enquiry's own id, which makes retries idempotent.
    pub async fn create(&self, enquiry: &StoredEnquiry) -> Outcome {
        let Err(error) = self.0.create(&item(enquiry)).await else { return Outcome::Done };
        let Some(refusal) = error.refusal() else { return Outcome::Retry(error_text(&error)) };
        // Only the code is stored, because the message may repeat what was sent.
        let (status, code) = (refusal.status, refusal.code());
        match status {
            StatusCode::BAD_REQUEST if code == Writer::NOT_UNIQUE => Outcome::Done,
            StatusCode::BAD_REQUEST => Outcome::refused(format!("{CONTENT_SERVICE}: {code}")),
            _ => Outcome::Retry(format!("{CONTENT_SERVICE} answers {status} {code}")),
        }
    }

    /// Returns the states of the items on `page`, which counts from 1. An empty page is the end.
    pub async fn states(&self, page: usize) -> Result<Vec<OfficeItem>, Error> {
        let [fields, sort] = ["id,state", "id"].map(str::to_owned);
        let (limit, page) = (PAGE_SIZE.to_string(), page.to_string());
        let query = [("fields", fields), ("sort", sort), ("limit", limit), ("page", page)];
        Ok(self.0.read(&query).await?)
    }

    /// Deletes the items that are older than `days`. The response does not tell how many.
    pub async fn erase(&self, days: i32) -> Result<(), Error> {
        let before = Utc::now() - TimeDelta::days(i64::from(days));
        Ok(self.0.delete(&json!({ "received_at": { "_lt": before.to_rfc3339() } })).await?)
    }

    /// Deletes the items of `ids`. A missing one is not an error.
    pub async fn delete(&self, ids: &[Uuid]) -> Result<(), Error> {
        Ok(self.0.delete(&json!({ "id": { "_in": ids } })).await?)
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
