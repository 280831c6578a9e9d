//! Pictures at the size and in the format that a page asks for.
//!
//! Only what something published shows is fetched, made or given, also from what was kept. A picture
//! is looked for in memory, then on disk, then made: the original fetched and decoded once for all
//! its sizes that are asked for together, scaled and encoded on threads of its own. However many ask
//! for one picture at the same time, it is made once, also when those who asked are gone.

mod address;
mod disk;
mod fetch;
mod shown;
mod turns;
mod workers;

use std::{io, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use contracts::SURROGATE_KEY_HEADER;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use moka::future::Cache;
use pictures::{DynamicImage, ScaleError};
use runtime::problem::Problem;
use tokio::time::timeout;

pub use self::address::Original;
use self::{
    address::{Address, NoPicture, WIDEST, WIDTHS},
    disk::Disk,
    fetch::Originals,
    shown::{NotShown, Shown, ShownPictures},
    workers::{NotDone, Workers},
};
use crate::{
    Config, Error,
    cache::PageCache,
    counters::Counters,
    door::Door,
    proxy_api::too_many,
    reply::{Reply, etag_of},
    security::{Kind, Security},
    shares::Share,
};

const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// How long a visitor waits for a picture.
pub const WAIT_LIMIT: Duration = Duration::from_secs(20);
const RETRY_AFTER: Duration = Duration::from_secs(3);
/// How the memory for pictures is divided, in sixteenths: for those that were asked for lately,
/// decoded originals, originals as they came, and what scaling and encoding take.
const KEPT_PART: u64 = 3;
const DECODED_PART: u64 = 4;
const ORIGINALS_PART: u64 = 2;
const WORK_PART: u64 = 6;
/// The same for the sharing pictures.
pub const SHARED_PART: u64 = 1;
/// How long a decoded original is kept: a page asks for several sizes of a picture within seconds,
/// and then for none.
const DECODED_FOR: Duration = Duration::from_secs(20);
/// How long it is remembered that a picture can't be made.
const FAILURE_KEPT: Duration = Duration::from_secs(30);
const MOST_FAILURES: u64 = 10_000;

/// Why a picture could not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoPictureMade {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// The file is no picture that can be read.
    #[error("{0}")]
    Broken(String),
    /// Too much to do.
    #[error("too many pictures wait to be scaled")]
    Busy,
    /// The content service is away.
    #[error("the originals are away: {0}")]
    Away(String),
}

/// The pictures.
#[derive(Debug)]
pub struct Media {
    shown: ShownPictures,
    originals: Originals,
    workers: Workers,
    disk: Arc<Disk>,
    memory: Cache<Address, Arc<Reply>>,
    decoded: Cache<Original, Arc<DynamicImage>>,
    failures: Cache<Original, NoPictureMade>,
    security: Security,
    counters: Arc<Counters>,
}

impl Media {
    /// Opens the folder of pictures under the data directory and starts the threads. What is public
    /// is judged as `pages` are.
    pub async fn open(
        config: &Config,
        pages: Arc<PageCache>,
        security: Security,
        counters: Arc<Counters>,
    ) -> Result<Arc<Self>, Error> {
        let folder = config.data_dir.join("media");
        let fail = |source| Error::Data { folder: config.data_dir.join("media"), source };
        let most_bytes = u64::from(config.media_cache_mb.get()) << 20;
        let disk = tokio::task::spawn_blocking(move || Disk::open(folder, most_bytes))
            .await
            .map_err(|_| fail(io::Error::other("opening it was given up")))?
            .map_err(fail)?;
        let memory = Cache::builder()
            .max_capacity(part_of(config, KEPT_PART))
            .weigher(|_, reply: &Arc<Reply>| weight(reply.held_bytes()))
            .build();
        let decoded = Cache::builder()
            .max_capacity(part_of(config, DECODED_PART))
            .time_to_live(DECODED_FOR)
            .weigher(|_, image: &Arc<DynamicImage>| weight(image.as_bytes().len()))
            .build();
        let failures =
            Cache::builder().max_capacity(MOST_FAILURES).time_to_live(FAILURE_KEPT).build();
        Ok(Arc::new(Self {
            shown: ShownPictures::new(&config.query_url, pages)?,
            originals: Originals::new(
                &config.content_url,
                config.content_token.clone(),
                part_of(config, ORIGINALS_PART),
            )?,
            workers: Workers::start(part_of(config, WORK_PART)).map_err(fail)?,
            disk: Arc::new(disk),
            memory,
            decoded,
            failures,
            security,
            counters,
        }))
    }

    /// The picture at `address`, if it was made before.
    async fn made(&self, address: &Address) -> Option<Arc<Reply>> {
        if let Some(reply) = self.memory.get(address).await {
            return Some(reply);
        }
        let body = self.kept(&address.file_name()).await?;
        let reply = Arc::new(self.reply(address, body));
        self.memory.insert(address.clone(), reply.clone()).await;
        Some(reply)
    }

    /// Makes the picture at `address`, once for all who ask. `share` is held until it is made.
    async fn make(
        self: &Arc<Self>,
        address: &Address,
        share: Share,
    ) -> Result<Arc<Reply>, NoPictureMade> {
        let (media, making) = (self.clone(), address.clone());
        // In a task of its own, so that it comes to its end without whoever asked first.
        let task = async move {
            let made = tokio::spawn(async move {
                let _share = share;
                media.make_now(&making).await
            });
            made.await.unwrap_or_else(|_| Err(NoPictureMade::Broken("scaling broke down".into())))
        };
        let made = self.memory.try_get_with_by_ref(address, task).await;
        made.map_err(|failure| (*failure).clone())
    }

