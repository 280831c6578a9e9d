//! Errors, and how they are answered.

use std::{io, path::PathBuf, time::Duration};

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use runtime::{
    error_text,
    problem::{FieldError, Problem},
};
use search_parameters::InvalidParameters;

/// A failure of this role.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The database's address can't be read.
    #[error(transparent)]
    DatabaseUrl(#[from] runtime::postgres::InvalidUrl),
    /// Postgres returned an error or is unavailable.
    #[error("postgres failed")]
    Database(#[from] sqlx::Error),
    /// The folder of the index can't be written.
    #[error("DATA_DIR {} can't be written", folder.display())]
    DataDir {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The index can't be read or written.
    #[error(transparent)]
    Index(#[from] search_index::Error),
    /// The log returned an error or is unavailable.
    #[error("the log failed")]
    Log(#[from] event_log::Error),
    /// A card can't be serialized to JSON.
    #[error("a card can't be written")]
    Card(#[from] serde_json::Error),
    /// A home can't be serialized to XML.
    #[error("a home can't be written as XML")]
    Xml(#[from] quick_xml::se::SeError),
    /// The live read models are older than this build's version; `projections` is building the new ones.
    #[error("the live read models have version {live}, and this build reads version {ours}")]
    OlderModels {
        /// The version of the live read models.
        live: i32,
        /// The version that this build reads.
        ours: i32,
    },
    /// A read was answered by a lagging server; the database address may lead to several.
    #[error("the read models were read from a replica that lags behind")]
    LaggingServer,
    /// The site settings have no province, which the feed for portals needs.
    #[error("the site settings have no province, which portals need")]
    NoProvince,
    /// A task of the index panicked.
    #[error("the index's task ended")]
    Task(#[from] tokio::task::JoinError),
}

/// An answer that is not a success.
#[derive(Debug)]
pub enum ApiError {
    /// The request is invalid: the fields, and what each accepts.
    Invalid(Vec<FieldError>),
    /// The node has not reached the position that the request requires.
    Behind,
    /// A failure, which is logged when it is turned into an answer.
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
            Self::Behind | Self::Failed(Error::LaggingServer) => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "behind",
                "This node has not read that far yet",
            )
            .with_retry_after(Duration::from_secs(1)),
            Self::Failed(Error::Database(error)) => {
                tracing::warn!(error = error_text(&error), "the read models can't be queried");
                Problem::unavailable("the read models can't be queried", Duration::from_secs(1))
            }
            Self::Failed(Error::Index(search_index::Error::NotOpen)) => {
                Problem::unavailable("the index is not open yet", Duration::from_secs(1))
            }
            Self::Failed(error @ Error::NoProvince) => {
                tracing::warn!(error = error_text(&error), "there is no feed");
                Problem::unavailable(error.to_string(), Duration::from_mins(1))
            }
            Self::Failed(error) => {
                tracing::error!(error = error_text(&error), "a request failed");
                Problem::internal()
            }
        }
        .into_response()
    }
}
