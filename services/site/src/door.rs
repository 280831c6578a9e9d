//! The door: routes requests to pages, files, pictures or the API.

use std::{
    borrow::Cow,
    future::{Ready, ready},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{Request, State},
    response::Response,
    routing::{any, get, post},
};
use http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use runtime::problem::{FieldError, Problem};
use tower::ServiceExt;
use tower_http::{compression::CompressionLayer, services::ServeFile};
use tracing::Span;

use crate::{
    calls::{
        api_description::api_description,
        change_feed::{ChangeFeed, changes},
        proxy_api::{ApiProxy, PUBLIC_CALLS, api, no_such_call, with_security_headers},
        visits::visit,
        write_proxy::{WRITE_CALLS, WriteProxy, write_call},
    },
    counters::Counters,
    files::{
        assets::Assets,
        basemap::{self, basemap},
    },
    limits::rate::Rate,
    observations::{Observations, is_own_program},
    pages::{cache::PageCache, flights::Flights, public_page::page, renderer::Renderer},
    path,
    pictures::{
        scaled::{ScaledPictures, scaled_picture},
        sharing::{SharingPictures, sharing_picture},
    },
    previews::preview::Previews,
    requests::Route,
    searches::Searches,
    security::{AnswerKind, Security},
};

/// Everything that the request handlers use.
#[derive(Debug)]
pub struct Door {
    pub(crate) cache: Arc<PageCache>,
    pub(crate) flights: Arc<Flights>,
    pub(crate) renderer: Arc<Renderer>,
    pub(crate) assets: Arc<Assets>,
    /// The map's streets, if the operator has configured a file of them.
    pub(crate) basemap: Option<ServeFile>,
    pub(crate) pictures: Arc<ScaledPictures>,
    pub(crate) sharing: SharingPictures,
    pub(crate) api: ApiProxy,
    /// The proxy to the write side.
    pub(crate) commands: WriteProxy,
    pub(crate) searches: Arc<Searches>,
    pub(crate) changes: Arc<ChangeFeed>,
    /// Previews, if a Studio is configured that issues tickets for them.
    pub(crate) previews: Option<Previews>,
    pub(crate) rate: Rate,
    pub(crate) security: Security,
    pub(crate) counters: Arc<Counters>,
    pub(crate) observations: Arc<Observations>,
    /// The site's origin, as browsers write it.
    pub(crate) origin: String,
}

/// How often the rate limiter drops idle addresses.
const FORGET_INTERVAL: Duration = Duration::from_mins(1);

impl Door {
    /// Returns the routes for all requests of visitors.
    ///
    /// No layer wraps the routes of pages, files and pictures: their answers are complete when they are
    /// stored, and a layer would cost time on every visit.
    pub fn router(self: Arc<Self>) -> Router {
        let compression = CompressionLayer::new();
        let calls = PUBLIC_CALLS.iter().fold(Router::new(), |calls, call| {
            calls.route(call, get(api).layer(compression.clone()))
        });
        let calls =
            WRITE_CALLS.iter().fold(calls, |calls, call| calls.route(call, any(write_call)));
        calls
            .route("/api/changes", get(changes).head(refused("GET")).fallback(refused("GET")))
            .route("/api/openapi.json", get(api_description).layer(compression))
            .route("/api/vitals", post(visit).fallback(refused("POST")))
            .route("/api/{*call}", any(no_such_call))
            .route("/assets/{*file}", get(asset))
            .route(basemap::ADDRESS, get(basemap))
            .route("/media/{*picture}", get(scaled_picture))
            .route("/share/{*picture}", get(sharing_picture))
            .method_not_allowed_fallback(refused("GET, HEAD"))
            .fallback(page)
            .with_state(self)
    }

    /// Answers `request` by `routes`, after its path was normalised, so that all decisions use the same
    /// form.
    pub async fn answer(&self, routes: Router, mut request: Request) -> Response {
        match path::normalise(request.uri()) {
            Ok(Cow::Borrowed(_)) => {}
            Ok(Cow::Owned(uri)) => *request.uri_mut() = uri,
            // A malformed API path gets problem+json, like other API errors.
            Err(malformed) if request.uri().path().starts_with("/api/") => {
                let wrong = FieldError::new("path", malformed.to_string());
                return with_security_headers(self, Err(Problem::invalid(vec![wrong])));
            }
            Err(_) => {
                return self
                    .plain_text(StatusCode::BAD_REQUEST, "This is not an address of this site");
            }
        }
        let (began, method, route) =
            (Instant::now(), request.method().clone(), Route::of(request.uri().path()));
        let is_from_visitor = !is_own_program(request.headers());
        let Ok(mut response) = routes.oneshot(request).await;
        let span = response.extensions_mut().remove::<Span>();
        // The sync role requests each changed page after a publish, before it is rendered again. If
        // these were counted, an import would look as if visitors had waited for all of those pages.
        if is_from_visitor {
            let record = || {
                self.counters.requests.record(&method, route, response.status(), began.elapsed());
            };
            span.map_or_else(record, |span| span.in_scope(record));
        }
        response
    }

    /// Periodically drops idle addresses from the rate limiter. Never returns.
    pub async fn forget_idle_visitors(&self) {
        let mut ticks = tokio::time::interval(FORGET_INTERVAL);
        loop {
            ticks.tick().await;
            self.rate.forget_idle();
        }
    }

    /// Returns a plain-text answer.
    pub(crate) fn plain_text(&self, status: StatusCode, text: &'static str) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        self.security.apply(&mut headers, AnswerKind::Data);
        let mut response = Response::new(text.into());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }

    /// Returns the answer to a method that the address `path` does not accept; it accepts `allowed`.
    pub(crate) fn method_not_allowed(&self, path: &str, allowed: &'static str) -> Response {
        if path.starts_with("/api/") || path.starts_with("/feeds/") {
            return with_security_headers(self, Err(Problem::method_not_allowed(allowed)));
        }
        let text = "This address does not answer this method";
        let mut response = self.plain_text(StatusCode::METHOD_NOT_ALLOWED, text);
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
        response
    }
}

/// Returns the handler of methods that a route does not accept; it accepts `allowed`.
fn refused(
    allowed: &'static str,
) -> impl Fn(State<Arc<Door>>, Uri) -> Ready<Response> + Clone + Send + Sync {
    move |State(door), uri| ready(door.method_not_allowed(uri.path(), allowed))
}

/// `/assets/…`.
async fn asset(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let path = request.uri.path();
    if let Some(file) = door.assets.get(path) {
        return file.respond_to(&request.method, &request.headers);
    }
    // The search costs work, on disk and at the renderers, so it is rate-limited.
    if door.admit(&request).is_err() {
        return door.plain_text(StatusCode::TOO_MANY_REQUESTS, "Too many requests");
    }
    match door.assets.get_or_find(path).await {
        Some(file) => file.respond_to(&request.method, &request.headers),
        None => door.plain_text(StatusCode::NOT_FOUND, "There is no such file"),
    }
}
