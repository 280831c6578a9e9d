//! Taking the log's events in.

use std::{collections::HashMap, path::Path, sync::Arc, time::Duration};

use contracts::{
    Change, Checkpoint, Collection, Event, Version,
    content::{Property, Snapshot},
};
use tantivy::{
    Index, IndexReader, IndexWriter,
    indexer::{IndexWriterOptions, LogMergePolicy},
};

use crate::{
    document::{document, tombstone},
    error::Error,
    saver::Saver,
    schema::{Analyzers, Fields, TextField, name},
    view::{LatestView, View},
};

/// What is buffered before a segment is written without being asked: tantivy's least. Commits
/// are small and frequent, and a larger arena is only slower to begin.
const MEMORY_BUDGET: usize = 15_000_000;
/// Small segments are merged when there are this many of a size.
const SEGMENTS_TO_MERGE: usize = 8;
/// Segments up to so many documents are of one size: merging them again and again costs little.
const SMALL_SEGMENT: u32 = 1_000;
/// A segment with more than this part of it deleted is written anew.
const DELETED_TO_MERGE: f32 = 0.3;

/// What a commit says behind its checkpoint that lacks a message.
pub(crate) const INCOMPLETE: &str = " incomplete";

/// The one writer of an index. Apply events in order, then commit them together.
///
/// After an error, drop it and open another: what was not committed is applied again from the log.
pub struct Writer {
    latest: Arc<LatestView>,
    inner: IndexWriter,
    reader: IndexReader,
    fields: Fields,
    analyzers: Analyzers,
    /// The version of every property that was ever indexed, the removed ones among them.
    versions: HashMap<String, Version>,
    checkpoint: Checkpoint,
    /// Whether a message was passed over.
    is_incomplete: bool,
    changed: bool,
    /// Whether what is committed is searched; not while an index is filled beside the one shown.
    shown: bool,
    /// Dropped last, when nothing is written any more: it saves the rest.
    saver: Saver,
}

impl Writer {
    pub(crate) fn open(
        latest: Arc<LatestView>,
        directory: &Path,
        files: &Index,
        reader: IndexReader,
        fields: Fields,
        checkpoint: Checkpoint,
        saver: Saver,
    ) -> Result<Self, Error> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(MEMORY_BUDGET)
            .build();
        let inner = files.writer_with_options(options).map_err(|error| {
            if Error::is_lock(&error) { Error::Busy(directory.to_owned()) } else { error.into() }
        })?;
        inner.set_merge_policy(Box::new(merge_policy()));
        let versions = versions(&reader)?;
        let writer = Self {
            latest,
            inner,
            reader,
            fields,
            analyzers: Analyzers::new(),
            versions,
            checkpoint,
            is_incomplete: false,
            changed: false,
            shown: false,
            saver,
        };
        Ok(writer)
    }

    /// For how long commits have not reached the disk; zero while they do.
    pub fn unsaved_for(&self) -> Duration {
        self.saver.failing_for()
    }

    /// Up to where events were applied, committed or not.
    pub const fn checkpoint(&self) -> Checkpoint {
        self.checkpoint
    }

    /// Has what is committed searched, now and from now on.
    pub fn show(&mut self) -> Result<(), Error> {
        self.shown = true;
        self.publish()
    }

    /// Whether what is committed is searched.
    pub const fn is_shown(&self) -> bool {
        self.shown
    }

    /// Takes in the event that stands at `at`, and tells whether it changed anything. One that was
    /// taken before, or that is older than what is indexed, changes nothing; but the checkpoint
    /// moves on.
    pub fn apply(&mut self, at: Checkpoint, event: &Event) -> Result<bool, Error> {
        if at.sequence <= self.checkpoint.sequence {
            return Ok(false);
        }
        let changes = event.aggregate.collection == Collection::Properties
            && self
                .versions
                .get(&event.aggregate.key)
                .is_none_or(|indexed| *indexed < event.version);
        if changes {
            self.put(event)?;
        }
        self.checkpoint = at;
        Ok(changes)
    }

    /// Moves on past a message that can't be read. What is saved from here on says so, and is begun
    /// anew when it is opened: by a build that can read the message, maybe.
    pub fn skip(&mut self, at: Checkpoint) {
        if at.sequence > self.checkpoint.sequence {
            self.is_incomplete = true;
            self.checkpoint = at;
        }
    }

    /// Makes what was applied visible, all at once, and returns where it stands. Of an index that is
    /// not shown yet nothing becomes visible before [`Writer::show`].
    ///
    /// It reaches the disk within about a second; what a crash takes is read again from the log.
    /// Where nothing changed only the position is published, and nothing is saved at all.
    pub fn commit(&mut self) -> Result<Checkpoint, Error> {
        if self.changed {
            let mut commit = self.inner.prepare_commit()?;
            let mark = if self.is_incomplete { INCOMPLETE } else { "" };
            commit.set_payload(&format!("{}{mark}", self.checkpoint));
            commit.commit()?;
            self.reader.reload()?;
            self.changed = false;
            self.publish()?;
            self.saver.keep_bounded();
        } else {
            self.publish()?;
        }
        Ok(self.checkpoint)
    }

    fn put(&mut self, event: &Event) -> Result<(), Error> {
        let (key, version) = (&event.aggregate.key, event.version);
        let document = match property(&event.change) {
            Some(property) => {
                let (fields, analyzers) = (&self.fields, &mut self.analyzers);
                document(fields, analyzers, key, version, property, &event.offers)?
            }
            None => tombstone(&self.fields, key, version),
        };
        self.inner.delete_term(self.fields.word(TextField::Key, key));
        self.inner.add_document(document)?;
        self.versions.insert(key.clone(), version);
        self.changed = true;
        Ok(())
    }

    fn publish(&self) -> Result<(), Error> {
        if !self.shown {
            return Ok(());
        }
        let former = self.latest.get();
        let view = View::new(
            self.reader.searcher(),
            self.fields,
            self.analyzers.clone(),
            self.checkpoint.sequence,
            former.as_ref(),
        )?;
        self.latest.publish(view);
        Ok(())
    }
}

/// The property that `change` leaves, if it leaves one.
fn property(change: &Change) -> Option<&Property> {
    match change {
        Change::Upserted { snapshot } => match snapshot.as_ref() {
            Snapshot::Properties(property) => Some(property),
            _ => None,
        },
        Change::Removed => None,
    }
}

fn merge_policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_num_segments(SEGMENTS_TO_MERGE);
    policy.set_min_layer_size(SMALL_SEGMENT);
    policy.set_del_docs_ratio_before_merge(DELETED_TO_MERGE);
    policy
}

/// Reads the versions that the index holds.
fn versions(reader: &IndexReader) -> Result<HashMap<String, Version>, Error> {
    let mut versions = HashMap::new();
    for segment in reader.searcher().segment_readers() {
        let keys = segment.fast_fields().str(name::KEY)?;
        let numbers = segment.fast_fields().column_opt::<i64>(name::VERSION)?;
        let (Some(keys), Some(numbers)) = (keys, numbers) else { continue };
        let mut key = String::new();
        for doc in segment.doc_ids_alive() {
            if let (Some(ordinal), Some(version)) = (keys.ords().first(doc), numbers.first(doc)) {
                keys.ord_to_str(ordinal, &mut key).map_err(tantivy::TantivyError::from)?;
                versions.insert(key.clone(), Version(version));
            }
        }
    }
    Ok(versions)
}
