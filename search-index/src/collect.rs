//! One pass over what the words found: filters, facets, total and the first so many in order.

use std::collections::BinaryHeap;

use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader, TantivyError,
    collector::{Collector, SegmentCollector},
};

use crate::{
    facets::{Counts, SegmentCounts},
    query::{PropertyQuery, Sort},
    search::Hit,
    segment::{Columns, Filters, failed},
};

/// Collects the answer to one question.
pub(crate) struct PropertyCollector<'a> {
    pub query: &'a PropertyQuery,
    /// Whether documents come with scores, which is where the question has words.
    pub scored: bool,
    /// How many hits to keep, from the first.
    pub keep: usize,
}

/// What all segments together gave: hits in order, how many fit, and the counts.
#[derive(Default)]
pub(crate) struct Collected {
    pub hits: Vec<RankedHit>,
    pub total: u64,
    pub counts: Counts,
}

/// A hit with what it is ordered by; lower ranks come first, then lower references.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankedHit {
    rank: i64,
    pub hit: Hit,
}

impl Collector for PropertyCollector<'_> {
    type Fruit = Collected;
    type Child = SegmentSearch;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentSearch> {
        let columns = Columns::open(segment)?;
        Ok(SegmentSearch {
            filters: Filters::resolve(self.query, &columns)?,
            counts: SegmentCounts::new(&columns),
            columns,
            ranking: match (self.query.sort, self.scored) {
                (Sort::Relevance, false) => Sort::Newest,
                (sort, _) => sort,
            },
            keep: self.keep,
            first: BinaryHeap::new(),
            total: 0,
        })
    }

    fn requires_scoring(&self) -> bool {
        self.scored && self.query.sort == Sort::Relevance
    }

    fn merge_fruits(
        &self,
        segments: Vec<tantivy::Result<Collected>>,
    ) -> tantivy::Result<Collected> {
        let mut all = Collected::default();
        for segment in segments {
            let segment = segment?;
            all.hits.extend(segment.hits);
            all.total += segment.total;
            all.counts.merge(segment.counts);
        }
        all.hits.sort_unstable();
        all.hits.truncate(self.keep);
        Ok(all)
    }
}

/// The pass over one segment.
pub(crate) struct SegmentSearch {
    filters: Filters,
    columns: Columns,
    counts: SegmentCounts,
    ranking: Sort,
    keep: usize,
    /// The best so far, the worst of them on top: rank, and the ordinal of the reference, which
    /// within a segment is in the order of references.
    first: BinaryHeap<(i64, u64)>,
    total: u64,
}

impl SegmentSearch {
    fn rank(&self, doc: DocId, score: Score) -> i64 {
        let columns = &self.columns;
        match self.ranking {
            Sort::Newest => -columns.listed_at.first(doc).unwrap_or(i64::MIN + 1),
            Sort::Oldest => columns.listed_at.first(doc).unwrap_or(i64::MAX),
            Sort::PriceAscending => columns.price.first(doc).unwrap_or(i64::MAX),
            Sort::PriceDescending => columns.price.first(doc).map_or(i64::MAX, |price| -price),
            // The bits of floats from zero up are in the order of the floats.
            Sort::Relevance => -i64::from(score.max(0.0).to_bits()),
        }
    }

    fn keep(&mut self, rank: i64, reference: u64) {
        if self.first.len() < self.keep {
            self.first.push((rank, reference));
        } else if let Some(mut worst) = self.first.peek_mut()
            && (rank, reference) < *worst
        {
            *worst = (rank, reference);
        }
    }

    fn finish(self) -> tantivy::Result<Collected> {
        let mut kept = self.first.into_vec();
        kept.sort_unstable_by_key(|(_, reference)| *reference);
        let mut hits = Vec::with_capacity(kept.len());
        if let Some(references) = &self.columns.reference {
            let ordinals: Vec<u64> = kept.iter().map(|(_, reference)| *reference).collect();
            let mut ranks = kept.iter().map(|(rank, _)| *rank);
            references.dictionary().sorted_ords_to_term_cb(&ordinals, |reference| {
                let reference = String::from_utf8_lossy(reference).into_owned();
                if let Some(rank) = ranks.next() {
                    hits.push(RankedHit { rank, hit: Hit { reference } });
                }
            })?;
        }
        if hits.len() != kept.len() {
            return Err(TantivyError::InternalError("a hit has no reference".to_owned()));
        }
        Ok(Collected { hits, total: self.total, counts: self.counts.resolve(&self.columns)? })
    }
}

impl SegmentCollector for SegmentSearch {
    type Fruit = tantivy::Result<Collected>;

    fn collect(&mut self, doc: DocId, score: Score) {
        // A document without a status is what stayed of a removed property.
        let Some(status) = self.columns.status.first(doc) else { return };
        let failure = self.filters.check(&self.columns, doc, status);
        if failure == failed::SEVERAL || failure == failed::OTHER {
            return;
        }
        self.counts.count(&self.columns, doc, status, failure);
        if failure == failed::NONE {
            self.total += 1;
            let rank = self.rank(doc, score);
            let reference = self.columns.reference.as_ref();
            let reference = reference.and_then(|column| column.ords().first(doc));
            self.keep(rank, reference.unwrap_or(u64::MAX));
        }
    }

    fn harvest(self) -> Self::Fruit {
        self.finish()
    }
}
