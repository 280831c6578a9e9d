//! Sharing pictures: what a link to a home looks like in a conversation.
//!
//! One says what it costs, so it is asked for anew with each change: pages name it with a version,
//! and it is made once for all that is drawn on it. It is kept where scaled pictures are, and made
//! by the same few threads.

mod home;
mod words;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use contracts::{Locale, Reference};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts};
use media::{Media, NoPictureMade, Original};
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
    cache::PageCache,
    counters::Counters,
    door::Door,
    proxy_api::too_many,
    reply::{Reply, etag_of},
    scaled_pictures::{SHORT, WAIT_LIMIT, problem},
    security::{AnswerKind, Security},
};

/// Other sites ask again after this; the page's address of it changes earlier.
const AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");
/// How long they stay in memory.
const KEPT_FOR: Duration = Duration::from_mins(10);
/// To be raised whenever the drawing changes.
const DRAWING: u32 = 1;

/// The sharing pictures.
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
    /// Of the homes that the query service knows, as new as `pages` are, with the pictures of `media`.
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
            .time_to_live(KEPT_FOR)
            .build();
        let fonts = Fonts::load().ok_or(Error::Fonts)?;
        let homes = Homes::new(&config.query_url, pages)?;
        Ok(Self { homes, media, fonts, memory, security, counters })
    }

    /// The picture of the home called `reference`, and whether it is as new as pages are.
    async fn give(&self, locale: Locale, reference: &str) -> Result<(Arc<Reply>, bool), Problem> {
        let Found { home, is_current } = self.homes.find(locale, reference).await?;
        let caption = Caption {
            price: words::price(locale, home.price),
            description: words::what_and_where(
                locale,
                home.kind,
                &home.location.name,
                home.bedrooms,
            ),
            badge: words::badge(locale, home.status, home.reduced),
        };
        let mut made = self.make(&caption, home.cover().as_ref()).await;
        if let Err(NoPictureMade::NotFound | NoPictureMade::Broken(_)) = made {
            // A cover that can't be shown is as good as none.
            made = self.make(&caption, None).await;
        }
        let reply = made.map_err(|failure| problem(&failure))?;
        Ok((reply, is_current))
    }

    /// The picture of `caption` and `cover`: as it was made before, or made now, once for all who ask.
    async fn make(
        &self,
        caption: &Caption,
        cover: Option<&Original>,
    ) -> Result<Arc<Reply>, NoPictureMade> {
        let name = file_name(caption, cover);
        let made = Box::pin(self.memory.try_get_with_by_ref(&name, async {
            let body = match self.media.kept(&name).await {
                Some(body) => body,
                None => Box::pin(self.draw(&name, caption, cover)).await?,
            };
            Ok(Arc::new(self.reply(body)))
        }));
        let made =
            timeout(WAIT_LIMIT, made).await.unwrap_or_else(|_| Err(Arc::new(NoPictureMade::Busy)));
        made.map_err(|failure: Arc<NoPictureMade>| (*failure).clone())
    }

    async fn draw(
        &self,
        name: &str,
        caption: &Caption,
        cover: Option<&Original>,
    ) -> Result<Bytes, NoPictureMade> {
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
        headers.insert(header::CACHE_CONTROL, AN_HOUR);
        self.security.apply(&mut headers, AnswerKind::Picture);
        Reply::new(StatusCode::OK, etag_of(&body), headers, body)
    }
}

/// The name of the file that holds it: a hash of all that is drawn.
fn file_name(caption: &Caption, cover: Option<&Original>) -> String {
    let drawn = format!("{DRAWING} {caption:?} {cover:?}");
    format!("share_{}.jpg", &blake3::hash(drawn.as_bytes()).to_hex()[..32])
}

/// `/share/<locale>/<reference>.jpg`.
pub async fn sharing_picture(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let method = &request.method;
    if method != Method::GET && method != Method::HEAD {
        return door
            .plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are what a picture answers");
    }
    match give(&door, &request).await {
        Ok((reply, is_current)) => {
            let mut response = reply.give(method, &request.headers);
            if !is_current {
                // Its address is that of the change that it does not show yet.
                response.headers_mut().insert(header::CACHE_CONTROL, SHORT);
            }
            response
        }
        Err(problem) => {
            let mut response = problem.into_response();
            door.security.apply(response.headers_mut(), AnswerKind::Data);
            response
        }
    }
}

async fn give(door: &Door, request: &Parts) -> Result<(Arc<Reply>, bool), Problem> {
    let (locale, reference) = parse(request.uri.path())
        .ok_or_else(|| Problem::not_found("a sharing picture is /share/<en|es>/<reference>.jpg"))?;
    if !door.rate.allows(door.rate.address_of(&request.headers, &request.extensions)) {
        door.counters.limited.increment(1);
        return Err(too_many());
    }
    door.sharing.give(locale, reference).await
}

fn parse(path: &str) -> Option<(Locale, &str)> {
    let (locale, name) = path.strip_prefix("/share/")?.split_once('/')?;
    let reference = name.strip_suffix(".jpg")?;
    Some((locale.parse().ok()?, reference)).filter(|_| Reference::is(reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reference_in_a_language_is_asked_for() {
        assert_eq!(parse("/share/es/AH-1042.jpg"), Some((Locale::Es, "AH-1042")));
        let long = format!("/share/en/{}.jpg", "A".repeat(Reference::LONGEST + 1));
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
