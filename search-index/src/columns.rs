//! One segment's documents as filters, facets and orders read them: column by column, in memory.
//!
//! Columns are made once for each segment, whose documents never change, and take some hundred
//! bytes a document.

use std::cmp::Reverse;

use fixedbitset::FixedBitSet;
use tantivy::{
    DocId, SegmentReader, TantivyError,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};

use crate::{
    coded::Coded,
    histogram::{BUILT_AREA, Edges, PLOT_AREA, PRICE},
    schema::name,
    spot::Spot,
};

/// A figure that is not known.
pub(crate) const UNKNOWN: i64 = i64::MIN;
/// A member of a closed set that is not known.
const NO_MEMBER: u8 = u8::MAX;
/// Rooms are told apart up to so many.
const MOST_ROOMS: i64 = 200;

/// The columns of one segment, and the names that their ordinals stand for.
pub(crate) struct Columns {
    /// The documents that are of a property, and not what stayed of a removed one.
    pub properties: FixedBitSet,
    /// Positions in the closed sets.
    pub statuses: Coded,
    pub property_types: Coded,
    pub kinds: Coded,
    pub energy: Coded,
    /// One more than there are, so that 0 is none known.
    pub bedrooms: Coded,
    pub bathrooms: Coded,
    pub prices: Figures,
    pub built_areas: Figures,
    pub plot_areas: Figures,
    pub reduced: FixedBitSet,
    pub featured: FixedBitSet,
    /// Microseconds since 1970.
    pub listed_at: Vec<i64>,
    /// Every document, the latest offered first.
    pub latest: Vec<DocId>,
    /// Ordinals of the places.
    pub place: Vec<u32>,
    /// Slugs by ordinal.
    pub places: Vec<String>,
    /// Features in order, each with the documents that have it.
    pub features: Vec<(String, FixedBitSet)>,
    pub spots: Vec<Spot>,
    /// Ordinals of the references, which within a segment are in the order of references.
    pub reference: Vec<u32>,
    /// The references behind the ordinals.
    references: Option<StrColumn>,
}

/// A figure of every document, with the bar of its histogram.
pub(crate) struct Figures {
    pub values: Vec<i64>,
    pub bars: Coded,
}

impl Columns {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let place = segment.fast_fields().str(name::LOCATION)?;
        let references = segment.fast_fields().str(name::REFERENCE)?;
        let statuses = members(segment, name::STATUS)?;
        let listed_at = figures(segment, name::LISTED_AT)?;
        let documents = 0..segment.max_doc();
        let mut latest: Vec<DocId> = documents.clone().collect();
        latest.sort_by_key(|doc| Reverse(listed_at[*doc as usize]));
        let mut properties = FixedBitSet::with_capacity(statuses.len());
        properties.extend((0..statuses.len()).filter(|doc| statuses[*doc] != NO_MEMBER));
        Ok(Self {
            properties,
            statuses: Coded::new(statuses),
            property_types: Coded::new(members(segment, name::PROPERTY_TYPE)?),
            kinds: Coded::new(members(segment, name::KIND)?),
            energy: Coded::new(members(segment, name::ENERGY)?),
            bedrooms: Coded::new(room_numbers(segment, name::BEDROOMS)?),
            bathrooms: Coded::new(room_numbers(segment, name::BATHROOMS)?),
            prices: Figures::new(figures(segment, name::PRICE)?, &PRICE),
            built_areas: Figures::new(figures(segment, name::BUILT_AREA)?, &BUILT_AREA),
            plot_areas: Figures::new(figures(segment, name::PLOT_AREA)?, &PLOT_AREA),
            reduced: flags(segment, name::REDUCED)?,
            featured: flags(segment, name::FEATURED)?,
            listed_at,
            latest,
            place: documents.clone().map(|doc| ordinal(place.as_ref(), doc)).collect(),
            places: terms(place.as_ref())?,
            features: features(segment)?,
            spots: spots(segment)?,
            reference: documents.map(|doc| ordinal(references.as_ref(), doc)).collect(),
            references,
        })
    }

    /// How many documents there are, the deleted ones among them.
    pub const fn len(&self) -> usize {
        self.listed_at.len()
    }

    /// The documents that were offered at `since` or later, microseconds since 1970, the latest
    /// first.
    pub fn listed_since(&self, since: i64) -> &[DocId] {
        let end = self.latest.partition_point(|doc| self.listed_at[*doc as usize] >= since);
        &self.latest[..end]
    }

    /// The documents at the places whose slug `wanted` holds of.
    pub fn at(&self, wanted: impl Fn(&str) -> bool) -> FixedBitSet {
        let wanted: Vec<bool> = self.places.iter().map(|slug| wanted(slug)).collect();
        let is_wanted = |place: u32| wanted.get(place as usize).is_some_and(|wanted| *wanted);
        self.set(self.place.iter().map(|place| is_wanted(*place)))
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

    /// A set of documents, from whether each of them is in it.
    pub fn set(&self, holds: impl Iterator<Item = bool>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.len());
        let mut holds = holds.fuse();
        for block in set.as_mut_slice() {
            for (bit, holds) in holds.by_ref().take(usize::BITS as usize).enumerate() {
                *block |= usize::from(holds) << bit;
            }
        }
        set
    }

    /// The reference behind an ordinal.
    pub fn reference(&self, ordinal: u32) -> tantivy::Result<String> {
        let mut references = Vec::with_capacity(1);
        self.references_of(&[ordinal], |reference| references.push(reference))?;
        references.pop().ok_or_else(no_reference)
    }

    /// Gives the references behind `ordinals`, which are in order, to `take`, one by one.
    pub fn references_of(
        &self,
        ordinals: &[u32],
        mut take: impl FnMut(String),
    ) -> tantivy::Result<()> {
        if ordinals.is_empty() {
            return Ok(());
        }
        let Some(references) = &self.references else { return Err(no_reference()) };
        let ordinals: Vec<u64> = ordinals.iter().map(|ordinal| (*ordinal).into()).collect();
        let all_there = references.dictionary().sorted_ords_to_term_cb(&ordinals, |reference| {
            take(String::from_utf8_lossy(reference).into_owned());
        })?;
        if all_there { Ok(()) } else { Err(no_reference()) }
    }
}

