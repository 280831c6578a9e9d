//! Previews for editors: who sees drafts, and how they come to.
//!
//! `?preview=…` asks for it, an empty `?preview=` ends it, and a cookie keeps it in between; where it has
//! ended, the page's own script, which keeps it on in its tab, is told by `#preview=`. Neither the
//! value nor the cookie's being there shows anything: what counts is a ticket ([`preview_ticket`]). Who
//! asks without one is sent to the Studio, whose extension knows who is signed in there and sends them
//! back with a ticket for a minute; this door makes of that the cookie, for an hour.
//!
//! In the Studio's frame every page but a visitor's own is a preview, and asks for a ticket by itself where none holds.
//!
//! What is previewed never touches the cache of pages, is never counted as a visit, and is the only thing
//! of this site that the Studio may frame.

use std::time::Duration;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use chrono::Utc;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts};
use preview_ticket::{LIFE, Purpose, Signer};
use url::{Url, form_urlencoded};

use crate::{
    door::Door,
    headers::{cookie, is_framed},
    page_key::{NoPage, PageKey},
    preview_language::{remember, spanish_path},
    proxy_api::{away, secured},
    security::AnswerKind,
    unavailable::unavailable,
    upstream::{Limits, Upstream},
};

/// The cookie that holds the ticket.
const COOKIE: &str = "almijara_preview";
/// In a frame of another site, browsers keep no cookies but these.
pub const IN_A_FRAME: &str = "HttpOnly; Secure; SameSite=None; Partitioned";
/// What asks for a preview, or ends it.
const ASKS: &str = "preview";
/// What the Studio sends back with.
const HANDOVER: &str = "preview-ticket";
/// That the browser was given the cookie a moment ago: without it now, it keeps none.
const GIVEN: &str = "preview-given";
/// Which form of an item is shown, and which development API is asked: the renderer is told both.
const VERSION: &str = "version";
const STAGING: &str = "staging";
/// The most that either may say.
const MAX_WORD_LENGTH: usize = 64;

/// What the renderer is told.
const TICKET_HEADER: HeaderName = HeaderName::from_static("almijara-preview");
const VERSION_HEADER: HeaderName = HeaderName::from_static("almijara-preview-version");
const STAGING_HEADER: HeaderName = HeaderName::from_static("almijara-staging");

/// What of the renderer's answer an editor gets.
const OF_THE_RENDERER: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::LINK,
    header::LOCATION,
];
const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");
const NO_INDEX: HeaderValue = HeaderValue::from_static("noindex, nofollow");

/// For pictures.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(25),
    idle: Duration::from_secs(90),
};
/// The largest picture, in bytes.
const MAX_PICTURE_BYTES: usize = 16 << 20;

/// Why there are no previews though they were asked for.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// The secret is none.
    #[error(transparent)]
    Secret(#[from] preview_ticket::ShortSecret),
    /// An HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[from] reqwest::Error),
}

/// What previews take.
#[derive(Debug)]
pub struct Previews {
    signer: Signer,
    /// The Studio's origin, which may frame previews.
    studio: String,
    /// Where tickets are to be had.
    tickets: Url,
    /// The preview service, for pictures that nothing published shows.
    service: Upstream,
}

impl Previews {
    /// By the tickets of `signer`, of the Studio at `studio`, with the preview service at `service`.
    pub fn new(signer: Signer, studio: &Url, service: &Url) -> Result<Self, PreviewError> {
        let mut tickets = studio.clone();
        tickets.set_path(&format!("{}/almijara/ticket", studio.path().trim_end_matches('/')));
        Ok(Self {
            signer,
            studio: studio.origin().ascii_serialization(),
            tickets,
            service: Upstream::new(service, LIMITS)?,
        })
    }

    /// The ticket that a request brings, if it holds.
    pub fn ticket<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let ticket = cookie(headers, COOKIE)?;
        self.signer.check(ticket, Purpose::Preview, Utc::now()).is_ok().then_some(ticket)
    }

    /// Where the Studio is asked for a ticket by which to come back to `address`.
    fn way_to_the_studio(&self, address: &str) -> String {
        let mut way = self.tickets.clone();
        way.query_pairs_mut().append_pair("back", address);
        way.into()
    }
}

