//! Opening an index, and looking at what it last committed.

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
};

use contracts::Checkpoint;
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy};

use crate::{
    directory::WriteBehind,
    error::Error,
    saver::Saver,
    schema::{self, Analyzers, Fields},
    view::{LatestView, View},
    writer::{INCOMPLETE, Writer},
};

/// An index directory, with the view that its writer last published.
pub struct SearchIndex {
    directory: PathBuf,
    latest: Arc<LatestView>,
}

impl SearchIndex {
    /// The index of this build's schema under `parent`. Nothing is opened yet.
    pub fn under(parent: &Path) -> Arc<Self> {
        let directory = parent.join(schema::directory_name());
        Arc::new(Self { directory, latest: Arc::default() })
    }

    /// Where it is kept.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// How many bytes its files take on disk. It reads the folder: not for async threads.
    pub fn bytes_on_disk(&self) -> Result<u64, Error> {
        let files = fs::read_dir(&self.directory).map_err(|source| self.directory_error(source))?;
        // A merge may remove a file while the folder is read.
        Ok(files.filter_map(|file| file.ok()?.metadata().ok()).map(|file| file.len()).sum())
    }

    /// The last committed state.
    pub fn view(&self) -> Result<View, Error> {
        self.latest.get().ok_or(Error::NotOpen)
    }

    /// Opens the index for writing, and shows what it holds. A missing index is made; one that can't
    /// be read, or lacks a message that could not be, is begun anew at [`Checkpoint::START`]. The
    /// former view stays until then.
    pub fn open_writer(&self) -> Result<Writer, Error> {
        fs::create_dir_all(&self.directory).map_err(|source| self.directory_error(source))?;
        // Of a file that is cut short tantivy makes a panic.
        let opened = catch_unwind(AssertUnwindSafe(|| self.open_shown()));
        match opened.unwrap_or(Err(Error::Broken)) {
            Err(Error::Busy(directory)) => Err(Error::Busy(directory)),
            Ok(writer) => Ok(writer),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, directory = %self.directory.display(), "search index begun anew");
                let mut writer = self.open_empty()?;
                writer.show()?;
                Ok(writer)
            }
        }
    }

    /// Begins the index anew at [`Checkpoint::START`]. What was shown before is searched on until the
    /// new one is shown by [`Writer::show`]. No other writer may be open.
    pub fn open_empty(&self) -> Result<Writer, Error> {
        self.clear()?;
        self.open_existing()
    }

    /// Reads the index as it is on disk, beside the process that writes it: a commit reaches the
    /// disk about a second after it can be searched there.
    pub fn read_only(&self) -> Result<View, Error> {
        let (index, fields, _) = open_index(&self.directory, false)?;
        let reader = manual_reader(&index)?;
        let sequence = committed(&index)?.checkpoint.sequence;
        View::new(reader.searcher(), fields, Analyzers::new(), sequence, None)
    }

    fn open_shown(&self) -> Result<Writer, Error> {
        let mut writer = self.open_existing()?;
        writer.show()?;
        Ok(writer)
    }

    fn open_existing(&self) -> Result<Writer, Error> {
        let (index, fields, files) = open_index(&self.directory, true)?;
        let Committed { checkpoint, is_incomplete } = committed(&index)?;
        if is_incomplete {
            return Err(Error::Incomplete);
        }
        let reader = manual_reader(&index)?;
        let saver = Saver::start(files.clone()).map_err(|source| self.directory_error(source))?;
        let (latest, directory) = (Arc::clone(&self.latest), &self.directory);
        let writer = Writer::open(latest, directory, &index, reader, fields, checkpoint, saver)?;
        // Only the writer may tidy up, and that it now is.
        let named = index.load_metas()?.list_segment_files();
        files.remove_leftovers(&named).map_err(|source| self.directory_error(source))?;
        Ok(writer)
    }

    fn clear(&self) -> Result<(), Error> {
        fs::remove_dir_all(&self.directory)
            .and_then(|()| fs::create_dir_all(&self.directory))
            .map_err(|source| self.directory_error(source))
    }

    fn directory_error(&self, source: std::io::Error) -> Error {
        Error::Directory { directory: self.directory.clone(), source }
    }
}

fn open_index(directory: &Path, create: bool) -> Result<(Index, Fields, WriteBehind), Error> {
    let (schema, fields) = schema::build();
    let files = WriteBehind::open(directory).map_err(tantivy::TantivyError::from)?;
    let exists = Index::exists(&files).map_err(tantivy::TantivyError::from)?;
    let index = if create && !exists {
        Index::create(files.clone(), schema.clone(), IndexSettings::default())?
    } else {
        Index::open(files.clone())?
    };
    if index.schema() != schema {
        let message = "the index was made by another schema of the same number".to_owned();
        return Err(tantivy::TantivyError::SchemaError(message).into());
    }
    Ok((index, fields, files))
}

fn manual_reader(index: &Index) -> Result<IndexReader, Error> {
    Ok(index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?)
}

/// What the last commit says of itself.
struct Committed {
    checkpoint: Checkpoint,
    /// Whether it lacks a message.
    is_incomplete: bool,
}

/// What stands in the last commit's payload; an index without a commit stands at the start.
fn committed(index: &Index) -> Result<Committed, Error> {
    let Some(payload) = index.load_metas()?.payload else {
        return Ok(Committed { checkpoint: Checkpoint::START, is_incomplete: false });
    };
    let (checkpoint, is_incomplete) = match payload.strip_suffix(INCOMPLETE) {
        Some(checkpoint) => (checkpoint, true),
        None => (payload.as_str(), false),
    };
    let checkpoint = checkpoint.parse().map_err(|_| {
        let message = format!("the commit's payload `{payload}` is no checkpoint");
        Error::Index(tantivy::TantivyError::InternalError(message))
    })?;
    Ok(Committed { checkpoint, is_incomplete })
}