impl Figures {
    fn new<const N: usize>(values: Vec<i64>, edges: &Edges<N>) -> Self {
        let bar = |value: &i64| edges.bar((*value != UNKNOWN).then_some(*value));
        let bars = Coded::new(values.iter().map(bar).collect());
        Self { values, bars }
    }

    /// The documents whose figure is known and neither less than `least` nor more than `most`.
    pub fn within<const N: usize>(
        &self,
        least: Option<i64>,
        most: Option<i64>,
        edges: &Edges<N>,
    ) -> FixedBitSet {
        let (least, most) =
            (least.unwrap_or(UNKNOWN + 1).max(UNKNOWN + 1), most.unwrap_or(i64::MAX));
        let (first, last) = (edges.bar(Some(least)), edges.bar(Some(most)));
        // All of a bar between is within. Only in the two at the ends each figure is looked at.
        let mut within = self.bars.having(|bar| first < bar && bar < last);
        for end in [first, last] {
            let figures = self.bars.documents(end).into_iter().flat_map(FixedBitSet::ones);
            within.extend(figures.filter(|doc| (least..=most).contains(&self.values[*doc])));
        }
        within
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

/// Every term of `column` in the order of its ordinals.
fn terms(column: Option<&StrColumn>) -> tantivy::Result<Vec<String>> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut terms = Vec::with_capacity(column.num_terms());
    let mut stream = column.dictionary().stream()?;
    while stream.advance() {
        terms.push(String::from_utf8_lossy(stream.key()).into_owned());
    }
    Ok(terms)
}

fn ordinal(column: Option<&StrColumn>, doc: DocId) -> u32 {
    let ordinal = column.and_then(|column| column.ords().first(doc));
    ordinal.and_then(|ordinal| u32::try_from(ordinal).ok()).unwrap_or(u32::MAX)
}

fn no_reference() -> TantivyError {
    TantivyError::InternalError("a hit has no reference".to_owned())
}

/// One more than `rooms`; 0 where they are not known.
pub(crate) fn rooms(rooms: Option<i64>) -> u8 {
    rooms.map_or(0, |rooms| u8::try_from(rooms.clamp(0, MOST_ROOMS) + 1).unwrap_or(u8::MAX))
}
