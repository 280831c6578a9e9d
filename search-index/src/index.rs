//! Opening an index, and looking at what it last committed.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use contracts::Sequence;
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, Searcher};

use crate::{
    directory::UnsyncedDirectory,
    error::Error,
    schema::{self, Analyzers, Fields, SCHEMA_VERSION},
    writer::Writer,
};

/// Holds the id of the machine's start during which the index was last written.
const BOOT_FILE: &str = ".boot-id";
/// Where Linux tells that id.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// One committed state of the index. It never changes; take a new one for each answer.
#[derive(Clone)]
pub struct View {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) analyzers: Analyzers,
    pub(crate) sequence: Sequence,
}

impl View {
    /// The position that the view was made from.
    pub const fn sequence(&self) -> Sequence {
        self.sequence
    }
}

/// An index directory, with the view that its writer last published.
pub struct SearchIndex {
    directory: PathBuf,
    view: RwLock<Option<View>>,
}

impl SearchIndex {
    /// The index of this build's schema under `parent`. Nothing is opened yet.
    pub fn under(parent: &Path) -> Arc<Self> {
        let directory = parent.join(format!("properties-v{SCHEMA_VERSION}"));
        Arc::new(Self { directory, view: RwLock::new(None) })
    }

    /// Where it is kept.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The last committed state.
    pub fn view(&self) -> Result<View, Error> {
        self.view.read().unwrap_or_else(PoisonError::into_inner).clone().ok_or(Error::NotOpen)
    }

    /// Opens the index for writing, and publishes what it holds. A missing index is made; one that
    /// can't be read, or that a crash of the machine left damaged, is begun anew at
    /// [`Sequence::START`]. The former view stays until the new one is there.
    pub fn open_writer(self: &Arc<Self>) -> Result<Writer, Error> {
        fs::create_dir_all(&self.directory).map_err(|source| self.directory_error(source))?;
        match self.open_existing() {
            Err(Error::Busy(directory)) => Err(Error::Busy(directory)),
            Ok(writer) => Ok(writer),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, directory = %self.directory.display(), "search index begun anew");
                self.clear()?;
                self.open_existing()
            }
        }
    }

    /// Reads the index as it was last committed, beside the process that writes it.
    pub fn read_only(&self) -> Result<View, Error> {
        let (index, fields) = open_index(&self.directory, false)?;
        let reader = manual_reader(&index)?;
        let sequence = committed_position(&index)?;
        Ok(View { searcher: reader.searcher(), fields, analyzers: Analyzers::new(), sequence })
    }

    pub(crate) fn publish(&self, view: View) {
        *self.view.write().unwrap_or_else(PoisonError::into_inner) = Some(view);
    }

    fn open_existing(self: &Arc<Self>) -> Result<Writer, Error> {
        let (index, fields) = open_index(&self.directory, true)?;
        self.check_after_crash(&index)?;
        let position = committed_position(&index)?;
        let reader = manual_reader(&index)?;
        Writer::open(Arc::clone(self), &index, reader, fields, position)
    }

    /// Checks every file against its checksum if the machine was started since they were written.
    fn check_after_crash(&self, index: &Index) -> Result<(), Error> {
        let marker = self.directory.join(BOOT_FILE);
        let boot = fs::read_to_string(BOOT_ID).ok();
        let written_in = fs::read_to_string(&marker).ok();
        if boot.is_none() || boot != written_in {
            let damaged = index.validate_checksum()?;
            if !damaged.is_empty() {
                let message = format!("{} files do not meet their checksums", damaged.len());
                return Err(tantivy::TantivyError::InternalError(message).into());
            }
        }
        if let Some(boot) = boot {
            fs::write(&marker, boot).map_err(|source| self.directory_error(source))?;
        }
        Ok(())
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

fn open_index(directory: &Path, create: bool) -> Result<(Index, Fields), Error> {
    let (schema, fields) = schema::build();
    let files = UnsyncedDirectory::open(directory).map_err(tantivy::TantivyError::from)?;
    let exists = Index::exists(&files).map_err(tantivy::TantivyError::from)?;
    let index = if create && !exists {
        Index::create(files, schema.clone(), IndexSettings::default())?
    } else {
        Index::open(files)?
    };
    if index.schema() != schema {
        let message = "the index was made by another schema of the same number".to_owned();
        return Err(tantivy::TantivyError::SchemaError(message).into());
    }
    Ok((index, fields))
}

fn manual_reader(index: &Index) -> Result<IndexReader, Error> {
    Ok(index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?)
}

/// The position in the last commit's payload; an index without a commit stands at the start.
fn committed_position(index: &Index) -> Result<Sequence, Error> {
    let Some(payload) = index.load_metas()?.payload else { return Ok(Sequence::START) };
    payload.parse().map_err(|_| {
        let message = format!("the commit's payload `{payload}` is no position");
        Error::Index(tantivy::TantivyError::InternalError(message))
    })
}
