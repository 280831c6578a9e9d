//! One segment's documents as filters, facets and orders read them: column by column, in memory.
//!
//! Columns are made once for each segment, whose documents never change, and take less than two
//! hundred bytes a document.

use contracts::content::PropertyType;
use fixedbitset::FixedBitSet;
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};

use crate::{
    coded::Coded,
    histogram::{BUILT_AREA, Edges, PLOT_AREA, PRICE},
    places::{Places, terms},
    schema::name,
    spot::Spot,
};

/// A figure that is not known.
pub(crate) const UNKNOWN: i64 = i64::MIN;
/// A member of a closed set that is not known.
const NO_MEMBER: u8 = u8::MAX;
/// Rooms are told apart up to so many.
const MAX_ROOMS: i64 = 200;

/// The columns of one segment, and the names that their ordinals stand for.
pub(crate) struct Columns {
    /// The documents that are of a property, and not what stayed of a removed one.
    pub properties: FixedBitSet,
    /// Positions in the closed sets.
    pub statuses: Coded,
    pub property_types: Coded,
    /// The documents of what people live in.
    pub homes: FixedBitSet,
    pub kinds: Coded,
    pub energy: Coded,
    /// One more than there are, so that 0 is none known.
    pub bedrooms: Coded,
    pub bathrooms: Coded,
    pub prices: Figures,
    pub built_areas: Figures,
    pub plot_areas: Figures,
    /// Cents for each built m².
    pub prices_per_metre: Ordered,
    pub reduced: FixedBitSet,
    /// Microseconds since 1970; none for what is not reduced.
    pub reduced_at: Ordered,
    pub featured: FixedBitSet,
    pub new_build: FixedBitSet,
    /// Microseconds since 1970.
    pub listed_at: Ordered,
    pub places: Places,
    /// Features in order, each with the documents that have it.
    pub features: Vec<(String, FixedBitSet)>,
    pub spots: Vec<Spot>,
    /// Ordinals of the references, which within a segment are in the order of references.
    pub reference_ordinals: Vec<u32>,
    /// References by ordinal.
    references: Vec<String>,
}

/// A figure of every document, with the bar of its histogram.
pub(crate) struct Figures {
    pub order: Ordered,
    pub bars: Coded,
    /// Where each bar begins in the figures' order; one more says where the last one ends.
    begins: Vec<usize>,
}

/// A figure of every document, both ways: by document, and in the figure's order.
pub(crate) struct Ordered {
    pub values: Vec<i64>,
    /// Every document, the lowest figure first; those before them whose figure is not known.
    ascending: Vec<DocId>,
}

