//! One segment's documents as filters and facets read them: side by side in memory.
//!
//! A pass over a hundred thousand documents asks some fifteen things of each. Out of compressed
//! columns every one of them costs several nanoseconds; out of one cache line all of them cost a
//! few together. Rows are made once for each segment, whose documents never change, and take some
//! hundred bytes a document.

use tantivy::{
    DocId, SegmentReader, TantivyError,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};

use crate::{
    histogram::{BUILT_AREA, PLOT_AREA, PRICE},
    schema::name,
    spot::Spot,
};

/// A figure that is not known.
pub(crate) const UNKNOWN: i64 = i64::MIN;
/// A member of a closed set that is not known.
pub(crate) const NO_MEMBER: u8 = u8::MAX;
/// Rooms are told apart up to so many.
pub(crate) const MOST_ROOMS: i64 = 200;

/// What is asked of every document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Microseconds since 1970.
    pub listed_at: i64,
    pub price: i64,
    pub built_area: i64,
    pub plot_area: i64,
    /// Ordinal of the reference, which within the segment is in the order of references.
    pub reference: u32,
    /// Ordinal of the place within the segment.
    pub place: u32,
    /// Positions in the closed sets. What stayed of a removed property has no status.
    pub status: u8,
    pub property_type: u8,
    pub kind: u8,
    pub energy: u8,
    /// One more than there are, so that 0 is none known.
    pub bedrooms: u8,
    pub bathrooms: u8,
    pub reduced: bool,
    pub featured: bool,
    /// Bars of the histograms.
    pub price_bar: u8,
    pub built_bar: u8,
    pub plot_bar: u8,
}

impl Row {
    /// Whether it is of a property, and not what stayed of a removed one.
    pub const fn is_property(&self) -> bool {
        self.status != NO_MEMBER
    }
}

/// One segment's documents, and the names that its ordinals stand for.
pub(crate) struct Rows {
    documents: Vec<Row>,
    spots: Vec<Spot>,
    /// Slugs by ordinal.
    pub places: Vec<String>,
    /// Features by ordinal.
    pub features: Vec<String>,
    /// For each document, a bit for each feature.
    feature_bits: Vec<u64>,
    /// How many words the bits of one document take.
    feature_words: usize,
    /// The references behind the ordinals.
    pub references: Option<StrColumn>,
}

impl Rows {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let place = segment.fast_fields().str(name::LOCATION)?;
        let feature = segment.fast_fields().str(name::FEATURES)?;
        let features = terms(feature.as_ref())?;
        let mut rows = Self {
            documents: documents(segment, place.as_ref())?,
            spots: spots(segment)?,
            places: terms(place.as_ref())?,
            feature_words: features.len().div_ceil(64),
            feature_bits: Vec::new(),
            features,
            references: segment.fast_fields().str(name::REFERENCE)?,
        };
        if let Some(feature) = feature {
            rows.feature_bits = vec![0; rows.feature_words * rows.len()];
            for doc in 0..segment.max_doc() {
                let first = doc as usize * rows.feature_words;
                let ordinals = feature.term_ords(doc).filter_map(|it| usize::try_from(it).ok());
                for (word, bit) in ordinals.map(place_of_bit) {
                    rows.feature_bits[first + word] |= bit;
                }
            }
        }
        Ok(rows)
    }

    pub fn row(&self, doc: DocId) -> &Row {
        &self.documents[doc as usize]
    }

    pub fn spot(&self, doc: DocId) -> &Spot {
        &self.spots[doc as usize]
    }

    /// A bit for each of its features.
    pub fn features_of(&self, doc: DocId) -> &[u64] {
        let first = doc as usize * self.feature_words;
        &self.feature_bits[first..first + self.feature_words]
    }

    /// The bits of all of `wanted`; none where one of them is unknown here.
    pub fn bits_of(&self, wanted: &[String]) -> Option<Vec<u64>> {
        let mut bits = vec![0; self.feature_words];
        for feature in wanted {
            let (word, bit) = place_of_bit(self.features.binary_search(feature).ok()?);
            bits[word] |= bit;
        }
        Some(bits)
    }

    /// The reference behind an ordinal.
    pub fn reference(&self, ordinal: u32) -> tantivy::Result<String> {
        let mut reference = String::new();
        let known = match &self.references {
            Some(references) => references.ord_to_str(ordinal.into(), &mut reference)?,
            None => false,
        };
        if known {
            Ok(reference)
        } else {
            Err(TantivyError::InternalError("a hit has no reference".to_owned()))
        }
    }

    pub const fn len(&self) -> usize {
        self.documents.len()
    }
}

