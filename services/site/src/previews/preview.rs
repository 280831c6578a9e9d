//! Previews of drafts, for editors.
//!
//! `?preview=…` requests a preview, an empty `?preview=` ends it, and a cookie keeps it in between. When
//! a preview ends, `#preview=` in the address notifies the page's script, which otherwise keeps it on in
//! its tab. Neither the parameter nor the cookie's presence shows a draft: that takes a valid ticket
//! ([`preview_ticket`]). An editor without one is redirected to the Studio, whose extension knows who is
//! signed in there. It redirects back with a ticket that is valid for a minute, which this door
//! exchanges for the cookie, valid for an hour.
//!
//! In the Studio's frame every page but the private ones is a preview, and requests a ticket by itself
//! if it has no valid one.
//!
//! A preview never touches the page cache, is never counted as a visit, and is the only answer of this
//! site that the Studio may frame.

use std::time::Duration;

use axum::{body::Body, response::Response};
use bytes::Bytes;
use chrono::Utc;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts};
use preview_ticket::{LIFETIME, Purpose, Signer};
use runtime::error_text;
use url::Url;

use crate::{
    calls::proxy_api::{service_unavailable, with_security_headers},
    door::Door,
    headers::{cookie, is_framed},
    limits::rate::Rate,
    pages::{
        page_key::{NoPage, PageKey},
        unavailable::unavailable,
    },
    previews::{
        language::{remember_language, spanish_path},
        query::{PREVIEW, PreviewQuery},
        staging,
    },
    request_span::traced,
    security::AnswerKind,
    upstream::{FullAnswer, Limits, Upstream},
};

/// The cookie that holds the ticket.
const COOKIE: &str = "almijara_preview";
/// The cookie attributes. In a frame of another site, browsers store only cookies like this.
pub const FRAME_COOKIE_ATTRIBUTES: &str = "HttpOnly; Secure; SameSite=None; Partitioned";
/// The headers by which the renderer gets the ticket and the two parameters.
const TICKET_HEADER: HeaderName = HeaderName::from_static("almijara-preview");
const VERSION_HEADER: HeaderName = HeaderName::from_static("almijara-preview-version");
const STAGING_HEADER: HeaderName = HeaderName::from_static("almijara-staging");

/// The renderer's headers that an editor gets.
const ANSWER_HEADERS: [HeaderName; 5] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::LINK,
    header::LOCATION,
];
const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");
const NO_INDEX: HeaderValue = HeaderValue::from_static("noindex, nofollow");

/// Limits for pictures of the preview service.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(25),
    idle: Duration::from_secs(90),
};
/// The maximum size of a picture, in bytes.
const MAX_PICTURE_BYTES: usize = 16 << 20;

/// Why previews could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// The secret is too short.
    #[error(transparent)]
    Secret(#[from] preview_ticket::ShortSecret),
    /// An HTTP client could not be made.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
}

/// Everything that previews use.
#[derive(Debug)]
pub struct Previews {
    signer: Signer,
    /// The Studio's origin, which may frame previews.
    studio: String,
    /// The Studio's address that issues tickets.
    tickets: Url,
    /// The preview service, for pictures that only a draft shows.
    service: Upstream,
}

impl Previews {
    /// Accepts the tickets of `signer`, which the Studio at `studio` issues. `service` is the preview
    /// service.
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

    /// Returns the ticket in the request's cookie, if it is valid.
    pub fn ticket<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let ticket = cookie(headers, COOKIE)?;
        self.signer.check(ticket, Purpose::Preview, Utc::now()).is_ok().then_some(ticket)
    }

    /// Returns the Studio's address that issues a ticket and redirects back to `address`.
    fn ticket_url(&self, address: &str) -> String {
        let mut url = self.tickets.clone();
        url.query_pairs_mut().append_pair("back", address);
        url.into()
    }
}

