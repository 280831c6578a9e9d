//! A rendered page, as the renderer gave it and as visitors get it.

use std::time::{Duration, Instant, SystemTime};

use bytes::Bytes;
use contracts::{SEQUENCE_HEADER, SURROGATE_KEY_HEADER, Sequence, rest_of_day, rest_of_year};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::{
    headers::text,
    reply::{Reply, etag_of},
    security::{AnswerKind, Security},
};

/// How long a "not found" is kept. A page that appears is purged by its tags like any other; this
/// is for addresses that no tag foretells.
const NOT_FOUND_LIMIT: Duration = Duration::from_secs(10);
/// The tag of what is as it is on one day only: [`Tag::Day`](contracts::Tag::Day).
const DAY: &str = "day";
/// How far the clocks of hosts may be apart: for as long after a midnight, what a page was made of may be
/// of the day before.
const CLOCKS_APART: Duration = Duration::from_mins(1);
/// The most tags that a page may carry and be kept.
const MAX_TAGS: usize = 1_000;

/// What a page keeps of the renderer's headers. A cookie is never among them: a page is everyone's.
const KEPT: [HeaderName; 8] = [
    header::CONTENT_TYPE,
    header::CONTENT_LANGUAGE,
    header::CONTENT_SECURITY_POLICY,
    header::CACHE_CONTROL,
    header::LINK,
    header::LOCATION,
    HeaderName::from_static("x-robots-tag"),
    HeaderName::from_static(SURROGATE_KEY_HEADER),
];

/// A page with what it was made from.
#[derive(Debug)]
pub struct Page {
    /// What visitors get.
    pub reply: Reply,
    /// The surrogate keys of all that it shows.
    pub tags: Box<[Box<str>]>,
    /// The position in the log that it was made from.
    pub sequence: Sequence,
    /// Whether it may be kept.
    pub keep: bool,
    /// When it stops being current by time alone.
    pub expires: Instant,
}

impl Page {
    /// The page in an answer of the renderer, of a render that `began` then.
    pub fn new(
        status: StatusCode,
        given: &HeaderMap,
        body: Bytes,
        security: &Security,
        began: SystemTime,
    ) -> Self {
        let said = |name: &str| text(given, name).unwrap_or_default();
        let sequence = said(SEQUENCE_HEADER).parse::<Sequence>().ok();
        let tags: Box<[Box<str>]> =
            said(SURROGATE_KEY_HEADER).split_ascii_whitespace().map(Box::from).collect();
        let shared = !["private", "no-store"]
            .iter()
            .any(|word| said(header::CACHE_CONTROL.as_str()).contains(word));
        // Without tags nothing would ever purge it; without a position nothing could tell whether a
        // purge came before it or after.
        let keep = shared
            && keepable(status)
            && sequence.is_some()
            && !tags.is_empty()
            && tags.len() <= MAX_TAGS;

        let mut headers = HeaderMap::with_capacity(24);
        for name in KEPT {
            if let Some(value) = given.get(&name).and_then(owned) {
                headers.insert(name, value);
            }
        }
        let sequence = sequence.unwrap_or_default();
        headers.insert(HeaderName::from_static(SEQUENCE_HEADER), sequence.get().into());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !keep {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("public, max-age=0, must-revalidate"));
        security.apply(&mut headers, AnswerKind::Page);

        let etag = given.get(header::ETAG).and_then(weak).unwrap_or_else(|| etag_of(&body));
        let is_of_today = tags.iter().any(|tag| **tag == *DAY);
        // Each page names the year at its foot.
        let rest_at = if is_of_today { rest_of_day } else { rest_of_year };
        // Just after a midnight it is current until that is long enough ago.
        let current = rest_at(began).min(rest_at(began - CLOCKS_APART));
        let not_found = (status == StatusCode::NOT_FOUND).then_some(NOT_FOUND_LIMIT);
        let rest = not_found.map_or(current, |limit| limit.min(current));
        // A clock that was set back meanwhile only makes it shorter.
        let since = began.elapsed().unwrap_or_default();
        let expires = Instant::now() + rest.saturating_sub(since);
        Self { reply: Reply::new(status, etag, headers, body), tags, sequence, keep, expires }
    }

    /// The same page, current for no longer than `limit` from now.
    pub fn for_at_most(self, limit: Duration) -> Self {
        Self { expires: self.expires.min(Instant::now() + limit), ..self }
    }

    /// The same page with its body packed alone, if that is smaller. It takes a while: not for async
    /// threads.
    pub fn packed(&self) -> Option<Self> {
        let Self { tags, sequence, keep, expires, .. } = self;
        let reply = self.reply.packed_alone()?;
        Some(Self {
            reply,
            tags: tags.clone(),
            sequence: *sequence,
            keep: *keep,
            expires: *expires,
        })
    }

