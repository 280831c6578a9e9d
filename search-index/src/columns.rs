//! In-memory columns of one segment's documents, for filters, facets and sorting.
//!
//! Columns are built once for each segment, whose documents never change, and take less than two hundred
//! bytes a document.

use contracts::content::PropertyType;
use fixedbitset::FixedBitSet;
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};

use crate::{
    code_column::CodeColumn,
    histogram::{BUILT_AREA, Edges, PLOT_AREA, PRICE},
    places::{Places, terms},
    schema::name,
    spot::Spot,
};

/// Marks an unknown figure.
pub(crate) const UNKNOWN: i64 = i64::MIN;
/// Marks an unknown member of a closed set.
const NO_MEMBER: u8 = u8::MAX;
/// Higher numbers of rooms are stored as this number.
const MAX_ROOMS: i64 = 200;

/// The columns of one segment, and the names that their ordinals stand for.
pub(crate) struct Columns {
    /// The documents of properties, without the tombstones of removed ones.
    pub properties: FixedBitSet,
    /// Positions in the closed sets.
    pub statuses: CodeColumn,
    pub property_types: CodeColumn,
    /// The documents of properties that people live in.
    pub homes: FixedBitSet,
    pub kinds: CodeColumn,
    pub energy: CodeColumn,
    /// One more than the number of rooms; 0 means unknown.
    pub bedrooms: CodeColumn,
    pub bathrooms: CodeColumn,
    pub prices: Figures,
    pub built_areas: Figures,
    pub plot_areas: Figures,
    /// Cents for each built m².
    pub prices_per_metre: Ordered,
    pub reduced: FixedBitSet,
    /// Microseconds since 1970; [`UNKNOWN`] if the price is not reduced.
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

/// A figure of every document, with the histogram bar that it falls in.
pub(crate) struct Figures {
    pub order: Ordered,
    pub bars: CodeColumn,
    /// The position in `order` at which each bar starts, followed by the end of the last bar.
    bar_starts: Vec<usize>,
}

/// A figure of every document, by document and in ascending order.
pub(crate) struct Ordered {
    pub values: Vec<i64>,
    /// All documents: first those with an unknown figure, then the others by ascending figure.
    ascending: Vec<DocId>,
}

impl Columns {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let references = segment.fast_fields().str(name::REFERENCE)?;
        let statuses = members(segment, name::STATUS)?;
        let property_types = CodeColumn::new(members(segment, name::PROPERTY_TYPE)?);
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
            statuses: CodeColumn::new(statuses),
            homes: property_types.matching(|code| {
                PropertyType::ALL.get(usize::from(code)).is_some_and(|each| each.is_home())
            }),
            property_types,
            kinds: CodeColumn::new(members(segment, name::KIND)?),
            energy: CodeColumn::new(members(segment, name::ENERGY)?),
            bedrooms: CodeColumn::new(room_numbers(segment, name::BEDROOMS)?),
            bathrooms: CodeColumn::new(room_numbers(segment, name::BATHROOMS)?),
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

    /// Returns the number of documents, including deleted ones.
    pub const fn len(&self) -> usize {
        self.reference_ordinals.len()
    }

    /// Returns the documents that have all the features in `wanted`.
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

    /// Returns the documents that have at least one of the features in `wanted`.
    pub fn with_any(&self, wanted: &[String]) -> FixedBitSet {
        let mut with = self.empty_set();
        for feature in wanted {
            if let Ok(position) = self.features.binary_search_by(|(name, _)| name.cmp(feature)) {
                with.union_with(&self.features[position].1);
            }
        }
        with
    }

    /// Returns those of `documents` that have coordinates for which `within` is true. Its arguments are
    /// latitude and longitude.
    pub fn located(
        &self,
        documents: &FixedBitSet,
        within: impl Fn(f64, f64) -> bool,
    ) -> FixedBitSet {
        let mut located = self.empty_set();
        for doc in documents.ones() {
            let spot = &self.spots[doc];
            located.set(doc, spot.is_known() && within(spot.lat, spot.lng));
        }
        located
    }

