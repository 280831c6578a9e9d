//! Formats an error with its causes, for logs and operators.

use std::error::Error;

/// Returns `error` and its causes in one line, joined by colons.
///
/// Errors of libraries such as sqlx's repeat their cause in their own text; it is not added again.
pub fn error_text(error: &dyn Error) -> String {
    let mut line = error.to_string();
    let mut text = line.clone();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            line.push_str(": ");
            line.push_str(&reason);
        }
        text = reason;
        cause = error.source();
    }
    line
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the log failed")]
    struct Failed(#[source] io::Error);

    #[derive(Debug, thiserror::Error)]
    #[error("postgres failed")]
    struct Database(#[source] sqlx::Error);

    #[test]
    fn the_causes_follow_the_error() {
        let error = Failed(io::Error::other("connection refused"));
        assert_eq!(error_text(&error), "the log failed: connection refused");
    }

    #[test]
    fn a_cause_that_its_error_repeats_appears_once() {
        let error = Database(sqlx::Error::Io(io::Error::other("connection refused")));
        assert_eq!(
            error_text(&error),
            "postgres failed: error communicating with database: connection refused"
        );
    }
}
