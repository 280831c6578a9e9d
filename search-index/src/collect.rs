//! The first so many of what fits, in order.

use std::collections::BinaryHeap;

use tantivy::Score;

use crate::{
    coded::Among,
    columns::{Columns, UNKNOWN},
    matches::Matches,
    query::Sort,
    search::Hit,
};

/// A hit with what it is ordered by; lower ranks come first, then lower references.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankedHit {
    rank: i64,
    pub hit: Hit,
}

/// The first `keep` of one segment's `fits`, in no order. Relevance is that of `matches`; without
/// any, the newest come first.
pub(crate) fn first(
    columns: &Columns,
    fits: &Among,
    matches: Option<&Matches>,
    sort: Sort,
    keep: usize,
) -> tantivy::Result<Vec<RankedHit>> {
    let mut first = First { keep, kept: BinaryHeap::new() };
    let reference = |doc: usize| columns.reference[doc];
    match (sort, matches) {
        (Sort::Relevance, Some(matches)) => {
            for (doc, score) in matches.documents.ones().zip(&matches.scores) {
                if fits.set().contains(doc) {
                    first.offer(by_score(*score), reference(doc));
                }
            }
        }
        (Sort::Newest | Sort::Relevance, _) => {
            let listed_at = &columns.listed_at;
            fits.documents()
                .iter()
                .for_each(|doc| first.offer(highest(listed_at[*doc]), reference(*doc)));
        }
        (Sort::Oldest, _) => {
            let listed_at = &columns.listed_at;
            fits.documents()
                .iter()
                .for_each(|doc| first.offer(lowest(listed_at[*doc]), reference(*doc)));
        }
        (Sort::PriceAscending, _) => {
            let prices = &columns.prices.values;
            fits.documents()
                .iter()
                .for_each(|doc| first.offer(lowest(prices[*doc]), reference(*doc)));
        }
        (Sort::PriceDescending, _) => {
            let prices = &columns.prices.values;
            fits.documents()
                .iter()
                .for_each(|doc| first.offer(highest(prices[*doc]), reference(*doc)));
        }
    }
    first.into_hits(columns)
}

/// The best so far.
struct First {
    /// How many to keep.
    keep: usize,
    /// Rank, and the ordinal of the reference, which within a segment is in the order of
    /// references; the worst on top.
    kept: BinaryHeap<(i64, u32)>,
}

impl First {
    fn offer(&mut self, rank: i64, reference: u32) {
        if self.kept.len() < self.keep {
            self.kept.push((rank, reference));
        } else if let Some(worst) = self.kept.peek()
            && (rank, reference) < *worst
        {
            self.kept.pop();
            self.kept.push((rank, reference));
        }
    }

    fn into_hits(self, columns: &Columns) -> tantivy::Result<Vec<RankedHit>> {
        let mut kept = self.kept.into_vec();
        kept.sort_unstable_by_key(|(_, reference)| *reference);
        let ordinals: Vec<u32> = kept.iter().map(|(_, reference)| *reference).collect();
        let mut ranks = kept.iter().map(|(rank, _)| *rank);
        let mut hits = Vec::with_capacity(kept.len());
        columns.references_of(&ordinals, |reference| {
            hits.extend(ranks.next().map(|rank| RankedHit { rank, hit: Hit { reference } }));
        })?;
        Ok(hits)
    }
}

/// Lower figures first, what is not known last.
const fn lowest(figure: i64) -> i64 {
    if figure == UNKNOWN { i64::MAX } else { figure }
}

/// Higher figures first, what is not known last.
const fn highest(figure: i64) -> i64 {
    if figure == UNKNOWN { i64::MAX } else { figure.wrapping_neg() }
}

fn by_score(score: Score) -> i64 {
    // The bits of floats from zero up are in the order of the floats.
    -i64::from(score.max(0.0).to_bits())
}
