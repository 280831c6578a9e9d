//! Serves pictures at the size and in the format that a page asks for.
//!
//! Only pictures that published content shows are fetched, made or served, stored ones included. A
//! picture is looked up in memory, then on disk, and then made. Concurrent requests for a picture make
//! it once, and it is finished even if all clients have disconnected. A client that would wait long for
//! an AVIF, or has many made already, gets a JPEG instead, which browsers accept by its content type, and
//! the AVIF the next time.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::Response,
};
use bytes::Bytes;
use contracts::SURROGATE_KEY_HEADER;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};
use media::{Address, Media, NotAnAddress, PictureError, WIDTHS};
use moka::future::Cache;
use pictures::Format;
use runtime::problem::Problem;
use tokio::{
    task::{JoinError, JoinHandle},
    time::timeout,
};
use tracing::Instrument;

use crate::{
    Config, Error,
    calls::proxy_api::with_security_headers,
    counters::Counters,
    door::Door,
    limits::{rate::Rate, shares::Share},
    pages::cache::PageCache,
    pictures::shown::{NotShown, PublicPicture, ShownPictures},
    previews::preview,
    reply::{Reply, etag_of},
    request_span::traced,
    security::{AnswerKind, Security},
};

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The caching of a stand-in, which has to be requested again soon.
pub const ONE_MINUTE: HeaderValue = HeaderValue::from_static("public, max-age=60");
/// How long a stand-in is served from memory before it is checked again whether the AVIF exists.
const STAND_IN_TTL: Duration = Duration::from_secs(30);
/// How long a visitor waits for a picture.
pub const WAIT_LIMIT: Duration = Duration::from_secs(20);
const RETRY_AFTER: Duration = Duration::from_secs(3);

type Made = Result<Arc<Reply>, PictureError>;
/// A picture, and the content that shows it.
type Found = (Arc<Reply>, Arc<PublicPicture>);

/// Serves the pictures of pages.
#[derive(Debug)]
pub struct ScaledPictures {
    shown: ShownPictures,
    media: Arc<Media>,
    memory: Cache<Address, Arc<Reply>>,
    stand_ins: Cache<Address, Arc<Reply>>,
    avif_timeout: Duration,
    security: Security,
    counters: Arc<Counters>,
}

impl ScaledPictures {
    /// Creates a server of pictures that `media` makes. Whether a picture is public is cached by the
    /// rules for `pages`.
    pub fn new(
        config: &Config,
        media: Arc<Media>,
        pages: Arc<PageCache>,
        security: Security,
        counters: Arc<Counters>,
    ) -> Result<Arc<Self>, Error> {
        let cache = |bytes| {
            Cache::builder().max_capacity(bytes).weigher(|_, reply: &Arc<Reply>| reply.weight())
        };
        let memory = cache(config.picture_cache_bytes() / 4 * 3).build();
        let stand_ins = cache(config.picture_cache_bytes() / 4).time_to_live(STAND_IN_TTL).build();
        let avif_timeout = Duration::from_millis(config.picture_patience_ms);
        let shown = ShownPictures::new(&config.query_url, pages)?;
        Ok(Arc::new(Self { shown, media, memory, stand_ins, avif_timeout, security, counters }))
    }

    /// Returns the picture at `address`, if it is known to be public and was made before.
    async fn find(&self, address: &Address) -> Option<Found> {
        let shown = self.shown.cached(&address.original).await?;
        Some((self.find_made(address).await?, shown))
    }

    /// Returns the picture at `address`, if it was made before.
    async fn find_made(&self, address: &Address) -> Option<Arc<Reply>> {
        if let Some(reply) = self.memory.get(address).await {
            return Some(reply);
        }
        let body = self.media.stored(&address.file_name()).await?;
        let reply = Arc::new(self.reply(address.format, IMMUTABLE, body));
        self.memory.insert(address.clone(), reply.clone()).await;
        Some(reply)
    }

    /// Makes the picture at `address`, once for all concurrent requests, in a task of its own, so that
    /// it is finished even if the client disconnects. `share` is held until then.
    fn make(self: &Arc<Self>, address: &Address, share: Share) -> JoinHandle<Made> {
        let (pictures, address) = (self.clone(), address.clone());
        let made = async move {
            let _share = share;
            let making = async {
                let body = pictures.media.scale(&address).await?;
                pictures.counters.pictures.increment(1);
                Ok(Arc::new(pictures.reply(address.format, IMMUTABLE, body)))
            };
            let made = pictures.memory.try_get_with_by_ref(&address, making).await;
            made.map_err(|failure: Arc<PictureError>| (*failure).clone())
        };
        tokio::spawn(made.instrument(tracing::info_span!("scale")))
    }

    /// Makes the AVIF at `address`. Returns none if that takes too long; it is still finished.
    async fn make_in_time(self: &Arc<Self>, address: &Address, share: Share) -> Option<Made> {
        match timeout(self.avif_timeout, self.make(address, share)).await.map(join_result) {
            Ok(Err(PictureError::Busy)) | Err(_) => None,
            Ok(made) => Some(made),
        }
    }