/// What an address says of previews.
#[derive(Debug, Default)]
struct Asked {
    /// The value that asks for one; empty where it ends it.
    preview: Option<String>,
    handover: Option<String>,
    was_given: bool,
    version: Option<String>,
    staging: Option<String>,
    /// All that it says beside that.
    rest: Vec<(String, String)>,
}

impl Asked {
    fn of(uri: &Uri) -> Self {
        let mut asked = Self::default();
        for (name, value) in form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes()) {
            let value = value.into_owned();
            match name.as_ref() {
                ASKS => asked.preview = Some(value),
                HANDOVER => asked.handover = Some(value),
                GIVEN => asked.was_given = true,
                VERSION => asked.version = word(value),
                STAGING => asked.staging = Some(value),
                _ => asked.rest.push((name.into_owned(), value)),
            }
        }
        asked
    }

    /// `path` with what the address says, but for tickets; without previews where they are `ended`.
    fn address(&self, path: &str, ended: bool, given: bool) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(&self.rest);
        if !ended {
            for (name, value) in
                [(ASKS, &self.preview), (VERSION, &self.version), (STAGING, &self.staging)]
            {
                if let Some(value) = value {
                    query.append_pair(name, value);
                }
            }
            if given {
                query.append_pair(GIVEN, "1");
            }
        }
        let query = query.finish();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }
}

/// The answer to a request for a page, if it has to do with previews.
pub async fn preview(door: &Door, request: &Parts) -> Option<Response> {
    let previews = door.previews.as_ref()?;
    let (uri, headers) = (&request.uri, &request.headers);
    // Of this site nothing is ever framed but previews: their links don't say so.
    let is_asked = uri.query().is_some_and(|query| query.contains(ASKS)) || is_framed(headers);
    if !is_asked && cookie(headers, COOKIE).is_none() {
        return None;
    }
    if request.method != Method::GET && request.method != Method::HEAD {
        return None;
    }
    // The site's own files have no drafts.
    if door.assets.get(uri.path()).is_some() {
        return None;
    }
    let asked = Asked::of(uri);
    if asked.preview.as_deref() == Some("") {
        return Some(ended(door, &asked.address(uri.path(), true, false)));
    }
    if let Some(handover) = &asked.handover {
        return Some(kept(door, previews, &asked, handover, uri.path()));
    }
    if let Some(ticket) = previews.ticket(headers) {
        if asked.was_given {
            // It is said once: who comes back when the ticket has ended is sent for another.
            return Some(sent(door, &asked.address(uri.path(), false, false), None));
        }
        if let Some(spanish) = spanish_path(uri.path(), headers) {
            return Some(sent(door, &asked.address(&spanish, false, false), None));
        }
        let mut response = page(door, previews, request, &asked, ticket).await;
        remember(uri.path(), headers, response.headers_mut());
        return Some(response);
    }
    if asked.preview.is_none() && !is_framed(headers) {
        return None;
    }
    if asked.was_given {
        return Some(told(door, StatusCode::FORBIDDEN, NO_COOKIE));
    }
    let back = format!("{}{}", door.origin, asked.address(uri.path(), false, false));
    let mut response = sent(door, &previews.way_to_the_studio(&back), None);
    // What comes back from there is no more by the link that was followed.
    remember(uri.path(), headers, response.headers_mut());
    Some(response)
}

/// Whether an editor asks, whose visit counts for nothing.
pub fn is_editor(door: &Door, headers: &HeaderMap) -> bool {
    door.previews.as_ref().is_some_and(|previews| previews.ticket(headers).is_some())
}

/// Gives the browser that the Studio sent back its ticket, and the page its address without it.
fn kept(door: &Door, previews: &Previews, asked: &Asked, handover: &str, path: &str) -> Response {
    let now = Utc::now();
    match previews.signer.check(handover, Purpose::Handover, now) {
        Ok(handover) => {
            let ticket = previews.signer.exchange(&handover, now);
            sent(door, &asked.address(path, false, true), Some((&ticket, LIFE.num_seconds())))
        }
        Err(_) => told(door, StatusCode::FORBIDDEN, NO_TICKET),
    }
}

