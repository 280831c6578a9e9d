//! One segment's documents by place. A document is at several places: its own, and all that contain this.

use fixedbitset::FixedBitSet;
use tantivy::{SegmentReader, columnar::StrColumn};

use crate::{code_column::DocumentSet, schema::name};

/// Maps places to documents, and documents to places.
pub(crate) struct Places {
    /// Slugs in order, each with the documents at the place.
    by_slug: Vec<(String, FixedBitSet)>,
    /// The positions of the places of all documents, one document after the other.
    positions: Vec<u32>,
    /// The start of each document's range in `positions`, followed by the end of the last one.
    starts: Vec<u32>,
}

impl Places {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let column = segment.fast_fields().str(name::LOCATION)?;
        let slugs = terms(column.as_ref())?;
        let none = FixedBitSet::with_capacity(segment.max_doc() as usize);
        let mut by_slug: Vec<_> = slugs.into_iter().map(|slug| (slug, none.clone())).collect();
        let mut positions: Vec<u32> = Vec::new();
        let mut starts = vec![0];
        for doc in 0..segment.max_doc() {
            let ordinals = column.iter().flat_map(|column| column.term_ords(doc));
            for ordinal in ordinals.filter_map(|ordinal| u32::try_from(ordinal).ok()) {
                if let Some((_, documents)) = by_slug.get_mut(ordinal as usize) {
                    documents.insert(doc as usize);
                    positions.push(ordinal);
                }
            }
            starts.push(u32::try_from(positions.len()).unwrap_or(u32::MAX));
        }
        Ok(Self { by_slug, positions, starts })
    }

    /// Returns the slugs in order.
    pub fn slugs(&self) -> impl Iterator<Item = &String> {
        self.by_slug.iter().map(|(slug, _)| slug)
    }

    /// Returns the slugs of the places of `documents`.
    pub fn used(&self, documents: &FixedBitSet) -> impl Iterator<Item = &str> {
        let used = self.by_slug.iter().filter(|(_, at_place)| !at_place.is_disjoint(documents));
        used.map(|(slug, _)| slug.as_str())
    }

    /// Returns the positions of the places of `doc`.
    pub fn of(&self, doc: usize) -> &[u32] {
        &self.positions[self.starts[doc] as usize..self.starts[doc + 1] as usize]
    }

    /// Returns the documents at any of the places with these `slugs`.
    pub fn at_any(&self, slugs: &[String]) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.starts.len() - 1);
        for slug in slugs {
            if let Ok(place) = self.by_slug.binary_search_by(|(other, _)| other.cmp(slug)) {
                found.union_with(&self.by_slug[place].1);
            }
        }
        found
    }

    /// Returns how many documents of `among` are at each place.
    pub fn count(&self, among: &DocumentSet) -> Vec<u64> {
        if !among.is_faster_to_iterate(self.by_slug.len()) {
            return self.by_slug.iter().map(|(_, at_place)| among.count(at_place)).collect();
        }
        let mut counts = vec![0; self.by_slug.len()];
        for doc in among.documents() {
            self.of(*doc).iter().for_each(|place| counts[*place as usize] += 1);
        }
        counts
    }
}

/// Returns every term of `column` in the order of its ordinals.
pub(crate) fn terms(column: Option<&StrColumn>) -> tantivy::Result<Vec<String>> {
    let Some(column) = column else { return Ok(Vec::new()) };
    let mut terms = Vec::with_capacity(column.num_terms());
    let mut stream = column.dictionary().stream()?;
    while stream.advance() {
        terms.push(String::from_utf8_lossy(stream.key()).into_owned());
    }
    Ok(terms)
}
