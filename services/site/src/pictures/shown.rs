//! Determines which pictures are public: those that published content shows.
//!
//! The query service decides. Its answers are cached here, and stay valid by the rules for a page with
//! the same tags ([`PageCache::freshness`]). So a picture is served for exactly as long as the pages that
//! show it, and needs no purge of its own.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contracts::{MIN_SEQUENCE_HEADER, SEQUENCE_HEADER, SURROGATE_KEY_HEADER, Sequence};
use http::{HeaderValue, StatusCode};
use media::Original;
use moka::{
    future::Cache,
    ops::compute::{CompResult, Op},
};
use runtime::{BoundedSemaphore, error_text};
use tokio::time::{sleep, timeout};
use url::Url;

use crate::{
    headers::text,
    pages::{
        cache::{Freshness, PageCache},
        page::to_owned_value,
        public_page::{WAIT_LIMIT, WAIT_LIMIT_WITH_STALE},
        purges::Position,
    },
    upstream::{Limits, Upstream},
};

const LIMITS: Limits =
    Limits { connect: Duration::from_secs(1), answer: WAIT_LIMIT, idle: Duration::from_secs(90) };
/// How many requests to the query service run concurrently, and how many more may wait.
const MAX_CONCURRENT: usize = 16;
const MAX_WAITING: usize = 512;
/// How many times the query service is asked if a purge overtakes its answer.
const MAX_ATTEMPTS: usize = 3;
/// The pause before a lagging node is asked again.
const RETRY_PAUSE: Duration = Duration::from_millis(100);
/// The maximum number of cached answers, of a few hundred bytes each.
const MAX_ANSWERS: u64 = 50_000;

/// Caches which pictures are public.
#[derive(Debug)]
pub struct ShownPictures {
    query: Upstream,
    slots: BoundedSemaphore,
    cache: Arc<PageCache>,
    answers: Cache<Original, Arc<PublicPicture>>,
}

/// A picture that published content shows.
#[derive(Clone, Debug)]
pub struct PublicPicture {
    /// The tags of the content that shows it, as a header value.
    pub surrogate_key: HeaderValue,
    tags: Box<[Box<str>]>,
    sequence: Sequence,
    /// The position of the page cache when the query service was asked, and the time of that.
    began: Position,
    requested_at: Instant,
}

/// Why a picture is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotShown {
    /// No published content shows it.
    #[error("nothing shows this picture")]
    Nothing,
    /// Too many requests are waiting.
    #[error("too many pictures are asked for")]
    Busy,
    /// The query service has not caught up with the changes that this process has received.
    #[error("the search is behind")]
    Behind,
    /// The query service is unavailable.
    #[error("the search is unavailable")]
    Unavailable,
}

impl ShownPictures {
    /// Creates an empty cache of the answers of the query service at `query_url`. They stay valid until
    /// `cache` receives a change of their tags.
    pub fn new(query_url: &Url, cache: Arc<PageCache>) -> Result<Self, reqwest::Error> {
        let query = Upstream::new(query_url, LIMITS)?;
        let slots = BoundedSemaphore::new(MAX_CONCURRENT, MAX_WAITING);
        Ok(Self { query, slots, cache, answers: Cache::new(MAX_ANSWERS) })
    }

    /// Returns the cached answer for `original`, if it is current.
    pub async fn cached(&self, original: &Original) -> Option<Arc<PublicPicture>> {
        let shown = self.answers.get(original).await?;
        (self.freshness(&shown) == Freshness::Current).then_some(shown)
    }

    /// Returns the answer for `original`. If the cached one is not current, the query service is asked,
    /// once for all concurrent requests.
    pub async fn find(&self, original: &Original) -> Result<Arc<PublicPicture>, NotShown> {
        let answer = self.answers.entry_by_ref(original).and_try_compute_with(|known| async {
            let known = known.map(moka::Entry::into_value);
            let freshness = known.as_ref().map(|known| self.freshness(known));
            if freshness == Some(Freshness::Current) {
                return Ok(Op::Nop);
            }
            // The time limits are those of pages: longer if there is no older answer to use instead.
            let fallback = known.filter(|_| freshness == Some(Freshness::Unverified));
            let fetched = if fallback.is_some() {
                timeout(WAIT_LIMIT_WITH_STALE, self.fetch(original)).await
            } else {
                timeout(WAIT_LIMIT, self.fetch_until_current(original)).await
            };
            match (fetched.unwrap_or(Err(NotShown::Unavailable)), fallback) {
                (Ok(shown), _) => Ok(Op::Put(Arc::new(shown))),
                (Err(NotShown::Nothing), _) => Ok(Op::Remove),
                // Like a page that can't be rendered again, the old answer is used for a while.
                // Otherwise all waiting requests would ask in vain, one after the other.
                (Err(_), Some(known)) => {
                    let requested_at = Instant::now();
                    Ok(Op::Put(Arc::new(PublicPicture { requested_at, ..(*known).clone() })))
                }
                (Err(failure), None) => Err(failure),
            }
        });
        match answer.await? {
            CompResult::Inserted(shown)
            | CompResult::ReplacedWith(shown)
            | CompResult::Unchanged(shown) => Ok(shown.into_value()),
            CompResult::Removed(_) | CompResult::StillNone(_) => Err(NotShown::Nothing),
        }
    }