    async fn make_now(&self, address: &Address) -> Result<Arc<Reply>, NoPictureMade> {
        let image = self.decoded(&address.original).await?;
        let (width, format) = (address.width.min(image.width()), address.format);
        let height = u64::from(image.height()) * u64::from(width) / u64::from(image.width().max(1));
        let height = u32::try_from(height).unwrap_or(u32::MAX);
        let bytes = pictures::encoding_bytes(width, height, format);
        let scale = move || {
            pictures::scale(&image, width).and_then(|scaled| pictures::encode(&scaled, format))
        };
        let body = self.work(bytes, scale).await?;
        self.keep(address.file_name(), body.clone()).await;
        Ok(Arc::new(self.reply(address, body)))
    }

    /// The body that was kept as `name`.
    pub async fn kept(&self, name: &str) -> Option<Bytes> {
        let (disk, name) = (self.disk.clone(), name.to_owned());
        tokio::task::spawn_blocking(move || disk.get(&name)).await.ok()?
    }

    /// Keeps `body` as `name`.
    pub async fn keep(&self, name: String, body: Bytes) {
        let disk = self.disk.clone();
        let written = tokio::task::spawn_blocking(move || disk.put(&name, &body)).await;
        if let Ok(Err(error)) = written {
            tracing::warn!(%error, "a picture could not be kept");
        }
    }

    /// Makes a picture by `job`, which takes about so many `bytes` of memory, when one of the threads
    /// is free.
    pub async fn work<F>(&self, bytes: u64, job: F) -> Result<Bytes, NoPictureMade>
    where
        F: FnOnce() -> Result<Bytes, ScaleError> + Send + 'static,
    {
        let body = self.workers.run(bytes, job).await??;
        self.counters.pictures.increment(1);
        Ok(body)
    }

    /// The picture that `original` is, no wider than the widest that is made of it, decoded once for
    /// all that is made of it together.
    pub async fn decoded(&self, original: &Original) -> Result<Arc<DynamicImage>, NoPictureMade> {
        if let Some(failure) = self.failures.get(original).await {
            return Err(failure);
        }
        let image =
            self.decoded.try_get_with_by_ref(original, Box::pin(self.decode(original))).await;
        if let Err(failure) = &image
            && matches!(**failure, NoPictureMade::NotFound | NoPictureMade::Broken(_))
        {
            tracing::warn!(file = %original.file, error = %failure, "no picture can be made");
            self.failures.insert(original.clone(), (**failure).clone()).await;
        }
        image.map_err(|failure| (*failure).clone())
    }

    async fn decode(&self, original: &Original) -> Result<Arc<DynamicImage>, NoPictureMade> {
        let fetched = self.originals.fetch(original).await?;
        let bytes = pictures::decoding_bytes(&fetched.bytes)?;
        let decode = move || pictures::decode_at_most(&fetched.bytes, WIDEST);
        Ok(Arc::new(self.workers.run(bytes, decode).await??))
    }

    fn reply(&self, address: &Address, body: Bytes) -> Reply {
        let mut headers = HeaderMap::with_capacity(16);
        let kind = HeaderValue::from_static(address.format.media_type());
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, IMMUTABLE);
        self.security.apply(&mut headers, Kind::Picture);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

/// `/media/…`.
pub async fn picture(State(door): State<Arc<Door>>, request: Request) -> Response {
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
            Err(problem) => problem,
        },
        Err(NoPicture::Form) => {
            Problem::not_found("a picture is /media/<file>/<version>/<width>.<avif|webp|jpg>")
        }
        Err(NoPicture::Width) => {
            let widths: Vec<_> = WIDTHS.iter().map(ToString::to_string).collect();
            Problem::not_found(format!("pictures are {} pixels wide", widths.join(", ")))
        }
    };
    let mut response = problem.into_response();
    door.security.apply(response.headers_mut(), Kind::Data);
    response
}

async fn give(
    door: &Door,
    address: &Address,
    request: &Parts,
) -> Result<(Arc<Reply>, Arc<Shown>), Problem> {
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let limited = || {
        door.counters.limited.increment(1);
        too_many()
    };
    let shown = match door.media.shown.known(&address.original).await {
        Some(shown) => shown,
        None if !door.rate.allows(visitor) => return Err(limited()),
        None => door.media.shown.ask(&address.original).await?,
    };
    if let Some(reply) = door.media.made(address).await {
        return Ok((reply, shown));
    }
    let share = door.rate.picture(visitor).ok_or_else(limited)?;
    let made = timeout(WAIT_LIMIT, door.media.make(address, share)).await;
    let made = made.unwrap_or(Err(NoPictureMade::Busy)).map_err(|failure| problem(&failure))?;
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

/// So many sixteenths of the memory for pictures, in bytes.
pub fn part_of(config: &Config, sixteenths: u64) -> u64 {
    (u64::from(config.picture_memory_mb.get()) << 20) / 16 * sixteenths
}

/// What something of so many bytes weighs in a cache.
pub fn weight(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl From<NotShown> for Problem {
    fn from(not_shown: NotShown) -> Self {
        match not_shown {
            NotShown::Nothing => Self::not_found(not_shown.to_string()),
            NotShown::Busy | NotShown::Away => {
                Self::unavailable(not_shown.to_string(), RETRY_AFTER)
            }
        }
    }
}

impl From<NotDone> for NoPictureMade {
    fn from(not_done: NotDone) -> Self {
        match not_done {
            NotDone::Busy => Self::Busy,
            NotDone::Panicked => Self::Broken(not_done.to_string()),
        }
    }
}

impl From<ScaleError> for NoPictureMade {
    fn from(error: ScaleError) -> Self {
        Self::Broken(error.to_string())
    }
}
