//! A rendered page: converts the renderer's answer to what visitors get.

use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use contracts::{SEQUENCE_HEADER, SURROGATE_KEY_HEADER, Sequence, rest_of_day, rest_of_year};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::{
    headers::text,
    reply::{Reply, etag_of},
    security::{AnswerKind, Security},
};

/// How long a 404 is cached. A page that is published later is purged by its tags like any other. This
/// limit is for addresses that no tag covers.
const NOT_FOUND_LIMIT: Duration = Duration::from_secs(10);
/// The tag of pages that depend on the date: [`Tag::Day`](contracts::Tag::Day).
const DAY: &str = "day";
/// The assumed maximum difference between the clocks of two hosts. For this long after midnight, a page
/// may have been made from data of the day before.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(1);
/// The maximum number of tags of a page that is cached.
const MAX_TAGS: usize = 1_000;

/// The renderer's headers that are kept with a page. Cookies are not among them, because a page is
/// shared by all visitors.
const KEPT_HEADERS: [HeaderName; 8] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::CACHE_CONTROL,
    header::LINK,
    header::LOCATION,
    HeaderName::from_static("x-robots-tag"),
    HeaderName::from_static(SURROGATE_KEY_HEADER),
];

/// A rendered page with its tags and position.
#[derive(Debug)]
pub struct Page {
    /// The answer that visitors get.
    pub reply: Reply,
    /// The surrogate keys of everything that the page shows.
    pub tags: Box<[Box<str>]>,
    /// The position in the log that the page was made from.
    pub sequence: Sequence,
    /// Whether the page may be cached.
    pub cacheable: bool,
    /// When the page goes out of date even without a change.
    pub expires: Instant,
}

impl Page {
    /// Creates a page from the renderer's answer to a render that started at `began`.
    pub fn new(
        status: StatusCode,
        renderer_headers: &HeaderMap,
        body: Bytes,
        security: &Security,
        began: SystemTime,
    ) -> Self {
        let header_text = |name: &str| text(renderer_headers, name).unwrap_or_default();
        let sequence = header_text(SEQUENCE_HEADER).parse::<Sequence>().ok();
        let tags: Box<[Box<str>]> =
            header_text(SURROGATE_KEY_HEADER).split_ascii_whitespace().map(Box::from).collect();
        let shared = !["private", "no-store"]
            .iter()
            .any(|word| header_text(header::CACHE_CONTROL.as_str()).contains(word));
        // Without tags it could never be purged. Without a position it could not be ordered relative to
        // a purge.
        let cacheable = shared
            && is_cacheable(status)
            && sequence.is_some()
            && !tags.is_empty()
            && tags.len() <= MAX_TAGS;

        let mut headers = HeaderMap::with_capacity(24);
        for name in KEPT_HEADERS {
            if let Some(value) = renderer_headers.get(&name).and_then(to_owned_value) {
                headers.insert(name, value);
            }
        }
        let sequence = sequence.unwrap_or_default();
        headers.insert(HeaderName::from_static(SEQUENCE_HEADER), sequence.get().into());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !cacheable {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("public, max-age=0, must-revalidate"));
        security.apply(&mut headers, AnswerKind::Page);

        let etag =
            renderer_headers.get(header::ETAG).and_then(weak).unwrap_or_else(|| etag_of(&body));
        let depends_on_day = tags.iter().any(|tag| **tag == *DAY);
        // Every page shows the year in its footer.
        let time_left = if depends_on_day { rest_of_day } else { rest_of_year };
        // Just after midnight, the page is current only until midnight is [`MAX_CLOCK_DIFFERENCE`] ago.
        let current = time_left(began).min(time_left(began - MAX_CLOCK_DIFFERENCE));
        let not_found = (status == StatusCode::NOT_FOUND).then_some(NOT_FOUND_LIMIT);
        let lifetime = not_found.map_or(current, |limit| limit.min(current));
        // If the clock was set back meanwhile, the page only expires earlier.
        let age = began.elapsed().unwrap_or_default();
        let expires = Instant::now() + lifetime.saturating_sub(age);
        Self { reply: Reply::new(status, etag, headers, body), tags, sequence, cacheable, expires }
    }

    /// Returns the same page, which expires after at most `limit` from now.
    pub fn expiring_within(self, limit: Duration) -> Self {
        Self { expires: self.expires.min(Instant::now() + limit), ..self }
    }

    /// Returns the same page with only a compressed body, if that is smaller. CPU-bound: not for async
    /// threads.
    pub fn packed(&self) -> Option<Self> {
        let Self { tags, sequence, cacheable, expires, .. } = self;
        let reply = self.reply.brotli_only()?;
        Some(Self {
            reply,
            tags: tags.clone(),
            sequence: *sequence,
            cacheable: *cacheable,
            expires: *expires,
        })
    }

    /// Estimates the memory that the page takes in the cache under `key`, in bytes.
    pub fn weight(&self, key: &str) -> usize {
        /// The overhead of a cache entry.
        const PER_PAGE: usize = 512;
        /// The overhead of a tag: its entry in the index, with the page's key.
        const PER_TAG: usize = 128;
        let tags = self.tags.iter().map(|tag| tag.len() + PER_TAG).sum::<usize>();
        self.reply.memory_bytes() + tags + key.len() + PER_PAGE
    }
}

