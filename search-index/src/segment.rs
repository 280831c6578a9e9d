//! One segment's columns, and the filters of a question as that segment knows them.

use contracts::content::{ListingStatus, PropertyType};
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, StrColumn},
};

use crate::{
    query::{PropertyQuery, covers},
    schema::name,
};

/// The columns of one segment. One that no document has a value in is empty.
pub(crate) struct Columns {
    pub status: Column<u64>,
    pub property_type: Column<u64>,
    pub price: Column<i64>,
    pub bedrooms: Column<i64>,
    pub bathrooms: Column<i64>,
    pub built_area: Column<i64>,
    pub listed_at: Column<i64>,
    pub reduced: Column<bool>,
    pub featured: Column<bool>,
    pub lat: Column<f64>,
    pub lng: Column<f64>,
    pub reference: Option<StrColumn>,
    pub location: Option<StrColumn>,
    pub features: Option<StrColumn>,
}

impl Columns {
    pub fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let fast = segment.fast_fields();
        let empty = segment.max_doc();
        let integers = |name| -> tantivy::Result<Column<i64>> {
            Ok(fast.column_opt(name)?.unwrap_or_else(|| Column::build_empty_column(empty)))
        };
        let naturals = |name| -> tantivy::Result<Column<u64>> {
            Ok(fast.column_opt(name)?.unwrap_or_else(|| Column::build_empty_column(empty)))
        };
        let floats = |name| -> tantivy::Result<Column<f64>> {
            Ok(fast.column_opt(name)?.unwrap_or_else(|| Column::build_empty_column(empty)))
        };
        let flags = |name| -> tantivy::Result<Column<bool>> {
            Ok(fast.column_opt(name)?.unwrap_or_else(|| Column::build_empty_column(empty)))
        };
        Ok(Self {
            status: naturals(name::STATUS)?,
            property_type: naturals(name::PROPERTY_TYPE)?,
            price: integers(name::PRICE)?,
            bedrooms: integers(name::BEDROOMS)?,
            bathrooms: integers(name::BATHROOMS)?,
            built_area: integers(name::BUILT_AREA)?,
            listed_at: integers(name::LISTED_AT)?,
            reduced: flags(name::REDUCED)?,
            featured: flags(name::FEATURED)?,
            lat: floats(name::LAT)?,
            lng: floats(name::LNG)?,
            reference: fast.str(name::REFERENCE)?,
            location: fast.str(name::LOCATION)?,
            features: fast.str(name::FEATURES)?,
        })
    }
}

/// The filters that a property can fail, one bit each.
pub(crate) mod failed {
    pub const NONE: u16 = 0;
    pub const STATUS: u16 = 1;
    pub const PROPERTY_TYPE: u16 = 1 << 1;
    pub const LOCATION: u16 = 1 << 2;
    pub const FEATURES: u16 = 1 << 3;
    pub const BEDROOMS: u16 = 1 << 4;
    pub const BATHROOMS: u16 = 1 << 5;
    pub const REDUCED: u16 = 1 << 6;
    pub const FEATURED: u16 = 1 << 7;
    /// Filters that no facet stands for.
    pub const OTHER: u16 = 1 << 8;
    /// More than one.
    pub const SEVERAL: u16 = 1 << 9;
}

/// A question's filters in one segment's terms.
pub(crate) struct Filters {
    statuses: Vec<bool>,
    property_types: Vec<bool>,
    /// By ordinal of the segment's places; none where any place will do.
    locations: Option<Vec<bool>>,
    /// Ordinals in the segment; none where one of them is unknown to it, so that nothing fits.
    features: Option<Vec<u64>>,
    query: PropertyQuery,
}

impl Filters {
    pub fn resolve(query: &PropertyQuery, columns: &Columns) -> tantivy::Result<Self> {
        let statuses = if query.statuses.is_empty() {
            ListingStatus::ALL.iter().map(|status| status.is_listed_by_default()).collect()
        } else {
            members(ListingStatus::ALL, &query.statuses)
        };
        let property_types = if query.property_types.is_empty() {
            vec![true; PropertyType::ALL.len()]
        } else {
            members(PropertyType::ALL, &query.property_types)
        };
        Ok(Self {
            statuses,
            property_types,
            locations: locations(query, columns)?,
            features: features(query, columns)?,
            query: query.clone(),
        })
    }

