//! Errors of a projection, and how the role should react to each.

use std::borrow::Cow;

use event_log::LogDisposition;
use runtime::Disposition;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database's address could not be parsed.
    #[error(transparent)]
    InvalidUrl(#[from] runtime::postgres::InvalidUrl),
    /// Postgres returned an error, or is unreachable.
    #[error("the read models' database failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the schema `read` could not be brought up to date")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The log failed.
    #[error("the log failed")]
    Log(#[from] event_log::Error),
    /// A newer build created the live read models.
    #[error(
        "the live read models are of version {live} and this build makes version {ours}; run \
         `almijara rebuild` to go back"
    )]
    NewerModels {
        /// The version of the live read models.
        live: i32,
        /// The version that this build creates.
        ours: i32,
    },
    /// A rebuild has more dead letters than the live read models of the same version.
    #[error(
        "the rebuild put {rebuilt} messages aside, the live read models only {live}; the live ones are kept"
    )]
    WorseRebuild {
        /// Dead letters of the new generation.
        rebuilt: i64,
        /// Dead letters of the live one.
        live: i64,
    },
    /// There is no former generation to go back to.
    #[error("there is no former generation that this build can use")]
    NoFormer,
    /// An operator has paused following the log.
    #[error("following the log is paused")]
    Paused,
    /// The generation was dropped or is no longer live: another process dropped it or swapped in another.
    #[error("the generation was dropped or is no longer live; try again")]
    Gone,
    /// The process was shut down before the work was done.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// Returns how to react to this error.
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Database(error) => of_database(error),
            Self::Migration(sqlx::migrate::MigrateError::Execute(error)) => {
                match of_database(error) {
                    Disposition::Retry => Disposition::Retry,
                    Disposition::Park | Disposition::Halt => Disposition::Halt,
                }
            }
            Self::Log(error) => match error.disposition() {
                // The follower starts over by a rebuild; see `follow.rs`.
                LogDisposition::Retry | LogDisposition::StartOver => Disposition::Retry,
                LogDisposition::Halt => Disposition::Halt,
            },
            Self::Paused | Self::Gone => Disposition::Retry,
            Self::Migration(_)
            | Self::InvalidUrl(_)
            | Self::NewerModels { .. }
            | Self::WorseRebuild { .. }
            | Self::NoFormer
            | Self::Interrupted => Disposition::Halt,
        }
    }

    /// Returns whether the database is out of disk space or memory.
    pub(crate) fn is_out_of_resources(&self) -> bool {
        matches!(self.code().as_deref(), Some("53100" | "53200"))
    }

    /// Returns whether the database is out of disk space, which lasts longer than a lack of memory.
    pub(crate) fn is_out_of_disk(&self) -> bool {
        self.code().as_deref() == Some("53100")
    }

    /// Returns Postgres's error code.
    fn code(&self) -> Option<Cow<'_, str>> {
        let Self::Database(sqlx::Error::Database(error)) = self else { return None };
        error.code()
    }
}

/// Returns how to react to a database error, by Postgres's error classes. 22 and 23 are caused by the
/// data, and 54 by data that is too large for an index or a row. All others are transient, or come from a
/// generation that was swapped meanwhile.
fn of_database(error: &sqlx::Error) -> Disposition {
    let code = match error {
        sqlx::Error::Database(error) => error.code(),
        sqlx::Error::Encode(_) => return Disposition::Park,
        _ => None,
    };
    match code.as_deref().and_then(|code| code.get(..2)) {
        Some("22" | "23" | "54") => Disposition::Park,
        _ => Disposition::Retry,
    }
}