    async fn fetch_until_current(&self, original: &Original) -> Result<PublicPicture, NotShown> {
        for _ in 0..MAX_ATTEMPTS {
            let shown = loop {
                match self.fetch(original).await {
                    Err(NotShown::Behind) => sleep(RETRY_PAUSE).await,
                    answer => break answer?,
                }
            };
            if self.freshness(&shown) == Freshness::Current {
                return Ok(shown);
            }
        }
        Err(NotShown::Busy)
    }

    async fn fetch(
        &self,
        Original { file, version }: &Original,
    ) -> Result<PublicPicture, NotShown> {
        let _slot = self.slots.acquire().await.ok_or(NotShown::Busy)?;
        let (began, requested_at) = (self.cache.position(), Instant::now());
        let get = |client: &reqwest::Client, base: &str| {
            client
                .get(format!("{base}/internal/pictures/{file}/{version}"))
                .header(MIN_SEQUENCE_HEADER, began.latest.get())
        };
        let answer = self.query.call_safe(&[StatusCode::SERVICE_UNAVAILABLE], get).await;
        let answer = answer.map_err(|error| {
            tracing::debug!(error = error_text(&error), "the query service is unavailable");
            NotShown::Unavailable
        })?;
        // An answer without a position does not come from this call of the query service.
        let sequence = text(answer.headers(), SEQUENCE_HEADER).and_then(|text| text.parse().ok());
        match (answer.status(), sequence) {
            (StatusCode::OK, Some(sequence)) => {
                let tags = answer.headers().get(SURROGATE_KEY_HEADER).and_then(to_owned_value);
                Ok(PublicPicture {
                    surrogate_key: tags.ok_or(NotShown::Unavailable)?,
                    tags: text(answer.headers(), SURROGATE_KEY_HEADER)
                        .unwrap_or_default()
                        .split_ascii_whitespace()
                        .map(Box::from)
                        .collect(),
                    sequence,
                    began,
                    requested_at,
                })
            }
            (StatusCode::NOT_FOUND, Some(_)) => Err(NotShown::Nothing),
            (StatusCode::SERVICE_UNAVAILABLE, _) => Err(NotShown::Behind),
            (status, _) => {
                tracing::debug!(%status, "the query service did not report which pages show a picture");
                Err(NotShown::Unavailable)
            }
        }
    }

    fn freshness(&self, shown: &PublicPicture) -> Freshness {
        self.cache.freshness(shown.began, shown.sequence, &shown.tags, shown.requested_at)
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::OnceLock};

    use axum::{Router, extract::ConnectInfo, response::IntoResponse, routing::any};
    use tokio::net::TcpListener;
    use uuid::Uuid;

    use super::*;
    use crate::pages::cache::StaleLimits;

    /// As with several nodes behind one name: a kept connection would always lead to the same node.
    #[tokio::test]
    async fn a_lagging_node_is_replaced_by_another() {
        runtime::install_crypto_provider();
        let behind = Arc::<OnceLock<SocketAddr>>::default();
        let answer = move |ConnectInfo(peer): ConnectInfo<SocketAddr>| async move {
            if *behind.get_or_init(|| peer) == peer {
                return StatusCode::SERVICE_UNAVAILABLE.into_response();
            }
            [(SEQUENCE_HEADER, "1"), (SURROGATE_KEY_HEADER, "property:AH-1")].into_response()
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().fallback(any(answer));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        tokio::spawn(async move { axum::serve(listener, service).await });

        let limits = StaleLimits { purged: WAIT_LIMIT, unverified: WAIT_LIMIT };
        let cache = Arc::new(PageCache::new(1_000, limits));
        cache.restart(Sequence::from(1));
        let shown = ShownPictures::new(&url.parse().expect("a URL"), cache).expect("a client");
        let original = Original { file: Uuid::nil(), version: "1a".into() };
        let picture = shown.find(&original).await.expect("the other node answers");
        assert_eq!(picture.surrogate_key, "property:AH-1");
    }
}
