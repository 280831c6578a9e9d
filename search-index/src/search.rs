//! Answers queries from a view.

use std::{cmp::Reverse, sync::Arc};

use tantivy::query::Query;

use crate::{
    answers::{Hit, SearchAnswer},
    code_column::DocumentSet,
    collect::{Ranked, top_documents},
    error::Error,
    facets::Sums,
    filter::{Filter, Filtered, Loosened},
    matches::{MatchCollector, Matches},
    query::{PropertyQuery, Sort},
    text::{exact_reference_query, words_query},
    view::View,
};

impl View {
    /// Answers `query`, from the view's cache where possible.
    pub fn search(&self, query: &PropertyQuery) -> Result<Arc<SearchAnswer>, Error> {
        if let Some(found) = self.cached_answer(query) {
            return Ok(found);
        }
        let found = Arc::new(self.find(query)?);
        self.answers.insert(query, &found);
        Ok(found)
    }

    /// Returns the cached answer to `query`, if there is one.
    pub fn cached_answer(&self, query: &PropertyQuery) -> Option<Arc<SearchAnswer>> {
        self.answers.get(query)
    }

    fn find(&self, query: &PropertyQuery) -> Result<SearchAnswer, Error> {
        let words = self.words(query);
        let matches = self.matches(words.as_deref(), query.sort)?;
        let keep = query.offset.saturating_add(query.limit);
        let mut sums = Sums::new(&self.catalogue);
        let mut hits = Vec::new();
        for (ordinal, segment) in self.catalogue.segments.iter().enumerate() {
            let matches = matches.as_ref().and_then(|matches| matches.get(ordinal));
            let Filtered { fits, near_misses } = segment.apply_filters(query, matches);
            let fits = DocumentSet::new(fits);
            hits.extend(top_documents(&segment.columns, &fits, matches, query.sort, keep));
            sums.add(query, segment, &fits, near_misses);
        }
        Ok(SearchAnswer {
            hits: window(hits, query.offset, query.limit),
            total: sums.total,
            facets: sums.facets(&self.catalogue),
            loosen: if sums.total == 0 {
                self.loosen(query, words.is_some(), &sums)
            } else {
                Vec::new()
            },
            sequence: self.sequence,
        })
    }

    /// Returns the newest `limit` hits that match both `words` and the filters of `query`.
    pub(crate) fn newest(
        &self,
        query: &PropertyQuery,
        words: &dyn Query,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let matches = self.matches(Some(words), Sort::Newest)?;
        let mut hits = Vec::new();
        for (segment, matches) in self.catalogue.segments.iter().zip(matches.iter().flatten()) {
            let fits = DocumentSet::new(segment.apply_filters(query, Some(matches)).fits);
            hits.extend(top_documents(&segment.columns, &fits, None, Sort::Newest, limit));
        }
        Ok(window(hits, 0, limit))
    }

    /// Returns the documents of each segment that match `words`, with their scores if `sort` needs them;
    /// `None` if there are no words.
    pub(crate) fn matches(
        &self,
        words: Option<&dyn Query>,
        sort: Sort,
    ) -> Result<Option<Vec<Matches>>, Error> {
        let collector = MatchCollector { scored: sort == Sort::Relevance };
        Ok(words.map(|words| self.searcher.search(words, &collector)).transpose()?)
    }

    /// Returns the query for the reference of `query`, or else for its words; `None` if there are none except
    /// for stop words.
    pub(crate) fn words(&self, query: &PropertyQuery) -> Option<Box<dyn Query>> {
        let analyzers = self.analyzers.clone();
        if let Some(reference) = &query.reference {
            return Some(exact_reference_query(&self.fields, analyzers, reference));
        }
        words_query(&self.fields, analyzers, query.locale, query.text.as_deref()?)
    }

    /// Returns the single filters whose removal would give results, with the number of results.
    fn loosen(&self, query: &PropertyQuery, has_words: bool, sums: &Sums) -> Vec<Loosened> {
        let set = Filter::CHECKED.into_iter().filter(|filter| filter.is_set(query));
        let mut loosened: Vec<_> =
            set.map(|filter| Loosened { filter, count: sums.failing(filter) }).collect();
        if has_words {
            // Documents that do not match the words are not in `sums`, so they are counted here.
            let mut wordless = query.clone();
            if query.statuses_from_text {
                wordless.statuses.clear();
            }
            let segments = self.catalogue.segments.iter();
            let fits = segments
                .map(|segment| segment.apply_filters(&wordless, None).fits.count_ones(..) as u64);
            loosened.push(Loosened { filter: Filter::Words, count: fits.sum() });
        }
        loosened.retain(|loosened| loosened.count > 0);
        loosened.sort_by_key(|loosened| (Reverse(loosened.count), loosened.filter));
        loosened
    }
}

/// Sorts the hits of all segments, and returns the requested window.
pub(crate) fn window(mut hits: Vec<Ranked<'_>>, offset: usize, limit: usize) -> Vec<Hit> {
    hits.sort_unstable();
    let window = hits.into_iter().skip(offset).take(limit);
    window.map(|(.., reference)| Hit { reference: reference.to_owned() }).collect()
}
