//! Asking a view.

use std::{cmp::Reverse, sync::Arc};

use tantivy::query::Query;

use crate::{
    answers::{Hit, SearchAnswer},
    coded::Among,
    collect::{Ranked, first},
    error::Error,
    facets::Sums,
    filter::{Filter, Loosened, Sifted},
    matches::{EachSegment, Matches},
    query::{PropertyQuery, Sort},
    text::{exact_reference_query, words_query},
    view::View,
};

impl View {
    /// Answers `query`, from what this view answered before where it can.
    pub fn search(&self, query: &PropertyQuery) -> Result<Arc<SearchAnswer>, Error> {
        if let Some(found) = self.answered(query) {
            return Ok(found);
        }
        let found = Arc::new(self.find(query)?);
        self.answers.keep(query, &found);
        Ok(found)
    }

    /// What this view answered to `query` before, if it still knows.
    pub fn answered(&self, query: &PropertyQuery) -> Option<Arc<SearchAnswer>> {
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
            let Sifted { fits, but_for } = segment.sift(query, matches);
            let fits = Among::new(fits);
            hits.extend(first(&segment.columns, &fits, matches, query.sort, keep));
            sums.add(query, segment, &fits, but_for);
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

    /// The first `limit` hits, the newest first, of what `words` find and `query`'s filters leave.
    pub(crate) fn newest(
        &self,
        query: &PropertyQuery,
        words: &dyn Query,
        limit: usize,
    ) -> Result<Vec<Hit>, Error> {
        let matches = self.matches(Some(words), Sort::Newest)?;
        let mut hits = Vec::new();
        for (segment, matches) in self.catalogue.segments.iter().zip(matches.iter().flatten()) {
            let fits = Among::new(segment.sift(query, Some(matches)).fits);
            hits.extend(first(&segment.columns, &fits, None, Sort::Newest, limit));
        }
        Ok(window(hits, 0, limit))
    }

    /// What `words` find in each segment, and how well it fits where the order asks for that; none
    /// where there are no words.
    pub(crate) fn matches(
        &self,
        words: Option<&dyn Query>,
        sort: Sort,
    ) -> Result<Option<Vec<Matches>>, Error> {
        let each = EachSegment { scored: sort == Sort::Relevance };
        Ok(words.map(|words| self.searcher.search(words, &each)).transpose()?)
    }

    /// The query for the reference of `query`, or else for its words; none where it has none that say
    /// anything.
    pub(crate) fn words(&self, query: &PropertyQuery) -> Option<Box<dyn Query>> {
        let analyzers = self.analyzers.clone();
        if let Some(reference) = &query.reference {
            return Some(exact_reference_query(&self.fields, analyzers, reference));
        }
        words_query(&self.fields, analyzers, query.locale, query.text.as_deref()?)
    }

    /// What to give up so that something fits, where the counts of what fits are `sums`.
    fn loosen(&self, query: &PropertyQuery, has_words: bool, sums: &Sums) -> Vec<Loosened> {
        let told = Filter::CHECKED.into_iter().filter(|filter| filter.is_told(query));
        let mut loosened: Vec<_> =
            told.map(|filter| Loosened { filter, count: sums.failing(filter) }).collect();
        if has_words {
            // What the words do not find was never looked at.
            let mut wordless = query.clone();
            if query.statuses_of_words {
                wordless.statuses.clear();
            }
            let segments = self.catalogue.segments.iter();
            let fits =
                segments.map(|segment| segment.sift(&wordless, None).fits.count_ones(..) as u64);
            loosened.push(Loosened { filter: Filter::Words, count: fits.sum() });
        }
        loosened.retain(|loosened| loosened.count > 0);
        loosened.sort_by_key(|loosened| (Reverse(loosened.count), loosened.filter));
        loosened
    }
}

/// The asked-for window of what each segment gave.
pub(crate) fn window(mut hits: Vec<Ranked<'_>>, offset: usize, limit: usize) -> Vec<Hit> {
    hits.sort_unstable();
    let window = hits.into_iter().skip(offset).take(limit);
    window.map(|(.., reference)| Hit { reference: reference.to_owned() }).collect()
}