/// Takes the cookie back. The page's script keeps previews on by a memory of its own, which is the
/// browser's: the fragment has it forget.
fn ended(door: &Door, address: &str) -> Response {
    sent(door, &format!("{address}#{ASKS}="), Some(("", 0)))
}

/// A redirect that nobody keeps, with the cookie where there is one: its value and its seconds.
fn sent(door: &Door, address: &str, kept: Option<(&str, i64)>) -> Response {
    let mut response = door.plain(StatusCode::FOUND, "");
    let headers = response.headers_mut();
    if let Ok(address) = HeaderValue::from_str(address) {
        headers.insert(header::LOCATION, address);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", NO_INDEX);
    if let Some((ticket, seconds)) = kept {
        let cookie = format!("{COOKIE}={ticket}; Path=/; Max-Age={seconds}; {IN_A_FRAME}");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.append(header::SET_COOKIE, cookie);
        }
    }
    response
}

const NO_COOKIE: &str = "This browser keeps no cookie of the site, so there is no preview. Allow cookies \
                         for it, or open the preview in a window of its own.\n\nEste navegador no guarda \
                         cookies de la web, así que no hay vista previa. Permítalas o abra la vista previa \
                         en una ventana propia.\n";
const NO_TICKET: &str = "This preview has ended. Open it again from the Studio.\n\nEsta vista previa ha \
                         terminado. Ábrala de nuevo desde el Studio.\n";

fn told(door: &Door, status: StatusCode, words: &'static str) -> Response {
    let mut response = door.plain(status, words);
    response.headers_mut().insert("x-robots-tag", NO_INDEX);
    if let Some(previews) = &door.previews {
        let policy = format!("default-src 'none'; frame-ancestors {}", previews.studio);
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    response
}

/// The page with its drafts, for one editor.
async fn page(
    door: &Door,
    previews: &Previews,
    request: &Parts,
    asked: &Asked,
    ticket: &str,
) -> Response {
    let key = match PageKey::of(&request.uri) {
        Ok(key) | Err(NoPage::Moved(key)) => key,
        Err(NoPage::TooLong) => {
            return door.plain(StatusCode::URI_TOO_LONG, "This address is too long");
        }
    };
    let (method, path) = (&request.method, request.uri.path());
    let no_page = |status| {
        let mut response = unavailable(status, path, method, &door.security);
        framed_by(response.headers_mut(), &previews.studio);
        response
    };
    let visitor = door.rate.address_of(&request.headers, &request.extensions);
    let Some(_share) = door.rate.render(visitor) else {
        door.counters.limited.increment(1);
        return no_page(StatusCode::TOO_MANY_REQUESTS);
    };
    let mut with = HeaderMap::new();
    for (name, value) in [
        (TICKET_HEADER, Some(ticket)),
        (VERSION_HEADER, asked.version.as_deref()),
        (STAGING_HEADER, asked.staging.as_deref()),
    ] {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            with.insert(name, value);
        }
    }
    let position = door.cache.position();
    let rendered =
        door.renderer.ask_for_one(method, key.as_str(), with, Bytes::new(), position).await;
    match rendered {
        Ok((status, given, body)) => {
            let mut headers = HeaderMap::new();
            for name in OF_THE_RENDERER {
                if let Some(value) = given.get(&name) {
                    headers.insert(name, value.clone());
                }
            }
            if let Some(location) = onward(headers.get(header::LOCATION), asked) {
                headers.insert(header::LOCATION, location);
            }
            door.security.apply(&mut headers, AnswerKind::Page);
            framed_by(&mut headers, &previews.studio);
            headers.insert(header::CACHE_CONTROL, NO_STORE);
            headers.insert("x-robots-tag", NO_INDEX);
            let mut response = Response::new(Body::from(body));
            *response.status_mut() = status;
            *response.headers_mut() = headers;
            response
        }
        Err(error) => {
            tracing::warn!(%error, "a preview could not be rendered");
            door.counters.unavailable.increment(1);
            no_page(StatusCode::SERVICE_UNAVAILABLE)
        }
    }
}

