//! A client for the read API: homes that visitors ask about, opening hours and places.

use std::{collections::HashSet, time::Duration};

use answers::{
    PropertyItem, Site,
    client::{Client, Error as ReadError},
};
use contracts::{Locale, OpeningPeriod, Reference};
use http::StatusCode;
use runtime::error_text;
use serde::de::DeserializeOwned;
use url::Url;

use crate::Error;

/// Short, because an enquiry can be stored without the answer.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A home at the time of an enquiry.
#[derive(Clone, Debug)]
pub struct Home {
    /// Its title in the sender's language.
    pub title: String,
    /// In euros; `None` if the price is on request.
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

/// A client for the read API.
#[derive(Clone, Debug)]
pub struct ReadApi(Client);

impl ReadApi {
    /// Creates a client for the query service at `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, Error> {
        Ok(Self(Client::new(query_url, ANSWER_TIMEOUT)?))
    }

    /// Looks up the home with this `reference`.
    pub async fn home(&self, reference: &Reference, locale: Locale) -> HomeLookup {
        match self.get(&format!("/api/properties/{reference}"), locale).await {
            Ok(PropertyItem { title, price, url, .. }) => {
                HomeLookup::Home(Home { title, price, url })
            }
            Err(ReadError::Status(StatusCode::NOT_FOUND)) => HomeLookup::Unknown,
            Err(ReadError::Status(StatusCode::GONE)) => HomeLookup::Gone,
            Err(_) => HomeLookup::Unavailable,
        }
    }

    /// Returns the office's opening hours, or `None` if the read API does not answer or the editors have
    /// not entered any.
    pub async fn opening_hours(&self) -> Option<Vec<OpeningPeriod>> {
        let hours = self.site().await?.settings?.agency.opening_hours;
        Some(hours).filter(|hours| !hours.is_empty())
    }

    /// Returns the slugs of the site's places, or `None` if the read API does not answer.
    pub async fn places(&self) -> Option<HashSet<String>> {
        Some(self.site().await?.locations.into_iter().map(|place| place.slug).collect())
    }

    async fn site(&self) -> Option<Site> {
        self.get("/api/site", Locale::En).await.ok()
    }

    async fn get<T: DeserializeOwned>(&self, path: &str, locale: Locale) -> Result<T, ReadError> {
        let answer = self.0.get(path, locale).await;
        answer.inspect_err(|error| {
            if !matches!(error, ReadError::Status(StatusCode::NOT_FOUND | StatusCode::GONE)) {
                tracing::warn!(path, error = error_text(error), "the read API can't be read");
            }
        })
    }
}
