//! What the read API tells of the homes that visitors ask about, and of the office.

use std::{collections::HashSet, time::Duration};

use contracts::{Locale, OpeningPeriod, Reference};
use http::StatusCode;
use runtime::read_body;
use serde::{Deserialize, de::DeserializeOwned};
use url::Url;

use crate::Error;

/// An enquiry does not wait long for what it can do without.
const ANSWER_LIMIT: Duration = Duration::from_millis(1_500);
/// The largest answer, in bytes.
const MAX_BYTES: usize = 2 << 20;

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

/// The way to the read API.
#[derive(Clone, Debug)]
pub struct ReadApi {
    client: reqwest::Client,
    base: String,
}

impl ReadApi {
    /// Of the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, Error> {
        let client = reqwest::Client::builder().timeout(ANSWER_LIMIT).no_proxy().build()?;
        Ok(Self { client, base: query_url.as_str().trim_end_matches('/').to_owned() })
    }

    /// What is known of `reference`.
    pub async fn home(&self, reference: &Reference, locale: Locale) -> Known {
        let path = format!("/api/properties/{reference}?locale={}", locale.code());
        match self.get(&path).await {
            Ok(home) => Known::Home(home),
            Err(Some(StatusCode::NOT_FOUND)) => Known::Unknown,
            Err(Some(StatusCode::GONE)) => Known::Gone,
            Err(_) => Known::Unanswered,
        }
    }

    /// When somebody is in the office; none where nobody can say now, or the editors have not said.
    pub async fn opening_hours(&self) -> Option<Vec<OpeningPeriod>> {
        let site: Site = self.get("/api/site").await.ok()?;
        Some(site.settings.opening_hours).filter(|hours| !hours.is_empty())
    }

    /// The places of the site, by their slugs; none where nobody can say now.
    pub async fn places(&self) -> Option<HashSet<String>> {
        let Places { locations } = self.get("/api/site").await.ok()?;
        Some(locations.into_iter().map(|place| place.slug).collect())
    }

    /// What is answered at `path`; the status where that is not 200, and nothing where no answer
    /// comes that can be read.
    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Option<StatusCode>> {
        let url = format!("{}{path}", self.base);
        let mut answer = self.client.get(url).send().await.map_err(|_| None)?;
        if answer.status() != StatusCode::OK {
            return Err(Some(answer.status()));
        }
        let body = read_body(&mut answer, MAX_BYTES).await.map_err(|_| None)?;
        serde_json::from_slice(&body).map_err(|_| None)
    }
}
