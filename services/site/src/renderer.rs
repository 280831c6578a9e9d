//! Asking the frontend's server for a page.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use contracts::MIN_SEQUENCE_HEADER;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use reqwest::{Client, RequestBuilder};
use tokio::sync::{Semaphore, SemaphorePermit};
use url::Url;

use crate::{
    page::Page,
    page_key::PageKey,
    purges::Position,
    security::Security,
    upstream::{Limits, Upstream},
};

/// The longest that one render may take, its wait for a place included.
const RENDER_LIMIT: Duration = Duration::from_secs(8);
const CONNECT_LIMIT: Duration = Duration::from_millis(500);
/// The renderer closes a connection that was quiet for 65 s (`frontend/server.js`); it is left long before,
/// so that no request meets a connection that is just being closed.
const IDLE_LIMIT: Duration = Duration::from_secs(3);
/// The largest page.
const MOST_BYTES: usize = 4 << 20;

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
    security: Security,
}

impl Renderer {
    /// The renderer at `url`, asked for at most `concurrency` pages at a time.
    pub fn new(url: &Url, concurrency: usize, security: Security) -> Result<Self, reqwest::Error> {
        let limits = Limits { connect: CONNECT_LIMIT, answer: RENDER_LIMIT, idle: IDLE_LIMIT };
        let upstream = Upstream::new(url, limits)?;
        Ok(Self { upstream, places: Semaphore::new(concurrency), concurrency, security })
    }

    /// How many pages are being rendered.
    pub fn rendering(&self) -> usize {
        self.concurrency.saturating_sub(self.places.available_permits())
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
        let _place = self.place().await?;
        let request = |client: &Client, base: &str| {
            request(client, &Method::GET, &format!("{base}{}", key.as_str()), position)
        };
        // Of what it reads, a renderer has asked again itself.
        let answer = self.upstream.ask_whole(MOST_BYTES, request).await;
        let (status, headers, body) = answer.map_err(|error| away(&error))?;
        let page = Page::new(status, &headers, body, &self.security, began);
        match status {
            StatusCode::INTERNAL_SERVER_ERROR => Err(RenderError::Failed(Box::new(page))),
            status if status.is_server_error() => Err(RenderError::Away(status.to_string())),
            _ => Ok(page),
        }
    }

    /// The page at `address` for the one visitor who asks `with` these headers and this `form`.
    pub async fn ask_for_one(
        &self,
        method: &Method,
        address: &str,
        with: HeaderMap,
        form: Bytes,
        position: Position,
    ) -> Result<(StatusCode, HeaderMap, Bytes), RenderError> {
        let asked = async {
            let _place = self.place().await?;
            let request = |client: &Client, base: &str| {
                request(client, method, &format!("{base}{address}"), position)
                    .headers(with)
                    .body(form)
            };
            self.upstream.send_whole(MOST_BYTES, request).await.map_err(|error| away(&error))
        };
        let answered = tokio::time::timeout(RENDER_LIMIT, asked).await;
        match answered.unwrap_or(Err(RenderError::Slow))? {
            (status, ..) if status.as_u16() > 500 => Err(RenderError::Away(status.to_string())),
            answer => Ok(answer),
        }
    }

    async fn place(&self) -> Result<SemaphorePermit<'_>, RenderError> {
        runtime::failpoint("site.render").map_err(|error| RenderError::Away(error.to_string()))?;
        self.places.acquire().await.map_err(|_| RenderError::Busy)
    }
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
