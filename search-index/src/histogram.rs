//! Histograms of prices and sizes, for sliders.

/// A histogram with fixed edges. Properties without the figure are in no bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// The buckets in order, without a gap.
    pub buckets: Vec<Bucket>,
}

/// One bucket, or bar, of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The lower edge, inclusive.
    pub from: i64,
    /// The upper edge, exclusive; `None` for the last bucket, which is open.
    pub to: Option<i64>,
    /// How many properties have a figure in it.
    pub count: u64,
}

/// The lower edges of the price bars, in euros. The steps grow with the price, as buyers' steps do. Equal
/// steps would put most homes into a few bars, where a slider would have too little precision.
pub const PRICE_EDGES: [i64; 39] = [
    0, 25_000, 50_000, 75_000, 100_000, 125_000, 150_000, 175_000, 200_000, 225_000, 250_000,
    275_000, 300_000, 325_000, 350_000, 375_000, 400_000, 450_000, 500_000, 550_000, 600_000,
    650_000, 700_000, 750_000, 800_000, 900_000, 1_000_000, 1_100_000, 1_200_000, 1_300_000,
    1_400_000, 1_500_000, 1_750_000, 2_000_000, 2_250_000, 2_500_000, 3_000_000, 4_000_000,
    5_000_000,
];
/// The lower edges of the bars of built sizes, in m².
pub const BUILT_AREA_EDGES: [i64; 23] = [
    0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220, 240, 260, 280, 300, 350, 400, 450, 500,
    600, 800, 1_000,
];
/// The lower edges of the bars of plots, in m². Plots range from a yard to a hill.
pub const PLOT_AREA_EDGES: [i64; 16] = [
    0, 100, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000, 20_000, 50_000,
    100_000,
];

pub(crate) const PRICE: Edges<39> = Edges(PRICE_EDGES);
pub(crate) const BUILT_AREA: Edges<23> = Edges(BUILT_AREA_EDGES);
pub(crate) const PLOT_AREA: Edges<16> = Edges(PLOT_AREA_EDGES);

/// The bar of documents without the figure.
pub(crate) const NO_BAR: u8 = u8::MAX;

/// The lower edges of the buckets, ascending.
pub(crate) struct Edges<const N: usize>([i64; N]);

impl<const N: usize> Edges<N> {
    /// Returns the bar that `figure` falls in.
    pub fn bar(&self, figure: Option<i64>) -> u8 {
        let Some(figure) = figure else { return NO_BAR };
        let bar = self.0.partition_point(|from| *from <= figure).saturating_sub(1);
        u8::try_from(bar).unwrap_or(NO_BAR)
    }

    /// Returns the bars in order.
    pub fn bars() -> impl Iterator<Item = u8> {
        (0..NO_BAR).take(N)
    }

    /// Creates the histogram from the count of each bar.
    pub fn histogram(&self, counts: &[u64]) -> Histogram {
        let buckets = self.0.iter().enumerate().map(|(bar, from)| Bucket {
            from: *from,
            to: self.0.get(bar + 1).copied(),
            count: counts.get(bar).copied().unwrap_or(0),
        });
        Histogram { buckets: buckets.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_on_an_edge_is_in_the_bar_that_starts_there() {
        assert_eq!(PRICE.bar(Some(0)), 0);
        assert_eq!(PRICE.bar(Some(24_999)), 0);
        assert_eq!(PRICE.bar(Some(25_000)), 1);
        assert_eq!(PRICE.bar(Some(i64::MAX)), 38);
        assert_eq!(PRICE.bar(None), NO_BAR);
        let last = PRICE.histogram(&[]).buckets[38];
        assert_eq!((last.from, last.to), (5_000_000, None));
    }

    #[test]
    fn edges_ascend() {
        assert!(PRICE_EDGES.is_sorted_by(|before, after| before < after));
        assert!(BUILT_AREA_EDGES.is_sorted_by(|before, after| before < after));
        assert!(PLOT_AREA_EDGES.is_sorted_by(|before, after| before < after));
    }
}
