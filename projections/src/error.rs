//! What can go wrong with a projection, and what to do about it.

use std::borrow::Cow;

use event_log::LogDisposition;
use runtime::Disposition;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database's address could not be read.
    #[error(transparent)]
    InvalidUrl(#[from] runtime::postgres::InvalidUrl),
    /// Postgres refused, or is away.
    #[error("the read models' database failed: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the schema `read` could not be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The log failed.
    #[error("the log failed: {0}")]
    Log(#[from] event_log::Error),
    /// A newer build made the live read models.
    #[error(
        "the live read models are of version {live} and this build makes version {ours}; run \
         `almijara rebuild` to go back"
    )]
    NewerModels {
        /// The version of the live ones.
        live: i32,
        /// Ours.
        ours: i32,
    },
    /// A rebuild could not apply what the live read models of the same form could.
    #[error("the rebuild put {rebuilt} messages aside and the live read models only {live}")]
    WorseRebuild {
        /// Dead letters of the new generation.
        rebuilt: i64,
        /// Dead letters of the live one.
        live: i64,
    },
    /// There is nothing to go back to.
    #[error("no generation of before is kept that this build can show")]
    NoFormer,
    /// An operator has paused following the log.
    #[error("following the log is paused")]
    Paused,
    /// The generation that the work was for is gone or no longer shown: another process dropped it or
    /// showed another.
    #[error("the read models that this was for are gone or not shown any more; try again")]
    Gone,
    /// The process was asked to end before the work was done.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// What to do about it.
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
                // Whoever follows the log starts over by a rebuild; see `follow.rs`.
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

    /// Whether the database has no disk or no memory left.
    pub(crate) fn is_out_of_room(&self) -> bool {
        matches!(self.code().as_deref(), Some("53100" | "53200"))
    }

    /// Whether the database has no disk left, which does not pass as soon as a lack of memory.
    pub(crate) fn is_out_of_disk(&self) -> bool {
        self.code().as_deref() == Some("53100")
    }

    /// Postgres's own code of it.
    fn code(&self) -> Option<Cow<'_, str>> {
        let Self::Database(sqlx::Error::Database(error)) = self else { return None };
        error.code()
    }
}

/// Postgres's own classes of errors say whose fault it is: 22 and 23 are the data's, 54 is data
/// too large for an index or a row. All others pass, or come from a generation that was swapped
/// meanwhile.
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
