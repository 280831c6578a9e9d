//! An error with its causes, for a log line.

use std::error::Error;

/// `error` with its causes in one line, each said once.
///
/// Some errors' own text already ends with that of their cause, and some (reqwest's) name nothing but
/// the address; so a cause is added only where the line does not say it yet.
pub fn error_text(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text.push_str(": ");
            text.push_str(&reason);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the log failed: {0}")]
    struct Repeats(#[source] Terse);

    #[derive(Debug, thiserror::Error)]
    #[error("cannot connect")]
    struct Terse(#[source] io::Error);

    #[test]
    fn each_cause_is_said_once() {
        let error = Repeats(Terse(io::Error::other("connection refused")));
        assert_eq!(error_text(&error), "the log failed: cannot connect: connection refused");
    }
}
