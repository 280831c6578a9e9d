//! What operators look at: calls that took long, searches that found nothing, and when the index had
//! what. All of it is kept in this process alone, in bounded memory, and none of it says who asked.

use std::time::Duration;

use contracts::Locale;
use http::Uri;
use runtime::admin::{Frequent, Progress, Slowest};
use search_index::fold;
use serde::Serialize;

/// How many different searches are counted.
const MAX_SEARCHES: usize = 2_000;
/// As much of a search is kept, in characters.
const MAX_SEARCH_LENGTH: usize = 100;
/// As much of the query part of an address is kept, in bytes.
const MAX_QUERY_LENGTH: usize = 500;

/// What this node has seen.
#[derive(Debug)]
pub struct Watched {
    /// Calls of the last hour.
    pub slow: Slowest<Call>,
    /// Searches that found nothing.
    pub empty: Frequent<Search>,
    /// When the index had the last positions of the log.
    pub indexed: Progress,
}

/// A call of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Call {
    call: String,
    query: String,
}

/// What was searched for, folded as it is searched for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    pub query: String,
    pub locale: Locale,
}

impl Default for Watched {
    fn default() -> Self {
        Self {
            slow: Slowest::default(),
            empty: Frequent::new(MAX_SEARCHES),
            indexed: Progress::default(),
        }
    }
}

impl Watched {
    /// The answer to `uri` took so long.
    pub fn answered(&self, uri: &Uri, took: Duration) {
        self.slow.note(took, || {
            let query = uri.query().unwrap_or_default();
            Call { call: uri.path().to_owned(), query: told(query, MAX_QUERY_LENGTH) }
        });
    }

    /// Nothing fits what was `typed`.
    pub fn found_nothing(&self, typed: &str, locale: Locale) {
        let folded = fold(typed);
        let words: Vec<&str> = folded.split_whitespace().collect();
        let query: String = words.join(" ").chars().take(MAX_SEARCH_LENGTH).collect();
        if !query.is_empty() && !names_a_mailbox(&query) {
            self.empty.note(Search { query, locale }, None);
        }
    }
}

/// As much of `query` as is told: nothing where somebody may have typed an address of theirs.
fn told(query: &str, longest: usize) -> String {
    if names_a_mailbox(query) {
        return String::new();
    }
    query.chars().take(longest).collect()
}

fn names_a_mailbox(text: &str) -> bool {
    text.contains('@') || text.contains("%40")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_one_however_it_is_written_and_no_mailbox_is_kept() {
        let watched = Watched::default();
        for typed in ["Ático  con Piscina", "atico con piscina", "ann@x.example", "  "] {
            watched.found_nothing(typed, Locale::Es);
        }
        let list = watched.empty.list(10);
        assert_eq!((list.len(), list[0].count), (1, 2), "{list:?}");
        assert_eq!(list[0].key.query, "atico con piscina");
        for (uri, query) in [("/api/properties?q=sea", "q=sea"), ("/api/suggest?q=a%40b.es", "")] {
            let watched = Watched::default();
            watched.answered(&Uri::from_static(uri), Duration::from_millis(3));
            assert_eq!(watched.slow.list()[0].what.query, query);
        }
    }
}
