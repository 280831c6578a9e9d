//! How prices and sizes are spread, for sliders.

/// A histogram over fixed edges. What lacks the figure is in no bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The buckets in order, without a gap.
    pub buckets: Vec<Bucket>,
}

/// One bar of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The least figure in it.
    pub from: i64,
    /// The least figure above it; none for the last, which is open.
    pub to: Option<i64>,
    /// How many properties have a figure in it.
    pub count: u64,
}

/// The figures that have a histogram, by where their buckets begin.
pub(crate) const PRICE: Edges<61> = Edges(evenly::<61>(50_000));
pub(crate) const BUILT_AREA: Edges<26> = Edges(evenly::<26>(20));
/// Plots are anything from a yard to a hill, so the steps grow.
pub(crate) const PLOT_AREA: Edges<16> = Edges([
    0, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000,
    100_000,
]);

/// The bar of what has no figure.
pub(crate) const NO_BAR: u8 = u8::MAX;

/// Where each bucket begins, from the least.
pub(crate) struct Edges<const N: usize>([i64; N]);

impl<const N: usize> Edges<N> {
    /// The bar that `figure` is in.
    pub fn bar(&self, figure: Option<i64>) -> u8 {
        let Some(figure) = figure else { return NO_BAR };
        let bar = self.0.partition_point(|from| *from <= figure).saturating_sub(1);
        u8::try_from(bar).unwrap_or(NO_BAR)
    }

    /// The histogram of what was counted bar by bar.
    pub fn histogram(&self, counts: &[u64]) -> Histogram {
        let buckets = self.0.iter().enumerate().map(|(bar, from)| Bucket {
            from: *from,
            to: self.0.get(bar + 1).copied(),
            count: counts.get(bar).copied().unwrap_or(0),
        });
        Histogram { buckets: buckets.collect() }
    }
}

const fn evenly<const N: usize>(step: i64) -> [i64; N] {
    let mut edges = [0; N];
    let mut bar = 1;
    while bar < N {
        edges[bar] = edges[bar - 1] + step;
        bar += 1;
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_on_an_edge_is_in_the_bar_that_begins_there() {
        assert_eq!(PRICE.bar(Some(0)), 0);
        assert_eq!(PRICE.bar(Some(49_999)), 0);
        assert_eq!(PRICE.bar(Some(50_000)), 1);
        assert_eq!(PRICE.bar(Some(i64::MAX)), 60);
        assert_eq!(PRICE.bar(None), NO_BAR);
        let last = PRICE.histogram(&[]).buckets[60];
        assert_eq!((last.from, last.to), (3_000_000, None));
    }
}
