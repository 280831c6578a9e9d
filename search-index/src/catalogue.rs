//! All segments of a view, in one vocabulary.

use std::{collections::BTreeSet, sync::Arc};

use tantivy::{DocId, Opstamp, Searcher, SegmentReader, index::SegmentId};

use crate::{
    query::covers,
    rows::{Rows, ordinals},
};

/// What a view's documents are, and the names that they use.
pub(crate) struct Catalogue {
    pub segments: Vec<Segment>,
    pub vocabulary: Vocabulary,
}

/// The names that at least one document uses, each list in order.
#[derive(Default)]
pub(crate) struct Vocabulary {
    /// Slugs.
    pub places: Vec<String>,
    /// By place, the positions of all the places that it covers.
    pub covered: Vec<Vec<usize>>,
    pub features: Vec<String>,
    /// A bit for each kind.
    pub kinds: u32,
    /// One more than the most rooms there are.
    pub bedrooms: u8,
    pub bathrooms: u8,
}

/// One segment: its rows, which never change, and which of them live, which does.
pub(crate) struct Segment {
    id: SegmentId,
    deletions: Option<Opstamp>,
    pub rows: Arc<Rows>,
    living: Arc<Living>,
    /// By ordinal of the segment, the position in the vocabulary; none of what no document that
    /// lives uses.
    pub places: Vec<Option<usize>>,
    pub features: Vec<Option<usize>>,
}

/// What the documents that live use, by ordinal.
struct Living {
    places: Vec<bool>,
    features: Vec<bool>,
    kinds: u32,
    bedrooms: u8,
    bathrooms: u8,
}

impl Catalogue {
    /// Reads what `searcher` sees, less what `former` has read already.
    pub fn read(searcher: &Searcher, former: Option<&Self>) -> tantivy::Result<Self> {
        let mut segments = Vec::new();
        for reader in searcher.segment_readers() {
            let same = former
                .and_then(|former| former.segments.iter().find(|it| it.id == reader.segment_id()));
            let rows = match same {
                Some(same) => Arc::clone(&same.rows),
                None => Arc::new(Rows::read(reader)?),
            };
            let living = match same {
                Some(same) if same.deletions == reader.delete_opstamp() => Arc::clone(&same.living),
                _ => Arc::new(Living::of(&rows, reader)),
            };
            segments.push(Segment {
                id: reader.segment_id(),
                deletions: reader.delete_opstamp(),
                rows,
                living,
                places: Vec::new(),
                features: Vec::new(),
            });
        }
        let vocabulary = Vocabulary::of(&segments);
        for segment in &mut segments {
            segment.places = positions(&segment.rows.places, &vocabulary.places);
            segment.features = positions(&segment.rows.features, &vocabulary.features);
        }
        Ok(Self { segments, vocabulary })
    }
}

impl Vocabulary {
    fn of(segments: &[Segment]) -> Self {
        let mut vocabulary = Self::default();
        let (mut places, mut features) = (BTreeSet::new(), BTreeSet::new());
        for Segment { rows, living, .. } in segments {
            add(&mut places, &rows.places, &living.places);
            add(&mut features, &rows.features, &living.features);
            vocabulary.kinds |= living.kinds;
            vocabulary.bedrooms = vocabulary.bedrooms.max(living.bedrooms);
            vocabulary.bathrooms = vocabulary.bathrooms.max(living.bathrooms);
        }
        vocabulary.places = places.into_iter().map(str::to_owned).collect();
        vocabulary.features = features.into_iter().map(str::to_owned).collect();
        vocabulary.covered =
            vocabulary.places.iter().map(|slug| vocabulary.covered_by(slug)).collect();
        vocabulary
    }

    /// The positions of the places that `slug` covers. They stand together but for what sorts
    /// between, so that a catalogue of many places is not looked through for each of them.
    fn covered_by(&self, slug: &str) -> Vec<usize> {
        let first = self.places.partition_point(|place| place.as_str() < slug);
        let near = self.places.iter().enumerate().skip(first);
        near.take_while(|(_, place)| place.starts_with(slug))
            .filter(|(_, place)| covers(slug, place))
            .map(|(position, _)| position)
            .collect()
    }
}

impl Living {
    fn of(rows: &Rows, reader: &SegmentReader) -> Self {
        let mut living = Self {
            places: vec![false; rows.places.len()],
            features: vec![false; rows.features.len()],
            kinds: 0,
            bedrooms: 0,
            bathrooms: 0,
        };
        let mut features = vec![0; rows.features.len().div_ceil(64)];
        each_alive(reader, rows.len(), |doc| {
            let row = rows.row(doc);
            if !row.is_property() {
                return;
            }
            if let Some(place) = living.places.get_mut(row.place as usize) {
                *place = true;
            }
            features.iter_mut().zip(rows.features_of(doc)).for_each(|(all, own)| *all |= own);
            living.kinds |= 1_u32.checked_shl(row.kind.into()).unwrap_or(0);
            living.bedrooms = living.bedrooms.max(row.bedrooms);
            living.bathrooms = living.bathrooms.max(row.bathrooms);
        });
        ordinals(&features).for_each(|feature| living.features[feature] = true);
        living
    }
}

/// Calls `visit` for every document of a segment of `documents` that was not deleted.
pub(crate) fn each_alive(reader: &SegmentReader, documents: usize, visit: impl FnMut(DocId)) {
    let documents = 0..DocId::try_from(documents).unwrap_or(DocId::MAX);
    match reader.alive_bitset() {
        Some(alive) => documents.filter(|doc| alive.is_alive(*doc)).for_each(visit),
        None => documents.for_each(visit),
    }
}

fn add<'a>(all: &mut BTreeSet<&'a str>, names: &'a [String], living: &[bool]) {
    let living = names.iter().zip(living).filter(|(_, lives)| **lives);
    all.extend(living.map(|(name, _)| name.as_str()));
}

fn positions(names: &[String], vocabulary: &[String]) -> Vec<Option<usize>> {
    names.iter().map(|name| vocabulary.binary_search(name).ok()).collect()
}
