//! Serves pages to visitors.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use crate::{
    door::Door,
    pages::{
        language,
        page::Page,
        page_key::{NoPage, PageKey},
        private_page::{private_page, private_route},
        renderer::RenderError,
        unavailable::unavailable,
    },
    previews::preview::preview,
    security::AnswerKind,
};

/// How long a visitor waits for a page that has no older version.
pub const WAIT_LIMIT: Duration = Duration::from_secs(10);
/// How long a visitor waits if there is an older version to show instead.
pub const WAIT_LIMIT_WITH_STALE: Duration = Duration::from_secs(2);

/// Handles every path that no other route matches.
pub async fn page(State(door): State<Arc<Door>>, request: Request) -> Response {
    if private_route(request.uri().path()).is_some() {
        return private_page(&door, request).await;
    }
    // Bodies of page requests are ignored.
    let (request, _body) = request.into_parts();
    if let Some(answer) = preview(&door, &request).await {
        return answer;
    }
    let method = &request.method;
    if method != Method::GET && method != Method::HEAD {
        return door.method_not_allowed(request.uri.path(), "GET, HEAD");
    }
    let key = match PageKey::of(&request.uri) {
        Ok(key) => key,
        Err(NoPage::TooLong) => {
            return door.plain_text(StatusCode::URI_TOO_LONG, "This address is too long");
        }
        Err(NoPage::Moved(key)) => return redirect_to_page(&door, &key),
    };
    if key.path() == "/"
        && let Some((status, headers)) = language::redirect(&request.headers, request.uri.query())
    {
        return redirect(&door, status, headers);
    }
    if let Some(page) = door.cache.fresh(key.as_str()) {
        door.counters.hits.increment(1);
        return respond(&door, &key, &page, method, &request.headers);
    }
    if let Some(file) = door.assets.get(request.uri.path()) {
        return file.respond_to(method, &request.headers);
    }
    let visitor = door.visitor(&request);
    respond_uncached(&door, &key, method, &request.headers, visitor).await
}

/// Answers with `page`. Records a 404, so that operators can add a redirect, and counts visits of a
/// place's list of homes.
fn respond(
    door: &Door,
    key: &PageKey,
    page: &Page,
    method: &Method,
    headers: &HeaderMap,
) -> Response {
    match page.reply.status() {
        // A list that has fewer pages than this number still exists.
        StatusCode::NOT_FOUND if !key.has_page_number() => {
            door.observations.record_not_found(key.path(), headers, &door.origin);
        }
        StatusCode::OK if method == Method::GET => door.searches.record_page(key.path(), headers),
        _ => {}
    }
    page.reply.respond_to(method, headers)
}

/// Answers for a page that is not cached, or not current in the cache.
async fn respond_uncached(
    door: &Door,
    key: &PageKey,
    method: &Method,
    headers: &HeaderMap,
    visitor: Option<IpAddr>,
) -> Response {
    door.counters.misses.increment(1);
    let stale = door.cache.stale(key.as_str());
    let limit = if stale.is_some() { WAIT_LIMIT_WITH_STALE } else { WAIT_LIMIT };
    let error = match door.flights.page(key, limit, || door.rate.render(visitor)).await {
        Ok(page) => {
            let mut response = respond(door, key, &page, method, headers);
            // It was rendered from a node that lags behind, because no other could answer.
            if !door.cache.is_current(&page) {
                door.counters.stale.increment(1);
                mark_stale(response.headers_mut());
            }
            return response;
        }
        Err(error) => error,
    };
    // While this request waited, a page may have been stored and purged.
    if let Some(page) = stale.or_else(|| door.cache.stale(key.as_str())) {
        door.counters.stale.increment(1);
        let mut response = page.reply.respond_to(method, headers);
        mark_stale(response.headers_mut());
        return response;
    }
    door.counters.unavailable.increment(1);
    match &*error {
        RenderError::Failed(page) => page.reply.respond_to(method, headers),
        RenderError::RateLimited => {
            door.counters.limited.increment(1);
            unavailable(StatusCode::TOO_MANY_REQUESTS, key.path(), method, &door.security)
        }
        RenderError::Busy | RenderError::Slow | RenderError::Unavailable(_) => {
            unavailable(StatusCode::SERVICE_UNAVAILABLE, key.path(), method, &door.security)
        }
    }
}

/// Marks the answer as outdated, by headers, and tells caches not to store it.
fn mark_stale(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::WARNING, HeaderValue::from_static("111 - \"Revalidation Failed\""));
    headers.insert(
        HeaderName::from_static("cache-status"),
        HeaderValue::from_static("almijara; hit; ttl=-1; detail=\"renderer away\""),
    );
}

fn redirect_to_page(door: &Door, key: &PageKey) -> Response {
    let mut headers = HeaderMap::new();
    if let Ok(location) = HeaderValue::from_str(key.as_str()) {
        headers.insert(header::LOCATION, location);
    }
    redirect(door, StatusCode::PERMANENT_REDIRECT, headers)
}

fn redirect(door: &Door, status: StatusCode, headers: HeaderMap) -> Response {
    let mut response = door.plain_text(status, "");
    response.headers_mut().extend(headers);
    door.security.apply(response.headers_mut(), AnswerKind::Data);
    response
}
