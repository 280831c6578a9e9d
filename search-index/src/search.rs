//! Asking a view.

use contracts::Sequence;

use crate::{
    collect::PropertyCollector,
    error::Error,
    facets::Facets,
    filter::Loosened,
    index::View,
    query::PropertyQuery,
    text::{everything, words_query},
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
    /// Answers `query`.
    pub fn search(&self, query: &PropertyQuery) -> Result<Found, Error> {
        let words = query
            .text
            .as_deref()
            .and_then(|text| words_query(&self.fields, self.analyzers.clone(), query.locale, text));
        let collector = PropertyCollector {
            query,
            scored: words.is_some(),
            keep: query.offset.saturating_add(query.limit),
        };
        let collected = self.searcher.search(&words.unwrap_or_else(everything), &collector)?;
        let window = collected.hits.into_iter().skip(query.offset).take(query.limit);
        Ok(Found {
            hits: window.map(|ranked| ranked.hit).collect(),
            total: collected.total,
            facets: collected.counts.into_facets(),
            loosen: Vec::new(),
            sequence: self.sequence,
        })
    }
}
