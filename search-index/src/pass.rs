//! One pass over what the words found, segment by segment.

use std::sync::Arc;

use tantivy::{
    DocId, Score, SegmentOrdinal, SegmentReader,
    collector::{Collector, SegmentCollector},
    query::Query,
};

use crate::{
    catalogue::{Catalogue, each_alive},
    filter::{Checks, Failure},
    index::View,
    query::PropertyQuery,
    rows::{Row, Rows},
};

/// What looks at the documents of one segment.
pub(crate) trait Visitor: Send + 'static {
    /// Takes `doc`, whose row is `row`, with what it fails.
    fn visit(&mut self, rows: &Rows, doc: DocId, row: &Row, score: Score, failure: Failure);
}

/// A visitor on its way through one segment.
pub(crate) struct Walk<V> {
    rows: Arc<Rows>,
    checks: Checks,
    visitor: V,
}

impl<V: Visitor> Walk<V> {
    fn step(&mut self, doc: DocId, score: Score) {
        let row = self.rows.row(doc);
        if row.is_property() {
            let failure = self.checks.check(&self.rows, doc, row);
            self.visitor.visit(&self.rows, doc, row, score, failure);
        }
    }
}

/// Sends a visitor, which `make` makes, through every segment.
struct Walks<'a, F> {
    query: &'a PropertyQuery,
    catalogue: &'a Catalogue,
    scored: bool,
    make: F,
}

impl<V: Visitor, F: Fn(&Rows) -> V> Walks<'_, F> {
    fn walk(&self, segment: usize) -> Walk<V> {
        let rows = Arc::clone(&self.catalogue.segments[segment].rows);
        Walk { checks: Checks::new(self.query, &rows), visitor: (self.make)(&rows), rows }
    }
}

impl View {
    /// Sends a visitor through each segment, to what `words` find there, or to everything where
    /// there are none, and returns them in the order of the segments. Scores are 0 unless asked
    /// for.
    pub(crate) fn visit<V: Visitor>(
        &self,
        query: &PropertyQuery,
        words: Option<&dyn Query>,
        scored: bool,
        make: impl Fn(&Rows) -> V + Send + Sync,
    ) -> tantivy::Result<Vec<V>> {
        let walks = Walks { query, catalogue: &self.catalogue, scored, make };
        if let Some(words) = words {
            return self.searcher.search(words, &walks);
        }
        let segments = self.searcher.segment_readers().iter().enumerate();
        let visited = segments.map(|(segment, reader)| {
            let mut walk = walks.walk(segment);
            each_alive(reader, walk.rows.len(), |doc| walk.step(doc, 0.0));
            walk.visitor
        });
        Ok(visited.collect())
    }
}

impl<V: Visitor, F: Fn(&Rows) -> V + Send + Sync> Collector for Walks<'_, F> {
    type Fruit = Vec<V>;
    type Child = Walk<V>;

    fn for_segment(&self, segment: SegmentOrdinal, _: &SegmentReader) -> tantivy::Result<Walk<V>> {
        Ok(self.walk(segment as usize))
    }

    fn requires_scoring(&self) -> bool {
        self.scored
    }

    fn merge_fruits(&self, visitors: Vec<V>) -> tantivy::Result<Vec<V>> {
        Ok(visitors)
    }
}

impl<V: Visitor> SegmentCollector for Walk<V> {
    type Fruit = V;

    fn collect(&mut self, doc: DocId, score: Score) {
        self.step(doc, score);
    }

    fn harvest(self) -> V {
        self.visitor
    }
}
