//! What the query service knows of a home.

use std::time::Duration;

use contracts::{
    Locale,
    content::{ListingStatus, PropertyKind},
};
use http::StatusCode;
use media::Original;
use runtime::{error_text, problem::Problem, read_body};
use serde::Deserialize;
use tokio::sync::Semaphore;
use url::Url;
use uuid::Uuid;

const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
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
    client: reqwest::Client,
    base: String,
    places: Semaphore,
}

impl Homes {
    /// At `query_url`.
    pub fn new(query_url: &Url) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_LIMIT)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()?;
        let base = query_url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { client, base, places: Semaphore::new(MOST_OPEN) })
    }

    /// The home called `reference`, in the words of `locale`.
    pub async fn find(&self, locale: Locale, reference: &str) -> Result<Home, Problem> {
        let busy = || away("too many sharing pictures are asked for");
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        let url = format!("{}/api/properties/{reference}?locale={locale}", self.base);
        let mut answer = self.client.get(url).send().await.map_err(|error| unreachable(&error))?;
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
