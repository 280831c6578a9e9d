//! Asking a view.

use std::{cmp::Reverse, sync::Arc};

use contracts::Sequence;
use tantivy::{DocId, Score, query::Query};

use crate::{
    collect::{Listing, gather},
    error::Error,
    facets::{Facets, Sums},
    filter::{Failure, Filter, Loosened},
    index::View,
    pass::Visitor,
    query::{PropertyQuery, Sort},
    rows::{Row, Rows},
    text::words_query,
};

/// One property that fits, by what the rest of it is found under.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The agency's reference.
    pub reference: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The asked-for window of what fits, in order.
    pub hits: Vec<Hit>,
    /// How many fit.
    pub total: u64,
    /// How many each further choice would leave.
    pub facets: Facets,
    /// Where nothing fits: each single filter without which something would, the most fruitful
    /// first.
    pub loosen: Vec<Loosened>,
    /// The position that the answer was made from.
    pub sequence: Sequence,
}

impl View {
    /// Answers `query`, from what this view answered before where it can.
    pub fn search(&self, query: &PropertyQuery) -> Result<Arc<Found>, Error> {
        if let Some(found) = self.answered(query) {
            return Ok(found);
        }
        let found = Arc::new(self.find(query)?);
        self.answers.keep(query, &found);
        Ok(found)
    }

    /// What this view answered to `query` before, if it still knows.
    pub fn answered(&self, query: &PropertyQuery) -> Option<Arc<Found>> {
        self.answers.get(query)
    }

    fn find(&self, query: &PropertyQuery) -> Result<Found, Error> {
        let words = self.words(query);
        let (hits, sums) = self.list(
            query,
            words.as_deref(),
            query.sort,
            query.offset.saturating_add(query.limit),
        )?;
        Ok(Found {
            hits: hits.into_iter().skip(query.offset).take(query.limit).collect(),
            total: sums.total,
            facets: sums.facets(&self.catalogue),
            loosen: if sums.total == 0 {
                self.loosen(query, words.is_some(), &sums)?
            } else {
                Vec::new()
            },
            sequence: self.sequence,
        })
    }

    /// The first `keep` hits in the order `sort` of what `words` find and `query`'s filters leave,
    /// with the counts. Relevance is that of the words; without any, the newest come first.
    pub(crate) fn list(
        &self,
        query: &PropertyQuery,
        words: Option<&dyn Query>,
        sort: Sort,
        keep: usize,
    ) -> Result<(Vec<Hit>, Sums), Error> {
        let sort = if sort == Sort::Relevance && words.is_none() { Sort::Newest } else { sort };
        let scored = sort == Sort::Relevance;
        let make = |rows: &Rows| Listing::new(query, sort, keep, rows);
        let listings = self.visit(query, words, scored, make)?;
        let (hits, sums) = gather(&self.catalogue, listings, keep)?;
        Ok((hits.into_iter().map(|ranked| ranked.hit).collect(), sums))
    }

    /// The query for the words of `query`; none where it has none that say anything.
    pub(crate) fn words(&self, query: &PropertyQuery) -> Option<Box<dyn Query>> {
        let text = query.text.as_deref()?;
        words_query(&self.fields, self.analyzers.clone(), query.locale, text)
    }

    /// What to give up so that something fits, where the counts of what fits are `sums`.
    fn loosen(
        &self,
        query: &PropertyQuery,
        has_words: bool,
        sums: &Sums,
    ) -> Result<Vec<Loosened>, Error> {
        let told = Filter::CHECKED.into_iter().filter(|filter| filter.is_told(query));
        let mut loosened: Vec<_> =
            told.map(|filter| Loosened { filter, count: sums.failing(filter) }).collect();
        if has_words {
            // What the words do not find was never looked at.
            let fits = self.visit(query, None, false, |_| Fits(0))?;
            let count = fits.into_iter().map(|Fits(count)| count).sum();
            loosened.push(Loosened { filter: Filter::Words, count });
        }
        loosened.retain(|loosened| loosened.count > 0);
        loosened.sort_by_key(|loosened| (Reverse(loosened.count), loosened.filter));
        Ok(loosened)
    }
}

/// How many fit all filters.
struct Fits(u64);

impl Visitor for Fits {
    fn visit(&mut self, _: &Rows, _: DocId, _: &Row, _: Score, failure: Failure) {
        self.0 += u64::from(failure == Failure::None);
    }
}
