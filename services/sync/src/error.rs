//! What can go wrong, and what to do about it.

use std::time::Duration;

use contracts::UnknownCollection;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused or is away.
    #[error("postgres: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("migrating the ledger: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables were there when this process started, and are no more.
    #[error("the tables of the ledger are gone, and the next start makes them anew: {0}")]
    NoTables(sqlx::Error),
    /// The database's address can't be read.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// The content service refused or is away.
    #[error("content service: {0}")]
    Content(#[from] content_client::Error),
    /// The log refused or is away.
    #[error("log: {0}")]
    Log(#[from] event_log::Error),
    /// A secret of the configuration can't serve.
    #[error(transparent)]
    Secret(#[from] runtime::InvalidSecret),
    /// A snapshot could not be written or read as JSON.
    #[error("the ledger holds what this build can't read: {0}")]
    Json(#[from] serde_json::Error),
    /// The ledger names a collection that this build does not know.
    #[error(transparent)]
    Collection(#[from] UnknownCollection),
    /// A reading of the content service would have removed too much.
    #[error(
        "the content service no longer has {missing} of {published} published {collection}; that \
         many are not removed without `almijara reconcile --allow-mass-removal`"
    )]
    MassRemoval {
        /// The collection.
        collection: &'static str,
        /// How many would go.
        missing: usize,
        /// How many there are.
        published: usize,
    },
    /// The content service failed too often; it is asked again a little later.
    #[error("the content service failed too often and is left alone for a moment")]
    BreakerOpen,
    /// Editors can't be told what is live.
    #[error("telling editors: {0}")]
    LiveStatus(reqwest::Error),
    /// A picture can't be made smaller.
    #[error(transparent)]
    Picture(#[from] pictures::ScaleError),
    /// Something took too long.
    #[error("{what} took more than {} s", .limit.as_secs())]
    Late {
        /// What was waited for.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// Another relay leads.
    #[error("another relay leads")]
    NotLeader,
}

impl Error {
    /// Whether the item that was to be recorded is to blame, and no other will fail like it.
    pub(crate) fn is_of_the_item(&self) -> bool {
        match self {
            Self::Json(_) => true,
            // Data that a column can't hold, a broken constraint, a row that is too large.
            Self::Database(sqlx::Error::Database(refusal)) => refusal
                .code()
                .is_some_and(|code| ["22", "23", "54"].iter().any(|class| code.starts_with(class))),
            _ => false,
        }
    }

    /// Whether this collection alone is not to be read, whatever others are.
    pub(crate) const fn is_of_the_collection(&self) -> bool {
        matches!(self, Self::Content(content_client::Error::NotFoundOrForbidden(_)))
    }

    /// Whether the content service goes on keeping back what it was asked for until somebody acts.
    pub(crate) const fn is_kept_back(&self) -> bool {
        matches!(self, Self::Content(error) if !error.is_transient())
    }

    /// Whether it may be the collection that was asked for that fails, and not the content service or this
    /// ledger.
    pub(crate) fn may_be_of_the_collection(&self) -> bool {
        matches!(self, Self::Content(error) if !error.passes_soon())
    }

    /// Whether it was ended for another that it kept waiting: the same may go well at once.
    pub(crate) fn is_lost_race(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(refusal)) => {
                refusal.code().is_some_and(|code| code.starts_with("40"))
            }
            _ => false,
        }
    }

    /// Whether the same may go well a little later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(error)
            | Self::Migration(sqlx::migrate::MigrateError::Execute(error)) => {
                runtime::postgres::is_transient(error)
            }
            Self::Content(error) => error.is_transient(),
            Self::Log(error) => error.disposition() == event_log::LogDisposition::Retry,
            Self::BreakerOpen | Self::NotLeader | Self::Late { .. } => true,
            _ => false,
        }
    }
}
