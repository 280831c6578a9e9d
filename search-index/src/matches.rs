//! Collects the documents that match the words of a query, for each segment.

use fixedbitset::FixedBitSet;
use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
};

/// The documents of one segment that match the words.
pub(crate) struct Matches {
    pub documents: FixedBitSet,
    /// The score of each of them, in their order; empty unless scores were requested.
    pub scores: Vec<Score>,
}

/// Collects the matches of every segment, in the order of the segments.
pub(crate) struct MatchCollector {
    /// Whether scores are requested.
    pub scored: bool,
}

pub(crate) struct SegmentMatchCollector {
    matches: Matches,
    scored: bool,
}

impl Collector for MatchCollector {
    type Fruit = Vec<Matches>;
    type Child = SegmentMatchCollector;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentMatchCollector> {
        let documents = FixedBitSet::with_capacity(segment.max_doc() as usize);
        Ok(SegmentMatchCollector {
            matches: Matches { documents, scores: Vec::new() },
            scored: self.scored,
        })
    }

    fn requires_scoring(&self) -> bool {
        self.scored
    }

    fn merge_fruits(&self, segments: Vec<Matches>) -> tantivy::Result<Vec<Matches>> {
        Ok(segments)
    }
}

impl SegmentCollector for SegmentMatchCollector {
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
