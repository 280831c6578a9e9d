//! Applies the filters of a parsed text to a query.

use std::mem;

use contracts::content::ListingStatus;

use super::{FilterValue, Piece, Quantity, Understood, kinds};
use crate::query::PropertyQuery;

impl Understood {
    /// Adds the filters and the remaining words to `query`. The text is the visitor's latest input: it
    /// overrides single-valued filters of the query, and adds to those with several values. A reference
    /// alone is also searched among sold homes.
    pub fn apply_to(&mut self, query: &mut PropertyQuery) {
        self.filters = kinds::types_as_kinds(mem::take(&mut self.filters), &query.kinds);
        if !query.kinds.is_empty() {
            self.drop_substitutes();
        }
        self.filters.iter().for_each(|one| apply(query, &one.filter));
        if !self.filters.is_empty() {
            for quantity in Quantity::ALL {
                let (min, max) = limits(query, quantity);
                if max.is_some() && *min > *max {
                    mem::swap(min, max);
                }
            }
        }
        query.text = Some(self.words.clone()).filter(|words| !words.is_empty());
        query.reference = self.is_reference.then(|| self.words.clone());
        // A visitor with a reference wants that home, sold or not.
        let is_reference =
            self.is_reference || matches!(Piece::of(&self.words)[..], [Piece::Reference(_)]);
        if query.statuses.is_empty() && is_reference {
            query.statuses = ListingStatus::ALL.to_vec();
            query.statuses_from_text = true;
        }
    }

    /// Removes the kinds that were added in place of ruled-out ones: if the query already has kinds, they
    /// would only extend the result. The exclusion is reported as ruled out instead.
    fn drop_substitutes(&mut self) {
        let (others, kept): (Vec<_>, Vec<_>) =
            mem::take(&mut self.filters).into_iter().partition(|filter| filter.is_substitute);
        self.filters = kept;
        let Some(other) = others.first() else { return };
        if !self.ruled_out.is_empty() {
            self.ruled_out.push_str(", ");
        }
        self.ruled_out.push_str(&other.text);
    }

    /// Returns whether the filters are a useful search if no home has the words. They are not if `rent`,
    /// which filters nothing, is the only one, or if the words have a reference: then only that home is
    /// wanted.
    pub fn is_specific_without_words(&self) -> bool {
        let is_reference = |piece: &Piece<'_>| matches!(piece, Piece::Reference(_));
        self.filters.iter().any(|one| one.filter != FilterValue::Rent)
            && !Piece::of(&self.words).iter().any(is_reference)
    }
}

/// Returns the minimum and the maximum of `quantity` in `query`.
const fn limits(
    query: &mut PropertyQuery,
    quantity: Quantity,
) -> (&mut Option<i64>, &mut Option<i64>) {
    match quantity {
        Quantity::Price => (&mut query.min_price, &mut query.max_price),
        Quantity::Bedrooms => (&mut query.min_bedrooms, &mut query.max_bedrooms),
        Quantity::BuiltArea => (&mut query.min_built, &mut query.max_built),
        Quantity::PlotArea => (&mut query.min_plot, &mut query.max_plot),
    }
}

/// Adds `filter` to `query`.
fn apply(query: &mut PropertyQuery, filter: &FilterValue) {
    fn add<T: PartialEq>(values: &mut Vec<T>, value: T) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    /// Adds `value`, and removes it from the opposite filter.
    fn add_instead_of(values: &mut Vec<String>, value: &str, opposite: &mut Vec<String>) {
        opposite.retain(|other| other != value);
        add(values, value.to_owned());
    }
    match filter {
        FilterValue::PropertyType(property_type) => add(&mut query.property_types, *property_type),
        FilterValue::Kind(kind) => add(&mut query.kinds, *kind),
        FilterValue::Location(slug) => {
            add_instead_of(&mut query.locations, slug, &mut query.not_locations);
        }
        FilterValue::NotLocation(slug) => {
            add_instead_of(&mut query.not_locations, slug, &mut query.locations);
        }
        FilterValue::Status(status) => add(&mut query.statuses, *status),
        FilterValue::Min(quantity, amount) => *limits(query, *quantity).0 = Some(*amount),
        FilterValue::Max(quantity, amount) => *limits(query, *quantity).1 = Some(*amount),
        FilterValue::MinBathrooms(number) => query.min_bathrooms = Some(*number),
        FilterValue::Feature(feature) => {
            add_instead_of(&mut query.features, feature, &mut query.without_features);
        }
        FilterValue::WithoutFeature(feature) => {
            add_instead_of(&mut query.without_features, feature, &mut query.features);
        }
        FilterValue::Energy(rating) => add(&mut query.energy, *rating),
        FilterValue::ListedWithin(days) => query.listed_within = Some(*days),
        FilterValue::Reduced => query.reduced = Some(true),
        FilterValue::NewBuild => query.new_build = Some(true),
        // It is kept so that the page can report it.
        FilterValue::Rent => {}
    }
}

