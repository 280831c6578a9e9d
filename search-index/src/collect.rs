//! Selects the first documents of a result in the requested order.

use std::collections::BinaryHeap;

use tantivy::Score;

use crate::{
    code_column::DocumentSet,
    columns::{Columns, UNKNOWN},
    matches::Matches,
    query::Sort,
};

/// The sort key of a document: whether it comes after all homes, its rank and its reference. Lower values
/// come first.
pub(crate) type Ranked<'a> = (bool, i64, &'a str);

/// Returns the first `keep` documents of one segment's `fits` by `sort`, themselves unordered. Relevance is
/// taken from the scores of `matches`; without matches, the newest come first. In every other order homes
/// come before properties that are not lived in.
pub(crate) fn top_documents<'a>(
    columns: &'a Columns,
    fits: &DocumentSet,
    matches: Option<&Matches>,
    sort: Sort,
    keep: usize,
) -> Vec<Ranked<'a>> {
    if let (Sort::Relevance, Some(matches)) = (sort, matches) {
        let mut top = TopDocuments::new(keep, fits);
        for (doc, score) in matches.documents.ones().zip(&matches.scores) {
            if fits.set().contains(doc) {
                top.offer(by_score(*score), columns.reference_ordinals[doc]);
            }
        }
        return top.into_ranked(columns, false);
    }
    let mut others = fits.set().clone();
    others.difference_with(&columns.homes);
    if others.is_clear() {
        return in_order(columns, fits, sort, keep).into_ranked(columns, false);
    }
    let mut homes = fits.set().clone();
    homes.intersect_with(&columns.homes);
    let mut ranked =
        in_order(columns, &DocumentSet::new(homes), sort, keep).into_ranked(columns, false);
    let room = keep.saturating_sub(ranked.len());
    if room > 0 {
        let others = in_order(columns, &DocumentSet::new(others), sort, room);
        ranked.extend(others.into_ranked(columns, true));
    }
    ranked
}

/// Selects the first `keep` documents of `fits` in the order of `sort`.
fn in_order(columns: &Columns, fits: &DocumentSet, sort: Sort, keep: usize) -> TopDocuments {
    let mut top = TopDocuments::new(keep, fits);
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
    // If many documents fit, a walk in the figure's order soon reaches enough of them.
    let count = fits.len();
    if keep.saturating_mul(columns.len()) < count.saturating_mul(count) {
        for doc in figures.in_order(descending).filter(|doc| fits.set().contains(*doc)) {
            let is_kept = top.offer(rank(doc), columns.reference_ordinals[doc]);
            if !is_kept && top.is_before(rank(doc)) {
                break;
            }
        }
    } else {
        for doc in fits.documents() {
            top.offer(rank(*doc), columns.reference_ordinals[*doc]);
        }
    }
    top
}

/// A bounded heap with the best documents so far.
pub(crate) struct TopDocuments {
    /// How many to keep.
    keep: usize,
    /// Rank and reference ordinal, with the worst on top. Within a segment, ordinals are in the order of
    /// the references.
    kept: BinaryHeap<(i64, u32)>,
}

impl TopDocuments {
    pub fn new(keep: usize, fits: &DocumentSet) -> Self {
        Self { keep, kept: BinaryHeap::with_capacity(keep.min(fits.len())) }
    }

    /// Adds the document if the heap is not full or the document comes before the worst one. Returns
    /// whether it was added.
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

    /// Returns whether all kept documents come before any document of this rank.
    fn is_before(&self, rank: i64) -> bool {
        self.kept.peek().is_none_or(|(worst, _)| *worst < rank)
    }

    /// Returns all kept documents, unordered.
    pub fn into_ranked(self, columns: &Columns, after_homes: bool) -> Vec<Ranked<'_>> {
        let kept = self.kept.into_iter();
        kept.map(|(rank, reference)| (after_homes, rank, columns.reference_at(reference))).collect()
    }
}

fn by_score(score: Score) -> i64 {
    // The bits of floats from zero up are in the order of the floats.
    -i64::from(score.max(0.0).to_bits())
}
