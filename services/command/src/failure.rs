//! What a caller is told when nothing can be kept.

use std::time::Duration;

use http::StatusCode;
use runtime::problem::{FieldError, Problem};

use crate::Error;

/// How long a caller should wait then.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Nothing can be kept.
pub fn away() -> Problem {
    Problem::unavailable("nothing can be kept at the moment", RETRY_AFTER)
}

/// The same, with a line in the log: `what` happened. Only what Postgres calls the failure is told,
/// for its text may repeat a value.
pub fn not_kept(error: &Error, what: &str) -> Problem {
    let kind = match error {
        Error::Database(sqlx::Error::Database(refusal)) => {
            refusal.code().map_or_else(|| "refused".to_owned(), |code| format!("code {code}"))
        }
        Error::Database(_) => "no answer".to_owned(),
        _ => "other".to_owned(),
    };
    tracing::warn!(kind, "{what}");
    away()
}

/// Fields were read and can't be taken.
pub fn unfit(errors: Vec<FieldError>) -> Problem {
    let title = "Fields can't be taken";
    let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-fields", title);
    problem.errors = errors;
    problem
}
