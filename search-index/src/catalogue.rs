//! All segments of a view, with one vocabulary for their place and feature names.

use std::{collections::BTreeSet, sync::Arc};

use fixedbitset::FixedBitSet;
use tantivy::{Opstamp, Searcher, SegmentReader, index::SegmentId};

use crate::{
    code_column::CodeColumn, columns::Columns, filter::Filtered, matches::Matches,
    query::PropertyQuery,
};

/// The segments of a view, and the names that their documents use.
pub(crate) struct Catalogue {
    pub segments: Vec<Segment>,
    pub vocabulary: Vocabulary,
}

/// The names that at least one live document uses, each list sorted.
#[derive(Default)]
pub(crate) struct Vocabulary {
    /// Slugs.
    pub places: Vec<String>,
    pub features: Vec<String>,
    /// A bit for each kind, by its position in `PropertyKind::ALL`.
    pub kinds: u32,
    /// One more than the maximum number of rooms, as in the columns.
    pub bedrooms: u8,
    pub bathrooms: u8,
}

/// One segment: its columns, which never change, and the set of its live documents, which does.
pub(crate) struct Segment {
    id: SegmentId,
    deletions: Option<Opstamp>,
    pub columns: Arc<Columns>,
    /// The properties that are not deleted.
    live: Arc<FixedBitSet>,
    /// The position in the view's vocabulary, by the segment's own ordinal; `None` if no live document
    /// uses the name.
    pub places: Vec<Option<usize>>,
    pub features: Vec<Option<usize>>,
}

impl Segment {
    /// Applies the filters of `query` to the live documents or, if `matches` is given, to those of them
    /// that matched the words.
    pub fn apply_filters(&self, query: &PropertyQuery, matches: Option<&Matches>) -> Filtered {
        let mut documents = self.live.as_ref().clone();
        if let Some(matches) = matches {
            documents.intersect_with(&matches.documents);
        }
        Filtered::new(query, &self.columns, documents)
    }
}

impl Catalogue {
    /// Reads the segments that `searcher` sees, except for those that `former` has already read.
    pub fn read(searcher: &Searcher, former: Option<&Self>) -> tantivy::Result<Self> {
        let mut segments = Vec::new();
        for reader in searcher.segment_readers() {
            let same = former
                .and_then(|former| former.segments.iter().find(|it| it.id == reader.segment_id()));
            let columns = match same {
                Some(same) => Arc::clone(&same.columns),
                None => Arc::new(Columns::read(reader)?),
            };
            let live = match same {
                Some(same) if same.deletions == reader.delete_opstamp() => Arc::clone(&same.live),
                _ => Arc::new(live_properties(&columns, reader)),
            };
            segments.push(Segment {
                id: reader.segment_id(),
                deletions: reader.delete_opstamp(),
                columns,
                live,
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
        for Segment { columns, live, .. } in segments {
            places.extend(columns.places.used(live));
            let used = columns.features.iter().filter(|(_, having)| !having.is_disjoint(live));
            features.extend(used.map(|(name, _)| name.as_str()));
            let kinds = columns.kinds.codes_in(live);
            vocabulary.kinds |=
                kinds.fold(0, |bits, kind| bits | 1_u32.checked_shl(kind.into()).unwrap_or(0));
            let max = |rooms: &CodeColumn| rooms.codes_in(live).next_back().unwrap_or(0);
            vocabulary.bedrooms = vocabulary.bedrooms.max(max(&columns.bedrooms));
            vocabulary.bathrooms = vocabulary.bathrooms.max(max(&columns.bathrooms));
        }
        vocabulary.places = places.into_iter().map(str::to_owned).collect();
        vocabulary.features = features.into_iter().map(str::to_owned).collect();
        vocabulary
    }
}

/// Returns the properties of a segment that are not deleted.
fn live_properties(columns: &Columns, reader: &SegmentReader) -> FixedBitSet {
    let mut live = columns.properties.clone();
    if let Some(alive) = reader.alive_bitset() {
        let alive = (0..reader.max_doc()).map(|doc| alive.is_alive(doc));
        live.intersect_with(&columns.set(alive));
    }
    live
}

fn positions<'a>(
    names: impl IntoIterator<Item = &'a String>,
    vocabulary: &[String],
) -> Vec<Option<usize>> {
    names.into_iter().map(|name| vocabulary.binary_search(name).ok()).collect()
}
