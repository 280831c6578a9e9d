//! What an index last committed, as it is searched.

use std::sync::{Arc, PoisonError, RwLock};

use contracts::Sequence;
use tantivy::Searcher;

use crate::{
    answers::Answers,
    catalogue::Catalogue,
    error::Error,
    schema::{Analyzers, Fields},
};

/// One committed state of the index. It never changes; take a new one for each answer.
#[derive(Clone)]
pub struct View {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) analyzers: Analyzers,
    pub(crate) sequence: Sequence,
    pub(crate) catalogue: Arc<Catalogue>,
    pub(crate) answers: Arc<Answers>,
}

impl View {
    /// What `searcher` sees, read at `sequence`. What `former`, the view before it, has read into
    /// memory is not read again.
    pub(crate) fn new(
        searcher: Searcher,
        fields: Fields,
        analyzers: Analyzers,
        sequence: Sequence,
        former: Option<&Self>,
    ) -> Result<Self, Error> {
        let former = former.map(|view| view.catalogue.as_ref());
        let catalogue = Arc::new(Catalogue::read(&searcher, former)?);
        let answers = Arc::new(Answers::default());
        Ok(Self { searcher, fields, analyzers, sequence, catalogue, answers })
    }

    /// The position that the view was made from.
    pub const fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// How many documents there are: one for each property, and one for each that was removed.
    pub fn documents(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// How many parts the index consists of.
    pub fn segments(&self) -> usize {
        self.searcher.segment_readers().len()
    }
}

/// The view that the writer last published; none before the index was opened.
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