    /// Returns an empty set of documents.
    pub fn empty_set(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    /// Creates a set of documents from a flag for each document.
    pub fn set(&self, holds: impl Iterator<Item = bool>) -> FixedBitSet {
        let mut set = self.empty_set();
        let mut holds = holds.fuse();
        for block in set.as_mut_slice() {
            for (bit, holds) in holds.by_ref().take(usize::BITS as usize).enumerate() {
                *block |= usize::from(holds) << bit;
            }
        }
        set
    }

    /// Returns the reference of `doc`.
    pub fn reference(&self, doc: usize) -> &str {
        self.reference_at(self.reference_ordinals[doc])
    }

    /// Returns the reference with this ordinal.
    pub fn reference_at(&self, ordinal: u32) -> &str {
        self.references.get(ordinal as usize).map_or("", String::as_str)
    }
}

impl Figures {
    fn new<const N: usize>(values: Vec<i64>, edges: &Edges<N>) -> Self {
        let bar = |value: &i64| edges.bar((*value != UNKNOWN).then_some(*value));
        let bars = CodeColumn::new(values.iter().map(bar).collect());
        let order = Ordered::new(values);
        let mut bar_starts = vec![order.count_below(UNKNOWN + 1)];
        for bar in Edges::<N>::bars() {
            let count = bars.documents(bar).map_or(0, |documents| documents.count_ones(..));
            bar_starts.extend(bar_starts.last().map(|start| start + count));
        }
        Self { order, bars, bar_starts }
    }

    /// Returns the documents whose figure is known and between `min` and `max`, both inclusive.
    pub fn within<const N: usize>(
        &self,
        min: Option<i64>,
        max: Option<i64>,
        edges: &Edges<N>,
    ) -> FixedBitSet {
        let min = min.unwrap_or(UNKNOWN).max(UNKNOWN + 1);
        let max = max.unwrap_or(i64::MAX);
        let ends = [edges.bar(Some(min)), edges.bar(Some(max))];
        // The bars between the two end bars match completely. The matching part of an end bar is a range
        // of the ascending order.
        let mut within = self.bars.matching(|bar| ends[0] < bar && bar < ends[1]);
        let (start, end) = (self.order.count_below(min), self.order.count_up_to(max));
        for bar in ends.map(usize::from) {
            let part = self.bar_starts[bar].max(start)..self.bar_starts[bar + 1].min(end);
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

    /// Returns the documents whose figure is known and at least `min`.
    pub fn at_least(&self, min: i64) -> &[DocId] {
        &self.ascending[self.count_below(min.max(UNKNOWN + 1))..]
    }

    /// Returns how many documents have a figure less than `figure`, or an unknown one.
    fn count_below(&self, figure: i64) -> usize {
        self.ascending.partition_point(|doc| self.values[*doc as usize] < figure)
    }

    /// Returns how many documents have a figure of at most `figure`, or an unknown one.
    fn count_up_to(&self, figure: i64) -> usize {
        self.ascending.partition_point(|doc| self.values[*doc as usize] <= figure)
    }

    /// Returns all documents by ascending or descending figure; those with an unknown figure come last.
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
    Ok(column_of(segment, |doc| room_code(column.first(doc))))
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

/// Returns the documents whose figure is known.
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

/// Returns the column called `name`; an empty one if no document has a value in it.
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

/// Returns cents for each m²; [`UNKNOWN`] if either figure is unknown or nothing is built.
fn price_per_metre(price: i64, area: i64) -> i64 {
    if price == UNKNOWN || area <= 0 { UNKNOWN } else { price.saturating_mul(100) / area }
}

/// Returns the codes of [`room_code`] for known numbers of rooms up to `max`.
pub(crate) fn room_codes_up_to(max: Option<i64>) -> std::ops::RangeInclusive<u8> {
    room_code(Some(0))..=max.map_or(u8::MAX, |max| room_code(Some(max)))
}

/// Returns one more than `rooms`, limited to [`MAX_ROOMS`]; 0 if they are unknown.
pub(crate) fn room_code(rooms: Option<i64>) -> u8 {
    rooms.map_or(0, |rooms| u8::try_from(rooms.clamp(0, MAX_ROOMS) + 1).unwrap_or(u8::MAX))
}