#[cfg(test)]
mod tests {
    use contracts::{
        Locale,
        content::{EnergyRating, PropertyKind, PropertyType},
    };

    use super::*;
    use crate::understand::{
        lexicon,
        tests::{POUNDS_PER_EURO, places},
        understand,
    };

    /// Applies `text` to `query`, and returns the result and what is ruled out without a filter.
    fn narrowed(mut query: PropertyQuery, text: &str) -> (PropertyQuery, String) {
        let mut understood = understand(Locale::En, text, &places(), POUNDS_PER_EURO);
        understood.apply_to(&mut query);
        (query, understood.ruled_out)
    }

    #[test]
    fn every_phrase_can_be_applied() {
        for locale in Locale::ALL {
            let plain = PropertyQuery::newest(locale, 0);
            for (filter, name) in lexicon::names(locale) {
                let mut query = plain.clone();
                apply(&mut query, &filter);
                assert_eq!(query == plain, filter == FilterValue::Rent, "{name}: {filter:?}");
            }
        }
    }

    #[test]
    fn the_text_overrides_single_values_and_adds_to_lists() {
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.max_price = Some(300_000);
        query.min_bathrooms = Some(2);
        query.kinds = vec![PropertyKind::Penthouse];
        query.locations = vec!["maro".to_owned(), "nerja".to_owned()];
        query.features = vec!["garden".to_owned()];
        let text =
            "villa or townhouse nerja with pool and garden under 400k 3 bed energy A burriana";
        let mut wanted = PropertyQuery::newest(Locale::En, 10);
        wanted.text = Some("burriana".to_owned());
        wanted.kinds = vec![PropertyKind::Penthouse, PropertyKind::Villa, PropertyKind::Townhouse];
        wanted.locations = vec!["maro".to_owned(), "nerja".to_owned()];
        wanted.features = vec!["garden".to_owned(), "pool".to_owned()];
        wanted.max_price = Some(400_000);
        wanted.min_bedrooms = Some(3);
        wanted.min_bathrooms = Some(2);
        wanted.energy = vec![EnergyRating::A];
        assert_eq!(narrowed(query, text).0, wanted);
    }

    #[test]
    fn an_excluded_value_is_removed_from_the_opposite_filter() {
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.features = vec!["pool".to_owned()];
        query.without_features = vec!["lift".to_owned()];
        query.locations = vec!["nerja".to_owned()];
        query.not_locations = vec!["maro".to_owned()];
        let (query, _) = narrowed(query, "not in nerja without pool or garden or lift");
        assert!(query.features.is_empty() && query.locations.is_empty());
        assert_eq!(query.without_features, ["lift", "pool", "garden"]);
        assert_eq!(query.not_locations, ["maro", "nerja"]);
        let (query, _) = narrowed(query, "nerja with pool");
        assert_eq!((query.locations, query.features), (vec!["nerja".into()], vec!["pool".into()]));
        assert_eq!(query.not_locations, ["maro"]);
    }

    #[test]
    fn reversed_limits_are_swapped() {
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.max_price = Some(300_000);
        let (query, _) = narrowed(query, "from 350k");
        assert_eq!((query.min_price, query.max_price), (Some(300_000), Some(350_000)));
    }

    #[test]
    fn chosen_kinds_are_extended_with_those_of_another_type() {
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.kinds = vec![PropertyKind::Villa];
        let (with_flats, _) = narrowed(query.clone(), "apartment");
        assert!(with_flats.kinds.contains(&PropertyKind::Duplex));
        assert!(with_flats.property_types.is_empty());
        // An exclusion can't remove any of the chosen kinds.
        let (still, ruled_out) = narrowed(query.clone(), "no apartments");
        assert_eq!((still.kinds, &*ruled_out), (query.kinds, "no apartments"));
        query = PropertyQuery::newest(Locale::En, 10);
        query.property_types = vec![PropertyType::Apartment];
        let (others, _) = narrowed(query, "not ground floor");
        assert!(!others.kinds.contains(&PropertyKind::GroundFloor));
    }

    #[test]
    fn a_reference_alone_is_also_searched_among_sold_homes() {
        let asked = |text| {
            let (query, _) = narrowed(PropertyQuery::newest(Locale::En, 10), text);
            (query.statuses.len(), query.statuses_from_text)
        };
        let all = (ListingStatus::ALL.len(), true);
        assert_eq!(asked("AH-1042"), all);
        assert_eq!(asked("https://almijara.example/property-for-sale/nerja/AH-1042"), all);
        assert_eq!(asked("burriana"), (0, false));
    }
}
