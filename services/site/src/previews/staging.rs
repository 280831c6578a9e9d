//! Keeps the development API that an editor chose with `?staging=NAME` for the following pages of the
//! preview, until `?staging=` or `?preview=` ends it. The renderer has the list of these APIs and refuses
//! other names, so a name is kept only once it has rendered a page.

use http::{HeaderMap, HeaderValue, StatusCode, header};
use preview_ticket::LIFETIME;

use crate::{
    headers::cookie,
    previews::{
        preview::FRAME_COOKIE_ATTRIBUTES,
        query::{PreviewQuery, is_name},
    },
};

/// The cookie with the name. It lasts as long as a ticket, from the last page on.
const COOKIE: &str = "almijara_preview_staging";

/// Returns the name of the development API that the page shows; none for the site's own API.
pub fn chosen_name<'r>(parameters: &'r PreviewQuery, request: &'r HeaderMap) -> Option<&'r str> {
    let name = parameters.staging.as_deref().or_else(|| cookie(request, COOKIE));
    name.filter(|name| !name.is_empty())
}

/// Keeps `name` in the browser if the renderer used it for the page that it answered with `status`, and
/// forgets the name if the renderer refused it.
pub fn remember(
    name: Option<&str>,
    status: StatusCode,
    request: &HeaderMap,
    answer: &mut HeaderMap,
) {
    match name.filter(|name| is_name(name)) {
        _ if status.is_server_error() => {}
        Some(name) if status != StatusCode::BAD_REQUEST => {
            set(answer, name, LIFETIME.num_seconds());
        }
        _ if cookie(request, COOKIE).is_some() => forget(answer),
        _ => {}
    }
}

/// Deletes the cookie.
pub fn forget(answer: &mut HeaderMap) {
    set(answer, "", 0);
}

fn set(answer: &mut HeaderMap, name: &str, seconds: i64) {
    let cookie = format!("{COOKIE}={name}; Path=/; Max-Age={seconds}; {FRAME_COOKIE_ATTRIBUTES}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.append(header::SET_COOKIE, cookie);
    }
}
