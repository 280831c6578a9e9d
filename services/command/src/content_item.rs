//! Creates an enquiry's item in the content service, where the office works on it.

use std::time::Duration;

use contracts::content::PropertyKind;
use http::StatusCode;
use runtime::{error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{Config, Error, mail::Outcome, reason::CONTENT_SERVICE, stored_enquiry::StoredEnquiry};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
/// The maximum length of a response body that is read, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// The Directus error code for an id that already exists.
const HAS_IT: &str = "RECORD_NOT_UNIQUE";

/// A client that creates enquiry items in the content service.
#[derive(Clone, Debug)]
pub struct ContentItems {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

impl ContentItems {
    /// Creates the client from `config`, or returns `None` if it has no content service or no token.
    pub fn new(config: &Config) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.enquiries_token) else {
            return Ok(None);
        };
        let client = runtime::content_service_client().timeout(ANSWER_TIMEOUT).build()?;
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
        let body = read_body(&mut answer, MAX_BYTES).await.unwrap_or_default();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        // Only the code is stored, because the message may repeat what was sent.
        let code = body["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        match status {
            StatusCode::BAD_REQUEST if code == HAS_IT => Outcome::Done,
            StatusCode::BAD_REQUEST => Outcome::Refused(format!("{CONTENT_SERVICE}: {code}")),
            _ => Outcome::Retry(format!("{CONTENT_SERVICE} answers {status} {code}")),
        }
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
