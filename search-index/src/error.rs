//! What can go wrong with an index.

use std::{io, path::PathBuf};

use tantivy::{TantivyError, directory::error::LockError};

/// Why an index could not be opened, written or searched.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of it was such that reading it broke down.
    #[error("a file of the index is broken")]
    Broken,
    /// Another writer holds the directory. Not a broken index: it goes on being written there.
    #[error("another writer holds the index in {0}")]
    Busy(PathBuf),
    /// The directory could not be made or read.
    #[error("cannot use the index directory {directory}")]
    Directory {
        /// The directory.
        directory: PathBuf,
        /// The system's word.
        #[source]
        source: io::Error,
    },
    /// What is saved lacks a message that could not be read.
    #[error("the index lacks a message of the log that could not be read")]
    Incomplete,
    /// The index itself failed. After a failed write, drop the writer and open another.
    #[error("the search index failed")]
    Index(#[from] TantivyError),
    /// A stored document is not what this build wrote.
    #[error("a stored document cannot be read")]
    Stored(#[from] serde_json::Error),
    /// Nothing was opened yet, so there is nothing to search.
    #[error("the search index is not open yet")]
    NotOpen,
}

impl Error {
    /// Whether another writer holding the lock is the cause.
    pub(crate) const fn is_lock(error: &TantivyError) -> bool {
        matches!(error, TantivyError::LockFailure(LockError::LockBusy, _))
    }
}
