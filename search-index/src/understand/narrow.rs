//! What is understood, as filters of a question.

use contracts::content::ListingStatus;

use super::{Piece, Understood, UnderstoodFilter};
use crate::query::PropertyQuery;

impl Understood {
    /// Asks `query` for what is understood, and for the words that are left. What the question
    /// already asks for stays as it is, and the filters that it thereby overrules are dropped; only
    /// features and what is ruled out add up. A reference alone is looked for among the sold, too.
    pub fn narrow(&mut self, query: &mut PropertyQuery) {
        let given = query.clone();
        self.filters.retain(|filter| !is_given(&given, filter) && ask(query, filter));
        query.text = Some(self.words.clone()).filter(|words| !words.is_empty());
        query.reference = self.is_reference.then(|| self.words.clone());
        // Whoever has a reference looks for that home, sold or not.
        let is_reference =
            self.is_reference || matches!(Piece::of(&self.words)[..], [Piece::Reference(_)]);
        if query.statuses.is_empty() && is_reference {
            query.statuses = ListingStatus::ALL.to_vec();
        }
    }

    /// Whether the filters say what is looked for where nothing has the words: what is rented out
    /// is no filter, and whoever has a reference looks for that home alone.
    pub fn stands_without_words(&self) -> bool {
        let is_reference = |piece: &Piece<'_>| matches!(piece, Piece::Reference(_));
        self.filters.iter().any(|filter| filter.parameter != "rent")
            && !Piece::of(&self.words).iter().any(is_reference)
    }
}

/// Whether `query` has a value for the parameter of `filter`.
fn is_given(query: &PropertyQuery, filter: &UnderstoodFilter) -> bool {
    let value = &filter.value;
    match filter.parameter {
        "kind" => !query.kinds.is_empty(),
        "propertyType" => !query.property_types.is_empty(),
        "location" => !query.locations.is_empty() || query.excluded_locations.contains(value),
        "excludedLocation" => query.locations.contains(value),
        "features" => query.excluded_features.contains(value),
        "excludedFeatures" => query.features.contains(value),
        "status" => !query.statuses.is_empty(),
        "minPrice" => query.min_price.is_some(),
        "maxPrice" => query.max_price.is_some(),
        "minBedrooms" => query.min_bedrooms.is_some(),
        "maxBedrooms" => query.max_bedrooms.is_some(),
        "minBathrooms" => query.min_bathrooms.is_some(),
        "minBuilt" => query.min_built.is_some(),
        "maxBuilt" => query.max_built.is_some(),
        "minPlot" => query.min_plot.is_some(),
        "maxPlot" => query.max_plot.is_some(),
        "energy" => !query.energy.is_empty(),
        "newWithin" => query.listed_within.is_some(),
        "reduced" => query.reduced.is_some(),
        "newBuild" => query.new_build.is_some(),
        _ => false,
    }
}

/// Adds `filter` to `query`; whether it could be.
fn ask(query: &mut PropertyQuery, filter: &UnderstoodFilter) -> bool {
    fn add<T: std::str::FromStr>(values: &mut Vec<T>, value: &str) -> bool {
        value.parse().map(|value| values.push(value)).is_ok()
    }
    fn set<T: std::str::FromStr>(field: &mut Option<T>, value: &str) -> bool {
        *field = value.parse().ok();
        field.is_some()
    }
    let value = &filter.value;
    match filter.parameter {
        // What is for rent is nowhere in the index; that it was asked for is to be said.
        "rent" => true,
        "kind" => add(&mut query.kinds, value),
        "propertyType" => add(&mut query.property_types, value),
        "location" => add(&mut query.locations, value),
        "status" => add(&mut query.statuses, value),
        "excludedLocation" => {
            query.excluded_locations.contains(value) || add(&mut query.excluded_locations, value)
        }
        "features" => query.features.contains(value) || add(&mut query.features, value),
        "excludedFeatures" => {
            query.excluded_features.contains(value) || add(&mut query.excluded_features, value)
        }
        "energy" => add(&mut query.energy, value),
        "minPrice" => set(&mut query.min_price, value),
        "maxPrice" => set(&mut query.max_price, value),
        "minBedrooms" => set(&mut query.min_bedrooms, value),
        "maxBedrooms" => set(&mut query.max_bedrooms, value),
        "minBathrooms" => set(&mut query.min_bathrooms, value),
        "minBuilt" => set(&mut query.min_built, value),
        "maxBuilt" => set(&mut query.max_built, value),
        "minPlot" => set(&mut query.min_plot, value),
        "maxPlot" => set(&mut query.max_plot, value),
        "newWithin" => set(&mut query.listed_within, value),
        "reduced" => set(&mut query.reduced, value),
        "newBuild" => set(&mut query.new_build, value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use contracts::Locale;

    use super::*;
    use crate::understand::lexicon;

    #[test]
    fn every_phrase_asks_for_something() {
        for locale in Locale::ALL {
            for (parameter, value, text) in lexicon::names(locale).filter(|(name, ..)| *name != "q")
            {
                let filter =
                    UnderstoodFilter { text, parameter, value: value.to_owned(), pounds: None };
                let mut query = PropertyQuery::newest(locale, 0);
                assert!(ask(&mut query, &filter), "{filter:?}");
            }
        }
    }
}
