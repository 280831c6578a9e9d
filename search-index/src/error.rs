//! Errors of the index.

use std::{io, path::PathBuf};

use tantivy::{TantivyError, directory::error::LockError};

/// Why an index could not be opened, written or searched.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Reading one of its files caused a panic.
    #[error("a file of the index is corrupt")]
    Broken,
    /// Another writer holds the lock of the directory. The index is not broken: that writer still uses it.
    #[error("another writer holds the index in {0}")]
    Busy(PathBuf),
    /// The directory could not be created or read.
    #[error("cannot use the index directory {directory}")]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// The system error.
        #[source]
        source: io::Error,
    },
    /// The saved index lacks a message that its writer could not read.
    #[error("the index lacks a message of the log that could not be read")]
    Incomplete,
    /// The index itself failed. After a failed write, drop the writer and open another.
    #[error("the search index failed")]
    Index(#[from] TantivyError),
    /// A stored document was not written by this build.
    #[error("a stored document cannot be read")]
    Stored(#[from] serde_json::Error),
    /// The index was not opened yet.
    #[error("the search index is not open yet")]
    NotOpen,
}

impl Error {
    /// Returns whether the cause is that another writer holds the lock.
    pub(crate) const fn is_lock(error: &TantivyError) -> bool {
        matches!(error, TantivyError::LockFailure(LockError::LockBusy, _))
    }
}
