//! The door: what is asked goes to pages, files, pictures or the API.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{Request, State},
    response::Response,
    routing::any,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use runtime::problem::{FieldError, Problem};
use tower::ServiceExt;
use tower_http::{compression::CompressionLayer, services::ServeFile};

use crate::{
    assets::Assets,
    basemap::{self, basemap},
    cache::PageCache,
    change_feed::{ChangeFeed, changes},
    counters::Counters,
    flights::Flights,
    pages::page,
    path,
    preview::Previews,
    proxy_api::{ApiProxy, PUBLIC_CALLS, api, no_such_call, secured},
    rate::Rate,
    renderer::Renderer,
    requests::Route,
    scaled_pictures::{ScaledPictures, scaled_picture},
    searches::Searches,
    security::{AnswerKind, Security},
    send_on::{SendOn, WRITE_CALLS, write_call},
    sharing_pictures::{SharingPictures, sharing_picture},
    visits::visit,
    watched::{Watched, is_ours},
};

/// What answering takes.
#[derive(Debug)]
pub struct Door {
    pub(crate) cache: Arc<PageCache>,
    pub(crate) flights: Arc<Flights>,
    pub(crate) renderer: Arc<Renderer>,
    pub(crate) assets: Arc<Assets>,
    /// The map's streets, where the operator has a file of them.
    pub(crate) basemap: Option<ServeFile>,
    pub(crate) pictures: Arc<ScaledPictures>,
    pub(crate) sharing: SharingPictures,
    pub(crate) api: ApiProxy,
    /// The way to the write side.
    pub(crate) commands: SendOn,
    pub(crate) searches: Arc<Searches>,
    pub(crate) changes: Arc<ChangeFeed>,
    /// Previews, where there is a Studio that gives tickets for them.
    pub(crate) previews: Option<Previews>,
    pub(crate) rate: Rate,
    pub(crate) security: Security,
    pub(crate) counters: Arc<Counters>,
    pub(crate) watched: Arc<Watched>,
    /// Where the site is, as browsers name it.
    pub(crate) origin: String,
}

/// How often the addresses of quiet visitors are forgotten.
const FORGET_EVERY: Duration = Duration::from_mins(1);

impl Door {
    /// Everything that visitors can ask.
    ///
    /// Nothing wraps the routes of pages, files and pictures: their answers are made whole when
    /// they are stored, and a layer would be paid for by every visit.
    pub fn router(self: Arc<Self>) -> Router {
        let packed = CompressionLayer::new();
        let calls = PUBLIC_CALLS
            .iter()
            .fold(Router::new(), |calls, call| calls.route(call, any(api).layer(packed.clone())));
        let calls =
            WRITE_CALLS.iter().fold(calls, |calls, call| calls.route(call, any(write_call)));
        calls
            .route("/api/changes", any(changes))
            .route("/api/vitals", any(visit))
            .route("/api/{*call}", any(no_such_call))
            .route("/assets/{*file}", any(asset))
            .route(basemap::ADDRESS, any(basemap))
            .route("/media/{*picture}", any(scaled_picture))
            .route("/share/{*picture}", any(sharing_picture))
            .fallback(page)
            .with_state(self)
    }

    /// Answers `request` by `routes`, once its path has the one form that all decisions are made by.
    pub async fn answer(&self, routes: Router, mut request: Request) -> Response {
        match path::normalise(request.uri()) {
            Ok(Cow::Borrowed(_)) => {}
            Ok(Cow::Owned(uri)) => *request.uri_mut() = uri,
            // Who asks for a call gets a problem, as calls give it.
            Err(malformed) if request.uri().path().starts_with("/api/") => {
                let wrong = FieldError::new("path", malformed.to_string());
                return secured(self, Err(Problem::invalid(vec![wrong])));
            }
            Err(_) => {
                return self.plain(StatusCode::BAD_REQUEST, "This is not an address of this site");
            }
        }
        let (began, method, route) =
            (Instant::now(), request.method().clone(), Route::of(request.uri().path()));
        let is_of_visitor = !is_ours(request.headers());
        let Ok(response) = routes.oneshot(request).await;
        // Sync asks for each page that a publish has changed, before it is made anew: after an import
        // visitors would seem to have waited for all of them.
        if is_of_visitor {
            self.counters.requests.record(&method, route, response.status(), began.elapsed());
        }
        response
    }

    /// Forgets, now and then, who has asked for how much.
    pub async fn forget_quiet_visitors(&self) {
        let mut ticks = tokio::time::interval(FORGET_EVERY);
        loop {
            ticks.tick().await;
            self.rate.forget_quiet();
        }
    }

    /// A line of text.
    pub(crate) fn plain(&self, status: StatusCode, text: &'static str) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        self.security.apply(&mut headers, AnswerKind::Data);
        let mut response = Response::new(text.into());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}

/// `/assets/…`.
async fn asset(State(door): State<Arc<Door>>, request: Request) -> Response {
    let method = request.method();
    if method != Method::GET && method != Method::HEAD {
        return door.plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are what a file answers");
    }
    let path = request.uri().path();
    if let Some(file) = door.assets.get(path) {
        return file.give(method, request.headers());
    }
    // To look for it is work: of the disk, and of the renderers.
    if !door.rate.allows(door.rate.address_of(request.headers(), request.extensions())) {
        door.counters.limited.increment(1);
        return door.plain(StatusCode::TOO_MANY_REQUESTS, "Too many requests");
    }
    match door.assets.get_or_look(path).await {
        Some(file) => file.give(method, request.headers()),
        None => door.plain(StatusCode::NOT_FOUND, "There is no such file"),
    }
}
