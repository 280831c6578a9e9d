//! Which pictures are public: those that something published shows.
//!
//! The query service knows; what it said is kept here and judged as a page of the same tags would be
//! ([`PageCache::standing`]). So a picture is given for exactly as long as the pages that show it,
//! and nothing has to tell this of a change.

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
use runtime::Turns;
use tokio::time::{sleep, timeout};
use url::Url;

use crate::{
    cache::{PageCache, Standing},
    headers::text,
    page::owned,
    pages::{WAIT_LIMIT, WAIT_LIMIT_WITH_STALE},
    purges::Position,
    upstream::{Limits, Upstream},
};

const LIMITS: Limits =
    Limits { connect: Duration::from_secs(1), answer: WAIT_LIMIT, idle: Duration::from_secs(90) };
/// How many are asked for at once, and how many more may wait.
const PLACES: usize = 16;
const WAITING: usize = 512;
/// How often it is asked again when a purge overtakes the answer.
const TRIES: usize = 3;
/// How long until a node that is behind is asked again.
const PAUSE: Duration = Duration::from_millis(100);
/// How many answers are kept: some hundred bytes each.
const MAX_ANSWERS: u64 = 50_000;

/// What the query service knows of pictures.
#[derive(Debug)]
pub struct ShownPictures {
    query: Upstream,
    turns: Turns,
    cache: Arc<PageCache>,
    answers: Cache<Original, Arc<PublicPicture>>,
}

/// A picture that something published shows.
#[derive(Clone, Debug)]
pub struct PublicPicture {
    /// The tags of what shows it, as a header has them.
    pub surrogate_key: HeaderValue,
    tags: Box<[Box<str>]>,
    sequence: Sequence,
    /// Where the cache stood when it was asked, and when that was.
    began: Position,
    asked: Instant,
}

/// Why a picture is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotShown {
    /// Nothing published shows it.
    #[error("nothing shows this picture")]
    Nothing,
    /// Too many ask.
    #[error("too many pictures are asked for")]
    Busy,
    /// The query service has not read as far as the door has heard of changes.
    #[error("the search is behind")]
    Behind,
    /// The query service is away.
    #[error("the search is away")]
    Away,
}

impl ShownPictures {
    /// As the query service at `query_url` knows them; what it said stands while `cache` has not
    /// heard otherwise.
    pub fn new(query_url: &Url, cache: Arc<PageCache>) -> Result<Self, reqwest::Error> {
        let query = Upstream::new(query_url, LIMITS)?;
        let turns = Turns::new(PLACES, WAITING);
        Ok(Self { query, turns, cache, answers: Cache::new(MAX_ANSWERS) })
    }

    /// What is known of `original` without asking.
    pub async fn known(&self, original: &Original) -> Option<Arc<PublicPicture>> {
        let shown = self.answers.get(original).await?;
        (self.standing(&shown) == Standing::Current).then_some(shown)
    }

    /// What is known of `original`, asked for where that is not certain: once for all who ask.
    pub async fn ask(&self, original: &Original) -> Result<Arc<PublicPicture>, NotShown> {
        let judged = self.answers.entry_by_ref(original).and_try_compute_with(|known| async {
            let known = known.map(moka::Entry::into_value);
            let standing = known.as_ref().map(|known| self.standing(known));
            if standing == Some(Standing::Current) {
                return Ok(Op::Nop);
            }
            // Waited for as a page is: longer where there is nothing to give instead.
            let stands_in = known.filter(|_| standing == Some(Standing::Unverified));
            let asked = if stands_in.is_some() {
                timeout(WAIT_LIMIT_WITH_STALE, self.ask_now(original)).await
            } else {
                timeout(WAIT_LIMIT, self.ask_until_current(original)).await
            };
            match (asked.unwrap_or(Err(NotShown::Away)), stands_in) {
                (Ok(shown), _) => Ok(Op::Put(Arc::new(shown))),
                (Err(NotShown::Nothing), _) => Ok(Op::Remove),
                // As a page that nobody can render again: for a while it stands as it is. All who wait
                // behind this one would else ask in vain themselves, one after the other.
                (Err(_), Some(known)) => {
                    let asked = Instant::now();
                    Ok(Op::Put(Arc::new(PublicPicture { asked, ..(*known).clone() })))
                }
                (Err(failure), None) => Err(failure),
            }
        });
        match judged.await? {
            CompResult::Inserted(shown)
            | CompResult::ReplacedWith(shown)
            | CompResult::Unchanged(shown) => Ok(shown.into_value()),
            CompResult::Removed(_) | CompResult::StillNone(_) => Err(NotShown::Nothing),
        }
    }

    async fn ask_until_current(&self, original: &Original) -> Result<PublicPicture, NotShown> {
        for _ in 0..TRIES {
            let shown = loop {
                match self.ask_now(original).await {
                    Err(NotShown::Behind) => sleep(PAUSE).await,
                    answer => break answer?,
                }
            };
            if self.standing(&shown) == Standing::Current {
                return Ok(shown);
            }
        }
        Err(NotShown::Busy)
    }

    async fn ask_now(
        &self,
        Original { file, version }: &Original,
    ) -> Result<PublicPicture, NotShown> {
        let _turn = self.turns.take().await.ok_or(NotShown::Busy)?;
        let (began, asked) = (self.cache.position(), Instant::now());
        let get = |client: &reqwest::Client, base: &str| {
            client
                .get(format!("{base}/internal/pictures/{file}/{version}"))
                .header(MIN_SEQUENCE_HEADER, began.latest.get())
        };
        let answer = self.query.ask(&[StatusCode::SERVICE_UNAVAILABLE], get).await;
        let answer = answer.map_err(|error| {
            tracing::debug!(%error, "the query service is away");
            NotShown::Away
        })?;
        // Whoever does not say from which position it answers does not know this call.
        let sequence = text(answer.headers(), SEQUENCE_HEADER).and_then(|text| text.parse().ok());
        match (answer.status(), sequence) {
            (StatusCode::OK, Some(sequence)) => {
                let tags = answer.headers().get(SURROGATE_KEY_HEADER).and_then(owned);
                Ok(PublicPicture {
                    surrogate_key: tags.ok_or(NotShown::Away)?,
                    tags: text(answer.headers(), SURROGATE_KEY_HEADER)
                        .unwrap_or_default()
                        .split_ascii_whitespace()
                        .map(Box::from)
                        .collect(),
                    sequence,
                    began,
                    asked,
                })
            }
            (StatusCode::NOT_FOUND, Some(_)) => Err(NotShown::Nothing),
            (StatusCode::SERVICE_UNAVAILABLE, _) => Err(NotShown::Behind),
            (status, _) => {
                tracing::debug!(%status, "the query service does not say who shows a picture");
                Err(NotShown::Away)
            }
        }
    }

    fn standing(&self, shown: &PublicPicture) -> Standing {
        self.cache.standing(shown.began, shown.sequence, &shown.tags, shown.asked)
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, sync::OnceLock};

    use axum::{Router, extract::ConnectInfo, response::IntoResponse, routing::any};
    use tokio::net::TcpListener;
    use uuid::Uuid;

    use super::*;
    use crate::cache::StaleLimits;

    /// As where several nodes are behind one name: what a connection is kept to never gets further.
    #[tokio::test]
    async fn a_node_that_is_behind_leaves_the_answer_to_another() {
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
        let picture = shown.ask(&original).await.expect("the other node answers");
        assert_eq!(picture.surrogate_key, "property:AH-1");
    }
}
