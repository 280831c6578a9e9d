//! Diagnostics for operators: slow calls, searches without results, and when the index reached each
//! position. They are stored only in this process, in bounded memory, and never identify a visitor.

use std::time::Duration;

use admin_answers::query::Call;
use contracts::Locale;
use http::Uri;
use runtime::admin::{Frequent, Progress, Slowest};
use search_index::fold;

/// The maximum number of different searches that are counted.
const MAX_SEARCHES: usize = 2_000;
/// The maximum length of a stored search, in characters.
const MAX_SEARCH_LENGTH: usize = 100;
/// The maximum length of a stored query string, in characters.
const MAX_QUERY_LENGTH: usize = 500;

/// What this node has recorded.
#[derive(Debug)]
pub struct Diagnostics {
    /// The slowest calls of the last hour.
    pub slow: Slowest<Call>,
    /// Searches without results.
    pub empty: Frequent<Search>,
    /// When the index reached the last positions of the log.
    pub indexed: Progress,
}

/// A search, folded as the index folds it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    pub query: String,
    pub locale: Locale,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Self {
            slow: Slowest::default(),
            empty: Frequent::new(MAX_SEARCHES),
            indexed: Progress::default(),
        }
    }
}

impl Diagnostics {
    /// Records how long the answer to `uri` took.
    pub fn record_call(&self, uri: &Uri, took: Duration) {
        self.slow.record(took, || {
            let query = uri.query().unwrap_or_default();
            Call { call: uri.path().to_owned(), query: redacted(query, MAX_QUERY_LENGTH) }
        });
    }

    /// Records that the search `typed` had no results.
    pub fn record_empty_search(&self, typed: &str, locale: Locale) {
        let folded = fold(typed);
        let words: Vec<&str> = folded.split_whitespace().collect();
        let query: String = words.join(" ").chars().take(MAX_SEARCH_LENGTH).collect();
        if !query.is_empty() && !contains_email(&query) {
            self.empty.record(Search { query, locale }, None);
        }
    }
}

/// Returns the first `max_length` characters of `query`, or nothing if it may contain an email address.
fn redacted(query: &str, max_length: usize) -> String {
    if contains_email(query) {
        return String::new();
    }
    query.chars().take(max_length).collect()
}

fn contains_email(text: &str) -> bool {
    text.contains('@') || text.contains("%40")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_count_as_one_search_and_email_addresses_are_not_stored() {
        let diagnostics = Diagnostics::default();
        for typed in ["Ático  con Piscina", "atico con piscina", "ann@x.example", "  "] {
            diagnostics.record_empty_search(typed, Locale::Es);
        }
        let list = diagnostics.empty.list(10);
        assert_eq!((list.len(), list[0].count), (1, 2), "{list:?}");
        assert_eq!(list[0].key.query, "atico con piscina");
        for (uri, query) in [("/api/properties?q=sea", "q=sea"), ("/api/suggest?q=a%40b.es", "")] {
            let diagnostics = Diagnostics::default();
            diagnostics.record_call(&Uri::from_static(uri), Duration::from_millis(3));
            assert_eq!(diagnostics.slow.list()[0].what.query, query);
        }
    }
}
