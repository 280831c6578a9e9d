//! Median asking prices of the homes in each place.

use std::collections::HashMap;

use contracts::{
    Locale,
    content::{KindFamily, ListingStatus, PropertyKind, PropertyType},
};

use crate::{
    answers::{Median, Medians},
    columns::UNKNOWN,
    document::ordinal,
    query::PropertyQuery,
    view::View,
};

/// The figures of one place.
#[derive(Clone, Default)]
struct Figures {
    prices: Vec<f64>,
    flats: Vec<f64>,
    houses: Vec<f64>,
}

impl View {
    /// Returns the medians of each place that has homes for sale, by its slug. They are computed once for
    /// each view.
    pub fn medians(&self) -> &HashMap<String, Medians> {
        self.answers.medians(|| self.compute_medians())
    }

    #[expect(clippy::cast_precision_loss, reason = "prices and sizes of homes are exact")]
    fn compute_medians(&self) -> HashMap<String, Medians> {
        let homes = PropertyKind::ALL.iter().filter(|kind| kind.family() == KindFamily::Home);
        let query = PropertyQuery {
            kinds: homes.copied().collect(),
            statuses: vec![ListingStatus::ForSale],
            ..PropertyQuery::newest(Locale::En, 0)
        };
        let flat = ordinal(PropertyType::ALL, &PropertyType::Apartment);
        let house = ordinal(PropertyType::ALL, &PropertyType::House);
        let slugs = &self.catalogue.vocabulary.places;
        let mut figures = vec![Figures::default(); slugs.len()];
        for segment in &self.catalogue.segments {
            let columns = &segment.columns;
            for doc in segment.apply_filters(&query, None).fits.ones() {
                let price = columns.prices.order.values[doc];
                if price == UNKNOWN {
                    continue;
                }
                let area = columns.built_areas.order.values[doc];
                let metre = (area > 0).then(|| price as f64 / area as f64);
                let property_type = u64::from(columns.property_types.code(doc));
                for place in columns.places.of(doc) {
                    let Some(place) = segment.places[*place as usize] else { continue };
                    let figures = &mut figures[place];
                    figures.prices.push(price as f64);
                    if property_type == flat {
                        figures.flats.extend(metre);
                    } else if property_type == house {
                        figures.houses.extend(metre);
                    }
                }
            }
        }
        let medians = slugs.iter().cloned().zip(figures.into_iter().map(Figures::medians));
        medians.filter(|(_, medians)| medians.price.is_some()).collect()
    }
}

impl Figures {
    fn medians(self) -> Medians {
        Medians {
            price: median(self.prices),
            metre_of_flats: median(self.flats),
            metre_of_houses: median(self.houses),
        }
    }
}

/// Returns the median of `figures`, rounded to whole euros.
#[expect(clippy::cast_possible_truncation, reason = "no home costs so much")]
fn median(mut figures: Vec<f64>) -> Option<Median> {
    let half = figures.len() / 2;
    if figures.is_empty() {
        return None;
    }
    let is_even = figures.len().is_multiple_of(2);
    let (below, middle, _) = figures.select_nth_unstable_by(half, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp).filter(|_| is_even);
    let middle = lower.map_or(*middle, |lower| f64::midpoint(lower, *middle));
    Some(Median { homes: figures.len() as u64, euros: middle.round() as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_figures_is_between_the_two_middle_ones() {
        let euros = |figures: &[f64]| median(figures.to_vec()).map(|it| (it.homes, it.euros));
        assert_eq!(euros(&[]), None);
        assert_eq!(euros(&[7.0]), Some((1, 7)));
        assert_eq!(euros(&[9.0, 2.0]), Some((2, 6)));
        assert_eq!(euros(&[9.0, 2.0, 4.0]), Some((3, 4)));
        assert_eq!(euros(&[9.0, 2.0, 4.0, 1.0]), Some((4, 3)));
    }
}
