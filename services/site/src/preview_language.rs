//! In which language an editor is shown what they preview beside its form. The Studio knows one address of
//! it, which is English, and asks for that anew at each save: who reads Spanish, or followed a link to it,
//! is led on each time.

use http::{HeaderMap, HeaderValue, header};

use crate::{
    headers::{cookie, is_framed},
    language::{comes_from_within, is_spanish, prefers_spanish},
    preview::IN_A_FRAME,
};

/// The cookie that says in which language the page was that a link led to.
const COOKIE: &str = "almijara_preview_language";

/// Where the Spanish page is, for who reads Spanish and is sent to the English one at `path`.
pub fn spanish_path(path: &str, asked: &HeaderMap) -> Option<String> {
    if !is_framed(asked) || comes_from_within(asked) || is_spanish(path) {
        return None;
    }
    let chosen = cookie(asked, COOKIE);
    let reads_spanish = chosen.map_or_else(|| prefers_spanish(asked), |language| language == "es");
    reads_spanish.then(|| format!("/es{}", path.trim_end_matches('/')))
}

/// Has the browser remember the language of the page at `path`, where a link led there, until it is closed.
pub fn remember(path: &str, asked: &HeaderMap, given: &mut HeaderMap) {
    if !is_framed(asked) || !comes_from_within(asked) {
        return;
    }
    let language = if is_spanish(path) { "es" } else { "en" };
    let cookie = format!("{COOKIE}={language}; Path=/; {IN_A_FRAME}");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        given.append(header::SET_COOKIE, cookie);
    }
}
