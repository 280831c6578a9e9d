//! The homes that visitors ask about, as the read API tells of them.

use std::time::Duration;

use contracts::{Locale, Reference};
use http::StatusCode;
use runtime::read_body;
use serde::Deserialize;
use url::Url;

use crate::Error;

/// An enquiry does not wait long for what it can do without.
const ANSWER_LIMIT: Duration = Duration::from_millis(1_500);
/// The largest answer, in bytes.
const MOST_BYTES: usize = 2 << 20;

/// A home as it stood when somebody asked about it.
#[derive(Clone, Debug, Deserialize)]
pub struct Home {
    /// Its title in the sender's language.
    pub title: String,
    /// In euros; none where it is on request.
    #[serde(default)]
    pub price: Option<i64>,
    /// Its page's path.
    pub url: String,
}

/// What is known of a reference.
#[derive(Clone, Debug)]
pub enum Known {
    /// The home is on the site.
    Home(Home),
    /// It was once.
    Gone,
    /// There never was one.
    Unknown,
    /// Nobody can say now.
    Unanswered,
}

/// The way to the read API.
#[derive(Clone, Debug)]
pub struct Homes {
    client: reqwest::Client,
    base: String,
}

impl Homes {
    /// By the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, Error> {
        let client = reqwest::Client::builder().timeout(ANSWER_LIMIT).no_proxy().build()?;
        Ok(Self { client, base: query_url.as_str().trim_end_matches('/').to_owned() })
    }

    /// What is known of `reference`.
    pub async fn find(&self, reference: &Reference, locale: Locale) -> Known {
        let url = format!("{}/api/properties/{reference}?locale={}", self.base, locale.code());
        let Ok(mut answer) = self.client.get(url).send().await else { return Known::Unanswered };
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Known::Unknown,
            StatusCode::GONE => return Known::Gone,
            _ => return Known::Unanswered,
        }
        let Ok(body) = read_body(&mut answer, MOST_BYTES).await else { return Known::Unanswered };
        serde_json::from_slice(&body).map_or(Known::Unanswered, Known::Home)
    }
}
