//! The log of `almijara up`: a line for each event, with time, role and message.

use std::{
    fmt::Write as _,
    io::{IsTerminal, Write as _},
    time::Duration,
};

use chrono::Local;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Prints log lines and progress. Clones write to the same output.
#[derive(Clone, Debug)]
pub struct Journal {
    progress: ProgressBar,
}

impl Journal {
    /// Creates a journal on standard output, with a progress line if standard error is a terminal.
    pub fn new() -> Self {
        let progress = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            progress.set_style(style);
        }
        Self { progress }
    }

    /// Reports the current step: in the progress line, or as a log line if there is no terminal.
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

    /// Prints a log line of `role`.
    pub fn line(&self, role: &str, message: &str) {
        let now = Local::now().format("%H:%M:%S");
        self.print(&format!("{now} {role:<12} {message}"));
    }

    /// Prints `text` without time or role.
    pub fn print(&self, text: &str) {
        self.progress.suspend(|| {
            // An error means that standard output is closed, so it can't be reported.
            let _closed = writeln!(std::io::stdout().lock(), "{text}");
        });
    }

    /// Copies `output` line by line until it ends.
    pub async fn copy(self, role: String, output: impl AsyncRead + Unpin) {
        let mut lines = BufReader::new(output).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            if !line.trim().is_empty() {
                self.line(&role, &plain(&line));
            }
        }
    }
}

/// Formats a line of a role's JSON log as text: the level if it is a warning or an error, the message and
/// the fields. Returns any other line unchanged.
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
    fn a_json_event_is_formatted_as_text() {
        let event = r#"{"timestamp":"t","level":"WARN","message":"retrying","attempt":2}"#;
        assert_eq!(plain(event), "warning: retrying attempt=2");
        assert_eq!(plain("listening on 3000"), "listening on 3000");
    }
}
