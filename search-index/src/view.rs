//! A committed state of the index, as searches see it.

use std::sync::{Arc, PoisonError, RwLock};

use contracts::Sequence;
use tantivy::Searcher;

use crate::{
    answers::AnswerCache,
    catalogue::Catalogue,
    error::Error,
    schema::{Analyzers, Fields},
};

/// A committed state of the index. It never changes; take the latest one for each request.
#[derive(Clone)]
pub struct View {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) analyzers: Analyzers,
    pub(crate) sequence: Sequence,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) answers: Arc<AnswerCache>,
}

impl View {
    /// Creates the view of what `searcher` sees, at log position `sequence`. Reuses the columns that
    /// `former`, the previous view, has in memory.
    pub(crate) fn new(
        searcher: Searcher,
        fields: Fields,
        analyzers: Analyzers,
        sequence: Sequence,
        former: Option<&Self>,
    ) -> Result<Self, Error> {
        let former = former.map(|view| view.catalogue.as_ref());
        let catalogue = Arc::new(Catalogue::read(&searcher, former)?);
        let answers = Arc::new(AnswerCache::default());
        Ok(Self { searcher, fields, analyzers, sequence, catalogue, answers })
    }

    /// Returns the log position that the view reflects.
    pub const fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// Returns the number of documents: one for each property, and a tombstone for each removed one.
    pub fn documents(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Returns the number of segments of the index.
    pub fn segments(&self) -> usize {
        self.searcher.segment_readers().len()
    }
}

/// The view that the writer last published; `None` before the index was opened.
#[derive(Default)]
pub(crate) struct LatestView(RwLock<Option<View>>);

impl LatestView {
    pub(crate) fn get(&self) -> Option<View> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn publish(&self, view: View) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(view);
    }
}
