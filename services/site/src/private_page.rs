//! Pages of one visitor: made with their cookies, kept by nobody, and the only ones that take forms.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::Response,
};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use tokio::time::timeout;

use crate::{
    door::Door,
    headers::text,
    page_key::MAX_URL_LENGTH,
    security::{AnswerKind, is_from_this_site},
    send_on::VISITOR_ADDRESS,
    unavailable::unavailable,
};

/// The paths of private pages, in either language, with all that is below them. In other letters the
/// renderer leads from them to these, with all that the address says.
///
/// A page whose route is private and that is missing here lacks the visitor's cookies, which whoever
/// makes it sees at once; it is kept all the same by nobody, as the renderer says.
const PRIVATE: [&str; 6] = ["/account", "/alerts", "/enquiry", "/login", "/save-search", "/signup"];
/// What React Router puts behind the path of a page to ask for its data.
const DATA: &str = ".data";
/// The longest address. A page of signing in names the path to go on to afterwards, which is of up to
/// [`MAX_URL_LENGTH`] bytes (`frontend/app/lib/account/next-path.ts`), encoded once more, as up to
/// three each. The renderer reads heads of 16 KB, in which a form names it again as its referrer.
const MAX_ADDRESS_LENGTH: usize = 3 * MAX_URL_LENGTH + 200;
/// The longest form, in bytes: thirty thousand letters.
const MAX_BYTES: usize = 64 << 10;
/// How long a visitor may take to send one.
const BODY_LIMIT: Duration = Duration::from_secs(10);

/// What of a visitor's request the renderer hears.
const ASKED_WITH: [HeaderName; 4] =
    [header::COOKIE, header::CONTENT_TYPE, header::REFERER, header::USER_AGENT];
/// What of the renderer's answer the visitor gets.
const GIVEN: [HeaderName; 8] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::LINK,
    header::LOCATION,
    header::SET_COOKIE,
    // Of a page's data that tells of an error; without it React Router takes that for another's.
    HeaderName::from_static("x-remix-response"),
    HeaderName::from_static("x-robots-tag"),
];

/// Whether the page at `path` is one visitor's.
pub fn is_private(path: &str) -> bool {
    let neutral = after("/es", path).filter(|rest| rest.starts_with('/')).unwrap_or(path);
    // What a page asks for when it leads to another without loading it: that one's data.
    let neutral = neutral.strip_suffix(DATA).unwrap_or(neutral);
    PRIVATE.iter().any(|private| {
        after(private, neutral).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// What of `path` comes after `start`, in whatever letters that is written there.
fn after<'path>(start: &str, path: &'path str) -> Option<&'path str> {
    let (written, rest) = path.split_at_checked(start.len())?;
    written.eq_ignore_ascii_case(start).then_some(rest)
}

/// Asks the renderer for this visitor alone.
pub async fn private_page(door: &Arc<Door>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let address = head.uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    if address.len() > MAX_ADDRESS_LENGTH {
        return door.plain(StatusCode::URI_TOO_LONG, "This address is too long");
    }
    if let Some(named) = by_name(door, &head) {
        return named;
    }
    let away = |status| unavailable(status, head.uri.path(), &head.method, &door.security);
    // Before its form is read, so that a slow one is of its address's share too.
    let visitor = door.rate.address_of(&head.headers, &head.extensions);
    let Some(_share) = door.rate.render(visitor) else {
        door.counters.limited.increment(1);
        return away(StatusCode::TOO_MANY_REQUESTS);
    };
    let form = match head.method {
        Method::GET | Method::HEAD => Bytes::new(),
        Method::POST => match form_of(door, &head.headers, body).await {
            Ok(form) => form,
            Err((status, text)) => return door.plain(status, text),
        },
        _ => {
            let text = "A page of one visitor answers GET, HEAD and POST";
            let mut refused = door.plain(StatusCode::METHOD_NOT_ALLOWED, text);
            let allowed = HeaderValue::from_static("GET, HEAD, POST");
            refused.headers_mut().insert(header::ALLOW, allowed);
            return refused;
        }
    };
    let position = door.cache.position();
    let mut asked_with = some_of(&head.headers, &ASKED_WITH);
    if let Some(visitor) = visitor.and_then(|visitor| visitor.to_string().parse().ok()) {
        asked_with.insert(VISITOR_ADDRESS, visitor);
    }
    match door.renderer.ask_for_one(&head.method, address, asked_with, form, position).await {
        Ok((status, headers, body)) => {
            let mut headers = some_of(&headers, &GIVEN);
            let no_store = HeaderValue::from_static("private, no-store");
            headers.insert(header::CACHE_CONTROL, no_store);
            door.security.apply(&mut headers, AnswerKind::Page);
            let mut response = Response::new(body.into());
            *response.status_mut() = status;
            *response.headers_mut() = headers;
            response
        }
        Err(error) => {
            tracing::warn!(%error, path = head.uri.path(), "a private page could not be rendered");
            door.counters.unavailable.increment(1);
            away(StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// To the same page of the machine's name, where the site has that and was asked for by its number:
/// no passkey belongs to a number (Web Authentication, 5.1.3), and cookies of the two are apart.
fn by_name(door: &Door, head: &Parts) -> Option<Response> {
    let host = text(&head.headers, header::HOST)?;
    let port = host.strip_prefix("127.0.0.1")?;
    if head.method == Method::POST || format!("http://localhost{port}") != door.origin {
        return None;
    }
    let page = HeaderValue::from_str(&format!("{}{}", door.origin, head.uri)).ok()?;
    let mut named =
        door.plain(StatusCode::TEMPORARY_REDIRECT, "This page is of the machine's name");
    named.headers_mut().insert(header::LOCATION, page);
    Some(named)
}

/// The form that a page of this site sent, or why it is refused.
async fn form_of(
    door: &Door,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, (StatusCode, &'static str)> {
    if !is_from_this_site(&door.origin, headers) {
        return Err((StatusCode::FORBIDDEN, "Forms are taken from pages of this site"));
    }
    let kind = text(headers, header::CONTENT_TYPE);
    let is_form = kind
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"));
    if !is_form {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "A page takes forms only"));
    }
    match timeout(BODY_LIMIT, to_bytes(body, MAX_BYTES)).await {
        Ok(Ok(form)) => Ok(form),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "This form is too long")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "This form took too long to arrive")),
    }
}

fn some_of(headers: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let mut some = HeaderMap::new();
    for name in names {
        for value in headers.get_all(name) {
            some.append(name, value.clone());
        }
    }
    some
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn private_pages_are_known_by_their_paths_in_both_languages() {
        for path in ["/account", "/account/searches", "/es/account", "/login", "/es/enquiry"] {
            assert!(is_private(path), "{path}");
        }
        for data in ["/alerts.data", "/es/alerts.data", "/account/searches.data"] {
            assert!(is_private(data), "{data}");
        }
        for other in ["/Login", "/LOGIN", "/ES/Login", "/Es/save-Search", "/Alerts.data"] {
            assert!(is_private(other), "{other}");
        }
        for path in
            ["/", "/es", "/accountant", "/es/enquiryx", "/docs/account", "/ESlogin", "/news.data"]
        {
            assert!(!is_private(path), "{path}");
        }
    }
}
