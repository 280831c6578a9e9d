//! Problem responses that several calls share.

use std::time::Duration;

use http::StatusCode;
use runtime::problem::{FieldError, Problem};

/// How long a caller should wait after a 503.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Returns a 503: nothing can be stored at the moment.
pub fn unavailable() -> Problem {
    Problem::unavailable("nothing can be kept at the moment", RETRY_AFTER)
}

/// Returns a 422 that lists the invalid fields.
pub fn invalid_fields(errors: Vec<FieldError>) -> Problem {
    let title = "Fields can't be taken";
    let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-fields", title);
    problem.errors = errors;
    problem
}
