//! The first so many of what fits, in order.

use std::collections::BinaryHeap;

use tantivy::Score;

use crate::{
    coded::Among,
    columns::{Columns, UNKNOWN},
    matches::Matches,
    query::Sort,
};

/// Rank and reference; lower ranks come first, then lower references.
pub(crate) type Ranked<'a> = (i64, &'a str);

/// The first `keep` of one segment's `fits`, in no order. Relevance is that of `matches`; without
/// any, the newest come first.
pub(crate) fn first<'a>(
    columns: &'a Columns,
    fits: &Among,
    matches: Option<&Matches>,
    sort: Sort,
    keep: usize,
) -> Vec<Ranked<'a>> {
    let mut first =
        First { keep, kept: BinaryHeap::with_capacity(keep.min(fits.documents().len())) };
    if let (Sort::Relevance, Some(matches)) = (sort, matches) {
        for (doc, score) in matches.documents.ones().zip(&matches.scores) {
            if fits.set().contains(doc) {
                first.offer(by_score(*score), columns.reference[doc]);
            }
        }
        return first.into_ranked(columns);
    }
    let (figures, descending) = match sort {
        Sort::Newest | Sort::Relevance => (&columns.listed_at, true),
        Sort::Oldest => (&columns.listed_at, false),
        Sort::PriceAscending => (&columns.prices.figures, false),
        Sort::PriceDescending => (&columns.prices.figures, true),
        Sort::PricePerMetre => (&columns.prices_per_metre, false),
    };
    let rank = |doc: usize| match figures.values[doc] {
        UNKNOWN => i64::MAX,
        figure if descending => figure.wrapping_neg(),
        figure => figure,
    };
    // Where many fit, the first of them are soon met in the figure's order.
    let many = fits.documents().len();
    if keep.saturating_mul(columns.len()) < many.saturating_mul(many) {
        for doc in figures.in_order(descending).filter(|doc| fits.set().contains(*doc)) {
            if !first.offer(rank(doc), columns.reference[doc]) && first.is_before(rank(doc)) {
                break;
            }
        }
    } else {
        for doc in fits.documents() {
            first.offer(rank(*doc), columns.reference[*doc]);
        }
    }
    first.into_ranked(columns)
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
    /// Keeps what comes before the worst, and tells whether it did.
    fn offer(&mut self, rank: i64, reference: u32) -> bool {
        if self.kept.len() < self.keep {
            self.kept.push((rank, reference));
            return true;
        }
        if let Some(mut worst) = self.kept.peek_mut()
            && (rank, reference) < *worst
        {
            *worst = (rank, reference);
            return true;
        }
        false
    }

    /// Whether all that is kept comes before anything of this rank.
    fn is_before(&self, rank: i64) -> bool {
        self.kept.peek().is_none_or(|(worst, _)| *worst < rank)
    }

    fn into_ranked(self, columns: &Columns) -> Vec<Ranked<'_>> {
        let kept = self.kept.into_iter();
        kept.map(|(rank, reference)| (rank, columns.reference(reference))).collect()
    }
}

fn by_score(score: Score) -> i64 {
    // The bits of floats from zero up are in the order of the floats.
    -i64::from(score.max(0.0).to_bits())
}
