//! The filters of a query, and their application to a segment.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use fixedbitset::FixedBitSet;

use crate::{
    columns::{Columns, room_code, room_codes_up_to},
    histogram::{BUILT_AREA, PLOT_AREA, PRICE},
    query::{PropertyQuery, days_ago},
};

/// One filter of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Filter {
    /// The statuses.
    Status,
    /// The types.
    PropertyType,
    /// The kinds.
    Kind,
    /// The energy ratings.
    Energy,
    /// Both limits of the price.
    Price,
    /// Both limits of the built size.
    BuiltArea,
    /// Both limits of the plot.
    PlotArea,
    /// The minimum number of bedrooms.
    Bedrooms,
    /// The maximum number of bedrooms.
    MaxBedrooms,
    /// The minimum number of bathrooms.
    Bathrooms,
    /// How recently it was first offered.
    ListedWithin,
    /// Whether it is reduced.
    Reduced,
    /// Whether it is featured.
    Featured,
    /// Whether it is a new build.
    NewBuild,
    /// The places.
    Location,
    /// The excluded places.
    NotLocation,
    /// All the features together.
    Features,
    /// All the excluded features together.
    WithoutFeatures,
    /// The rectangle.
    Bounds,
    /// The drawn area.
    Area,
    /// The words.
    Words,
}

impl Filter {
    /// Every filter except for the words, which tantivy evaluates.
    pub(crate) const CHECKED: [Self; 20] = [
        Self::Status,
        Self::PropertyType,
        Self::Kind,
        Self::Energy,
        Self::Price,
        Self::BuiltArea,
        Self::PlotArea,
        Self::Bedrooms,
        Self::MaxBedrooms,
        Self::Bathrooms,
        Self::ListedWithin,
        Self::Reduced,
        Self::Featured,
        Self::NewBuild,
        Self::Location,
        Self::NotLocation,
        Self::Features,
        Self::WithoutFeatures,
        Self::Bounds,
        Self::Area,
    ];

    /// Returns whether `query` sets this filter.
    pub(crate) const fn is_set(self, query: &PropertyQuery) -> bool {
        match self {
            Self::Status => !query.statuses.is_empty(),
            Self::PropertyType => !query.property_types.is_empty(),
            Self::Kind => !query.kinds.is_empty(),
            Self::Energy => !query.energy.is_empty(),
            Self::Price => query.min_price.is_some() || query.max_price.is_some(),
            Self::BuiltArea => query.min_built.is_some() || query.max_built.is_some(),
            Self::PlotArea => query.min_plot.is_some() || query.max_plot.is_some(),
            Self::Bedrooms => query.min_bedrooms.is_some(),
            Self::MaxBedrooms => query.max_bedrooms.is_some(),
            Self::Bathrooms => query.min_bathrooms.is_some(),
            Self::ListedWithin => query.listed_within.is_some(),
            Self::Reduced => query.reduced.is_some(),
            Self::Featured => query.featured.is_some(),
            Self::NewBuild => query.new_build.is_some(),
            Self::Location => !query.locations.is_empty(),
            Self::NotLocation => !query.not_locations.is_empty(),
            Self::Features => !query.features.is_empty(),
            Self::WithoutFeatures => !query.without_features.is_empty(),
            Self::Bounds => query.bounds.is_some(),
            Self::Area => query.area.is_some(),
            Self::Words => query.text.is_some(),
        }
    }
}

/// A filter whose removal would give results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loosened {
    /// The filter.
    pub filter: Filter,
    /// How many properties match all the other filters.
    pub count: u64,
}

/// The result of applying a query's filters to one segment.
pub(crate) struct Filtered {
    /// The documents that match all filters.
    pub fits: FixedBitSet,
    /// For each filter that is set, the documents that fail only this one.
    pub near_misses: Vec<(Filter, FixedBitSet)>,
}

