//! What a caller is told when nothing can be kept.

use std::time::Duration;

use http::StatusCode;
use runtime::problem::{FieldError, Problem};

/// How long a caller should wait then.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Nothing can be kept.
pub fn away() -> Problem {
    Problem::unavailable("nothing can be kept at the moment", RETRY_AFTER)
}

/// Fields were read and can't be taken.
pub fn unfit(errors: Vec<FieldError>) -> Problem {
    let title = "Fields can't be taken";
    let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-fields", title);
    problem.errors = errors;
    problem
}
