//! Errors of calls to the content service.

use std::{error::Error as StdError, fmt, time::Duration};

use reqwest::StatusCode;
use runtime::Disposition;

/// Why a call returned no content.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service could not be reached, the connection broke, or the call timed out.
    #[error("the content service can't be reached")]
    Unreachable(#[source] reqwest::Error),
    /// The service can't answer now.
    #[error("the content service answered {0}")]
    Unavailable(Refusal),
    /// Too many requests.
    #[error("the content service refuses more requests for {} ms", .wait.as_millis())]
    RateLimited {
        /// After how long it accepts requests again.
        wait: Duration,
    },
    /// The service does not know the token.
    #[error("the content service does not know the token: {0}")]
    Unauthorized(Refusal),
    /// The token may not read this, or a collection or field is missing. It never means that an item is
    /// absent, since the service answers a forbidden request the same way.
    #[error("the content service forbids it: {0}")]
    NotFoundOrForbidden(Refusal),
    /// The service rejects the request, or its response contains errors besides the data.
    #[error("the content service answered {0}")]
    Refused(Refusal),
    /// The response exceeds the limit.
    #[error("the answer is longer than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The response does not match the service's documentation.
    #[error("the answer to {path} can't be understood")]
    Malformed {
        /// The requested path.
        path: String,
        /// What is wrong with the response.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The list was shorter than the service's own count, so a missing item may still exist.
    #[error("the list of {path} holds {listed} of {counted} items")]
    Partial {
        /// The requested path.
        path: String,
        /// The number of items in the list.
        listed: u64,
        /// The service's own count.
        counted: u64,
    },
}

/// A response without content: its status and the service's errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status; a success status if there were errors besides the data.
    pub status: StatusCode,
    /// The service's errors, in its order. If the response is not the service's own (a proxy's page), its
    /// text.
    pub errors: Vec<ServiceError>,
}

/// One error as the service reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceError {
    /// Its code; empty if there is none.
    pub code: String,
    /// Its explanation.
    pub message: String,
}

impl Refusal {
    /// Returns the code of the first error; empty if there is none.
    pub fn code(&self) -> &str {
        self.errors.first().map_or("", |error| &error.code)
    }

    /// Returns whether one of the errors has this `code`.
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
    /// Returns the service's refusal, if it answered with one.
    pub const fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Unavailable(refusal)
            | Self::Unauthorized(refusal)
            | Self::NotFoundOrForbidden(refusal)
            | Self::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// Returns what the caller should do about it.
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

    /// Returns whether the same call may succeed a little later.
    pub const fn is_transient(&self) -> bool {
        matches!(self.disposition(), Disposition::Retry)
    }

    /// Returns whether a single item may have made the whole call fail.
    pub fn may_be_caused_by_one_item(&self) -> bool {
        let broke =
            matches!(self, Self::Unavailable(it) if it.status == StatusCode::INTERNAL_SERVER_ERROR);
        broke || self.disposition() == Disposition::Park
    }

    /// Returns whether the call retries immediately: only for failures that pass quickly. An attempt that
    /// timed out would only time out again.
    pub fn is_momentary(&self) -> bool {
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
