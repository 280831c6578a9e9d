//! Collects what operators see: slow renders, addresses that were not found, and the last purges.
//! Everything is held in the memory of this process, bounded, and without a visitor's identity.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use admin_answers::site::Render;
use chrono::{DateTime, Utc};
use contracts::Sequence;
use http::{HeaderMap, header};
use runtime::admin::{Frequent, Progress, Slowest};
use url::Url;

use crate::{headers::text, pages::page_key::PageKey};

/// The maximum number of different not-found addresses that are counted.
const MAX_PATHS: usize = 2_000;
/// The maximum length of a counted path: nobody links to longer ones.
const MAX_PATH_LENGTH: usize = 500;
/// The start of the `User-Agent` of our own programs. The sync role requests a new page until it exists.
const OWN_AGENT: &[u8] = b"almijara/";
/// The service worker. It requests pages again that were shown before, and no visitor came from it.
const SERVICE_WORKER: &str = "/sw.js";
/// The maximum length of a recorded referrer, in characters.
const MAX_REFERRER_LENGTH: usize = 300;

/// The observations of this process.
#[derive(Debug)]
pub struct Observations {
    /// The slowest renders of the last hour.
    pub renders: Slowest<Render>,
    /// Paths that were not found, each with its last referrer.
    pub not_found: Frequent<String>,
    /// When the last changes were applied.
    pub purged: Progress,
    /// When pages were last purged, by a change or an operator.
    purged_at: Mutex<Option<DateTime<Utc>>>,
}

impl Default for Observations {
    fn default() -> Self {
        Self {
            renders: Slowest::default(),
            not_found: Frequent::new(MAX_PATHS),
            purged: Progress::default(),
            purged_at: Mutex::default(),
        }
    }
}

impl Observations {
    /// Records that rendering the page at `key` took `took`.
    pub fn record_render(&self, key: &PageKey, took: Duration) {
        self.renders.record(took, || Render { path: key.redacted().to_owned() });
    }

    /// Records that nothing was found at `path`, for a request with `headers` to the site at `origin`.
    pub fn record_not_found(&self, path: &str, headers: &HeaderMap, origin: &str) {
        if is_own_program(headers) || path.len() > MAX_PATH_LENGTH {
            return;
        }
        let from = text(headers, header::REFERER).and_then(|from| referrer(from, origin));
        if from.as_deref() != Some(SERVICE_WORKER) {
            self.not_found.record(path.to_owned(), from);
        }
    }

    /// Records that the change at `sequence` was applied.
    pub fn record_change(&self, sequence: Sequence) {
        self.purged.record(sequence.get());
        self.record_purge();
    }

    /// Records that pages were purged now.
    pub fn record_purge(&self) {
        *self.purged_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Utc::now());
    }

    /// Returns when pages were last purged.
    pub fn purged_at(&self) -> Option<DateTime<Utc>> {
        *self.purged_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether the request comes from one of our own programs and not from a visitor.
pub fn is_own_program(headers: &HeaderMap) -> bool {
    headers.get(header::USER_AGENT).is_some_and(|agent| agent.as_bytes().starts_with(OWN_AGENT))
}

/// Returns the referrer `from` without its query, which may identify the visitor: a path if it is a page
/// of the site at `origin`.
fn referrer(from: &str, origin: &str) -> Option<String> {
    let from: Url = from.parse().ok()?;
    if !matches!(from.scheme(), "http" | "https") {
        return None;
    }
    let site = from.origin().ascii_serialization();
    let place = if site == origin { String::new() } else { site };
    Some(format!("{place}{}", from.path()).chars().take(MAX_REFERRER_LENGTH).collect())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const ORIGIN: &str = "https://homes.example";

    #[test]
    fn a_referrer_is_reduced_to_its_page() {
        for (from, kept) in [
            ("https://homes.example/news/a?utm_source=b", Some("/news/a")),
            (
                "https://ann:secret@portal.example/homes/7?user=ann#x",
                Some("https://portal.example/homes/7"),
            ),
            ("about:blank", None),
            ("nonsense", None),
        ] {
            assert_eq!(referrer(from, ORIGIN).as_deref(), kept, "{from}");
        }
    }

    #[test]
    fn missing_paths_are_counted_with_their_last_referrer() {
        let observations = Observations::default();
        let led = HeaderMap::from_iter([(
            header::REFERER,
            HeaderValue::from_static("https://homes.example/news/a"),
        )]);
        observations.record_not_found("/gone", &led, ORIGIN);
        observations.record_not_found("/gone", &HeaderMap::new(), ORIGIN);
        let of_worker = HeaderMap::from_iter([(
            header::REFERER,
            HeaderValue::from_static("https://homes.example/sw.js"),
        )]);
        observations.record_not_found("/gone", &of_worker, ORIGIN);
        observations.record_not_found(&format!("/{}", "x".repeat(MAX_PATH_LENGTH)), &led, ORIGIN);
        let of_sync = HeaderMap::from_iter([(
            header::USER_AGENT,
            HeaderValue::from_static("almijara/0.1.0"),
        )]);
        observations.record_not_found("/not-yet-there", &of_sync, ORIGIN);
        let list = observations.not_found.list(9);
        assert_eq!((list.len(), list[0].count), (1, 2));
        assert_eq!((list[0].key.as_str(), list[0].from.as_deref()), ("/gone", Some("/news/a")));
    }
}