impl Filtered {
    /// Applies the filters of `query` to `documents`, a subset of the documents of `columns`.
    pub fn new(query: &PropertyQuery, columns: &Columns, documents: FixedBitSet) -> Self {
        // The documents that fail at least one filter, and those that fail more than one.
        let mut failing = columns.empty_set();
        let mut failing_more = failing.clone();
        let mut fails = Vec::new();
        for filter in Filter::CHECKED {
            let undecided = || {
                let mut undecided = documents.clone();
                undecided.difference_with(&failing_more);
                undecided
            };
            let Some(passing) = filter.passing(query, columns, undecided) else { continue };
            let mut failed = documents.clone();
            failed.difference_with(&passing);
            let blocks = failed.as_slice().iter().zip(failing.as_mut_slice());
            for ((failed, failing), more) in blocks.zip(failing_more.as_mut_slice()) {
                *more |= *failing & failed;
                *failing |= failed;
            }
            fails.push((filter, failed));
        }
        for (_, failed) in &mut fails {
            failed.difference_with(&failing_more);
        }
        let mut fits = documents;
        fits.difference_with(&failing);
        Self { fits, near_misses: fails }
    }
}

impl Filter {
    /// Returns the documents that pass this filter; `None` if `query` does not set it. Expensive filters
    /// check only documents that are still `undecided`.
    fn passing(
        self,
        query: &PropertyQuery,
        columns: &Columns,
        undecided: impl FnOnce() -> FixedBitSet,
    ) -> Option<FixedBitSet> {
        // Without a status filter, some statuses are excluded by default.
        if self != Self::Status && !self.is_set(query) {
            return None;
        }
        Some(match self {
            Self::Status if query.statuses.is_empty() => columns.statuses.matching(|code| {
                code_satisfies(ListingStatus::ALL, code, |it| it.is_listed_by_default())
            }),
            Self::Status => columns.statuses.matching(|code| {
                code_satisfies(ListingStatus::ALL, code, |it| query.statuses.contains(it))
            }),
            Self::PropertyType => columns.property_types.matching(|code| {
                code_satisfies(PropertyType::ALL, code, |it| query.property_types.contains(it))
            }),
            Self::Kind => columns.kinds.matching(|code| {
                code_satisfies(PropertyKind::ALL, code, |it| query.kinds.contains(it))
            }),
            Self::Energy => columns.energy.matching(|code| {
                code_satisfies(EnergyRating::ALL, code, |it| query.energy.contains(it))
            }),
            Self::Price => columns.prices.within(query.min_price, query.max_price, &PRICE),
            Self::BuiltArea => {
                columns.built_areas.within(query.min_built, query.max_built, &BUILT_AREA)
            }
            Self::PlotArea => columns.plot_areas.within(query.min_plot, query.max_plot, &PLOT_AREA),
            Self::Bedrooms => {
                columns.bedrooms.matching(|code| room_code(query.min_bedrooms) <= code)
            }
            Self::MaxBedrooms => columns
                .bedrooms
                .matching(|code| room_codes_up_to(query.max_bedrooms).contains(&code)),
            Self::Bathrooms => {
                columns.bathrooms.matching(|code| room_code(query.min_bathrooms) <= code)
            }
            Self::ListedWithin => {
                let since = days_ago(query.today, query.listed_within?);
                let mut lately = columns.empty_set();
                columns
                    .listed_at
                    .at_least(since)
                    .iter()
                    .for_each(|doc| lately.insert(*doc as usize));
                lately
            }
            Self::Reduced => flagged(&columns.reduced, query.reduced?),
            Self::Featured => flagged(&columns.featured, query.featured?),
            Self::NewBuild => flagged(&columns.new_build, query.new_build?),
            Self::Location => columns.places.at_any(&query.locations),
            Self::NotLocation => complement(columns.places.at_any(&query.not_locations)),
            Self::Features => columns.with_all(&query.features),
            Self::WithoutFeatures => complement(columns.with_any(&query.without_features)),
            Self::Bounds => {
                let bounds = query.bounds.as_ref()?;
                columns.located(&undecided(), |lat, lng| bounds.contains(lat, lng))
            }
            Self::Area => {
                let area = query.area.as_ref()?;
                columns.located(&undecided(), |lat, lng| area.contains(lat, lng))
            }
            Self::Words => return None,
        })
    }
}

/// Returns whether `code` is the position of a member of `all` that satisfies `wanted`.
fn code_satisfies<T>(all: &[T], code: u8, wanted: impl FnOnce(&T) -> bool) -> bool {
    all.get(usize::from(code)).is_some_and(wanted)
}

fn flagged(flags: &FixedBitSet, wanted: bool) -> FixedBitSet {
    if wanted { flags.clone() } else { complement(flags.clone()) }
}

/// Returns all documents that are not in `documents`.
fn complement(mut documents: FixedBitSet) -> FixedBitSet {
    documents.toggle_range(..);
    documents
}
