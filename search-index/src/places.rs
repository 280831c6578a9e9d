//! One segment's documents by place. A document is at several: its own, and all that this is part of.

use fixedbitset::FixedBitSet;
use tantivy::{SegmentReader, columnar::StrColumn};

use crate::{coded::Among, schema::name};

/// Which documents are at which places, both ways.
pub(crate) struct Places {
    /// Slugs in order, each with the documents there.
    by_slug: Vec<(String, FixedBitSet)>,
    /// The positions of the places of all documents, one document after the other.
    positions: Vec<u32>,
    /// Where each document's begin in them; one more says where the last one's end.
    begins: Vec<u32>,
}

impl Places {
    pub fn read(segment: &SegmentReader) -> tantivy::Result<Self> {
        let column = segment.fast_fields().str(name::LOCATION)?;
        let slugs = terms(column.as_ref())?;
        let none = FixedBitSet::with_capacity(segment.max_doc() as usize);
        let mut by_slug: Vec<_> = slugs.into_iter().map(|slug| (slug, none.clone())).collect();
        let mut positions: Vec<u32> = Vec::new();
        let mut begins = vec![0];
        for doc in 0..segment.max_doc() {
            let ordinals = column.iter().flat_map(|column| column.term_ords(doc));
            for ordinal in ordinals.filter_map(|ordinal| u32::try_from(ordinal).ok()) {
                if let Some((_, documents)) = by_slug.get_mut(ordinal as usize) {
                    documents.insert(doc as usize);
                    positions.push(ordinal);
                }
            }
            begins.push(u32::try_from(positions.len()).unwrap_or(u32::MAX));
        }
        Ok(Self { by_slug, positions, begins })
    }

    /// The slugs, in order.
    pub fn slugs(&self) -> impl Iterator<Item = &String> {
        self.by_slug.iter().map(|(slug, _)| slug)
    }

    /// The slugs of the places where one of `documents` is.
    pub fn used(&self, documents: &FixedBitSet) -> impl Iterator<Item = &str> {
        let used = self.by_slug.iter().filter(|(_, there)| !there.is_disjoint(documents));
        used.map(|(slug, _)| slug.as_str())
    }

    /// The positions of the places where `doc` is.
    pub fn of(&self, doc: usize) -> &[u32] {
        &self.positions[self.begins[doc] as usize..self.begins[doc + 1] as usize]
    }

    /// The documents at any of the places that `slugs` name.
    pub fn at_any(&self, slugs: &[String]) -> FixedBitSet {
        let mut there = FixedBitSet::with_capacity(self.begins.len() - 1);
        for slug in slugs {
            if let Ok(place) = self.by_slug.binary_search_by(|(other, _)| other.cmp(slug)) {
                there.union_with(&self.by_slug[place].1);
            }
        }
        there
    }

    /// By place, how many of `among` are there.
    pub fn count(&self, among: &Among) -> Vec<u64> {
        if !among.are_fewer_than_blocks_of(self.by_slug.len()) {
            return self.by_slug.iter().map(|(_, there)| among.count(there)).collect();
        }
        let mut counts = vec![0; self.by_slug.len()];
        for doc in among.documents() {
            self.of(*doc).iter().for_each(|place| counts[*place as usize] += 1);
        }
        counts
    }
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
