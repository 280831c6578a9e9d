//! What can go wrong, and how callers are told.

use std::{io, path::PathBuf, time::Duration};

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use runtime::problem::{FieldError, Problem};
use search_parameters::InvalidParameters;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database's address can't be read.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// Postgres refused or is away.
    #[error("postgres: {0}")]
    Database(#[from] sqlx::Error),
    /// The folder of the index can't be written.
    #[error("DATA_DIR {}: {source}", folder.display())]
    DataDir {
        /// The folder.
        folder: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// The index can't be read or written.
    #[error("index: {0}")]
    Index(#[from] search_index::Error),
    /// The log refused or is away.
    #[error("log: {0}")]
    Log(#[from] event_log::Error),
    /// A card can't be written as JSON.
    #[error("a card can't be written: {0}")]
    Card(#[from] serde_json::Error),
    /// A home can't be written as XML.
    #[error("a home can't be written as XML: {0}")]
    Xml(#[from] quick_xml::se::SeError),
    /// The read models are of a form before this build's; `projections` fills the new one.
    #[error("the live read models have form {live}, and this build reads form {ours}")]
    OlderModels {
        /// The form of what is live.
        live: i32,
        /// Ours.
        ours: i32,
    },
    /// Of the servers that the address of the read models leads to, one that is behind was asked.
    #[error("the read models were asked of a server that is behind")]
    OlderServer,
    /// A task of the index panicked.
    #[error("the index's task ended: {0}")]
    Task(#[from] tokio::task::JoinError),
}

/// An answer that is not a success.
#[derive(Debug)]
pub enum ApiError {
    /// The request is wrong: the fields, and what would be right.
    Invalid(Vec<FieldError>),
    /// The node has not read as far as the request asks.
    Behind,
    /// Something failed; it is logged where it becomes an answer.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<InvalidParameters> for ApiError {
    fn from(InvalidParameters(errors): InvalidParameters) -> Self {
        Self::Invalid(errors)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(errors) => Problem::invalid(errors),
            Self::Behind | Self::Failed(Error::OlderServer) => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "behind",
                "This node has not read that far yet",
            )
            .with_retry_after(Duration::from_secs(1)),
            Self::Failed(Error::Database(error)) => {
                tracing::warn!(%error, "the read models can't be asked");
                Problem::unavailable("the read models can't be asked", Duration::from_secs(1))
            }
            Self::Failed(Error::Index(search_index::Error::NotOpen)) => {
                Problem::unavailable("the index is not open yet", Duration::from_secs(1))
            }
            Self::Failed(error) => {
                tracing::error!(%error, "a request failed");
                Problem::internal()
            }
        }
        .into_response()
    }
}
