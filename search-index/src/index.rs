//! Opens an index, and gives access to its last committed state.

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
    form::DIRECTORY,
    former::delete_former,
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
    /// Returns the index with this build's form under `parent`, without opening it.
    pub fn in_folder(parent: &Path) -> Arc<Self> {
        let directory = parent.join(DIRECTORY);
        Arc::new(Self { directory, latest: Arc::default() })
    }

    /// Returns its directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the size of its files on disk in bytes. It reads the directory, so don't call it on an async
    /// thread.
    pub fn bytes_on_disk(&self) -> Result<u64, Error> {
        let files = fs::read_dir(&self.directory).map_err(|source| self.directory_error(source))?;
        // A merge may remove a file while the directory is read.
        Ok(files.filter_map(|file| file.ok()?.metadata().ok()).map(|file| file.len()).sum())
    }

    /// Returns the view that was last published.
    pub fn view(&self) -> Result<View, Error> {
        self.latest.get().ok_or(Error::NotOpen)
    }

    /// Opens the index for writing, and publishes its content. Creates a missing index. An index that can't
    /// be read, or that lacks an unreadable message, is rebuilt from [`Checkpoint::START`]; the previous view
    /// stays in use until then.
    pub fn open_writer(&self) -> Result<Writer, Error> {
        fs::create_dir_all(&self.directory).map_err(|source| self.directory_error(source))?;
        // Tantivy panics on a truncated file.
        let opened = catch_unwind(AssertUnwindSafe(|| self.open_shown()));
        match opened.unwrap_or(Err(Error::Broken)) {
            Err(Error::Busy(directory)) => Err(Error::Busy(directory)),
            Ok(writer) => Ok(writer),
            Err(error) => {
                let error = runtime::error_text(&error);
                tracing::warn!(error, directory = %self.directory.display(), "rebuilding the search index");
                let mut writer = self.open_empty()?;
                writer.make_visible()?;
                Ok(writer)
            }
        }
    }

    /// Deletes the index and creates an empty one at [`Checkpoint::START`]. The previous view stays in use
    /// until [`Writer::make_visible`] publishes the new index. No other writer may be open.
    pub fn open_empty(&self) -> Result<Writer, Error> {
        self.clear()?;
        self.open_existing()
    }

    /// Reads the index from disk, while another process may be writing it. A commit reaches the disk about a
    /// second after that process can search it.
    pub fn read_only(&self) -> Result<View, Error> {
        let (index, fields, _) = open_index(&self.directory, false)?;
        let reader = manual_reader(&index)?;
        let sequence = committed(&index)?.checkpoint.sequence;
        View::new(reader.searcher(), fields, Analyzers::new(), sequence, None)
    }

    fn open_shown(&self) -> Result<Writer, Error> {
        let mut writer = self.open_existing()?;
        writer.make_visible()?;
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
        // Only a process that holds the writer lock may clean up.
        let listed = index.load_metas()?.list_segment_files();
        files.remove_leftovers(&listed).map_err(|source| self.directory_error(source))?;
        delete_former(&self.directory);
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
        let message = "the index was made by another schema of the same name".to_owned();
        return Err(tantivy::TantivyError::SchemaError(message).into());
    }
    Ok((index, fields, files))
}

fn manual_reader(index: &Index) -> Result<IndexReader, Error> {
    Ok(index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?)
}

/// The payload of the last commit.
struct Committed {
    checkpoint: Checkpoint,
    /// Whether it lacks a message.
    is_incomplete: bool,
}

/// Parses the last commit's payload; an index without a commit is at the start.
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
