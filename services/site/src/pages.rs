//! Giving visitors pages.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use crate::{
    door::Door,
    language,
    page::Page,
    page_key::{NoPage, PageKey},
    preview::preview,
    private_page::{is_private, private_page},
    renderer::RenderError,
    security::AnswerKind,
    unavailable::unavailable,
};

/// How long a visitor waits for a page.
pub const WAIT_LIMIT: Duration = Duration::from_secs(10);
/// How long a visitor waits where there is an older page to show instead.
pub const WAIT_LIMIT_WITH_STALE: Duration = Duration::from_secs(2);

/// Any path that is nothing else.
pub async fn page(State(door): State<Arc<Door>>, request: Request) -> Response {
    if is_private(request.uri().path()) {
        return private_page(&door, request).await;
    }
    // A page asks for no body.
    let (request, _body) = request.into_parts();
    if let Some(answer) = preview(&door, &request).await {
        return answer;
    }
    let method = &request.method;
    if method != Method::GET && method != Method::HEAD {
        return door.plain(StatusCode::METHOD_NOT_ALLOWED, "GET and HEAD are what a page answers");
    }
    let key = match PageKey::of(&request.uri) {
        Ok(key) => key,
        Err(NoPage::TooLong) => {
            return door.plain(StatusCode::URI_TOO_LONG, "This address is too long");
        }
        Err(NoPage::Moved(key)) => return moved(&door, &key),
    };
    if key.path() == "/"
        && let Some((status, headers)) = language::redirect(&request.headers, request.uri.query())
    {
        return redirect(&door, status, headers);
    }
    if let Some(page) = door.cache.fresh(key.as_str()) {
        door.counters.hits.increment(1);
        return give(&door, &key, &page, method, &request.headers);
    }
    if let Some(file) = door.assets.get(request.uri.path()) {
        return file.give(method, &request.headers);
    }
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    missing(&door, &key, method, &request.headers, visitor).await
}

/// The page at `key`. That there is none is noted, for who may know where it went; of which place it lists
/// the homes is counted.
fn give(door: &Door, key: &PageKey, page: &Page, method: &Method, headers: &HeaderMap) -> Response {
    match page.reply.status() {
        // A list that ends before this part of it is there all the same.
        StatusCode::NOT_FOUND if !key.has_page_number() => {
            door.watched.missed(key.path(), headers, &door.origin);
        }
        StatusCode::OK if method == Method::GET => door.searches.opened(key.path(), headers),
        _ => {}
    }
    page.reply.give(method, headers)
}

/// A page that is not in the cache, or not current there.
async fn missing(
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
            let mut response = give(door, key, &page, method, headers);
            // Made by a node that is behind, where no other could answer.
            if !door.cache.is_current(&page) {
                door.counters.stale.increment(1);
                mark_stale(response.headers_mut());
            }
            return response;
        }
        Err(error) => error,
    };
    // A purge may have come, and a page with it, while this one waited.
    if let Some(page) = stale.or_else(|| door.cache.stale(key.as_str())) {
        door.counters.stale.increment(1);
        let mut response = page.reply.give(method, headers);
        mark_stale(response.headers_mut());
        return response;
    }
    door.counters.unavailable.increment(1);
    match &*error {
        RenderError::Failed(page) => page.reply.give(method, headers),
        RenderError::TooMany => {
            door.counters.limited.increment(1);
            unavailable(StatusCode::TOO_MANY_REQUESTS, key.path(), method, &door.security)
        }
        RenderError::Busy | RenderError::Slow | RenderError::Away(_) => {
            unavailable(StatusCode::SERVICE_UNAVAILABLE, key.path(), method, &door.security)
        }
    }
}

/// Says to whoever looks that the page is older than it should be, and to caches to not keep it.
fn mark_stale(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::WARNING, HeaderValue::from_static("111 - \"Revalidation Failed\""));
    headers.insert(
        HeaderName::from_static("cache-status"),
        HeaderValue::from_static("almijara; hit; ttl=-1; detail=\"renderer away\""),
    );
}

fn moved(door: &Door, key: &PageKey) -> Response {
    let mut headers = HeaderMap::new();
    if let Ok(location) = HeaderValue::from_str(key.as_str()) {
        headers.insert(header::LOCATION, location);
    }
    redirect(door, StatusCode::PERMANENT_REDIRECT, headers)
}

fn redirect(door: &Door, status: StatusCode, headers: HeaderMap) -> Response {
    let mut response = door.plain(status, "");
    response.headers_mut().extend(headers);
    door.security.apply(response.headers_mut(), AnswerKind::Data);
    response
}