    /// Returns the picture at `address` as a JPEG instead.
    async fn stand_in(&self, address: &Address) -> Made {
        let stand_in = async {
            let body = self.media.stand_in(address).await?;
            Ok(Arc::new(self.reply(Format::Jpeg, ONE_MINUTE, body)))
        };
        let stand_in = self.stand_ins.try_get_with_by_ref(address, stand_in).await;
        stand_in.map_err(|failure: Arc<PictureError>| (*failure).clone())
    }

    fn reply(&self, format: Format, cache_control: HeaderValue, body: Bytes) -> Reply {
        let mut headers = HeaderMap::with_capacity(16);
        let kind = HeaderValue::from_static(format.media_type());
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, cache_control);
        self.security.apply(&mut headers, AnswerKind::Picture);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

/// Returns the result of a task that made a picture.
fn join_result(task: Result<Made, JoinError>) -> Made {
    task.unwrap_or_else(|_| Err(PictureError::broken("the scaling task failed")))
}

/// Handles `/media/…`.
pub async fn scaled_picture(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let address = match Address::parse(request.uri.path()) {
        Ok(address) => address,
        Err(wrong) => return with_security_headers(&door, Err(no_picture(wrong))),
    };
    if let Some(found) = door.pictures.find(&address).await {
        return respond(&found, &request);
    }
    let visitor = match door.admit(&request) {
        Ok(visitor) => visitor,
        Err(limited) => return draft_or(&door, &request, limited.into()).await,
    };
    let answer = async {
        match find_or_make(&door, &address, visitor).await {
            Ok(found) => respond(&found, &request),
            Err(problem) => draft_or(&door, &request, problem).await,
        }
    };
    traced(&request, answer).await
}

fn respond((reply, shown): &Found, request: &Parts) -> Response {
    let mut response = reply.respond_to(&request.method, &request.headers);
    // A cache in front of this server purges the picture by these tags.
    response.headers_mut().insert(SURROGATE_KEY_HEADER, shown.surrogate_key.clone());
    response
}

/// Answers with `problem`, unless a draft of the editor who asks shows the picture.
async fn draft_or(door: &Door, request: &Parts, problem: Problem) -> Response {
    let picture = preview::picture(door, request.uri.path(), &request.headers).await;
    picture.unwrap_or_else(|| with_security_headers(door, Err(problem)))
}

fn no_picture(address: NotAnAddress) -> Problem {
    match address {
        NotAnAddress::Form => {
            Problem::not_found("a picture is /media/<file>/<version>/<width>.<avif|webp|jpg>")
        }
        NotAnAddress::Width => {
            let widths: Vec<_> = WIDTHS.iter().map(ToString::to_string).collect();
            Problem::not_found(format!("pictures are {} pixels wide", widths.join(", ")))
        }
    }
}

async fn find_or_make(
    door: &Door,
    address: &Address,
    visitor: Option<IpAddr>,
) -> Result<Found, Problem> {
    let shown = timeout(WAIT_LIMIT, door.pictures.shown.find(&address.original)).await;
    let shown = shown.unwrap_or(Err(NotShown::Unavailable))?;
    if let Some(reply) = door.pictures.find_made(address).await {
        return Ok((reply, shown));
    }
    let made = async {
        if address.format == Format::Avif
            && let Some(share) = door.rate.avif(visitor)
            && let Some(made) = door.pictures.make_in_time(address, share).await
        {
            return made.map_err(|failure| problem(&failure));
        }
        let share = door.take(visitor, Rate::picture)?;
        let made = if address.format == Format::Avif {
            let _share = share;
            door.pictures.stand_in(address).await
        } else {
            join_result(door.pictures.make(address, share).await)
        };
        made.map_err(|failure| problem(&failure))
    };
    let made = timeout(WAIT_LIMIT, made).await;
    let made = made.unwrap_or_else(|_| Err(problem(&PictureError::Busy)))?;
    Ok((made, shown))
}

/// Converts a failure to a problem.
pub fn problem(failure: &PictureError) -> Problem {
    match failure {
        PictureError::NotFound => Problem::not_found(failure.to_string()),
        PictureError::Broken(_) => Problem::new(
            StatusCode::BAD_GATEWAY,
            "broken-picture",
            "The original of this picture can't be shown",
        )
        .with_detail(failure.to_string()),
        PictureError::Busy => Problem::unavailable(failure.to_string(), RETRY_AFTER),
        PictureError::Unavailable(_) => {
            Problem::unavailable("the originals are unavailable", RETRY_AFTER)
        }
    }
}

impl From<NotShown> for Problem {
    fn from(not_shown: NotShown) -> Self {
        match not_shown {
            NotShown::Nothing => Self::not_found(not_shown.to_string()),
            NotShown::Busy | NotShown::Behind | NotShown::Unavailable => {
                Self::unavailable(not_shown.to_string(), RETRY_AFTER)
            }
        }
    }
}
