//! What words find, segment by segment.

use fixedbitset::FixedBitSet;
use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};

/// The documents of one segment in which the words were found.
pub(crate) struct Matches {
    pub documents: FixedBitSet,
    /// How well each of them fits, in their order; empty unless asked for.
    pub scores: Vec<Score>,
}

/// Collects the matches of every segment, in the order of the segments.
pub(crate) struct EachSegment {
    /// Whether it matters how well they fit.
    pub scored: bool,
}

pub(crate) struct OfSegment {
    matches: Matches,
    scored: bool,
}

impl Collector for EachSegment {
    type Fruit = Vec<Matches>;
    type Child = OfSegment;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<OfSegment> {
        let documents = FixedBitSet::with_capacity(segment.max_doc() as usize);
        Ok(OfSegment { matches: Matches { documents, scores: Vec::new() }, scored: self.scored })
    }

    fn requires_scoring(&self) -> bool {
        self.scored
    }

    fn merge_fruits(&self, segments: Vec<Matches>) -> tantivy::Result<Vec<Matches>> {
        Ok(segments)
    }
}

impl SegmentCollector for OfSegment {
    type Fruit = Matches;

    fn collect(&mut self, doc: DocId, score: Score) {
        self.matches.documents.insert(doc as usize);
        if self.scored {
            self.matches.scores.push(score);
        }
    }

    fn harvest(self) -> Matches {
        self.matches
    }
}
