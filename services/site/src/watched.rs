//! What operators look at: pages that took long to render, addresses where nothing is, and the last
//! purges. All of it is kept in this process alone, in bounded memory, and none of it says who asked.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use contracts::Sequence;
use http::{HeaderMap, header};
use runtime::admin::{Frequent, Progress, Slowest};
use serde::Serialize;
use url::Url;

use crate::{headers::text, page_key::PageKey};

/// How many different addresses without a page are counted.
const MAX_PATHS: usize = 2_000;
/// Longer ones are not counted: nobody links to them.
const MAX_PATH_LENGTH: usize = 500;
/// How our own programs name themselves. Sync asks for a new page until it is there.
const OURS: &[u8] = b"almijara/";
/// What keeps pages in visitors' browsers. It asks once more for what was shown, and nobody came from it.
const WORKER: &str = "/sw.js";
/// As much of where a visitor came from is kept, in characters.
const MAX_REFERRER_LENGTH: usize = 300;

/// What this door has seen.
#[derive(Debug)]
pub struct Watched {
    /// Renders of the last hour.
    pub renders: Slowest<Render>,
    /// Paths at which nothing is, each with the address that led there.
    pub not_found: Frequent<String>,
    /// When pages were purged by the last changes.
    pub purged: Progress,
    /// When they were purged last, by an operator too.
    purged_at: Mutex<Option<DateTime<Utc>>>,
}

/// A page that was rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Render {
    path: String,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            renders: Slowest::default(),
            not_found: Frequent::new(MAX_PATHS),
            purged: Progress::default(),
            purged_at: Mutex::default(),
        }
    }
}

impl Watched {
    /// The page at `key` took so long.
    pub fn rendered(&self, key: &PageKey, took: Duration) {
        self.renders.note(took, || Render { path: key.told().to_owned() });
    }

    /// There is nothing at `path`, which a visitor of the site at `origin` asked for with `headers`.
    pub fn missed(&self, path: &str, headers: &HeaderMap, origin: &str) {
        if is_ours(headers) || path.len() > MAX_PATH_LENGTH {
            return;
        }
        let from = text(headers, header::REFERER).and_then(|from| referrer(from, origin));
        if from.as_deref() != Some(WORKER) {
            self.not_found.note(path.to_owned(), from);
        }
    }

    /// The change at `sequence` purged pages just now.
    pub fn purged_by(&self, sequence: Sequence) {
        self.purged.note(sequence.get());
        self.purged_now();
    }

    /// Pages were purged just now.
    pub fn purged_now(&self) {
        *self.purged_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Utc::now());
    }

    /// When pages were purged last.
    pub fn purged_at(&self) -> Option<DateTime<Utc>> {
        *self.purged_at.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether one of our own programs asks with `headers`, and no visitor.
pub fn is_ours(headers: &HeaderMap) -> bool {
    headers.get(header::USER_AGENT).is_some_and(|agent| agent.as_bytes().starts_with(OURS))
}

/// Where a visitor came `from`, without what the query part of its address may say of them: a path
/// where it is a page of the site at `origin`.
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
    fn of_where_a_visitor_came_from_only_the_page_is_kept() {
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
    fn paths_are_counted_with_who_led_there_last() {
        let watched = Watched::default();
        let led = HeaderMap::from_iter([(
            header::REFERER,
            HeaderValue::from_static("https://homes.example/news/a"),
        )]);
        watched.missed("/gone", &led, ORIGIN);
        watched.missed("/gone", &HeaderMap::new(), ORIGIN);
        let of_worker = HeaderMap::from_iter([(
            header::REFERER,
            HeaderValue::from_static("https://homes.example/sw.js"),
        )]);
        watched.missed("/gone", &of_worker, ORIGIN);
        watched.missed(&format!("/{}", "x".repeat(MAX_PATH_LENGTH)), &led, ORIGIN);
        let of_sync = HeaderMap::from_iter([(
            header::USER_AGENT,
            HeaderValue::from_static("almijara/0.1.0"),
        )]);
        watched.missed("/not-yet-there", &of_sync, ORIGIN);
        let list = watched.not_found.list(9);
        assert_eq!((list.len(), list[0].count), (1, 2));
        assert_eq!((list[0].key.as_str(), list[0].from.as_deref()), ("/gone", Some("/news/a")));
    }
}
