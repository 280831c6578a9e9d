//! The one tidy log of `almijara up`: when, which role, what happened.

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write as _},
    time::Duration,
};

use chrono::Local;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Where lines and progress go. Clones write to the same place.
#[derive(Clone, Debug)]
pub struct Journal {
    progress: ProgressBar,
}

impl Journal {
    /// A journal on standard output, with a progress line where that is a terminal.
    pub fn new() -> Self {
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            progress.set_style(style);
        }
        Self { progress }
    }

    /// Says what is being done now: the progress line, or a line of its own without a terminal.
    pub fn step(&self, message: &str) {
        if std::io::stderr().is_terminal() {
            self.progress.enable_steady_tick(Duration::from_millis(100));
            self.progress.set_message(message.to_owned());
        } else {
            self.line("up", message);
        }
    }

    /// Ends the progress line.
    pub fn steps_done(&self) {
        self.progress.finish_and_clear();
    }

    /// One line of `role`.
    pub fn line(&self, role: &str, message: &str) {
        let now = Local::now().format("%H:%M:%S");
        self.print(&format!("{now} {role:<12} {message}"));
    }

    /// Text as it is.
    pub fn print(&self, text: &str) {
        self.progress.suspend(|| {
            // Nobody is left to tell when standard output is closed.
            let _closed = writeln!(std::io::stdout().lock(), "{text}");
        });
    }

    /// Copies what `output` says, line by line, until it ends.
    pub async fn copy(self, role: String, output: impl AsyncRead + Unpin) {
        let mut lines = BufReader::new(output).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            if !line.trim().is_empty() {
                self.line(&role, &plain(&line));
            }
        }
    }
}

/// A line of a role's JSON log as text: the level where it is more than information, the message,
/// the fields. Any other line stays as it is.
fn plain(line: &str) -> String {
    let Ok(Value::Object(event)) = serde_json::from_str::<Value>(line) else {
        return line.to_owned();
    };
    let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut plain = match text("level") {
        "WARN" => format!("warning: {}", text("message")),
        "ERROR" => format!("error: {}", text("message")),
        _ => text("message").to_owned(),
    };
    for (name, value) in &event {
        if matches!(name.as_str(), "timestamp" | "level" | "message" | "target" | "span" | "spans")
        {
            continue;
        }
        let _infallible = match value {
            Value::String(text) => write!(plain, " {name}={text}"),
            other => write!(plain, " {name}={other}"),
        };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_json_event_reads_as_a_sentence() {
        let event = r#"{"timestamp":"t","level":"WARN","message":"retrying","attempt":2}"#;
        assert_eq!(plain(event), "warning: retrying attempt=2");
        assert_eq!(plain("listening on 3000"), "listening on 3000");
    }
}
