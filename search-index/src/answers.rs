//! The cache of a view's search answers.
//!
//! A view never changes, so neither do its answers; they are dropped with it. Visitors request the first
//! page of a list, and the counts on every other page, again and again.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use contracts::Sequence;

use crate::{facets::Facets, filter::Loosened, query::PropertyQuery};

/// The maximum number of cached answers. Each takes about twenty kilobytes: a page of references and a
/// few hundred counts.
const MAX_ANSWERS: usize = 256;
/// Pages that end beyond this offset are not cached: they are usually requested only once.
const MAX_HITS: usize = 100;

/// A matching property, identified by the reference under which its other data is found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The agency's reference.
    pub reference: String,
}

/// The answer to a [`PropertyQuery`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The requested window of the matching properties, in order.
    pub hits: Vec<Hit>,
    /// The number of matching properties.
    pub total: u64,
    /// How many properties each further choice would leave.
    pub facets: Facets,
    /// If nothing matches: each single filter whose removal would give results, the one with the most
    /// results first.
    pub loosen: Vec<Loosened>,
    /// The log position that the answer reflects.
    pub sequence: Sequence,
}

/// A median, and the size of its sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Median {
    /// The number of homes in the sample.
    pub homes: u64,
    /// The median in euros.
    pub euros: i64,
}

/// The median asking prices of the homes for sale in a place and its parts; `None` where no such home has
/// a price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Medians {
    /// The median price.
    pub price: Option<Median>,
    /// The median price of a built square metre of the flats.
    pub metre_of_flats: Option<Median>,
    /// The median price of a built square metre of the houses.
    pub metre_of_houses: Option<Median>,
}

/// Caches the latest answers, by query, and the medians of places.
#[derive(Default)]
pub(crate) struct AnswerCache {
    cached: Mutex<CachedAnswers>,
    medians: OnceLock<HashMap<String, Medians>>,
}

#[derive(Default)]
struct CachedAnswers {
    answers: HashMap<Arc<PropertyQuery>, Arc<SearchAnswer>>,
    /// The queries in the order in which they were added, for eviction.
    order: VecDeque<Arc<PropertyQuery>>,
}

impl AnswerCache {
    pub fn get(&self, query: &PropertyQuery) -> Option<Arc<SearchAnswer>> {
        self.lock().answers.get(query).map(Arc::clone)
    }

    pub fn insert(&self, query: &PropertyQuery, found: &Arc<SearchAnswer>) {
        if query.offset.saturating_add(query.limit) > MAX_HITS {
            return;
        }
        let query = Arc::new(query.clone());
        let mut cached = self.lock();
        if cached.answers.insert(Arc::clone(&query), Arc::clone(found)).is_none() {
            cached.order.push_back(query);
        }
        if cached.order.len() > MAX_ANSWERS
            && let Some(oldest) = cached.order.pop_front()
        {
            cached.answers.remove(&oldest);
        }
    }

    /// Returns the medians, which `find` computes on the first call.
    pub fn medians(
        &self,
        find: impl FnOnce() -> HashMap<String, Medians>,
    ) -> &HashMap<String, Medians> {
        self.medians.get_or_init(find)
    }

    fn lock(&self) -> MutexGuard<'_, CachedAnswers> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for AnswerCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerCache").field("cached", &self.lock().order.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use contracts::{Locale, Sequence};

    use super::*;
    use crate::{facets::Facets, polygon::Polygon, query::BoundingBox};

    fn found(total: u64) -> Arc<SearchAnswer> {
        let (hits, facets, loosen) = (Vec::new(), Facets::default(), Vec::new());
        Arc::new(SearchAnswer { hits, total, facets, loosen, sequence: Sequence::START })
    }

    #[test]
    fn only_an_equal_query_gets_the_answer() {
        let answers = AnswerCache::default();
        let query = |corner: f64, east| PropertyQuery {
            area: Polygon::new(vec![(0.0, 0.0), (corner, 0.0), (0.0, 1.0)]),
            bounds: Some(BoundingBox { west: -1.0, south: -1.0, east, north: 1.0 }),
            ..PropertyQuery::newest(Locale::En, 24)
        };
        answers.insert(&query(1.0, 2.0), &found(1));
        assert!(answers.get(&query(1.0, 2.0)).is_some());
        assert_eq!(answers.get(&query(1.5, 2.0)), None);
        assert_eq!(answers.get(&query(1.0, 2.5)), None);
    }

    #[test]
    fn a_full_cache_evicts_the_oldest_answer() {
        let answers = AnswerCache::default();
        let query = |today| PropertyQuery { today, ..PropertyQuery::newest(Locale::En, 24) };
        for day in (0_i64..).take(MAX_ANSWERS + 1) {
            answers.insert(&query(day), &found(day.unsigned_abs()));
        }
        assert_eq!(answers.get(&query(0)), None);
        assert_eq!(answers.get(&query(1)).map(|found| found.total), Some(1));
        assert_eq!(answers.lock().answers.len(), MAX_ANSWERS);
    }

    #[test]
    fn a_deep_page_is_not_cached_however_short_it_is() {
        let answers = AnswerCache::default();
        let page = |offset| PropertyQuery { offset, ..PropertyQuery::newest(Locale::En, 24) };
        for (offset, is_cached) in [(0, true), (72, true), (96, false), (9_576, false)] {
            answers.insert(&page(offset), &found(9_600));
            assert_eq!(answers.get(&page(offset)).is_some(), is_cached, "from {offset}");
        }
    }
}
