//! What can go wrong between us and the content service.

use std::{fmt, time::Duration};

use reqwest::StatusCode;
use runtime::{Disposition, error_text};

/// Why a call gave no content.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service could not be reached, or the connection broke, or the time was over: told with its
    /// causes, of which only the last names a certificate or a host that is not found.
    #[error("the content service can't be reached: {}", error_text(.0))]
    Unreachable(#[source] reqwest::Error),
    /// The service says that it can't answer now.
    #[error("the content service answered {0}")]
    Unavailable(Refusal),
    /// Too many requests.
    #[error("the content service refuses more requests for {} ms", .wait.as_millis())]
    RateLimited {
        /// After how long it takes requests again.
        wait: Duration,
    },
    /// The token is not one of the service's.
    #[error("the content service does not know the token: {0}")]
    Unauthorized(Refusal),
    /// The token may not read this, or a collection or field is missing. Never says that an item
    /// is absent: the service gives the same answer for what may not be seen.
    #[error("the content service forbids it: {0}")]
    NotFoundOrForbidden(Refusal),
    /// The service does not take the request, or tells of errors beside what it answers.
    #[error("the content service answered {0}")]
    Refused(Refusal),
    /// The answer is longer than is read.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// How much is read.
        limit: usize,
    },
    /// The answer is not what the service's documentation says.
    #[error("the answer to {path} can't be understood: {reason}")]
    Malformed {
        /// What was asked for.
        path: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The list was shorter than the service's own count of it, so it says nothing about what is
    /// absent.
    #[error("the list of {path} holds {listed} of {counted} items")]
    Partial {
        /// What was asked for.
        path: String,
        /// How many items came.
        listed: u64,
        /// How many there are.
        counted: u64,
    },
}

/// An answer that is no content: its status, and all that the service says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status; one of success where errors stood beside the data.
    pub status: StatusCode,
    /// The service's errors, in its order. Of an answer that is none of its own (a proxy's page), the
    /// text.
    pub errors: Vec<ServiceError>,
}

/// One error in the service's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceError {
    /// Its name for it; empty where it gives none.
    pub code: String,
    /// Its explanation.
    pub message: String,
}

impl Refusal {
    /// Whether one of the errors is called `code`.
    pub fn has(&self, code: &str) -> bool {
        self.errors.iter().any(|error| error.code == code)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.status.as_u16())?;
        for (number, ServiceError { code, message }) in self.errors.iter().enumerate() {
            f.write_str(if number == 0 { " " } else { "; " })?;
            match (code.is_empty(), message.is_empty()) {
                (true, _) => f.write_str(message)?,
                (false, true) => f.write_str(code)?,
                (false, false) => write!(f, "{code}: {message}")?,
            }
        }
        Ok(())
    }
}

impl Error {
    /// What to do about it.
    pub const fn disposition(&self) -> Disposition {
        match self {
            Self::Unreachable(_)
            | Self::Unavailable(_)
            | Self::RateLimited { .. }
            | Self::Partial { .. } => Disposition::Retry,
            Self::Refused(_) | Self::TooLarge { .. } | Self::Malformed { .. } => Disposition::Park,
            Self::Unauthorized(_) | Self::NotFoundOrForbidden(_) => Disposition::Halt,
        }
    }

    /// Whether the same call may go well a little later.
    pub const fn is_transient(&self) -> bool {
        matches!(self.disposition(), Disposition::Retry)
    }

    /// Whether one item may be all that keeps a whole answer from coming.
    pub fn may_be_of_one_item(&self) -> bool {
        let broke =
            matches!(self, Self::Unavailable(it) if it.status == StatusCode::INTERNAL_SERVER_ERROR);
        broke || self.disposition() == Disposition::Park
    }

    /// Whether the call itself tries again at once: what passes in a moment, nothing else. A try
    /// that took all of its time would only take it again.
    pub fn passes_soon(&self) -> bool {
        match self {
            Self::Unreachable(error) => !error.is_timeout(),
            Self::RateLimited { .. } => true,
            Self::Unavailable(refusal) => matches!(
                refusal.status,
                StatusCode::BAD_GATEWAY
                    | StatusCode::SERVICE_UNAVAILABLE
                    | StatusCode::GATEWAY_TIMEOUT
            ),
            _ => false,
        }
    }
}
