//! Pictures at the size and in the format that a page asks for.
//!
//! Only what something published shows is fetched, made or given, also from what was kept. A picture
//! is looked for in memory, then on disk, then made. However many ask for one picture at the same
//! time, it is made once, also when those who asked are gone. Who would wait long for an AVIF is given
//! a JPEG in its place, which browsers show by what they are told it is, and the AVIF the next time.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use contracts::SURROGATE_KEY_HEADER;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use media::{Address, Media, NoPictureMade, NotAnAddress, WIDTHS};
use moka::future::Cache;
use pictures::Format;
use runtime::problem::Problem;
use tokio::{
    task::{JoinError, JoinHandle},
    time::timeout,
};

use crate::{
    Config, Error,
    cache::PageCache,
    counters::Counters,
    door::Door,
    preview,
    proxy_api::too_many,
    reply::{Reply, etag_of},
    security::{AnswerKind, Security},
    shares::Share,
    shown_pictures::{NotShown, PublicPicture, ShownPictures},
};

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// What stands in for another picture is asked for again soon.
pub const SHORT: HeaderValue = HeaderValue::from_static("public, max-age=60");
/// How long a stand-in is given before it is looked whether there is the picture itself.
const STAND_IN_KEPT: Duration = Duration::from_secs(30);
/// How long a visitor waits for a picture.
pub const WAIT_LIMIT: Duration = Duration::from_secs(20);
const RETRY_AFTER: Duration = Duration::from_secs(3);

type Made = Result<Arc<Reply>, NoPictureMade>;

/// The pictures of pages.
#[derive(Debug)]
pub struct ScaledPictures {
    shown: ShownPictures,
    media: Arc<Media>,
    memory: Cache<Address, Arc<Reply>>,
    stand_ins: Cache<Address, Arc<Reply>>,
    patience: Duration,
    security: Security,
    counters: Arc<Counters>,
}

impl ScaledPictures {
    /// Those that `media` makes. What is public is judged as `pages` are.
    pub fn new(
        config: &Config,
        media: Arc<Media>,
        pages: Arc<PageCache>,
        security: Security,
        counters: Arc<Counters>,
    ) -> Result<Arc<Self>, Error> {
        let kept = |bytes| {
            Cache::builder().max_capacity(bytes).weigher(|_, reply: &Arc<Reply>| reply.weight())
        };
        let memory = kept(config.kept_picture_bytes() / 4 * 3).build();
        let stand_ins = kept(config.kept_picture_bytes() / 4).time_to_live(STAND_IN_KEPT).build();
        let patience = Duration::from_millis(config.picture_patience_ms);
        let shown = ShownPictures::new(&config.query_url, pages)?;
        Ok(Arc::new(Self { shown, media, memory, stand_ins, patience, security, counters }))
    }

    /// The picture at `address`, if it was made before.
    async fn made(&self, address: &Address) -> Option<Arc<Reply>> {
        if let Some(reply) = self.memory.get(address).await {
            return Some(reply);
        }
        let body = self.media.kept(&address.file_name()).await?;
        let reply = Arc::new(self.reply(address.format, IMMUTABLE, body));
        self.memory.insert(address.clone(), reply.clone()).await;
        Some(reply)
    }

    /// Makes the picture at `address`, once for all who ask, in a task of its own: so it comes to its
    /// end without whoever asked. `share` is held until then.
    fn make(self: &Arc<Self>, address: &Address, share: Share) -> JoinHandle<Made> {
        let (pictures, address) = (self.clone(), address.clone());
        tokio::spawn(async move {
            let _share = share;
            let making = async {
                let body = pictures.media.scale(&address).await?;
                pictures.counters.pictures.increment(1);
                Ok(Arc::new(pictures.reply(address.format, IMMUTABLE, body)))
            };
            let made = pictures.memory.try_get_with_by_ref(&address, making).await;
            made.map_err(|failure: Arc<NoPictureMade>| (*failure).clone())
        })
    }

    /// The picture at `address`, or a JPEG in its place where it takes too long to encode or the
    /// visitor has no `share` left: then it goes on being made.
    async fn make_in_time(self: &Arc<Self>, address: &Address, share: Option<Share>) -> Made {
        if let Some(share) = share {
            match timeout(self.patience, self.make(address, share)).await.map(ended) {
                Ok(Err(NoPictureMade::Busy)) | Err(_) => {}
                Ok(made) => return made,
            }
        }
        let stand_in = async {
            let body = self.media.stand_in(address).await?;
            Ok(Arc::new(self.reply(Format::Jpeg, SHORT, body)))
        };
        let stand_in = self.stand_ins.try_get_with_by_ref(address, stand_in).await;
        stand_in.map_err(|failure: Arc<NoPictureMade>| (*failure).clone())
    }

