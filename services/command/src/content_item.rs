//! The enquiry as an item of the content service, where the office works with it.

use std::time::Duration;

use contracts::content::PropertyKind;
use http::StatusCode;
use runtime::{error_text, read_body};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{Config, Error, letter::Letter, mail::Outcome, reason::CONTENT_SERVICE};

const ANSWER_LIMIT: Duration = Duration::from_secs(15);
/// The longest answer that is read, in bytes.
const MAX_BYTES: usize = 64 << 10;
/// What Directus says of an id that it has.
const HAS_IT: &str = "RECORD_NOT_UNIQUE";

/// The way to the content service.
#[derive(Clone, Debug)]
pub struct ContentItems {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

impl ContentItems {
    /// As `config` says; none where it names no content service or no token.
    pub fn new(config: &Config) -> Result<Option<Self>, Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.enquiries_token) else {
            return Ok(None);
        };
        let client = runtime::content_service().timeout(ANSWER_LIMIT).build()?;
        let url = format!("{}/items/enquiries", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    /// Makes the item, under the enquiry's own id: it is there once, however often it is made.
    pub async fn create(&self, letter: &Letter) -> Outcome {
        let sent = self
            .client
            .post(&self.url)
            .bearer_auth(self.token.expose_secret())
            .json(&item(letter))
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
        // The code alone: the message may repeat what was sent.
        let code = body["errors"][0]["extensions"]["code"].as_str().unwrap_or_default();
        match status {
            StatusCode::BAD_REQUEST if code == HAS_IT => Outcome::Done,
            StatusCode::BAD_REQUEST => Outcome::Refused(format!("{CONTENT_SERVICE}: {code}")),
            _ => Outcome::Retry(format!("{CONTENT_SERVICE} answers {status} {code}")),
        }
    }
}

fn item(letter: &Letter) -> Value {
    let times: Vec<String> =
        letter.times.iter().map(|time| time.format("%Y-%m-%d %H:%M").to_string()).collect();
    json!({
        "id": letter.id,
        "reference": letter.reference,
        "state": "new",
        "kind": letter.kind,
        "name": letter.name,
        "email": letter.email,
        "phone": letter.phone,
        "mobile": letter.mobile,
        "message": letter.message,
        "property_ref": letter.home_reference,
        "property_title": letter.home_title,
        "property_price": letter.home_price,
        "times": (!times.is_empty()).then(|| times.join(", ")),
        "language": letter.locale.language_tag(),
        "suspect": letter.suspect,
        "address": letter.address,
        "property_kind": letter.property_kind.map(PropertyKind::name),
        "built_area": letter.built_area,
        "pictures": letter.pictures,
        "received_at": letter.received_at,
    })
}
