//! What the query service knows of a home.

use std::{sync::Arc, time::Duration};

use contracts::{
    Locale, MIN_SEQUENCE_HEADER,
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
    cache::PageCache,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(5),
    idle: Duration::from_secs(90),
};
const RETRY_AFTER: Duration = Duration::from_secs(3);
/// The longest answer that is read.
const MOST_BYTES: usize = 1 << 20;
/// How many questions may be open at once.
const MOST_OPEN: usize = 16;

/// What is shown of a home.
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

/// Its place.
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
    /// The first of its pictures.
    pub fn cover(&self) -> Option<Original> {
        let image = self.images.first()?;
        Some(Original { file: image.file, version: image.version.as_str().into() })
    }
}

/// The query service, as far as homes go.
#[derive(Debug)]
pub struct Homes {
    query: Upstream,
    places: Semaphore,
    cache: Arc<PageCache>,
}

impl Homes {
    /// At `query_url`, and as new as the pages in `cache`, which name the picture of a home by its version.
    pub fn new(query_url: &Url, cache: Arc<PageCache>) -> Result<Self, reqwest::Error> {
        let query = Upstream::new(query_url, LIMITS)?;
        Ok(Self { query, places: Semaphore::new(MOST_OPEN), cache })
    }

    /// The home called `reference`, in the words of `locale`.
    pub async fn find(&self, locale: Locale, reference: &str) -> Result<Home, Problem> {
        let busy = || away("too many sharing pictures are asked for");
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        let latest = self.cache.position().latest;
        let get = |client: &reqwest::Client, base: &str| {
            client
                .get(format!("{base}/api/properties/{reference}?locale={locale}"))
                .header(MIN_SEQUENCE_HEADER, latest.get())
        };
        let answer = self.query.ask(&[StatusCode::SERVICE_UNAVAILABLE], get).await;
        let mut answer = answer.map_err(|error| unreachable(&error))?;
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                return Err(Problem::not_found(format!("{reference} is not offered")));
            }
            status => {
                tracing::debug!(%status, "the query service gives no home");
                return Err(away("the search is away"));
            }
        }
        let body = read_body(&mut answer, MOST_BYTES).await.map_err(|error| unreachable(&error))?;
        serde_json::from_slice(&body).map_err(|error| {
            tracing::error!(%error, "a home can't be read");
            Problem::internal()
        })
    }
}

fn unreachable(error: &dyn std::error::Error) -> Problem {
    tracing::debug!(error = error_text(error), "the query service is away");
    away("the search is away")
}

fn away(detail: &str) -> Problem {
    Problem::unavailable(detail, RETRY_AFTER)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use axum::{Json, Router, response::IntoResponse, routing::any};
    use contracts::Sequence;
    use http::HeaderMap;
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::cache::StaleLimits;

    /// As where several nodes are behind one name.
    #[tokio::test]
    async fn a_home_that_one_node_can_not_give_as_new_as_pages_are_is_asked_of_another() {
        runtime::install_crypto_provider();
        let was_asked = Arc::<AtomicBool>::default();
        let answer = async move |headers: HeaderMap| {
            assert_eq!(headers[MIN_SEQUENCE_HEADER], "7");
            if !was_asked.swap(true, Ordering::Relaxed) {
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
        let home = homes.find(Locale::En, "AH-1").await.expect("the other node gives it");
        assert_eq!(home.price, Some(385_000));
    }
}