impl Columns {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let references = segment.fast_fields().str(name::REFERENCE)?;
        let statuses = members(segment, name::STATUS)?;
        let property_types = Coded::new(members(segment, name::PROPERTY_TYPE)?);
        let documents = 0..segment.max_doc();
        let prices = figures(segment, name::PRICE)?;
        let built_areas = figures(segment, name::BUILT_AREA)?;
        let reduced_at = figures(segment, name::REDUCED_AT)?;
        let per_metre =
            prices.iter().zip(&built_areas).map(|(price, area)| price_per_metre(*price, *area));
        let mut properties = FixedBitSet::with_capacity(statuses.len());
        properties.extend((0..statuses.len()).filter(|doc| statuses[*doc] != NO_MEMBER));
        Ok(Self {
            properties,
            statuses: Coded::new(statuses),
            homes: property_types.having(|code| {
                PropertyType::ALL.get(usize::from(code)).is_some_and(|each| each.is_home())
            }),
            property_types,
            kinds: Coded::new(members(segment, name::KIND)?),
            energy: Coded::new(members(segment, name::ENERGY)?),
            bedrooms: Coded::new(room_numbers(segment, name::BEDROOMS)?),
            bathrooms: Coded::new(room_numbers(segment, name::BATHROOMS)?),
            prices_per_metre: Ordered::new(per_metre.collect()),
            prices: Figures::new(prices, &PRICE),
            built_areas: Figures::new(built_areas, &BUILT_AREA),
            plot_areas: Figures::new(figures(segment, name::PLOT_AREA)?, &PLOT_AREA),
            reduced: known(&reduced_at),
            reduced_at: Ordered::new(reduced_at),
            featured: flags(segment, name::FEATURED)?,
            new_build: flags(segment, name::NEW_BUILD)?,
            listed_at: Ordered::new(figures(segment, name::LISTED_AT)?),
            places: Places::read(segment)?,
            features: features(segment)?,
            spots: spots(segment)?,
            reference_ordinals: documents.map(|doc| ordinal(references.as_ref(), doc)).collect(),
            references: terms(references.as_ref())?,
        })
    }

    /// How many documents there are, the deleted ones among them.
    pub const fn len(&self) -> usize {
        self.reference_ordinals.len()
    }

    /// The documents that have all the features in `wanted`.
    pub fn with_all(&self, wanted: &[String]) -> FixedBitSet {
        let mut with = self.properties.clone();
        for feature in wanted {
            match self.features.binary_search_by(|(name, _)| name.cmp(feature)) {
                Ok(position) => with.intersect_with(&self.features[position].1),
                Err(_) => with.clear(),
            }
        }
        with
    }

    /// The documents that have at least one of the features in `named`.
    pub fn with_any(&self, named: &[String]) -> FixedBitSet {
        let mut with = self.none();
        for feature in named {
            if let Ok(position) = self.features.binary_search_by(|(name, _)| name.cmp(feature)) {
                with.union_with(&self.features[position].1);
            }
        }
        with
    }

    /// Those of `documents` whose place on the map is known, and whose latitude and longitude are
    /// `within`.
    pub fn lying(&self, documents: &FixedBitSet, within: impl Fn(f64, f64) -> bool) -> FixedBitSet {
        let mut lying = self.none();
        for doc in documents.ones() {
            let spot = &self.spots[doc];
            lying.set(doc, spot.is_known() && within(spot.lat, spot.lng));
        }
        lying
    }

    /// The empty set of documents.
    pub fn none(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    /// A set of documents, from whether each of them is in it.
    pub fn set(&self, holds: impl Iterator<Item = bool>) -> FixedBitSet {
        let mut set = self.none();
        let mut holds = holds.fuse();
        for block in set.as_mut_slice() {
            for (bit, holds) in holds.by_ref().take(usize::BITS as usize).enumerate() {
                *block |= usize::from(holds) << bit;
            }
        }
        set
    }

    /// The reference of `doc`.
    pub fn reference(&self, doc: usize) -> &str {
        self.reference_at(self.reference_ordinals[doc])
    }

    /// The reference behind an ordinal.
    pub fn reference_at(&self, ordinal: u32) -> &str {
        self.references.get(ordinal as usize).map_or("", String::as_str)
    }
}

impl Figures {
    fn new<const N: usize>(values: Vec<i64>, edges: &Edges<N>) -> Self {
        let bar = |value: &i64| edges.bar((*value != UNKNOWN).then_some(*value));
        let bars = Coded::new(values.iter().map(bar).collect());
        let order = Ordered::new(values);
        let mut begins = vec![order.below(UNKNOWN + 1)];
        for bar in Edges::<N>::bars() {
            let there = bars.documents(bar).map_or(0, |there| there.count_ones(..));
            begins.extend(begins.last().map(|begin| begin + there));
        }
        Self { order, bars, begins }
    }

    /// The documents whose figure is known and neither less than `least` nor more than `most`.
    pub fn within<const N: usize>(
        &self,
        least: Option<i64>,
        most: Option<i64>,
        edges: &Edges<N>,
    ) -> FixedBitSet {
        let least = least.unwrap_or(UNKNOWN).max(UNKNOWN + 1);
        let most = most.unwrap_or(i64::MAX);
        let ends = [edges.bar(Some(least)), edges.bar(Some(most))];
        // All of a bar between is within. Of the two at the ends a part is, which the order tells.
        let mut within = self.bars.having(|bar| ends[0] < bar && bar < ends[1]);
        let (begin, end) = (self.order.below(least), self.order.up_to(most));
        for bar in ends.map(usize::from) {
            let part = self.begins[bar].max(begin)..self.begins[bar + 1].min(end);
            let part = self.order.ascending.get(part).unwrap_or_default();
            for doc in part {
                within.insert(*doc as usize);
            }
        }
        within
    }
}

impl Ordered {
    fn new(values: Vec<i64>) -> Self {
        let mut ascending: Vec<DocId> = (0..).zip(&values).map(|(doc, _)| doc).collect();
        ascending.sort_by_key(|doc| values[*doc as usize]);
        Self { values, ascending }
    }

    /// The documents whose figure is known and at least `least`.
    pub fn at_least(&self, least: i64) -> &[DocId] {
        &self.ascending[self.below(least.max(UNKNOWN + 1))..]
    }

    /// How many documents' figures are less than `figure`, or not known.
    fn below(&self, figure: i64) -> usize {
        self.ascending.partition_point(|doc| self.values[*doc as usize] < figure)
    }

    /// How many documents' figures are `figure` or less, or not known.
    fn up_to(&self, figure: i64) -> usize {
        self.ascending.partition_point(|doc| self.values[*doc as usize] <= figure)
    }

