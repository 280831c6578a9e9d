//! Requests pages from the frontend's server, the renderer.

use std::{
    error::Error,
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
    pages::{page::Page, page_key::PageKey, purges::Position},
    security::Security,
    upstream::{FullAnswer, Limits, Upstream},
};

/// The time limit for one render, including the wait for a slot.
const RENDER_LIMIT: Duration = Duration::from_secs(8);
/// A node reports that it lags behind within this time: two nodes take half a second each, for two steps
/// of a page. A slower failure has another cause.
const BEHIND_LIMIT: Duration = Duration::from_secs(3);
const CONNECT_LIMIT: Duration = Duration::from_millis(500);
/// How long an idle connection is kept. The renderer closes one after 65 s (`frontend/server.js`). Ours
/// is closed long before, so that no request hits a connection that is being closed.
const IDLE_LIMIT: Duration = Duration::from_secs(3);
/// The maximum size of a page, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// The header with the id of the renderer's build. See [`build_of`] for that of this site's files.
const BUILD_HEADER: &str = "almijara-build";
/// How long a page of another build is current: its scripts and styles disappear with the last renderer
/// that has them.
const OTHER_BUILD_LIMIT: Duration = Duration::from_secs(20);
/// Window sheets wait for pictures and so have slots of their own: pictures may be unavailable while
/// pages can be rendered.
const SHEET: &str = "/sheet.pdf";
const MAX_SHEETS: usize = 2;

/// Why a page could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// Too many renders are in flight or waiting.
    #[error("too many pages wait to be rendered")]
    Busy,
    /// The visitor exceeded their share.
    #[error("one address requests too many pages")]
    RateLimited,
    /// It took too long.
    #[error("rendering took more than {} s", RENDER_LIMIT.as_secs())]
    Slow,
    /// The renderer, or a service that it reads, is unavailable.
    #[error("the renderer is unavailable")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// The renderer failed on this page, and this is its error page.
    #[error("rendering failed with {}", .0.reply.status())]
    Failed(Box<Page>),
}

impl RenderError {
    /// The renderer, or a service that it reads, is unavailable because of `error`.
    pub fn unavailable(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into())
    }
}

/// A client for the frontend's server.
#[derive(Debug)]
pub struct Renderer {
    upstream: Upstream,
    permits: Semaphore,
    concurrency: usize,
    sheet_permits: Semaphore,
    security: Security,
    /// The build of this site's own files, if it is known.
    build: Option<String>,
}

impl Renderer {
    /// Creates a client for the renderer at `url`, with at most `concurrency` concurrent renders, for a
    /// site whose files are of `build`.
    pub fn new(
        url: &Url,
        concurrency: usize,
        security: Security,
        build: Option<String>,
    ) -> Result<Self, reqwest::Error> {
        let limits = Limits { connect: CONNECT_LIMIT, answer: RENDER_LIMIT, idle: IDLE_LIMIT };
        Ok(Self {
            upstream: Upstream::new(url, limits)?,
            permits: Semaphore::new(concurrency),
            concurrency,
            sheet_permits: Semaphore::new(MAX_SHEETS),
            security,
            build,
        })
    }

    /// Returns how many pages are being rendered.
    pub fn rendering(&self) -> usize {
        let free = self.permits.available_permits() + self.sheet_permits.available_permits();
        (self.concurrency + MAX_SHEETS).saturating_sub(free)
    }

    /// Renders the page at `key` from `position` or later. Only the key and the position reach the
    /// renderer: nothing of a visitor's request can show in a page that is shared by all.
    pub async fn render(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        tokio::time::timeout(RENDER_LIMIT, self.request_page(key, position))
            .await
            .unwrap_or(Err(RenderError::Slow))
    }

