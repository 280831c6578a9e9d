//! The first so many of what fits, in order.

use std::collections::BinaryHeap;

use tantivy::Score;

use crate::{
    coded::Among,
    columns::{Columns, UNKNOWN},
    matches::Matches,
    query::Sort,
};

/// Whether it comes after all homes, rank and reference; lower ranks come first, then lower
/// references.
pub(crate) type Ranked<'a> = (bool, i64, &'a str);

/// The first `keep` of one segment's `fits`, in no order. Relevance is that of `matches`; without
/// any, the newest come first. In every other order homes come before what nobody lives in.
pub(crate) fn first<'a>(
    columns: &'a Columns,
    fits: &Among,
    matches: Option<&Matches>,
    sort: Sort,
    keep: usize,
) -> Vec<Ranked<'a>> {
    if let (Sort::Relevance, Some(matches)) = (sort, matches) {
        let mut first = First::new(keep, fits);
        for (doc, score) in matches.documents.ones().zip(&matches.scores) {
            if fits.set().contains(doc) {
                first.offer(by_score(*score), columns.reference_ordinals[doc]);
            }
        }
        return first.into_ranked(columns, false);
    }
    let mut others = fits.set().clone();
    others.difference_with(&columns.homes);
    if others.is_clear() {
        return in_order(columns, fits, sort, keep).into_ranked(columns, false);
    }
    let mut homes = fits.set().clone();
    homes.intersect_with(&columns.homes);
    let mut ranked = in_order(columns, &Among::new(homes), sort, keep).into_ranked(columns, false);
    let room = keep.saturating_sub(ranked.len());
    if room > 0 {
        let others = in_order(columns, &Among::new(others), sort, room);
        ranked.extend(others.into_ranked(columns, true));
    }
    ranked
}

/// The first `keep` of `fits` in the order of `sort`.
fn in_order(columns: &Columns, fits: &Among, sort: Sort, keep: usize) -> First {
    let mut first = First::new(keep, fits);
    let (figures, descending) = match sort {
        Sort::Newest | Sort::Relevance => (&columns.listed_at, true),
        Sort::Oldest => (&columns.listed_at, false),
        Sort::PriceAscending => (&columns.prices.order, false),
        Sort::PriceDescending => (&columns.prices.order, true),
        Sort::PricePerMetre => (&columns.prices_per_metre, false),
        Sort::ReducedLately => (&columns.reduced_at, true),
    };
    let rank = |doc: usize| match figures.values[doc] {
        UNKNOWN => i64::MAX,
        figure if descending => figure.wrapping_neg(),
        figure => figure,
    };
    // Where many fit, the first of them are soon met in the figure's order.
    let many = fits.len();
    if keep.saturating_mul(columns.len()) < many.saturating_mul(many) {
        for doc in figures.in_order(descending).filter(|doc| fits.set().contains(*doc)) {
            let is_kept = first.offer(rank(doc), columns.reference_ordinals[doc]);
            if !is_kept && first.is_before(rank(doc)) {
                break;
            }
        }
    } else {
        for doc in fits.documents() {
            first.offer(rank(*doc), columns.reference_ordinals[*doc]);
        }
    }
    first
}

/// The best so far.
pub(crate) struct First {
    /// How many to keep.
    keep: usize,
    /// Rank, and the ordinal of the reference, which within a segment is in the order of
    /// references; the worst on top.
    kept: BinaryHeap<(i64, u32)>,
}

impl First {
    pub fn new(keep: usize, fits: &Among) -> Self {
        Self { keep, kept: BinaryHeap::with_capacity(keep.min(fits.len())) }
    }

    /// Keeps what comes before the worst, and tells whether it did.
    pub fn offer(&mut self, rank: i64, reference: u32) -> bool {
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

    /// All that is kept, in no order.
    pub fn into_ranked(self, columns: &Columns, after_homes: bool) -> Vec<Ranked<'_>> {
        let kept = self.kept.into_iter();
        kept.map(|(rank, reference)| (after_homes, rank, columns.reference_at(reference))).collect()
    }
}

fn by_score(score: Score) -> i64 {
    // The bits of floats from zero up are in the order of the floats.
    -i64::from(score.max(0.0).to_bits())
}
