//! A client for the read API: homes that visitors ask about, opening hours and places.

use std::{collections::HashSet, time::Duration};

use contracts::{Locale, OpeningPeriod, Reference};
use http::StatusCode;
use runtime::read_body;
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

use crate::Error;

/// Short, because an enquiry can be stored without the answer.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);
/// The maximum length of a response body, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// A home at the time of an enquiry.
#[derive(Clone, Debug, Deserialize)]
pub struct Home {
    /// Its title in the sender's language.
    pub title: String,
    /// In euros; `None` if the price is on request.
    #[serde(default)]
    pub price: Option<i64>,
    /// Its page's path.
    pub url: String,
}

/// The result of looking up a home's reference.
#[derive(Clone, Debug)]
pub enum HomeLookup {
    /// The home is on the site.
    Home(Home),
    /// The home was on the site before.
    Gone,
    /// There has never been such a home.
    Unknown,
    /// The read API did not answer.
    Unavailable,
}

#[derive(Deserialize)]
struct Places {
    locations: Vec<Place>,
}

#[derive(Deserialize)]
struct Place {
    slug: String,
}

#[derive(Deserialize)]
struct Site {
    settings: Settings,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    opening_hours: Vec<OpeningPeriod>,
}

/// A client for the read API.
#[derive(Clone, Debug)]
pub struct ReadApi {
    client: reqwest::Client,
    base: String,
}

impl ReadApi {
    /// Creates a client for the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, Error> {
        let client = reqwest::Client::builder().timeout(ANSWER_TIMEOUT).no_proxy().build()?;
        Ok(Self { client, base: query_url.as_str().trim_end_matches('/').to_owned() })
    }

    /// Looks up the home with this `reference`.
    pub async fn home(&self, reference: &Reference, locale: Locale) -> HomeLookup {
        let path = format!("/api/properties/{reference}?locale={}", locale.code());
        match self.get(&path).await {
            Ok(home) => HomeLookup::Home(home),
            Err(Some(StatusCode::NOT_FOUND)) => HomeLookup::Unknown,
            Err(Some(StatusCode::GONE)) => HomeLookup::Gone,
            Err(_) => HomeLookup::Unavailable,
        }
    }

    /// Returns the office's opening hours, or `None` if the read API does not answer or the editors have
    /// not entered any.
    pub async fn opening_hours(&self) -> Option<Vec<OpeningPeriod>> {
        let site: Site = self.get("/api/site").await.ok()?;
        Some(site.settings.opening_hours).filter(|hours| !hours.is_empty())
    }

    /// Returns the slugs of the site's places, or `None` if the read API does not answer.
    pub async fn places(&self) -> Option<HashSet<String>> {
        let Places { locations } = self.get("/api/site").await.ok()?;
        Some(locations.into_iter().map(|place| place.slug).collect())
    }

    /// Fetches `path`. Fails with the status if it is not 200, and with `None` if there is no readable
    /// answer.
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Option<StatusCode>> {
        let url = format!("{}{path}", self.base);
        let mut request = self.client.get(url);
        if let Some(traceparent) = runtime::telemetry::traceparent() {
            request = request.header("traceparent", traceparent);
        }
        let mut answer = request.send().await.map_err(|_| None)?;
        if answer.status() != StatusCode::OK {
            return Err(Some(answer.status()));
        }
        let body = read_body(&mut answer, MAX_BYTES).await.map_err(|_| None)?;
        serde_json::from_slice(&body).map_err(|_| None)
    }
}
