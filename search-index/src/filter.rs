//! The filters: which there are, and which of them a document fails.

use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use tantivy::DocId;

use crate::{
    polygon::Polygon,
    query::{BoundingBox, PropertyQuery, covers},
    rows::{NO_MEMBER, Row, Rows, UNKNOWN, rooms},
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
    /// The least number of bathrooms.
    Bathrooms,
    /// How lately it was first offered.
    ListedWithin,
    /// Whether it is reduced.
    Reduced,
    /// Whether it is put forward.
    Featured,
    /// The places.
    Location,
    /// All the features together.
    Features,
    /// The rectangle.
    Bounds,
    /// The drawn area.
    Area,
    /// The words.
    Words,
}

impl Filter {
    /// Every filter but the words, which the index answers.
    pub(crate) const CHECKED: [Self; 16] = [
        Self::Status,
        Self::PropertyType,
        Self::Kind,
        Self::Energy,
        Self::Price,
        Self::BuiltArea,
        Self::PlotArea,
        Self::Bedrooms,
        Self::Bathrooms,
        Self::ListedWithin,
        Self::Reduced,
        Self::Featured,
        Self::Location,
        Self::Features,
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
            Self::Bathrooms => query.min_bathrooms.is_some(),
            Self::ListedWithin => query.listed_within.is_some(),
            Self::Reduced => query.reduced.is_some(),
            Self::Featured => query.featured.is_some(),
            Self::Location => !query.locations.is_empty(),
            Self::Features => !query.features.is_empty(),
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

/// Which filters a document fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It fits.
    None,
    /// It would fit without this one.
    One(Filter),
    /// More than one.
    Several,
}

/// A question's filters in one segment's terms. What is not asked lets everything pass.
pub(crate) struct Checks {
    /// A bit for each member that will do; bit 31 stands for none known.
    statuses: u32,
    property_types: u32,
    kinds: u32,
    energy: u32,
    price: Range,
    built_area: Range,
    plot_area: Range,
    bedrooms: u8,
    bathrooms: u8,
    listed_since: i64,
    reduced: Option<bool>,
    featured: Option<bool>,
    /// By ordinal of the segment's places; none where any place will do.
    places: Option<Vec<bool>>,
    features: Wanted,
    bounds: Option<BoundingBox>,
    area: Option<Polygon>,
}

/// Both limits of a figure; what is not known lies below every range that was asked for.
#[derive(Clone, Copy)]
struct Range {
    least: i64,
    most: i64,
}

/// The features that are asked for.
enum Wanted {
    Any,
    /// These bits.
    All(Vec<u64>),
    /// One that no document of the segment has.
    Unheard,
}

impl Checks {
    pub fn new(query: &PropertyQuery, rows: &Rows) -> Self {
        let listed: Vec<_> = ListingStatus::ALL
            .iter()
            .copied()
            .filter(|status| status.is_listed_by_default())
            .collect();
        let statuses = if query.statuses.is_empty() { &listed } else { &query.statuses };
        Self {
            statuses: members(ListingStatus::ALL, statuses),
            property_types: members(PropertyType::ALL, &query.property_types),
            kinds: members(PropertyKind::ALL, &query.kinds),
            energy: members(EnergyRating::ALL, &query.energy),
            price: Range::new(query.min_price, query.max_price),
            built_area: Range::new(query.min_built, query.max_built),
            plot_area: Range::new(query.min_plot, query.max_plot),
            bedrooms: rooms(query.min_bedrooms),
            bathrooms: rooms(query.min_bathrooms),
            listed_since: query.listed_within.map_or(UNKNOWN, |days| query.days_ago(days)),
            reduced: query.reduced,
            featured: query.featured,
            places: (!query.locations.is_empty()).then(|| places(&query.locations, rows)),
            features: Wanted::new(&query.features, rows),
            bounds: query.bounds,
            area: query.area.clone(),
        }
    }