/// Answers a request for a page, if it concerns previews.
pub async fn preview(door: &Door, request: &Parts) -> Option<Response> {
    let previews = door.previews.as_ref()?;
    let (uri, headers) = (&request.uri, &request.headers);
    // Only previews are ever framed, and links in them don't carry the parameter.
    let may_be_preview =
        uri.query().is_some_and(|query| query.contains(PREVIEW)) || is_framed(headers);
    if !may_be_preview && cookie(headers, COOKIE).is_none() {
        return None;
    }
    if request.method != Method::GET && request.method != Method::HEAD {
        return None;
    }
    // Files of the site have no drafts.
    if door.assets.get(uri.path()).is_some() {
        return None;
    }
    let parameters = PreviewQuery::of(uri);
    if parameters.preview.as_deref() == Some("") {
        return Some(end_preview(door, &parameters.address(uri.path(), true, false)));
    }
    if let Some(handover) = &parameters.handover {
        return Some(accept_ticket(door, previews, &parameters, handover, uri.path()));
    }
    if let Some(ticket) = previews.ticket(headers) {
        if parameters.cookie_was_set {
            // The mark is removed, so that an editor whose ticket has expired later is redirected to get
            // another.
            return Some(redirect(door, &parameters.address(uri.path(), false, false), None));
        }
        if let Some(spanish) = spanish_path(uri.path(), headers) {
            return Some(redirect(door, &parameters.address(&spanish, false, false), None));
        }
        let mut response = page(door, previews, request, &parameters, ticket).await;
        remember_language(uri.path(), headers, response.headers_mut());
        return Some(response);
    }
    if parameters.preview.is_none() && !is_framed(headers) {
        return None;
    }
    if parameters.cookie_was_set {
        return Some(plain_message(door, StatusCode::FORBIDDEN, NO_COOKIE));
    }
    let back = format!("{}{}", door.origin, parameters.address(uri.path(), false, false));
    let mut response = redirect(door, &previews.ticket_url(&back), None);
    // The redirect back from the Studio no longer counts as following a link of this site.
    remember_language(uri.path(), headers, response.headers_mut());
    Some(response)
}

/// Returns whether the request comes from an editor, whose visits are not counted.
pub fn is_editor(door: &Door, headers: &HeaderMap) -> bool {
    door.previews.as_ref().is_some_and(|previews| previews.ticket(headers).is_some())
}

/// Exchanges the ticket from the Studio for the cookie, and redirects to the address without it.
fn accept_ticket(
    door: &Door,
    previews: &Previews,
    parameters: &PreviewQuery,
    handover: &str,
    path: &str,
) -> Response {
    let now = Utc::now();
    match previews.signer.check(handover, Purpose::Handover, now) {
        Ok(handover) => {
            let ticket = previews.signer.exchange(&handover, now);
            redirect(
                door,
                &parameters.address(path, false, true),
                Some((&ticket, LIFETIME.num_seconds())),
            )
        }
        Err(_) => plain_message(door, StatusCode::FORBIDDEN, NO_TICKET),
    }
}

/// Deletes the cookies. The page's script remembers previews in the browser by itself: the fragment makes
/// it forget.
fn end_preview(door: &Door, address: &str) -> Response {
    let mut response = redirect(door, &format!("{address}#{PREVIEW}="), Some(("", 0)));
    staging::forget(response.headers_mut());
    response
}

