//! Decides in which language an editor sees a preview beside its form. The Studio knows one address of
//! the page, the English one, and requests it again on each save. An editor who reads Spanish, or who
//! followed a link to a Spanish page, is redirected each time.

use http::{HeaderMap, HeaderValue, header};

use crate::{
    headers::{cookie, is_framed},
    pages::language::{followed_internal_link, is_spanish, prefers_spanish},
    previews::preview::FRAME_COOKIE_ATTRIBUTES,
};

/// The cookie with the language of the last page that a link led to.
const COOKIE: &str = "almijara_preview_language";

/// Returns the path of the Spanish page, if the editor reads Spanish and was sent to the English page at
/// `path`.
pub fn spanish_path(path: &str, request: &HeaderMap) -> Option<String> {
    if !is_framed(request) || followed_internal_link(request) || is_spanish(path) {
        return None;
    }
    let chosen = cookie(request, COOKIE);
    let reads_spanish =
        chosen.map_or_else(|| prefers_spanish(request), |language| language == "es");
    reads_spanish.then(|| format!("/es{}", path.trim_end_matches('/')))
}

/// Sets a session cookie with the language of the page at `path`, if a link led there.
pub fn remember_language(path: &str, request: &HeaderMap, answer: &mut HeaderMap) {
    if !is_framed(request) || !followed_internal_link(request) {
        return;
    }
    let language = if is_spanish(path) { "es" } else { "en" };
    let cookie = format!("{COOKIE}={language}; Path=/; {FRAME_COOKIE_ATTRIBUTES}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        answer.append(header::SET_COOKIE, cookie);
    }
}
