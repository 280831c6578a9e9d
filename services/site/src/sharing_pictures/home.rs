//! What the query service knows of a home.

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
const MAX_BYTES: usize = 1 << 20;
/// How many questions may be open at once.
const MAX_OPEN: usize = 16;

/// A home as it was found.
#[derive(Debug)]
pub struct Found {
    pub home: Home,
    /// Whether it is as new as pages are.
    pub is_current: bool,
}

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
        Ok(Self { query, places: Semaphore::new(MAX_OPEN), cache })
    }

    /// The home called `reference`, in the words of `locale`.
    pub async fn find(&self, locale: Locale, reference: &str) -> Result<Found, Problem> {
        let busy = || away("too many sharing pictures are asked for");
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        let path = format!("/api/properties/{reference}?locale={locale}");
        let mut answer = self.ask(&path, self.cache.position().latest).await?;
        // As the page that names it: where no node has come so far, what they have is better than nothing.
        let is_current = answer.status() != StatusCode::SERVICE_UNAVAILABLE;
        if !is_current {
            answer = self.ask(&path, Sequence::START).await?;
        }
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
        let body = read_body(&mut answer, MAX_BYTES).await.map_err(|error| unreachable(&error))?;
        let home = serde_json::from_slice(&body).map_err(|error| {
            tracing::error!(%error, "a home can't be read");
            Problem::internal()
        })?;
        Ok(Found { home, is_current })
    }

    /// What a node that has come to `sequence` answers at `path`.
    async fn ask(&self, path: &str, sequence: Sequence) -> Result<reqwest::Response, Problem> {
        let get = |client: &reqwest::Client, base: &str| {
            client.get(format!("{base}{path}")).header(MIN_SEQUENCE_HEADER, sequence.get())
        };
        let answer = self.query.ask(&[StatusCode::SERVICE_UNAVAILABLE], get).await;
        answer.map_err(|error| unreachable(&error))
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
    use http::HeaderMap;
    use serde_json::json;
    use tokio::net::TcpListener;

    use super::*;
    use crate::cache::StaleLimits;

    /// As where several nodes are behind one name.
    #[tokio::test]
    async fn a_home_that_one_node_can_not_give_as_new_as_pages_are_is_asked_of_another() {
        let was_asked = AtomicBool::default();
        let home = found(move |position| {
            assert_eq!(position, "7");
            was_asked.swap(true, Ordering::Relaxed)
        });
        let Found { home, is_current } = home.await;
        assert_eq!((home.price, is_current), (Some(385_000), true));
    }

    #[tokio::test]
    async fn a_home_that_no_node_can_give_as_new_as_pages_are_is_shown_as_they_have_it() {
        let home = found(|position| position == Sequence::START.get().to_string());
        let Found { home, is_current } = home.await;
        assert_eq!((home.price, is_current), (Some(385_000), false));
    }

    /// What is found of a home where pages stand at 7, and it is given to who asks for a position as
    /// `is_given` says.
    async fn found(is_given: impl Fn(&str) -> bool + Send + Sync + 'static) -> Found {
        runtime::install_crypto_provider();
        let is_given = Arc::new(is_given);
        let answer = async move |headers: HeaderMap| {
            let position = headers[MIN_SEQUENCE_HEADER].to_str().expect("a number");
            if !is_given(position) {
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
        homes.find(Locale::En, "AH-1").await.expect("it is given")
    }
}