    /// Which filter `doc` fails: none, one, or [`failed::SEVERAL`].
    pub fn check(&self, columns: &Columns, doc: DocId, status: u64) -> u16 {
        let mut failures = failed::NONE;
        let mut note = |failure: u16, holds: bool| -> bool {
            if !holds {
                failures = if failures == failed::NONE { failure } else { failed::SEVERAL };
            }
            failures != failed::SEVERAL
        };
        let query = &self.query;
        // Cheap and choosy filters first: most documents are decided after two or three.
        let _undecided = note(failed::STATUS, has(&self.statuses, Some(status)))
            && note(
                failed::PROPERTY_TYPE,
                has(&self.property_types, columns.property_type.first(doc)),
            )
            && note(failed::LOCATION, self.is_in_place(columns, doc))
            && note(failed::OTHER, self.is_in_price(columns, doc))
            && note(failed::BEDROOMS, at_least(&columns.bedrooms, doc, query.min_bedrooms))
            && note(failed::BATHROOMS, at_least(&columns.bathrooms, doc, query.min_bathrooms))
            && note(failed::REDUCED, is(&columns.reduced, doc, query.reduced))
            && note(failed::FEATURED, is(&columns.featured, doc, query.featured))
            && note(failed::FEATURES, self.has_features(columns, doc))
            && note(failed::OTHER, at_least(&columns.built_area, doc, query.min_built))
            && note(failed::OTHER, self.is_in_bounds(columns, doc));
        failures
    }

    fn is_in_place(&self, columns: &Columns, doc: DocId) -> bool {
        let Some(wanted) = &self.locations else { return true };
        has(wanted, columns.location.as_ref().and_then(|column| column.ords().first(doc)))
    }

    fn is_in_price(&self, columns: &Columns, doc: DocId) -> bool {
        let (min, max) = (self.query.min_price, self.query.max_price);
        if min.is_none() && max.is_none() {
            return true;
        }
        columns.price.first(doc).is_some_and(|price| {
            min.is_none_or(|min| min <= price) && max.is_none_or(|max| price <= max)
        })
    }

    fn has_features(&self, columns: &Columns, doc: DocId) -> bool {
        let Some(wanted) = &self.features else { return false };
        wanted.iter().all(|feature| {
            columns
                .features
                .as_ref()
                .is_some_and(|column| column.term_ords(doc).any(|found| found == *feature))
        })
    }

    fn is_in_bounds(&self, columns: &Columns, doc: DocId) -> bool {
        let Some(bounds) = &self.query.bounds else { return true };
        match (columns.lat.first(doc), columns.lng.first(doc)) {
            (Some(lat), Some(lng)) => bounds.contains(lat, lng),
            _ => false,
        }
    }
}

fn members<T: PartialEq>(all: &[T], wanted: &[T]) -> Vec<bool> {
    all.iter().map(|member| wanted.contains(member)).collect()
}

fn locations(query: &PropertyQuery, columns: &Columns) -> tantivy::Result<Option<Vec<bool>>> {
    if query.locations.is_empty() {
        return Ok(None);
    }
    let slugs = terms(columns.location.as_ref())?;
    let wanted =
        slugs.iter().map(|slug| query.locations.iter().any(|asked| covers(asked, slug))).collect();
    Ok(Some(wanted))
}

fn features(query: &PropertyQuery, columns: &Columns) -> tantivy::Result<Option<Vec<u64>>> {
    let mut ordinals = Vec::with_capacity(query.features.len());
    for feature in &query.features {
        let Some(column) = &columns.features else { return Ok(None) };
        match column.dictionary().term_ord(feature)? {
            Some(ordinal) => ordinals.push(ordinal),
            None => return Ok(None),
        }
    }
    Ok(Some(ordinals))
}

/// Every term of `column` in the order of its ordinals.
pub(crate) fn terms(column: Option<&StrColumn>) -> tantivy::Result<Vec<String>> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut terms = Vec::with_capacity(column.num_terms());
    let mut stream = column.dictionary().stream()?;
    while stream.advance() {
        terms.push(String::from_utf8_lossy(stream.key()).into_owned());
    }
    Ok(terms)
}

#[expect(clippy::cast_possible_truncation, reason = "ordinals count what is in memory")]
fn has(wanted: &[bool], ordinal: Option<u64>) -> bool {
    ordinal.is_some_and(|ordinal| wanted.get(ordinal as usize).copied().unwrap_or(false))
}

fn at_least(column: &Column<i64>, doc: DocId, min: Option<i64>) -> bool {
    min.is_none_or(|min| column.first(doc).is_some_and(|value| min <= value))
}

fn is(column: &Column<bool>, doc: DocId, wanted: Option<bool>) -> bool {
    wanted.is_none_or(|wanted| column.first(doc) == Some(wanted))
}