    /// Roughly the memory that it takes in the cache under a key as long as that.
    pub fn weight(&self, key: &str) -> usize {
        /// The cache's own records of an entry.
        const PER_PAGE: usize = 512;
        /// A tag's text, its place in the index and the entry's key there.
        const PER_TAG: usize = 128;
        let tags = self.tags.iter().map(|tag| tag.len() + PER_TAG).sum::<usize>();
        self.reply.held_bytes() + tags + key.len() + PER_PAGE
    }
}

/// Pages and lasting words about a page. What the renderer could not do is nobody's to keep.
fn keepable(status: StatusCode) -> bool {
    matches!(status.as_u16(), 200 | 301 | 302 | 303 | 307 | 308 | 404 | 410)
}

/// A copy that is to be kept. As it came, a header's value is a part of the whole buffer that was read
/// from the connection, the body's beginning included, and keeps all of that in memory.
pub fn owned(value: &HeaderValue) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value.as_bytes()).ok()
}

/// The tag as a weak one, because the same stands for every packed form.
fn weak(etag: &HeaderValue) -> Option<HeaderValue> {
    let text = etag.to_str().ok()?;
    if text.starts_with("W/") {
        return owned(etag);
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
        reply.give(&Method::HEAD, &HeaderMap::new()).headers().clone()
    }

    #[test]
    fn what_is_of_one_day_ends_with_it_and_the_rest_with_the_year_that_it_names() {
        for (tags, rest, shortest) in [
            ("list:properties day", rest_of_day as fn(SystemTime) -> Duration, 22),
            ("site", rest_of_year, 24 * 364),
        ] {
            let midnight = Instant::now() + rest(SystemTime::now());
            let ends = page(200, &[("surrogate-key", tags), ("almijara-sequence", "7")]).expires;
            let apart = ends.max(midnight) - ends.min(midnight);
            // It may have ended between the two.
            let is_next = apart > Duration::from_hours(shortest);
            assert!(apart < Duration::from_mins(1) || is_next, "{tags}: {apart:?}");
        }
    }

    #[test]
    fn what_was_made_just_after_midnight_may_be_of_the_day_before() {
        let now = SystemTime::now();
        let midnight = now + rest_of_day(now);
        for (seconds, longest) in [(1, 59), (50, 10), (120, 26 * 3_600)] {
            let began = midnight + Duration::from_secs(seconds);
            let tagged = [("surrogate-key", "site day"), ("almijara-sequence", "7")];
            let expires = page_from(began, 200, &tagged).expires;
            // It is yet to begin, so nothing of the time has passed.
            let rest = expires.saturating_duration_since(Instant::now());
            let longest = Duration::from_secs(longest);
            assert!(rest <= longest && rest > longest / 2, "{seconds}: {rest:?}");
        }
    }

    #[test]
    fn only_a_page_that_a_purge_would_find_is_kept() {
        let tagged = [("surrogate-key", "site team"), ("almijara-sequence", "7")];
        let page_ok = page(200, &tagged);
        assert!(page_ok.keep);
        assert_eq!((page_ok.sequence.get(), page_ok.tags.len()), (7, 2));
        assert!(page(404, &tagged).keep);
        assert!(page(404, &tagged).expires <= Instant::now() + NOT_FOUND_LIMIT);
        assert!(page(301, &tagged).keep);
        assert!(!page(500, &tagged).keep);
        assert!(!page(200, &[("almijara-sequence", "7")]).keep);
        assert!(!page(200, &[("surrogate-key", "site")]).keep);
        let private = page(200, &[tagged[0], tagged[1], ("cache-control", "private, no-cache")]);
        assert!(!private.keep);
        assert_eq!(headers(&private.reply)[header::CACHE_CONTROL], "no-store");
    }

    #[test]
    fn what_is_kept_of_an_answer_does_not_keep_what_it_was_read_into() {
        let read = Bytes::from(format!("W/\"tag\"{}", "x".repeat(100_000)));
        let part = || HeaderValue::from_maybe_shared(read.slice(..7)).expect("a value");
        let names = KEPT.into_iter().chain([header::ETAG]);
        let given: HeaderMap = names.map(|name| (name, part())).collect();
        let security = Security::new(&"http://localhost".parse().expect("a URL"));
        let body = Bytes::from("<p>");
        let page = Page::new(StatusCode::OK, &given, body, &security, SystemTime::now());
        assert_eq!(headers(&page.reply)[header::ETAG], "W/\"tag\"");
        drop(given);
        assert!(read.is_unique(), "a header's value holds the buffer of the connection");
    }

    #[test]
    fn a_cookie_of_the_renderer_reaches_nobody() {
        let page = page(200, &[("set-cookie", "session=1"), ("link", "</a>; rel=canonical")]);
        assert!(!headers(&page.reply).contains_key(header::SET_COOKIE));
        assert!(headers(&page.reply).contains_key(header::LINK));
    }
}
