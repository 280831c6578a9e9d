//! All segments of a view, in one vocabulary.

use std::{collections::BTreeSet, sync::Arc};

use fixedbitset::FixedBitSet;
use tantivy::{Opstamp, Searcher, SegmentReader, index::SegmentId};

use crate::{
    coded::Coded, columns::Columns, filter::Sifted, matches::Matches, query::PropertyQuery,
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
    pub features: Vec<String>,
    /// A bit for each kind.
    pub kinds: u32,
    /// One more than the most rooms there are.
    pub bedrooms: u8,
    pub bathrooms: u8,
}

/// One segment: its columns, which never change, and which documents live, which does.
pub(crate) struct Segment {
    id: SegmentId,
    deletions: Option<Opstamp>,
    pub columns: Arc<Columns>,
    /// The properties that were not deleted.
    living: Arc<FixedBitSet>,
    /// By ordinal of the segment, the position in the vocabulary; none of what no document that
    /// lives uses.
    pub places: Vec<Option<usize>>,
    pub features: Vec<Option<usize>>,
}

impl Segment {
    /// What the filters of `query` leave of what lives, or of what the words matched.
    pub fn sift(&self, query: &PropertyQuery, matches: Option<&Matches>) -> Sifted {
        let mut documents = self.living.as_ref().clone();
        if let Some(matches) = matches {
            documents.intersect_with(&matches.documents);
        }
        Sifted::new(query, &self.columns, documents)
    }
}

impl Catalogue {
    /// Reads what `searcher` sees, less what `former` has read already.
    pub fn read(searcher: &Searcher, former: Option<&Self>) -> tantivy::Result<Self> {
        let mut segments = Vec::new();
        for reader in searcher.segment_readers() {
            let same = former
                .and_then(|former| former.segments.iter().find(|it| it.id == reader.segment_id()));
            let columns = match same {
                Some(same) => Arc::clone(&same.columns),
                None => Arc::new(Columns::read(reader)?),
            };
            let living = match same {
                Some(same) if same.deletions == reader.delete_opstamp() => Arc::clone(&same.living),
                _ => Arc::new(living(&columns, reader)),
            };
            segments.push(Segment {
                id: reader.segment_id(),
                deletions: reader.delete_opstamp(),
                columns,
                living,
                places: Vec::new(),
                features: Vec::new(),
            });
        }
        let vocabulary = Vocabulary::of(&segments);
        for segment in &mut segments {
            let places = segment.columns.places.slugs();
            segment.places = positions(places, &vocabulary.places);
            let features = segment.columns.features.iter().map(|(name, _)| name);
            segment.features = positions(features, &vocabulary.features);
        }
        Ok(Self { segments, vocabulary })
    }
}

impl Vocabulary {
    fn of(segments: &[Segment]) -> Self {
        let mut vocabulary = Self::default();
        let (mut places, mut features) = (BTreeSet::new(), BTreeSet::new());
        for Segment { columns, living, .. } in segments {
            places.extend(columns.places.used(living));
            let named = columns.features.iter().filter(|(_, those)| !those.is_disjoint(living));
            features.extend(named.map(|(name, _)| name.as_str()));
            let kinds = columns.kinds.among(living);
            vocabulary.kinds |=
                kinds.fold(0, |bits, kind| bits | 1_u32.checked_shl(kind.into()).unwrap_or(0));
            let most = |rooms: &Coded| rooms.among(living).next_back().unwrap_or(0);
            vocabulary.bedrooms = vocabulary.bedrooms.max(most(&columns.bedrooms));
            vocabulary.bathrooms = vocabulary.bathrooms.max(most(&columns.bathrooms));
        }
        vocabulary.places = places.into_iter().map(str::to_owned).collect();
        vocabulary.features = features.into_iter().map(str::to_owned).collect();
        vocabulary
    }
}

/// The properties of a segment that were not deleted.
fn living(columns: &Columns, reader: &SegmentReader) -> FixedBitSet {
    let mut living = columns.properties.clone();
    if let Some(alive) = reader.alive_bitset() {
        let those = (0..reader.max_doc()).map(|doc| alive.is_alive(doc));
        living.intersect_with(&columns.set(those));
    }
    living
}

fn positions<'a>(
    names: impl IntoIterator<Item = &'a String>,
    vocabulary: &[String],
) -> Vec<Option<usize>> {
    names.into_iter().map(|name| vocabulary.binary_search(name).ok()).collect()
}