    /// What `doc` fails, whose row is `row`.
    pub fn check(&self, rows: &Rows, doc: DocId, row: &Row) -> Failure {
        let mut failed = 0_u32;
        let mut note = |filter: Filter, holds: bool| failed |= u32::from(!holds) << filter as u32;
        // Without a branch, since each of them is nearly as likely as not.
        note(Filter::Status, has(self.statuses, row.status));
        note(Filter::PropertyType, has(self.property_types, row.property_type));
        note(Filter::Kind, has(self.kinds, row.kind));
        note(Filter::Energy, has(self.energy, row.energy));
        note(Filter::Price, self.price.holds(row.price));
        note(Filter::BuiltArea, self.built_area.holds(row.built_area));
        note(Filter::PlotArea, self.plot_area.holds(row.plot_area));
        note(Filter::Bedrooms, self.bedrooms <= row.bedrooms);
        note(Filter::Bathrooms, self.bathrooms <= row.bathrooms);
        note(Filter::ListedWithin, self.listed_since <= row.listed_at);
        note(Filter::Reduced, self.reduced.is_none_or(|wanted| wanted == row.reduced));
        note(Filter::Featured, self.featured.is_none_or(|wanted| wanted == row.featured));
        if let Some(places) = &self.places {
            note(Filter::Location, places.get(row.place as usize).is_some_and(|wanted| *wanted));
        }
        if is_several(failed) {
            return Failure::Several;
        }
        // The dear ones only for what is still undecided.
        let mut note = |filter: Filter, holds: bool| failed |= u32::from(!holds) << filter as u32;
        match &self.features {
            Wanted::Any => {}
            Wanted::All(bits) => note(Filter::Features, has_all(rows.features_of(doc), bits)),
            Wanted::Unheard => note(Filter::Features, false),
        }
        if self.bounds.is_some() || self.area.is_some() {
            let spot = rows.spot(doc);
            let within = |holds: bool| spot.is_known() && holds;
            let bounds = self.bounds.as_ref();
            note(
                Filter::Bounds,
                bounds.is_none_or(|bounds| within(bounds.contains(spot.lat, spot.lng))),
            );
            let area = self.area.as_ref();
            note(Filter::Area, area.is_none_or(|area| within(area.contains(spot.lat, spot.lng))));
        }
        match failed {
            0 => Failure::None,
            _ if is_several(failed) => Failure::Several,
            _ => Failure::One(Filter::CHECKED[failed.trailing_zeros() as usize]),
        }
    }
}

impl Range {
    fn new(least: Option<i64>, most: Option<i64>) -> Self {
        if least.is_none() && most.is_none() {
            return Self { least: UNKNOWN, most: i64::MAX };
        }
        let known = UNKNOWN + 1;
        Self { least: least.unwrap_or(known).max(known), most: most.unwrap_or(i64::MAX) }
    }

    const fn holds(self, figure: i64) -> bool {
        self.least <= figure && figure <= self.most
    }
}

impl Wanted {
    fn new(features: &[String], rows: &Rows) -> Self {
        if features.is_empty() {
            return Self::Any;
        }
        rows.bits_of(features).map_or(Self::Unheard, Self::All)
    }
}

const fn is_several(failed: u32) -> bool {
    failed & failed.wrapping_sub(1) != 0
}

/// A bit for each member of `wanted`; all where nothing is asked.
fn members<T: PartialEq>(all: &[T], wanted: &[T]) -> u32 {
    if wanted.is_empty() {
        return u32::MAX;
    }
    let positions = all.iter().enumerate().filter(|(_, member)| wanted.contains(member));
    positions.fold(0, |bits, (position, _)| bits | 1 << position)
}

/// Whether `bits` has the member; [`NO_MEMBER`] is its highest bit.
const fn has(bits: u32, member: u8) -> bool {
    const { assert!(NO_MEMBER % 32 == 31) };
    bits >> (member % 32) & 1 == 1
}

fn has_all(own: &[u64], wanted: &[u64]) -> bool {
    own.iter().zip(wanted).all(|(own, wanted)| own & wanted == *wanted)
}

fn places(asked: &[String], rows: &Rows) -> Vec<bool> {
    rows.places.iter().map(|slug| asked.iter().any(|asked| covers(asked, slug))).collect()
}