/// The ordinals of the bits that are set.
pub(crate) fn ordinals(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(word, bits)| {
        let mut left = *bits;
        std::iter::from_fn(move || {
            let ordinal = (left != 0).then(|| word * 64 + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            ordinal
        })
    })
}

/// The word and the bit in it that stand for a feature.
const fn place_of_bit(ordinal: usize) -> (usize, u64) {
    (ordinal / 64, 1 << (ordinal % 64))
}

fn documents(segment: &SegmentReader, place: Option<&StrColumn>) -> tantivy::Result<Vec<Row>> {
    let reference = segment.fast_fields().str(name::REFERENCE)?;
    let status = column::<u64>(segment, name::STATUS)?;
    let property_type = column::<u64>(segment, name::PROPERTY_TYPE)?;
    let kind = column::<u64>(segment, name::KIND)?;
    let energy = column::<u64>(segment, name::ENERGY)?;
    let price = column::<i64>(segment, name::PRICE)?;
    let built_area = column::<i64>(segment, name::BUILT_AREA)?;
    let plot_area = column::<i64>(segment, name::PLOT_AREA)?;
    let listed_at = column::<i64>(segment, name::LISTED_AT)?;
    let bedrooms = column::<i64>(segment, name::BEDROOMS)?;
    let bathrooms = column::<i64>(segment, name::BATHROOMS)?;
    let reduced = column::<bool>(segment, name::REDUCED)?;
    let featured = column::<bool>(segment, name::FEATURED)?;
    let row = |doc| Row {
        listed_at: listed_at.first(doc).unwrap_or(UNKNOWN),
        price: price.first(doc).unwrap_or(UNKNOWN),
        built_area: built_area.first(doc).unwrap_or(UNKNOWN),
        plot_area: plot_area.first(doc).unwrap_or(UNKNOWN),
        reference: ordinal(reference.as_ref(), doc),
        place: ordinal(place, doc),
        status: member(&status, doc),
        property_type: member(&property_type, doc),
        kind: member(&kind, doc),
        energy: member(&energy, doc),
        bedrooms: rooms(bedrooms.first(doc)),
        bathrooms: rooms(bathrooms.first(doc)),
        reduced: reduced.first(doc) == Some(true),
        featured: featured.first(doc) == Some(true),
        price_bar: PRICE.bar(price.first(doc)),
        built_bar: BUILT_AREA.bar(built_area.first(doc)),
        plot_bar: PLOT_AREA.bar(plot_area.first(doc)),
    };
    Ok((0..segment.max_doc()).map(row).collect())
}

fn spots(segment: &SegmentReader) -> tantivy::Result<Vec<Spot>> {
    let lat = column::<f64>(segment, name::LAT)?;
    let lng = column::<f64>(segment, name::LNG)?;
    let spot = |doc| match (lat.first(doc), lng.first(doc)) {
        (Some(lat), Some(lng)) => Spot::new(lat, lng),
        _ => Spot::NOWHERE,
    };
    Ok((0..segment.max_doc()).map(spot).collect())
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

fn member(column: &Column<u64>, doc: DocId) -> u8 {
    column.first(doc).and_then(|position| u8::try_from(position).ok()).unwrap_or(NO_MEMBER)
}

/// One more than `rooms`; 0 where they are not known.
pub(crate) fn rooms(rooms: Option<i64>) -> u8 {
    rooms.map_or(0, |rooms| u8::try_from(rooms.clamp(0, MOST_ROOMS) + 1).unwrap_or(u8::MAX))
}