    async fn request_page(&self, key: &PageKey, position: Position) -> Result<Page, RenderError> {
        let began = SystemTime::now();
        let is_sheet = key.path().ends_with(SHEET);
        let permits = if is_sheet { &self.sheet_permits } else { &self.permits };
        let _permit = acquire(permits).await?;
        let request = |client: &Client, base: &str| {
            request(client, &Method::GET, &format!("{base}{}", key.as_str()), position)
        };
        // The renderer retries the calls that it makes itself, so refusals are not retried here.
        let answer = self.upstream.call_safe_in_full(MAX_BYTES, request).await;
        let (status, headers, body) = answer.map_err(RenderError::unavailable)?;
        let mut page = Page::new(status, &headers, body, &self.security, began);
        // A renderer without the header is an older one.
        if self.build.is_some() && self.build.as_deref() != text(&headers, BUILD_HEADER) {
            page = page.expiring_within(OTHER_BUILD_LIMIT);
        }
        match status {
            StatusCode::INTERNAL_SERVER_ERROR => Err(RenderError::Failed(Box::new(page))),
            status if status.is_server_error() => Err(RenderError::unavailable(status.to_string())),
            _ => Ok(page),
        }
    }

    /// Renders the page at `address` for one visitor, with the headers `with` and the `form`. It is made
    /// from `position` or later; if no node has caught up, from what they have. A POST, which must not
    /// be repeated, is sent once, without requiring a position.
    pub async fn render_private(
        &self,
        method: &Method,
        address: &str,
        with: HeaderMap,
        form: Bytes,
        position: Position,
    ) -> Result<FullAnswer, RenderError> {
        let request = |position| {
            let (with, form) = (&with, &form);
            move |client: &Client, base: &str| {
                request(client, method, &format!("{base}{address}"), position)
                    .headers(with.clone())
                    .body(form.clone())
            }
        };
        let any_position = Position { latest: Sequence::START, ..position };
        let rendered = async {
            let _permit = acquire(&self.permits).await?;
            if *method == Method::POST {
                return self.send_private(request(any_position)).await;
            }
            let began = Instant::now();
            match self.send_private(request(position)).await {
                Err(RenderError::Unavailable(_)) if began.elapsed() < BEHIND_LIMIT => {
                    self.send_private(request(any_position)).await
                }
                answer => answer,
            }
        };
        tokio::time::timeout(RENDER_LIMIT, rendered).await.unwrap_or(Err(RenderError::Slow))
    }

    async fn send_private(
        &self,
        make: impl Fn(&Client, &str) -> RequestBuilder,
    ) -> Result<FullAnswer, RenderError> {
        let answer = self.upstream.call_once_in_full(MAX_BYTES, make).await;
        match answer.map_err(RenderError::unavailable)? {
            (status, ..) if status.as_u16() > 500 => {
                Err(RenderError::unavailable(status.to_string()))
            }
            answer => Ok(answer),
        }
    }
}

/// Returns the id of the build in `folder`; none if it does not name one.
pub fn build_of(folder: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Latest {
        id: String,
    }
    let latest = fs::read(folder.join("builds/latest.json")).ok()?;
    serde_json::from_slice::<Latest>(&latest).ok().map(|latest| latest.id)
}

async fn acquire(permits: &Semaphore) -> Result<SemaphorePermit<'_>, RenderError> {
    runtime::failpoint("site.render").map_err(RenderError::unavailable)?;
    permits.acquire().await.map_err(|_| RenderError::Busy)
}

fn request(client: &Client, method: &Method, url: &str, position: Position) -> RequestBuilder {
    client
        .request(method.clone(), url)
        .header(header::ACCEPT, HeaderValue::from_static("text/html"))
        .header(MIN_SEQUENCE_HEADER, position.latest.get())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use axum::{Router, routing::any};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_page_of_another_build_expires_soon() {
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
        assert!(!soon(expires(None, "/one").await), "this site's own build is unknown");
        assert!(soon(expires(Some("other".to_owned()), "/one").await));
        assert!(soon(expires(own, "/silent").await), "an older renderer does not name its build");
    }
}
