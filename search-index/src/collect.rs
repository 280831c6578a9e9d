//! What a list is made of: facets, total and the first so many in order.

use std::collections::BinaryHeap;

use tantivy::{DocId, Score, TantivyError};

use crate::{
    catalogue::Catalogue,
    facets::{Sums, Tally},
    filter::Failure,
    pass::Visitor,
    query::{PropertyQuery, Sort},
    rows::{Row, Rows, UNKNOWN},
    search::Hit,
};

/// A hit with what it is ordered by; lower ranks come first, then lower references.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RankedHit {
    rank: i64,
    pub hit: Hit,
}

/// Counts and keeps what a list needs of one segment.
pub(crate) struct Listing {
    tally: Tally,
    sort: Sort,
    /// How many hits to keep, from the first.
    keep: usize,
    /// The best so far, the worst of them on top: rank, and the ordinal of the reference, which
    /// within a segment is in the order of references.
    first: BinaryHeap<(i64, u32)>,
}

impl Listing {
    /// For the first `keep` in the order `sort`.
    pub fn new(query: &PropertyQuery, sort: Sort, keep: usize, rows: &Rows) -> Self {
        Self { tally: Tally::new(query, rows), sort, keep, first: BinaryHeap::new() }
    }

    fn keep(&mut self, rank: i64, reference: u32) {
        if self.first.len() < self.keep {
            self.first.push((rank, reference));
        } else if let Some(mut worst) = self.first.peek_mut()
            && (rank, reference) < *worst
        {
            *worst = (rank, reference);
        }
    }

    /// The hits that were kept, by reference.
    fn hits(self, rows: &Rows) -> tantivy::Result<Vec<RankedHit>> {
        let mut kept = self.first.into_vec();
        kept.sort_unstable_by_key(|(_, reference)| *reference);
        let mut hits = Vec::with_capacity(kept.len());
        if let Some(references) = &rows.references {
            let ordinals: Vec<u64> =
                kept.iter().map(|(_, reference)| (*reference).into()).collect();
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
        Ok(hits)
    }
}

impl Visitor for Listing {
    fn visit(&mut self, rows: &Rows, doc: DocId, row: &Row, score: Score, failure: Failure) {
        self.tally.count(rows, doc, row, failure);
        if failure == Failure::None {
            self.keep(rank(self.sort, row, score), row.reference);
        }
    }
}

/// Puts together what `listings`, one for each segment, have found: the first `keep` hits in
/// order, and the counts.
pub(crate) fn gather(
    catalogue: &Catalogue,
    listings: Vec<Listing>,
    keep: usize,
) -> tantivy::Result<(Vec<RankedHit>, Sums)> {
    let mut sums = Sums::new(catalogue);
    let mut hits = Vec::new();
    for (listing, segment) in listings.into_iter().zip(&catalogue.segments) {
        sums.add(&listing.tally, segment);
        hits.extend(listing.hits(&segment.rows)?);
    }
    hits.sort_unstable();
    hits.truncate(keep);
    Ok((hits, sums))
}

fn rank(sort: Sort, row: &Row, score: Score) -> i64 {
    let known = |figure: i64, rank: i64| if figure == UNKNOWN { i64::MAX } else { rank };
    match sort {
        Sort::Newest => known(row.listed_at, row.listed_at.wrapping_neg()),
        Sort::Oldest => known(row.listed_at, row.listed_at),
        Sort::PriceAscending => known(row.price, row.price),
        Sort::PriceDescending => known(row.price, row.price.wrapping_neg()),
        // The bits of floats from zero up are in the order of the floats.
        Sort::Relevance => -i64::from(score.max(0.0).to_bits()),
    }
}