    fn reply(&self, format: Format, kept_for: HeaderValue, body: Bytes) -> Reply {
        let mut headers = HeaderMap::with_capacity(16);
        let kind = HeaderValue::from_static(format.media_type());
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, kept_for);
        self.security.apply(&mut headers, AnswerKind::Picture);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

/// What a task that made a picture has come to.
fn ended(task: Result<Made, JoinError>) -> Made {
    task.unwrap_or_else(|_| Err(NoPictureMade::Broken("scaling broke down".into())))
}

/// `/media/…`.
pub async fn scaled_picture(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let method = &request.method;
    if method != Method::GET && method != Method::HEAD {
        return door
            .plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are what a picture answers");
    }
    let problem = match Address::parse(request.uri.path()) {
        Ok(address) => match give(&door, &address, &request).await {
            Ok((reply, shown)) => {
                let mut response = reply.give(method, &request.headers);
                // A cache in front of this one lets go of it by these.
                let headers = response.headers_mut();
                headers.insert(SURROGATE_KEY_HEADER, shown.surrogate_key.clone());
                return response;
            }
            Err(problem) => {
                // Perhaps an editor's draft shows it.
                let path = request.uri.path();
                if let Some(picture) = preview::picture(&door, path, &request.headers).await {
                    return picture;
                }
                problem
            }
        },
        Err(NotAnAddress::Form) => {
            Problem::not_found("a picture is /media/<file>/<version>/<width>.<avif|webp|jpg>")
        }
        Err(NotAnAddress::Width) => {
            let widths: Vec<_> = WIDTHS.iter().map(ToString::to_string).collect();
            Problem::not_found(format!("pictures are {} pixels wide", widths.join(", ")))
        }
    };
    let mut response = problem.into_response();
    door.security.apply(response.headers_mut(), AnswerKind::Data);
    response
}

async fn give(
    door: &Door,
    address: &Address,
    request: &Parts,
) -> Result<(Arc<Reply>, Arc<PublicPicture>), Problem> {
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let limited = || {
        door.counters.limited.increment(1);
        too_many()
    };
    let shown = match door.pictures.shown.known(&address.original).await {
        Some(shown) => shown,
        None if !door.rate.allows(visitor) => return Err(limited()),
        None => {
            let asked = timeout(WAIT_LIMIT, door.pictures.shown.ask(&address.original)).await;
            asked.unwrap_or(Err(NotShown::Away))?
        }
    };
    if let Some(reply) = door.pictures.made(address).await {
        return Ok((reply, shown));
    }
    if !door.rate.allows(visitor) {
        return Err(limited());
    }
    let share = door.rate.picture(visitor);
    let made = async {
        if address.format == Format::Avif {
            return door.pictures.make_in_time(address, share).await.map_err(|made| problem(&made));
        }
        let share = share.ok_or_else(limited)?;
        ended(door.pictures.make(address, share).await).map_err(|made| problem(&made))
    };
    let made = timeout(WAIT_LIMIT, made).await;
    let made = made.unwrap_or_else(|_| Err(problem(&NoPictureMade::Busy)))?;
    Ok((made, shown))
}

/// What is said of it.
pub fn problem(failure: &NoPictureMade) -> Problem {
    match failure {
        NoPictureMade::NotFound => Problem::not_found(failure.to_string()),
        NoPictureMade::Broken(_) => Problem::new(
            StatusCode::BAD_GATEWAY,
            "broken-picture",
            "The original of this picture can't be shown",
        )
        .with_detail(failure.to_string()),
        NoPictureMade::Busy => Problem::unavailable(failure.to_string(), RETRY_AFTER),
        NoPictureMade::Away(_) => Problem::unavailable("the originals are away", RETRY_AFTER),
    }
}

impl From<NotShown> for Problem {
    fn from(not_shown: NotShown) -> Self {
        match not_shown {
            NotShown::Nothing => Self::not_found(not_shown.to_string()),
            NotShown::Busy | NotShown::Behind | NotShown::Away => {
                Self::unavailable(not_shown.to_string(), RETRY_AFTER)
            }
        }
    }
}