/// Where a page of this site leads, still as a preview.
fn onward(location: Option<&HeaderValue>, asked: &Asked) -> Option<HeaderValue> {
    let location = location?.to_str().ok()?;
    if !location.starts_with('/') || location.starts_with("//") || location.contains(['?', '#']) {
        return None;
    }
    HeaderValue::from_str(&asked.address(location, false, false)).ok()
}

/// Has the Studio, and nobody else, frame this answer.
fn framed_by(headers: &mut HeaderMap, studio: &str) {
    let policy =
        headers.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
    let directives = policy.unwrap_or_default().split(';').map(str::trim);
    let kept = directives.filter(|one| !one.is_empty() && !one.starts_with("frame-ancestors"));
    let policy: Vec<&str> = kept.collect();
    let policy = format!("{}; frame-ancestors {studio}", policy.join("; "));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// A picture that nothing published shows, for an editor whose draft shows it: handed on, kept nowhere.
pub async fn picture(door: &Door, path: &str, headers: &HeaderMap) -> Option<Response> {
    let previews = door.previews.as_ref()?;
    let ticket = previews.ticket(headers)?;
    let get = |client: &reqwest::Client, base: &str| {
        client.get(format!("{base}{path}")).header(TICKET_HEADER, ticket)
    };
    let answer = previews.service.ask_whole(MAX_PICTURE_BYTES, get).await;
    let (answered, body) = match answer {
        Ok((StatusCode::OK, answered, body)) => (answered, body),
        // What can't be had at the moment may be there all the same.
        Err(_) | Ok((StatusCode::SERVICE_UNAVAILABLE, ..)) => {
            return Some(secured(door, Err(away("drafts' pictures can't be had"))));
        }
        Ok(_) => return None,
    };
    let kind = answered.get(header::CONTENT_TYPE).cloned();
    let mut response = Response::new(Body::from(body));
    let given = response.headers_mut();
    given.extend(kind.map(|kind| (header::CONTENT_TYPE, kind)));
    given.insert(header::CACHE_CONTROL, NO_STORE);
    door.security.apply(given, AnswerKind::Data);
    Some(response)
}

/// A name that may stand in a header and in a question to the content service.
fn word(value: String) -> Option<String> {
    let is_word = !value.is_empty()
        && value.len() <= MAX_WORD_LENGTH
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    is_word.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(uri: &str) -> Asked {
        Asked::of(&uri.parse().expect("a URI"))
    }

    #[test]
    fn an_address_keeps_what_else_it_says_and_never_a_ticket() {
        let uri = "/a?page=2&preview=draft&preview-ticket=t&version=draft&staging=dev";
        let kept = asked(uri);
        assert_eq!(
            kept.address("/a", false, true),
            "/a?page=2&preview=draft&version=draft&staging=dev&preview-given=1"
        );
        assert_eq!(kept.address("/a", true, false), "/a?page=2");
        assert_eq!(asked("/a?preview=").address("/a", true, false), "/a");
    }

    #[test]
    fn only_a_name_is_a_version() {
        assert_eq!(asked("/a?version=draft").version.as_deref(), Some("draft"));
        for odd in ["/a?version=", "/a?version=a%20b", "/a?version=%0d%0aset-cookie"] {
            assert_eq!(asked(odd).version, None, "{odd}");
        }
    }

    #[test]
    fn a_preview_leads_to_previews_of_this_site_alone() {
        let asked = asked("/a?preview=draft&version=draft");
        let to = |location| {
            let location = HeaderValue::from_static(location);
            onward(Some(&location), &asked).map(|to| to.to_str().expect("text").to_owned())
        };
        assert_eq!(to("/b/c").as_deref(), Some("/b/c?preview=draft&version=draft"));
        assert_eq!(to("//evil.example/"), None);
        assert_eq!(to("https://evil.example/"), None);
    }

    #[test]
    fn the_studio_alone_may_frame() {
        let policy = HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'");
        let mut headers = HeaderMap::from_iter([(header::CONTENT_SECURITY_POLICY, policy)]);
        framed_by(&mut headers, "https://studio.example");
        assert_eq!(
            headers[header::CONTENT_SECURITY_POLICY],
            "default-src 'self'; frame-ancestors https://studio.example"
        );
    }
}