    /// Every document, the lowest figure first, or the highest; last those whose figure is not
    /// known.
    pub fn in_order(&self, descending: bool) -> impl Iterator<Item = usize> {
        let known = self.at_least(UNKNOWN + 1);
        let unknown = &self.ascending[..self.ascending.len() - known.len()];
        let position = move |place| if descending { known.len() - 1 - place } else { place };
        let known = (0..known.len()).map(move |place| known[position(place)]);
        known.chain(unknown.iter().copied()).map(|doc| doc as usize)
    }
}

fn members(segment: &SegmentReader, name: &str) -> tantivy::Result<Vec<u8>> {
    let column = column::<u64>(segment, name)?;
    let member = |position: Option<u64>| position.and_then(|position| position.try_into().ok());
    Ok(column_of(segment, |doc| member(column.first(doc)).unwrap_or(NO_MEMBER)))
}

fn room_numbers(segment: &SegmentReader, name: &str) -> tantivy::Result<Vec<u8>> {
    let column = column::<i64>(segment, name)?;
    Ok(column_of(segment, |doc| rooms(column.first(doc))))
}

fn figures(segment: &SegmentReader, name: &str) -> tantivy::Result<Vec<i64>> {
    let column = column::<i64>(segment, name)?;
    Ok(column_of(segment, |doc| column.first(doc).unwrap_or(UNKNOWN)))
}

fn flags(segment: &SegmentReader, name: &str) -> tantivy::Result<FixedBitSet> {
    let column = column::<bool>(segment, name)?;
    let mut flags = FixedBitSet::with_capacity(segment.max_doc() as usize);
    let raised = (0..segment.max_doc()).filter(|doc| column.first(*doc) == Some(true));
    flags.extend(raised.map(|doc| doc as usize));
    Ok(flags)
}

/// The documents whose figure is known.
fn known(figures: &[i64]) -> FixedBitSet {
    let mut known = FixedBitSet::with_capacity(figures.len());
    known.extend((0..figures.len()).filter(|doc| figures[*doc] != UNKNOWN));
    known
}

fn features(segment: &SegmentReader) -> tantivy::Result<Vec<(String, FixedBitSet)>> {
    let Some(column) = segment.fast_fields().str(name::FEATURES)? else { return Ok(Vec::new()) };
    let none = FixedBitSet::with_capacity(segment.max_doc() as usize);
    let mut features: Vec<_> =
        terms(Some(&column))?.into_iter().map(|name| (name, none.clone())).collect();
    for doc in 0..segment.max_doc() {
        for ordinal in column.term_ords(doc).filter_map(|ordinal| usize::try_from(ordinal).ok()) {
            features[ordinal].1.insert(doc as usize);
        }
    }
    Ok(features)
}

fn spots(segment: &SegmentReader) -> tantivy::Result<Vec<Spot>> {
    let lat = column::<f64>(segment, name::LAT)?;
    let lng = column::<f64>(segment, name::LNG)?;
    Ok(column_of(segment, |doc| match (lat.first(doc), lng.first(doc)) {
        (Some(lat), Some(lng)) => Spot::new(lat, lng),
        _ => Spot::NOWHERE,
    }))
}

fn column_of<T>(segment: &SegmentReader, value: impl Fn(DocId) -> T) -> Vec<T> {
    (0..segment.max_doc()).map(value).collect()
}

/// The column of `name`; an empty one where no document has a value in it.
fn column<T>(segment: &SegmentReader, name: &str) -> tantivy::Result<Column<T>>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    let column = segment.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(segment.max_doc())))
}

fn ordinal(column: Option<&StrColumn>, doc: DocId) -> u32 {
    let ordinal = column.and_then(|column| column.ords().first(doc));
    ordinal.and_then(|ordinal| u32::try_from(ordinal).ok()).unwrap_or(u32::MAX)
}

/// Cents for each m²; unknown where a figure is, or where nothing is built.
fn price_per_metre(price: i64, area: i64) -> i64 {
    if price == UNKNOWN || area <= 0 { UNKNOWN } else { price.saturating_mul(100) / area }
}

/// The codes of [`rooms`] that are known and not more than `most`.
pub(crate) fn at_most(most: Option<i64>) -> std::ops::RangeInclusive<u8> {
    rooms(Some(0))..=most.map_or(u8::MAX, |most| rooms(Some(most)))
}

/// One more than `rooms`; 0 where they are not known.
pub(crate) fn rooms(rooms: Option<i64>) -> u8 {
    rooms.map_or(0, |rooms| u8::try_from(rooms.clamp(0, MAX_ROOMS) + 1).unwrap_or(u8::MAX))
}
