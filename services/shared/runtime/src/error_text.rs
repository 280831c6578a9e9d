//! Formats an error with its causes for a log line.

use std::error::Error;

/// Returns `error` and its causes in one line, each only once.
///
/// Some errors already include the text of their cause, others (reqwest's) name only the address; so a
/// cause is added only if the line does not contain it yet.
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
    fn each_cause_appears_once() {
        let error = Repeats(Terse(io::Error::other("connection refused")));
        assert_eq!(error_text(&error), "the log failed: cannot connect: connection refused");
    }
}
