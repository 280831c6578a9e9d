//! What can go wrong.

use std::{io, path::PathBuf};

/// A failure of this role, or of a command about its operators.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused or is away.
    #[error("postgres: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("migrating the schema operator: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables were there when this process started, and are no more.
    #[error("the tables of the schema operator are gone, and the next start makes them anew: {0}")]
    NoTables(sqlx::Error),
    /// The database's address can't be read.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// An HTTP client could not be made.
    #[error("cannot make an HTTP client")]
    Client(#[from] reqwest::Error),
    /// The console's build can't be read.
    #[error("CONSOLE_ASSETS {folder}: {source}")]
    Assets {
        /// The folder.
        folder: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// A secret for one-time codes can't be used.
    #[error("the secret for one-time codes can't be used: {0}")]
    Totp(#[from] totp_rs::TotpError),
    /// A password can't be kept.
    #[error(transparent)]
    Hash(#[from] credentials::PasswordError),
    /// There is no such operator.
    #[error("there is no operator called {0}")]
    NoSuchOperator(String),
    /// There is one already.
    #[error(
        "there is an operator called {0} already; `operator reset` gives them another password"
    )]
    NameTaken(String),
    /// An operator can't be called so.
    #[error(
        "an operator's name is 1 to 64 letters, digits or . _ - + @, and begins with a letter or a digit"
    )]
    Name,
    /// The password is too easily found.
    #[error(transparent)]
    Password(#[from] credentials::Weakness),
}

impl Error {
    /// Whether the same may go well a little later.
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
