//! Serves private pages, which belong to one visitor: rendered with their cookies, never cached, and the
//! only pages that accept forms.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, extract::Request, response::Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use runtime::{RequestBodyError, error_text, media_type_is, read_limited};

use crate::{
    calls::write_proxy::VISITOR_ADDRESS,
    door::Door,
    headers::text,
    limits::rate::Rate,
    pages::{page_key::MAX_URL_LENGTH, unavailable::unavailable},
    request_span::traced,
    security::{AnswerKind, is_from_this_site},
};

/// The paths of private pages, without the language prefix, and including everything below them. In
/// other letter case, the renderer redirects to these paths and keeps the query.
///
/// A private route that is missing here does not get the visitor's cookies, which its developer notices
/// at once. It is still never cached, because the renderer marks it as private.
const PRIVATE: [&str; 6] = ["/account", "/alerts", "/enquiry", "/login", "/save-search", "/signup"];
/// The suffix that React Router appends to a page's path to request its data.
const DATA_SUFFIX: &str = ".data";
/// The maximum length of an address. The sign-in page names the path to continue to, of up to
/// [`MAX_URL_LENGTH`] bytes (`frontend/app/lib/account/next-path.ts`), encoded once more, at up to three
/// bytes each. The renderer accepts heads of up to 16 KB, and a form repeats the address in its
/// referrer.
const MAX_ADDRESS_LENGTH: usize = 3 * MAX_URL_LENGTH + 200;
/// The maximum size of a form, in bytes: enough for thirty thousand letters.
const MAX_BYTES: usize = 64 << 10;
/// How long a visitor may take to send a form.
const BODY_LIMIT: Duration = Duration::from_secs(10);

/// The visitor's headers that the renderer gets.
const REQUEST_HEADERS: [HeaderName; 4] =
    [header::COOKIE, header::CONTENT_TYPE, header::REFERER, header::USER_AGENT];
/// The renderer's headers that the visitor gets.
const ANSWER_HEADERS: [HeaderName; 8] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::LINK,
    header::LOCATION,
    header::SET_COOKIE,
    // Marks page data that reports an error. Without it, React Router does not recognise the answer as
    // its own.
    HeaderName::from_static("x-remix-response"),
    HeaderName::from_static("x-robots-tag"),
];

/// Returns the private path that the page at `path` is at or below, or none if the page is not private.
pub fn private_route(path: &str) -> Option<&'static str> {
    let unprefixed = strip_prefix_ignoring_case("/es", path)
        .filter(|rest| rest.starts_with('/'))
        .unwrap_or(path);
    // A client-side navigation requests only the data of the next page.
    let unprefixed = unprefixed.strip_suffix(DATA_SUFFIX).unwrap_or(unprefixed);
    PRIVATE.into_iter().find(|private| {
        strip_prefix_ignoring_case(private, unprefixed)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Strips the prefix `start` from `path`, ignoring ASCII case.
fn strip_prefix_ignoring_case<'path>(start: &str, path: &'path str) -> Option<&'path str> {
    let (written, rest) = path.split_at_checked(start.len())?;
    written.eq_ignore_ascii_case(start).then_some(rest)
}

