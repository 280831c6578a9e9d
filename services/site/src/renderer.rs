//! Asking the frontend's server for a page.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use bytes::Bytes;
use contracts::{MIN_SEQUENCE_HEADER, Sequence};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

use crate::{
    headers::text,
    page::Page,
    page_key::PageKey,
    purges::Position,
    security::Security,
    upstream::{Limits, Upstream, Whole},
};

/// The longest that one render may take, its wait for a place included.
const RENDER_LIMIT: Duration = Duration::from_secs(8);
/// Within this a node says that it is behind: half a second each, of two, for two steps of a page. What took longer
/// is in other trouble.
const BEHIND_LIMIT: Duration = Duration::from_secs(3);
const CONNECT_LIMIT: Duration = Duration::from_millis(500);
/// The renderer closes a connection that was quiet for 65 s (`frontend/server.js`); it is left long before,
/// so that no request meets a connection that is just being closed.
const IDLE_LIMIT: Duration = Duration::from_secs(3);
/// The largest page.
const MAX_BYTES: usize = 4 << 20;
/// Where a renderer names its build, as [`build_of`] the files for browsers.
const BUILD_HEADER: &str = "almijara-build";
/// How long a page of another build is current: its scripts and styles go with the last renderer that
/// has them.
const OTHER_BUILD_LIMIT: Duration = Duration::from_secs(20);
/// What waits for pictures has places of its own: they may be away while pages can be made.
const SHEET: &str = "/sheet.pdf";
const SHEET_PLACES: usize = 2;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Too many pages are being rendered or waited for.
    #[error("too many pages wait to be rendered")]
    Busy,
    /// This visitor asked for too much.
    #[error("one address asks for too many pages")]
    TooMany,
    /// It took too long.
    #[error("rendering took more than {} s", RENDER_LIMIT.as_secs())]
    Slow,
    /// The renderer, or what it reads, is away.
    #[error("the renderer is away: {0}")]
    Away(String),
    /// The renderer failed at this page, and this is what it says of it.
    #[error("rendering failed with {}", .0.reply.status())]
    Failed(Box<Page>),
}

/// The frontend's server.
#[derive(Debug)]
pub struct Renderer {
    upstream: Upstream,
    places: Semaphore,
    concurrency: usize,
    sheet_places: Semaphore,
    security: Security,
    /// This site's own build, where that can be told.
    build: Option<String>,
}

impl Renderer {
    /// The renderer at `url`, asked for at most `concurrency` pages at a time, by a site whose files are
    /// of `build`.
    pub fn new(
        url: &Url,
        concurrency: usize,
        security: Security,
        build: Option<String>,
    ) -> Result<Self, reqwest::Error> {
        let limits = Limits { connect: CONNECT_LIMIT, answer: RENDER_LIMIT, idle: IDLE_LIMIT };
        Ok(Self {
            upstream: Upstream::new(url, limits)?,
            places: Semaphore::new(concurrency),
            concurrency,
            sheet_places: Semaphore::new(SHEET_PLACES),
            security,
            build,
        })
    }

    /// How many pages are being rendered.
    pub fn rendering(&self) -> usize {
        let free = self.places.available_permits() + self.sheet_places.available_permits();
        (self.concurrency + SHEET_PLACES).saturating_sub(free)
    }

    /// The page at `key`, made from `position` or later. Only the key and the position reach the
    /// renderer: nothing of one visitor's request can show in a page that all visitors get.
    pub async fn render(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        tokio::time::timeout(RENDER_LIMIT, self.ask(key, position))
            .await
            .unwrap_or(Err(RenderError::Slow))
    }

    async fn ask(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        let began = SystemTime::now();
        let is_sheet = key.path().ends_with(SHEET);
        let places = if is_sheet { &self.sheet_places } else { &self.places };
        let _place = place_of(places).await?;
        let request = |client: &Client, base: &str| {
            request(client, &Method::GET, &format!("{base}{}", key.as_str()), position)
        };
        // Of what it reads, a renderer has asked again itself.
        let answer = self.upstream.ask_whole(MAX_BYTES, request).await;
        let (status, headers, body) = answer.map_err(|error| away(&error))?;
        let mut page = Page::new(status, &headers, body, &self.security, began);
        // A renderer that does not say it is an older one.
        if self.build.is_some() && self.build.as_deref() != text(&headers, BUILD_HEADER) {
            page = page.for_at_most(OTHER_BUILD_LIMIT);
        }
        match status {
            StatusCode::INTERNAL_SERVER_ERROR => Err(RenderError::Failed(Box::new(page))),
            status if status.is_server_error() => Err(RenderError::Away(status.to_string())),
            _ => Ok(page),
        }
    }