/// Returns a redirect that is not cached. `ticket_cookie` is the cookie's value and lifetime in seconds,
/// if one is set.
fn redirect(door: &Door, address: &str, ticket_cookie: Option<(&str, i64)>) -> Response {
    let mut response = door.plain_text(StatusCode::FOUND, "");
    let headers = response.headers_mut();
    if let Ok(address) = HeaderValue::from_str(address) {
        headers.insert(header::LOCATION, address);
    }
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", NO_INDEX);
    if let Some((ticket, seconds)) = ticket_cookie {
        let cookie =
            format!("{COOKIE}={ticket}; Path=/; Max-Age={seconds}; {FRAME_COOKIE_ATTRIBUTES}");
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

fn plain_message(door: &Door, status: StatusCode, words: &'static str) -> Response {
    let mut response = door.plain_text(status, words);
    response.headers_mut().insert("x-robots-tag", NO_INDEX);
    if let Some(previews) = &door.previews {
        let policy = format!("default-src 'none'; frame-ancestors {}", previews.studio);
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
    response
}

/// Renders the page with its drafts, for one editor.
async fn page(
    door: &Door,
    previews: &Previews,
    request: &Parts,
    parameters: &PreviewQuery,
    ticket: &str,
) -> Response {
    let key = match PageKey::of(&request.uri) {
        Ok(key) | Err(NoPage::Moved(key)) => key,
        Err(NoPage::TooLong) => {
            return door.plain_text(StatusCode::URI_TOO_LONG, "This address is too long");
        }
    };
    let (method, path) = (&request.method, request.uri.path());
    let no_page = |status| {
        let mut response = unavailable(status, path, method, &door.security);
        allow_framing_by(response.headers_mut(), &previews.studio);
        response
    };
    let Ok(_share) = door.take(door.visitor(request), Rate::render) else {
        return no_page(StatusCode::TOO_MANY_REQUESTS);
    };
    let staging = staging::chosen_name(parameters, &request.headers);
    let mut with = HeaderMap::new();
    for (name, value) in [
        (TICKET_HEADER, Some(ticket)),
        (VERSION_HEADER, parameters.version.as_deref()),
        (STAGING_HEADER, staging),
    ] {
        if let Some(value) = value.and_then(|value| HeaderValue::from_str(value).ok()) {
            with.insert(name, value);
        }
    }
    let position = door.cache.position();
    let rendering =
        door.renderer.render_private(method, key.as_str(), with, Bytes::new(), position);
    let answer = async {
        match rendering.await {
            Ok(rendered) => {
                let mut response = preview_of(door, previews, parameters, rendered);
                let status = response.status();
                staging::remember(staging, status, &request.headers, response.headers_mut());
                response
            }
            Err(error) => {
                tracing::warn!(error = error_text(&error), "a preview could not be rendered");
                door.counters.unavailable.increment(1);
                no_page(StatusCode::SERVICE_UNAVAILABLE)
            }
        }
    };
    traced(request, answer).await
}

/// Returns the renderer's answer as one that only the editor gets, and that the Studio may frame.
fn preview_of(
    door: &Door,
    previews: &Previews,
    parameters: &PreviewQuery,
    (status, renderer_headers, body): FullAnswer,
) -> Response {
    let mut headers = HeaderMap::new();
    for name in ANSWER_HEADERS {
        if let Some(value) = renderer_headers.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    if let Some(location) = preview_location(headers.get(header::LOCATION), parameters) {
        headers.insert(header::LOCATION, location);
    }
    door.security.apply(&mut headers, AnswerKind::Page);
    allow_framing_by(&mut headers, &previews.studio);
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert("x-robots-tag", NO_INDEX);
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// Returns the target of a redirect within this site, as a preview.
fn preview_location(
    location: Option<&HeaderValue>,
    parameters: &PreviewQuery,
) -> Option<HeaderValue> {
    let location = location?.to_str().ok()?;
    if !location.starts_with('/') || location.starts_with("//") || location.contains(['?', '#']) {
        return None;
    }
    HeaderValue::from_str(&parameters.address(location, false, false)).ok()
}

/// Allows the Studio, and no other site, to frame the answer.
fn allow_framing_by(headers: &mut HeaderMap, studio: &str) {
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

/// Answers with a picture that only a draft shows, for an editor with a ticket. It is forwarded and not
/// cached.
pub async fn picture(door: &Door, path: &str, headers: &HeaderMap) -> Option<Response> {
    let previews = door.previews.as_ref()?;
    let ticket = previews.ticket(headers)?;
    let get = |client: &reqwest::Client, base: &str| {
        client.get(format!("{base}{path}")).header(TICKET_HEADER, ticket)
    };
    let answer = previews.service.call_safe_in_full(MAX_PICTURE_BYTES, get).await;
    let (answered, body) = match answer {
        Ok((StatusCode::OK, answered, body)) => (answered, body),
        // A picture that is unavailable now may still exist.
        Err(_) | Ok((StatusCode::SERVICE_UNAVAILABLE, ..)) => {
            return Some(with_security_headers(
                door,
                Err(service_unavailable("drafts' pictures can't be had")),
            ));
        }
        Ok(_) => return None,
    };
    let kind = answered.get(header::CONTENT_TYPE).cloned();
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.extend(kind.map(|kind| (header::CONTENT_TYPE, kind)));
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    door.security.apply(headers, AnswerKind::Data);
    Some(response)
}

#[cfg(test)]
mod tests {
    use http::Uri;

    use super::*;

    #[test]
    fn redirects_stay_previews_within_this_site_only() {
        let uri = Uri::from_static("/a?preview=draft&version=draft");
        let parameters = PreviewQuery::of(&uri);
        let to = |location| {
            let location = HeaderValue::from_static(location);
            preview_location(Some(&location), &parameters)
                .map(|to| to.to_str().expect("text").to_owned())
        };
        assert_eq!(to("/b/c").as_deref(), Some("/b/c?preview=draft&version=draft"));
        assert_eq!(to("//evil.example/"), None);
        assert_eq!(to("https://evil.example/"), None);
    }

    #[test]
    fn only_the_studio_may_frame() {
        let policy = HeaderValue::from_static("default-src 'self'; frame-ancestors 'none'");
        let mut headers = HeaderMap::from_iter([(header::CONTENT_SECURITY_POLICY, policy)]);
        allow_framing_by(&mut headers, "https://studio.example");
        assert_eq!(
            headers[header::CONTENT_SECURITY_POLICY],
            "default-src 'self'; frame-ancestors https://studio.example"
        );
    }
}
