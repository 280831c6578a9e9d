//! Applies the log's events to the index.

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

/// How many bytes tantivy buffers before it writes a segment on its own: its minimum. Commits are small and
/// frequent, and a larger arena only takes longer to set up.
const MEMORY_BUDGET: usize = 15_000_000;
/// Segments of the same size class are merged when there are this many of them.
const SEGMENTS_TO_MERGE: usize = 8;
/// Segments with up to this many documents are in the same size class: merging them often costs little.
const SMALL_SEGMENT: u32 = 1_000;
/// A segment is rewritten if more than this share of its documents is deleted.
const DELETED_TO_MERGE: f32 = 0.3;

/// The suffix of the checkpoint in the payload of a commit that lacks a message.
pub(crate) const INCOMPLETE: &str = " incomplete";

/// The only writer of an index. It applies events in order, and commits them together.
///
/// After an error, drop it and open another: uncommitted events are applied again from the log.
pub struct Writer {
    latest: Arc<LatestView>,
    inner: IndexWriter,
    reader: IndexReader,
    fields: Fields,
    analyzers: Analyzers,
    /// The version of every property that was ever indexed, including removed ones.
    versions: HashMap<String, Version>,
    checkpoint: Checkpoint,
    /// Whether a message was skipped.
    is_incomplete: bool,
    /// Whether there are uncommitted documents.
    changed: bool,
    /// Whether commits are published. False while an index is rebuilt and the previous view is in use.
    shown: bool,
    /// Dropped last, when nothing is written any more, because dropping it saves what is left.
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

    /// Returns for how long commits could not be saved to disk; zero while saving works.
    pub fn unsaved_for(&self) -> Duration {
        self.saver.failing_for()
    }

    /// Returns the position of the last applied event, committed or not.
    pub const fn checkpoint(&self) -> Checkpoint {
        self.checkpoint
    }

    /// Publishes the last commit and, from now on, every further one.
    pub fn make_visible(&mut self) -> Result<(), Error> {
        self.shown = true;
        self.publish()
    }

    /// Returns whether commits are published.
    pub const fn is_visible(&self) -> bool {
        self.shown
    }

    /// Applies the event at position `at`, and returns whether it changed anything. An event that was
    /// applied before changes nothing. Nor does one with an older version than the indexed one, but the
    /// checkpoint still advances past it.
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

    /// Skips a message that can't be read. Commits from here on are marked as incomplete, so that the index
    /// is rebuilt when it is opened again, possibly by a build that can read the message.
    pub fn skip(&mut self, at: Checkpoint) {
        if at.sequence > self.checkpoint.sequence {
            self.is_incomplete = true;
            self.checkpoint = at;
        }
    }

    /// Makes all applied events visible at once, and returns their position. An index that is not visible
    /// yet stays so until [`Writer::make_visible`].
    ///
    /// A commit reaches the disk within about a second; what a crash loses is read again from the log. If
    /// nothing changed, only the position is published, and nothing is saved.
    pub fn commit(&mut self) -> Result<Checkpoint, Error> {
        if self.changed {
            let mut commit = self.inner.prepare_commit()?;
            let mark = if self.is_incomplete { INCOMPLETE } else { "" };
            commit.set_payload(&format!("{}{mark}", self.checkpoint));
            commit.commit()?;
            self.reader.reload()?;
            self.changed = false;
            self.publish()?;
            self.saver.save_if_large();
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

/// Returns the property that exists after `change`, if there is one.
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