    /// The page at `address` for the one visitor who asks `with` these headers and this `form`, made from
    /// `position` or later or, where no node has come so far, from what they have. What may not be done
    /// twice is made from what they have at once.
    pub async fn ask_for_one(
        &self,
        method: &Method,
        address: &str,
        with: HeaderMap,
        form: Bytes,
        position: Position,
    ) -> Result<Whole, RenderError> {
        let request = |position| {
            let (with, form) = (&with, &form);
            move |client: &Client, base: &str| {
                request(client, method, &format!("{base}{address}"), position)
                    .headers(with.clone())
                    .body(form.clone())
            }
        };
        let any = Position { latest: Sequence::START, ..position };
        let asked = async {
            let _place = place_of(&self.places).await?;
            if *method == Method::POST {
                return self.send(request(any)).await;
            }
            let began = Instant::now();
            match self.send(request(position)).await {
                Err(RenderError::Away(_)) if began.elapsed() < BEHIND_LIMIT => {
                    self.send(request(any)).await
                }
                answer => answer,
            }
        };
        tokio::time::timeout(RENDER_LIMIT, asked).await.unwrap_or(Err(RenderError::Slow))
    }

    async fn send(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<Whole, RenderError> {
        let answer = self.upstream.send_whole(MAX_BYTES, make).await;
        match answer.map_err(|error| away(&error))? {
            (status, ..) if status.as_u16() > 500 => Err(RenderError::Away(status.to_string())),
            answer => Ok(answer),
        }
    }
}

/// The build of the files for browsers in `folder`; none where they do not tell.
pub fn build_of(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Latest {
        id: String,
    }
    let latest = fs::read(folder.join("builds/latest.json")).ok()?;
    serde_json::from_slice::<Latest>(&latest).ok().map(|latest| latest.id)
}

async fn place_of(places: &Semaphore) -> Result<SemaphorePermit<'_>, RenderError> {
    runtime::failpoint("site.render").map_err(|error| RenderError::Away(error.to_string()))?;
    places.acquire().await.map_err(|_| RenderError::Busy)
}

fn request(client: &Client, method: &Method, url: &str, position: Position) -> RequestBuilder {
    let request = client
        .request(method.clone(), url)
        .header(header::ACCEPT, HeaderValue::from_static("text/html"))
        .header(MIN_SEQUENCE_HEADER, position.latest.get());
    match runtime::telemetry::traceparent() {
        Some(traceparent) => request.header("traceparent", traceparent),
        None => request,
    }
}

fn away(error: &dyn std::error::Error) -> RenderError {
    RenderError::Away(runtime::error_text(error))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::{Router, routing::any};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_page_of_another_build_is_current_for_a_moment_only() {
        runtime::install_crypto_provider();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let url: Url = url.parse().expect("a URL");
        let router = Router::new()
            .route("/silent", any(async || "<p>"))
            .fallback(any(async || ([(BUILD_HEADER, "own")], "<p>")));
        tokio::spawn(async move { axum::serve(listener, router).await });

        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(build_of(folder.path()), None);
        fs::create_dir(folder.path().join("builds")).expect("a folder");
        fs::write(folder.path().join("builds/latest.json"), r#"{"id":"own"}"#).expect("a file");
        let own = build_of(folder.path());
        assert_eq!(own.as_deref(), Some("own"));

        let security = Security::new(&"http://localhost".parse().expect("a URL"));
        let expires = async |build: Option<String>, path: &str| {
            let renderer = Renderer::new(&url, 8, security.clone(), build).expect("a client");
            let key = PageKey::of(&path.parse().expect("a URI")).expect("a page");
            let position = Position { era: 0, latest: Sequence::START };
            let page = renderer.render(&key, position).await.expect("a page");
            page.expires
        };
        let soon = |expires: Instant| expires <= Instant::now() + OTHER_BUILD_LIMIT;
        assert!(!soon(expires(own.clone(), "/one").await));
        assert!(!soon(expires(None, "/one").await), "nothing is known of this site's");
        assert!(soon(expires(Some("other".to_owned()), "/one").await));
        assert!(soon(expires(own, "/silent").await), "an older renderer says nothing of its own");
    }
}
