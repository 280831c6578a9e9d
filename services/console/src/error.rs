//! The error type of the console.

use std::{io, path::PathBuf};

/// A failure of this role, or of a command that manages its operators.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused a statement or is unavailable.
    #[error("postgres failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be migrated.
    #[error("the schema operator could not be migrated")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables were dropped after this process started.
    #[error("the tables of the schema operator are gone; the next start creates them empty")]
    NoTables(#[source] sqlx::Error),
    /// The address of the database is invalid.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// An HTTP client could not be created.
    #[error("cannot create an HTTP client")]
    Client(#[from] reqwest::Error),
    /// The client of the content service could not be created.
    #[error("the client of the content service can't be made")]
    Content(#[from] content_client::Error),
    /// The console's build can't be read.
    #[error("CONSOLE_ASSETS {folder} can't be read")]
    Assets {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A secret for one-time codes is invalid.
    #[error("the secret for one-time codes can't be used")]
    Totp(#[from] totp_rs::TotpError),
    /// A password could not be hashed.
    #[error(transparent)]
    Hash(#[from] credentials::PasswordError),
    /// The operator does not exist.
    #[error("there is no operator called {0}")]
    NoSuchOperator(String),
    /// An operator with this name already exists.
    #[error("an operator called {0} already exists; `operator reset` sets another password")]
    NameTaken(String),
    /// The name is invalid.
    #[error(
        "an operator's name is 1 to 64 letters, digits or . _ - + @, and begins with a letter or a digit"
    )]
    Name,
    /// The password is too weak.
    #[error(transparent)]
    Password(#[from] credentials::Weakness),
}

impl Error {
    /// Whether a retry may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Database(error)
            | Self::Migration(sqlx::migrate::MigrateError::Execute(error)) => {
                runtime::postgres::is_transient(error)
            }
            _ => false,
        }
    }
}
