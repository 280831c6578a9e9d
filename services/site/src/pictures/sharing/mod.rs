//! Serves sharing pictures: the preview images of links to homes in messengers and social networks.
//!
//! A picture shows the price, so it has to be requested again after each change: pages link to it with a
//! version. It is made once for each combination of the data drawn on it. It is stored with the scaled
//! pictures, and made by the same few threads.

mod home;
mod words;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::Response,
};
use bytes::Bytes;
use contracts::{Locale, Reference};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use media::{Media, Original, PictureError};
use moka::future::Cache;
use pictures::{
    DynamicImage, Format,
    share::{self, Caption, Fonts},
};
use runtime::problem::Problem;
use tokio::time::timeout;

use self::home::{Found, Homes};
use crate::{
    Config, Error,
    calls::proxy_api::with_security_headers,
    counters::Counters,
    door::Door,
    limits::rate::Rate,
    pages::cache::PageCache,
    pictures::scaled::{ONE_MINUTE, WAIT_LIMIT, problem},
    reply::{Reply, etag_of},
    request_span::traced,
    security::{AnswerKind, Security},
};

/// How long other sites may cache it. The address in the page changes earlier.
const ONE_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// How long a picture stays in memory.
const MEMORY_TTL: Duration = Duration::from_mins(10);
/// The version of the drawing code. Has to be increased whenever the drawing changes.
const DRAWING_VERSION: u32 = 1;

/// Makes and serves sharing pictures.
pub struct SharingPictures {
    homes: Homes,
    media: Arc<Media>,
    fonts: Fonts,
    memory: Cache<String, Arc<Reply>>,
    security: Security,
    counters: Arc<Counters>,
}

impl std::fmt::Debug for SharingPictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharingPictures").field("homes", &self.homes).finish_non_exhaustive()
    }
}

impl SharingPictures {
    /// Creates pictures of the query service's homes, at least as current as `pages`, with the
    /// photographs of `media`.
    pub fn new(
        config: &Config,
        media: Arc<Media>,
        pages: Arc<PageCache>,
        security: Security,
        counters: Arc<Counters>,
    ) -> Result<Self, Error> {
        let memory = Cache::builder()
            .max_capacity(config.sharing_picture_bytes())
            .weigher(|_, reply: &Arc<Reply>| reply.weight())
            .time_to_live(MEMORY_TTL)
            .build();
        let fonts = Fonts::load().ok_or(Error::Fonts)?;
        let homes = Homes::new(&config.query_url, pages)?;
        Ok(Self { homes, media, fonts, memory, security, counters })
    }

    /// Returns the picture of the home `reference`, and whether it is as current as pages are.
    async fn picture_of(
        &self,
        locale: Locale,
        reference: &str,
    ) -> Result<(Arc<Reply>, bool), Problem> {
        let Found { home, is_current } = self.homes.find(locale, reference).await?;
        let caption = Caption {
            price: words::price(locale, home.price),
            description: words::description(locale, home.kind, &home.location.name, home.bedrooms),
            badge: words::badge(locale, home.status, home.reduced),
        };
        let mut made = self.make(&caption, home.cover().as_ref()).await;
        if let Err(PictureError::NotFound | PictureError::Broken(_)) = made {
            // A broken cover is treated as missing.
            made = self.make(&caption, None).await;
        }
        let reply = made.map_err(|failure| problem(&failure))?;
        Ok((reply, is_current))
    }

    /// Returns the picture of `caption` and `cover`, from memory or disk, or made once for all
    /// concurrent requests.
    async fn make(
        &self,
        caption: &Caption,
        cover: Option<&Original>,
    ) -> Result<Arc<Reply>, PictureError> {
        let name = file_name(caption, cover);
        let made = Box::pin(self.memory.try_get_with_by_ref(&name, async {
            let body = match self.media.stored(&name).await {
                Some(body) => body,
                None => Box::pin(self.draw(&name, caption, cover)).await?,
            };
            Ok(Arc::new(self.reply(body)))
        }));
        let made =
            timeout(WAIT_LIMIT, made).await.unwrap_or_else(|_| Err(Arc::new(PictureError::Busy)));
        made.map_err(|failure: Arc<PictureError>| (*failure).clone())
    }

    async fn draw(
        &self,
        name: &str,
        caption: &Caption,
        cover: Option<&Original>,
    ) -> Result<Bytes, PictureError> {
        let (fonts, caption) = (self.fonts.clone(), caption.clone());
        let job = move |cover: Option<&DynamicImage>| share::draw(&fonts, &caption, cover);
        let made = self.media.make(name.to_owned(), cover, share::drawing_bytes(), job);
        let body = Box::pin(made).await?;
        self.counters.pictures.increment(1);
        Ok(body)
    }

    fn reply(&self, body: Bytes) -> Reply {
        let mut headers = HeaderMap::with_capacity(16);
        let kind = HeaderValue::from_static(Format::Jpeg.media_type());
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CACHE_CONTROL, ONE_HOUR);
        self.security.apply(&mut headers, AnswerKind::Picture);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

/// Returns the name of the picture's file: a hash of everything that is drawn.
fn file_name(caption: &Caption, cover: Option<&Original>) -> String {
    let drawn = format!("{DRAWING_VERSION} {caption:?} {cover:?}");
    format!("share_{}.jpg", &blake3::hash(drawn.as_bytes()).to_hex()[..32])
}

/// Handles `/share/<locale>/<reference>.jpg`.
pub async fn sharing_picture(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let Some((locale, reference)) = parse(request.uri.path()) else {
        let form = "a sharing picture is /share/<en|es>/<reference>.jpg";
        return with_security_headers(&door, Err(Problem::not_found(form)));
    };
    let share = door.admit(&request).and_then(|visitor| door.take(visitor, Rate::picture));
    let _share = match share {
        Ok(share) => share,
        Err(limited) => return with_security_headers(&door, Err(limited.into())),
    };
    let answer = async {
        match door.sharing.picture_of(locale, reference).await {
            Ok((reply, is_current)) => {
                let mut response = reply.respond_to(&request.method, &request.headers);
                if !is_current {
                    // The version in its address is that of a change that it does not show yet.
                    response.headers_mut().insert(header::CACHE_CONTROL, ONE_MINUTE);
                }
                response
            }
            Err(problem) => with_security_headers(&door, Err(problem)),
        }
    };
    traced(&request, answer).await
}

fn parse(path: &str) -> Option<(Locale, &str)> {
    let (locale, name) = path.strip_prefix("/share/")?.split_once('/')?;
    let reference = name.strip_suffix(".jpg")?;
    Some((locale.parse().ok()?, reference)).filter(|_| Reference::is_valid(reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_locale_and_a_reference_are_parsed() {
        assert_eq!(parse("/share/es/AH-1042.jpg"), Some((Locale::Es, "AH-1042")));
        let long = format!("/share/en/{}.jpg", "A".repeat(Reference::MAX_LENGTH + 1));
        for path in [
            "/share/fr/AH-1.jpg",
            "/share/en/AH-1.png",
            "/share/en/.jpg",
            "/share/en/..%2Fsite.jpg",
            "/share/en/a/b.jpg",
            "/share/AH-1.jpg",
            &long,
        ] {
            assert_eq!(parse(path), None, "{path}");
        }
    }
}
