//! The filters: which there are, and what they leave.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use fixedbitset::FixedBitSet;

use crate::{
    columns::{Columns, at_most, rooms},
    histogram::{BUILT_AREA, PLOT_AREA, PRICE},
    query::{PropertyQuery, days_ago},
};

/// One filter of a question.
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
    /// The least number of bedrooms.
    Bedrooms,
    /// The most bedrooms.
    MaxBedrooms,
    /// The least number of bathrooms.
    Bathrooms,
    /// How lately it was first offered.
    ListedWithin,
    /// Whether it is reduced.
    Reduced,
    /// Whether it is put forward.
    Featured,
    /// Whether it is a new build.
    NewBuild,
    /// The places.
    Location,
    /// The places that are ruled out.
    ExcludedLocation,
    /// All the features together.
    Features,
    /// All the features together that are ruled out.
    ExcludedFeatures,
    /// The rectangle.
    Bounds,
    /// The drawn area.
    Area,
    /// The words.
    Words,
}

impl Filter {
    /// Every filter but the words, which the index answers.
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
        Self::ExcludedLocation,
        Self::Features,
        Self::ExcludedFeatures,
        Self::Bounds,
        Self::Area,
    ];

    /// Whether `query` was told it.
    pub(crate) const fn is_told(self, query: &PropertyQuery) -> bool {
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
            Self::ExcludedLocation => !query.excluded_locations.is_empty(),
            Self::Features => !query.features.is_empty(),
            Self::ExcludedFeatures => !query.excluded_features.is_empty(),
            Self::Bounds => query.bounds.is_some(),
            Self::Area => query.area.is_some(),
            Self::Words => query.text.is_some(),
        }
    }
}

/// A filter without which something would fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loosened {
    /// The filter.
    pub filter: Filter,
    /// How many fit all the others.
    pub count: u64,
}

/// What a question's filters leave of one segment.
pub(crate) struct Sifted {
    /// What fits.
    pub fits: FixedBitSet,
    /// For each filter that was asked for, what would fit without it.
    pub but_for: Vec<(Filter, FixedBitSet)>,
}

impl Sifted {
    /// What the filters of `query` leave of `documents`, which are some of those of `columns`.
    pub fn new(query: &PropertyQuery, columns: &Columns, documents: FixedBitSet) -> Self {
        // What fails at least one filter, and what fails more.
        let mut failing = columns.none();
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
        Self { fits, but_for: fails }
    }
}

impl Filter {
    /// What passes it; none where `query` does not ask for it. The dear ones look only at what is
    /// still `undecided`.
    fn passing(
        self,
        query: &PropertyQuery,
        columns: &Columns,
        undecided: impl FnOnce() -> FixedBitSet,
    ) -> Option<FixedBitSet> {
        // Of statuses some are left out unless they are asked for.
        if self != Self::Status && !self.is_told(query) {
            return None;
        }
        Some(match self {
            Self::Status if query.statuses.is_empty() => columns
                .statuses
                .having(|code| is_one(ListingStatus::ALL, code, |it| it.is_listed_by_default())),
            Self::Status => columns
                .statuses
                .having(|code| is_one(ListingStatus::ALL, code, |it| query.statuses.contains(it))),
            Self::PropertyType => columns.property_types.having(|code| {
                is_one(PropertyType::ALL, code, |it| query.property_types.contains(it))
            }),
            Self::Kind => columns
                .kinds
                .having(|code| is_one(PropertyKind::ALL, code, |it| query.kinds.contains(it))),
            Self::Energy => columns
                .energy
                .having(|code| is_one(EnergyRating::ALL, code, |it| query.energy.contains(it))),
            Self::Price => columns.prices.within(query.min_price, query.max_price, &PRICE),
            Self::BuiltArea => {
                columns.built_areas.within(query.min_built, query.max_built, &BUILT_AREA)
            }
            Self::PlotArea => columns.plot_areas.within(query.min_plot, query.max_plot, &PLOT_AREA),
            Self::Bedrooms => columns.bedrooms.having(|code| rooms(query.min_bedrooms) <= code),
            Self::MaxBedrooms => {
                columns.bedrooms.having(|code| at_most(query.max_bedrooms).contains(&code))
            }
            Self::Bathrooms => columns.bathrooms.having(|code| rooms(query.min_bathrooms) <= code),
            Self::ListedWithin => {
                let since = days_ago(query.today, query.listed_within?);
                let mut lately = columns.none();
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
            Self::ExcludedLocation => inverse(columns.places.at_any(&query.excluded_locations)),
            Self::Features => columns.with_all(&query.features),
            Self::ExcludedFeatures => inverse(columns.with_any(&query.excluded_features)),
            Self::Bounds => {
                let bounds = query.bounds.as_ref()?;
                columns.lying(&undecided(), |lat, lng| bounds.contains(lat, lng))
            }
            Self::Area => {
                let area = query.area.as_ref()?;
                columns.lying(&undecided(), |lat, lng| area.contains(lat, lng))
            }
            Self::Words => return None,
        })
    }
}

/// Whether `code` is the position of a member of `all` that `wanted` holds of.
fn is_one<T>(all: &[T], code: u8, wanted: impl FnOnce(&T) -> bool) -> bool {
    all.get(usize::from(code)).is_some_and(wanted)
}

fn flagged(flags: &FixedBitSet, wanted: bool) -> FixedBitSet {
    if wanted { flags.clone() } else { inverse(flags.clone()) }
}

/// All the other documents.
fn inverse(mut documents: FixedBitSet) -> FixedBitSet {
    documents.toggle_range(..);
    documents
}