/// Renders a private page for its visitor.
pub async fn private_page(door: &Arc<Door>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let address = head.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    if address.len() > MAX_ADDRESS_LENGTH {
        return door.plain_text(StatusCode::URI_TOO_LONG, "This address is too long");
    }
    if let Some(named) = redirect_to_hostname(door, &head) {
        return named;
    }
    let error_page = |status| unavailable(status, head.uri.path(), &head.method, &door.security);
    // Before the form is read, so that a slow upload also counts to the address's share.
    let visitor = door.visitor(&head);
    let Ok(_share) = door.take(visitor, Rate::render) else {
        return error_page(StatusCode::TOO_MANY_REQUESTS);
    };
    let form = match head.method {
        Method::GET | Method::HEAD => Bytes::new(),
        Method::POST => match read_form(door, &head.headers, body).await {
            Ok(form) => form,
            Err((status, text)) => return door.plain_text(status, text),
        },
        _ => return door.method_not_allowed(head.uri.path(), "GET, HEAD, POST"),
    };
    let position = door.cache.position();
    let mut forwarded = pick_headers(&head.headers, &REQUEST_HEADERS);
    if let Some(visitor) = visitor.and_then(|visitor| visitor.to_string().parse().ok()) {
        forwarded.insert(VISITOR_ADDRESS, visitor);
    }
    let rendering = door.renderer.render_private(&head.method, address, forwarded, form, position);
    let answer = async {
        match rendering.await {
            Ok((status, headers, body)) => {
                let mut headers = pick_headers(&headers, &ANSWER_HEADERS);
                let no_store = HeaderValue::from_static("private, no-store");
                headers.insert(header::CACHE_CONTROL, no_store);
                door.security.apply(&mut headers, AnswerKind::Page);
                let mut response = Response::new(body.into());
                *response.status_mut() = status;
                *response.headers_mut() = headers;
                response
            }
            Err(error) => {
                tracing::warn!(
                    error = error_text(&error),
                    path = head.uri.path(),
                    "a private page could not be rendered"
                );
                door.counters.unavailable.increment(1);
                error_page(StatusCode::SERVICE_UNAVAILABLE)
            }
        }
    };
    traced(&head, answer).await
}

/// Redirects from `127.0.0.1` to `localhost`, if that is the site's host: passkeys do not work with an
/// IP address (Web Authentication, 5.1.3), and the two hosts have separate cookies.
fn redirect_to_hostname(door: &Door, head: &Parts) -> Option<Response> {
    let host = text(&head.headers, header::HOST)?;
    let port = host.strip_prefix("127.0.0.1")?;
    if head.method == Method::POST || format!("http://localhost{port}") != door.origin {
        return None;
    }
    let page = HeaderValue::from_str(&format!("{}{}", door.origin, head.uri)).ok()?;
    let mut named = door.plain_text(
        StatusCode::TEMPORARY_REDIRECT,
        "This page needs the host's name in its address",
    );
    named.headers_mut().insert(header::LOCATION, page);
    Some(named)
}

/// Reads the form that a page of this site sent, or returns why it is rejected.
async fn read_form(
    door: &Door,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, (StatusCode, &'static str)> {
    if !is_from_this_site(&door.origin, headers) {
        return Err((StatusCode::FORBIDDEN, "Forms are taken from pages of this site"));
    }
    if !media_type_is(headers, "application/x-www-form-urlencoded") {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "A page takes forms only"));
    }
    read_limited(body, MAX_BYTES, BODY_LIMIT).await.map_err(|error| match error {
        RequestBodyError::TooLarge { .. } => {
            (StatusCode::PAYLOAD_TOO_LARGE, "This form is too long")
        }
        RequestBodyError::TooSlow { .. } => {
            (StatusCode::REQUEST_TIMEOUT, "This form took too long to arrive")
        }
    })
}

fn pick_headers(headers: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let mut picked = HeaderMap::new();
    for name in names {
        for value in headers.get_all(name) {
            picked.append(name, value.clone());
        }
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::private_route;

    #[test]
    fn private_paths_are_recognised_in_both_languages() {
        for path in ["/account", "/account/searches", "/es/account", "/login", "/es/enquiry"] {
            assert!(private_route(path).is_some(), "{path}");
        }
        for data in ["/alerts.data", "/es/alerts.data", "/account/searches.data"] {
            assert!(private_route(data).is_some(), "{data}");
        }
        for other in ["/Login", "/LOGIN", "/ES/Login", "/Es/save-Search", "/Alerts.data"] {
            assert!(private_route(other).is_some(), "{other}");
        }
        for path in
            ["/", "/es", "/accountant", "/es/enquiryx", "/docs/account", "/ESlogin", "/news.data"]
        {
            assert_eq!(private_route(path), None, "{path}");
        }
    }
}
