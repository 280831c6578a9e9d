//! Reads homes from the query service.

use std::{sync::Arc, time::Duration};

use contracts::{
    Locale, MIN_SEQUENCE_HEADER, Sequence,
    content::{ListingStatus, PropertyKind},
};
use http::StatusCode;
use media::Original;
use runtime::{error_text, problem::Problem, read_body};
use serde::Deserialize;
use tokio::sync::Semaphore;
use url::Url;
use uuid::Uuid;

use crate::{
    pages::cache::PageCache,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(5),
    idle: Duration::from_secs(90),
};
const RETRY_AFTER: Duration = Duration::from_secs(3);
/// The maximum size of an answer, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// The maximum number of concurrent requests.
const MAX_CONCURRENT: usize = 16;

/// A home, and whether it is current.
#[derive(Debug)]
pub struct Found {
    pub home: Home,
    /// Whether it is as current as pages are.
    pub is_current: bool,
}

/// What a sharing picture shows of a home.
#[derive(Debug, Deserialize)]
pub struct Home {
    pub price: Option<i64>,
    pub kind: PropertyKind,
    pub status: ListingStatus,
    pub reduced: bool,
    pub bedrooms: Option<i64>,
    pub location: Place,
    images: Vec<Image>,
}

/// The home's location.
#[derive(Debug, Deserialize)]
pub struct Place {
    pub name: String,
}

#[derive(Debug, Deserialize)]
struct Image {
    file: Uuid,
    version: String,
}

impl Home {
    /// Returns the first of the home's pictures.
    pub fn cover(&self) -> Option<Original> {
        let image = self.images.first()?;
        Some(Original { file: image.file, version: image.version.as_str().into() })
    }
}

/// A client for the query service's homes.
#[derive(Debug)]
pub struct Homes {
    query: Upstream,
    permits: Semaphore,
    cache: Arc<PageCache>,
}

impl Homes {
    /// Creates a client for the query service at `query_url`. Homes are at least as current as the pages
    /// in `cache`, which link to a home's picture with its version.
    pub fn new(query_url: &Url, cache: Arc<PageCache>) -> Result<Self, reqwest::Error> {
        let query = Upstream::new(query_url, LIMITS)?;
        Ok(Self { query, permits: Semaphore::new(MAX_CONCURRENT), cache })
    }

    /// Returns the home `reference`, in the language `locale`.
    pub async fn find(&self, locale: Locale, reference: &str) -> Result<Found, Problem> {
        let busy = || service_unavailable("too many sharing pictures are asked for");
        let _permit = self.permits.try_acquire().map_err(|_| busy())?;
        let path = format!("/api/properties/{reference}?locale={locale}");
        let mut answer = self.request(&path, self.cache.position().latest).await?;
        // As for the page that links to it: if no node has caught up, older data is better than nothing.
        let is_current = answer.status() != StatusCode::SERVICE_UNAVAILABLE;
        if !is_current {
            answer = self.request(&path, Sequence::START).await?;
        }
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                return Err(Problem::not_found(format!("{reference} is not offered")));
            }
            status => {
                tracing::debug!(%status, "the query service returned no home");
                return Err(service_unavailable("the search is unavailable"));
            }
        }
        let body = read_body(&mut answer, MAX_BYTES).await.map_err(|error| query_failed(&error))?;
        let home = serde_json::from_slice(&body).map_err(|error| {
            tracing::error!(error = error_text(&error), "a home can't be read");
            Problem::internal()
        })?;
        Ok(Found { home, is_current })
    }

    /// Requests `path` from a node that has caught up to `sequence`.
    async fn request(&self, path: &str, sequence: Sequence) -> Result<reqwest::Response, Problem> {
        let get = |client: &reqwest::Client, base: &str| {
            client.get(format!("{base}{path}")).header(MIN_SEQUENCE_HEADER, sequence.get())
        };
        let answer = self.query.call_safe(&[StatusCode::SERVICE_UNAVAILABLE], get).await;
        answer.map_err(|error| query_failed(&error))
    }
}

fn query_failed(error: &dyn std::error::Error) -> Problem {
    tracing::debug!(error = error_text(error), "the query service is unavailable");
    service_unavailable("the search is unavailable")
}

fn service_unavailable(detail: &str) -> Problem {
    Problem::unavailable(detail, RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::{Json, Router, response::IntoResponse, routing::any};
    use http::HeaderMap;
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::pages::cache::StaleLimits;

    /// As with several nodes behind one name.
    #[tokio::test]
    async fn another_node_is_asked_if_one_lags_behind_the_pages() {
        let was_asked = AtomicBool::default();
        let home = find_with(move |position| {
            assert_eq!(position, "7");
            was_asked.swap(true, Ordering::Relaxed)
        });
        let Found { home, is_current } = home.await;
        assert_eq!((home.price, is_current), (Some(385_000), true));
    }

    #[tokio::test]
    async fn an_older_home_is_used_if_all_nodes_lag_behind_the_pages() {
        let home = find_with(|position| position == Sequence::START.get().to_string());
        let Found { home, is_current } = home.await;
        assert_eq!((home.price, is_current), (Some(385_000), false));
    }

    /// Requests a home when pages are at position 7, from a service that answers if `can_answer` returns
    /// true for the requested position.
    async fn find_with(can_answer: impl Fn(&str) -> bool + Send + Sync + 'static) -> Found {
        runtime::install_crypto_provider();
        let can_answer = Arc::new(can_answer);
        let answer = async move |headers: HeaderMap| {
            let position = headers[MIN_SEQUENCE_HEADER].to_str().expect("a number");
            if !can_answer(position) {
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
            let home = json!({
                "kind": "villa", "status": "for_sale", "reduced": false, "price": 385_000,
                "bedrooms": 3, "location": { "name": "Nerja" }, "images": [],
            });
            Json(home).into_response()
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(any(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });

        let limits = StaleLimits { purged: LIMITS.answer, unverified: LIMITS.answer };
        let cache = Arc::new(PageCache::new(1_000, limits));
        cache.restart(Sequence::from(7));
        let homes = Homes::new(&url.parse().expect("a URL"), cache).expect("a client");
        homes.find(Locale::En, "AH-1").await.expect("a home")
    }
}