/// Returns whether answers with `status` may be cached: pages, redirects, and 404 and 410. Errors of the
/// renderer are not.
fn is_cacheable(status: StatusCode) -> bool {
    matches!(status.as_u16(), 200 | 301 | 302 | 303 | 307 | 308 | 404 | 410)
}

/// Copies a header value. A value as received is a slice of the complete buffer that was read from the
/// connection, with the start of the body, and would keep all of it in memory.
pub fn to_owned_value(value: &HeaderValue) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value.as_bytes()).ok()
}

/// Converts an `ETag` to a weak one, because one tag stands for every encoding of the body.
fn weak(etag: &HeaderValue) -> Option<HeaderValue> {
    let text = etag.to_str().ok()?;
    if text.starts_with("W/") {
        return to_owned_value(etag);
    }
    HeaderValue::from_str(&format!("W/{text}")).ok()
}

#[cfg(test)]
mod tests {
    use http::Method;

    use super::*;

    fn page(status: u16, headers: &[(&'static str, &'static str)]) -> Page {
        page_from(SystemTime::now(), status, headers)
    }

    fn page_from(began: SystemTime, status: u16, headers: &[(&'static str, &'static str)]) -> Page {
        let security = Security::new(&"http://localhost".parse().expect("a URL"));
        let headers = headers
            .iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        let status = StatusCode::from_u16(status).expect("a status");
        Page::new(status, &headers, Bytes::from("<p>"), &security, began)
    }

    fn headers(reply: &Reply) -> HeaderMap {
        reply.respond_to(&Method::HEAD, &HeaderMap::new()).headers().clone()
    }

    #[test]
    fn pages_tagged_with_the_day_expire_with_it_and_others_with_the_year() {
        for (tags, rest, shortest) in [
            ("list:properties day", rest_of_day as fn(SystemTime) -> Duration, 22),
            ("site", rest_of_year, 24 * 364),
        ] {
            let midnight = Instant::now() + rest(SystemTime::now());
            let ends = page(200, &[("surrogate-key", tags), ("almijara-sequence", "7")]).expires;
            let apart = ends.max(midnight) - ends.min(midnight);
            // The period may have ended between the two calls.
            let is_next = apart > Duration::from_hours(shortest);
            assert!(apart < Duration::from_mins(1) || is_next, "{tags}: {apart:?}");
        }
    }

    #[test]
    fn a_page_made_just_after_midnight_expires_soon() {
        let now = SystemTime::now();
        let midnight = now + rest_of_day(now);
        for (seconds, longest) in [(1, 59), (50, 10), (120, 26 * 3_600)] {
            let began = midnight + Duration::from_secs(seconds);
            let tagged = [("surrogate-key", "site day"), ("almijara-sequence", "7")];
            let expires = page_from(began, 200, &tagged).expires;
            // `began` lies in the future, so no time has passed yet.
            let rest = expires.saturating_duration_since(Instant::now());
            let longest = Duration::from_secs(longest);
            assert!(rest <= longest && rest > longest / 2, "{seconds}: {rest:?}");
        }
    }

    #[test]
    fn only_a_page_that_can_be_purged_is_cacheable() {
        let tagged = [("surrogate-key", "site team"), ("almijara-sequence", "7")];
        let page_ok = page(200, &tagged);
        assert!(page_ok.cacheable);
        assert_eq!((page_ok.sequence.get(), page_ok.tags.len()), (7, 2));
        assert!(page(404, &tagged).cacheable);
        assert!(page(404, &tagged).expires <= Instant::now() + NOT_FOUND_LIMIT);
        assert!(page(301, &tagged).cacheable);
        assert!(!page(500, &tagged).cacheable);
        assert!(!page(200, &[("almijara-sequence", "7")]).cacheable);
        assert!(!page(200, &[("surrogate-key", "site")]).cacheable);
        let private = page(200, &[tagged[0], tagged[1], ("cache-control", "private, no-cache")]);
        assert!(!private.cacheable);
        assert_eq!(headers(&private.reply)[header::CACHE_CONTROL], "no-store");
    }

    #[test]
    fn kept_headers_do_not_hold_the_connections_buffer() {
        let read = Bytes::from(format!("W/\"tag\"{}", "x".repeat(100_000)));
        let part = || HeaderValue::from_maybe_shared(read.slice(..7)).expect("a value");
        let names = KEPT_HEADERS.into_iter().chain([header::ETAG]);
        let renderer_headers: HeaderMap = names.map(|name| (name, part())).collect();
        let security = Security::new(&"http://localhost".parse().expect("a URL"));
        let body = Bytes::from("<p>");
        let page = Page::new(StatusCode::OK, &renderer_headers, body, &security, SystemTime::now());
        assert_eq!(headers(&page.reply)[header::ETAG], "W/\"tag\"");
        drop(renderer_headers);
        assert!(read.is_unique(), "a header's value holds the buffer of the connection");
    }

    #[test]
    fn a_cookie_of_the_renderer_is_dropped() {
        let page = page(200, &[("set-cookie", "session=1"), ("link", "</a>; rel=canonical")]);
        assert!(!headers(&page.reply).contains_key(header::SET_COOKIE));
        assert!(headers(&page.reply).contains_key(header::LINK));
    }
}
