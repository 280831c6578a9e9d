//! Failures of this role, and how each is handled.

use std::time::Duration;

use contracts::UnknownCollection;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused a statement or is unreachable.
    #[error("postgres failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be migrated.
    #[error("the ledger could not be migrated")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The tables existed when this process started, and are gone.
    #[error("the tables of the ledger are gone; the next start creates them empty")]
    NoTables(#[source] sqlx::Error),
    /// The database URL is invalid.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// The content service refused a request or is unreachable.
    #[error("the content can't be read")]
    Content(#[from] content_client::Error),
    /// The log refused a request or is unreachable.
    #[error("the log failed")]
    Log(#[from] event_log::Error),
    /// A configured secret is invalid.
    #[error(transparent)]
    Secret(#[from] runtime::InvalidSecret),
    /// A snapshot could not be serialized or deserialized as JSON.
    #[error("the ledger contains data that this build can't read")]
    Json(#[from] serde_json::Error),
    /// The ledger names a collection that this build does not know.
    #[error(transparent)]
    Collection(#[from] UnknownCollection),
    /// A comparison with the content service would have removed too many items.
    #[error(
        "the content service no longer has {missing} of {published} published {collection}; that \
         many are not removed without `almijara reconcile --allow-mass-removal`"
    )]
    MassRemoval {
        /// The collection.
        collection: &'static str,
        /// How many would be removed.
        missing: usize,
        /// How many are published.
        published: usize,
    },
    /// The circuit breaker is open: the content service failed too often, and is called again later.
    #[error("the content service failed too often and is not called for a moment")]
    BreakerOpen,
    /// The live status can't be reported to editors.
    #[error("the live status can't be reported")]
    LiveStatus(#[source] content_client::Error),
    /// A picture can't be scaled down.
    #[error(transparent)]
    Picture(#[from] pictures::ScaleError),
    /// A timeout elapsed.
    #[error("{what} took more than {} s", .limit.as_secs())]
    Timeout {
        /// The operation that was waited for.
        what: &'static str,
        /// The timeout.
        limit: Duration,
    },
    /// The stream comes close to the last message that a position can name.
    #[error("the stream has reached its last possible message and is replaced")]
    StreamUsedUp,
    /// Another relay is the leader.
    #[error("another relay is the leader")]
    NotLeader,
}

impl Error {
    /// Returns whether the error is caused by the item that was to be recorded, so that no other item
    /// fails because of it.
    pub(crate) fn concerns_single_item(&self) -> bool {
        match self {
            Self::Json(_) => true,
            // SQLSTATE classes: data that a column can't hold, a violated constraint, an exceeded limit
            // such as the size of a row.
            Self::Database(sqlx::Error::Database(refusal)) => refusal
                .code()
                .is_some_and(|code| ["22", "23", "54"].iter().any(|class| code.starts_with(class))),
            _ => false,
        }
    }

    /// Returns whether only this collection can't be read, whatever the state of the others.
    pub(crate) const fn concerns_single_collection(&self) -> bool {
        matches!(self, Self::Content(content_client::Error::NotFoundOrForbidden(_)))
    }

    /// Returns whether no request to the content service can succeed: it can't be reached, is overloaded or
    /// restarting, or does not know the token.
    pub(crate) fn concerns_content_service(&self) -> bool {
        use content_client::Error as Content;
        match self {
            Self::Content(Content::Unreachable(_) | Content::Unauthorized(_)) => true,
            Self::Content(error @ Content::Unavailable(_)) => error.is_momentary(),
            _ => false,
        }
    }

    /// Returns whether the content service keeps refusing the request until an operator acts.
    pub(crate) const fn is_withheld(&self) -> bool {
        matches!(self, Self::Content(error) if !error.is_transient())
    }

    /// Returns whether the cause may be the requested collection, and not the content service as a whole
    /// or this ledger.
    pub(crate) fn may_concern_collection(&self) -> bool {
        matches!(self, Self::Content(error) if !error.is_momentary())
    }

    /// Returns whether Postgres rolled the transaction back because of a concurrent one, such as a
    /// deadlock. An immediate retry may succeed.
    pub(crate) fn is_transaction_rollback(&self) -> bool {
        match self {
            Self::Database(sqlx::Error::Database(refusal)) => {
                refusal.code().is_some_and(|code| code.starts_with("40"))
            }
            _ => false,
        }
    }

    /// Returns whether a later retry may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Database(error)
            | Self::Migration(sqlx::migrate::MigrateError::Execute(error)) => {
                runtime::postgres::is_transient(error)
            }
            Self::Content(error) => error.is_transient(),
            Self::Log(error) => error.disposition() == event_log::LogDisposition::Retry,
            Self::BreakerOpen | Self::NotLeader | Self::StreamUsedUp | Self::Timeout { .. } => true,
            _ => false,
        }
    }
}
