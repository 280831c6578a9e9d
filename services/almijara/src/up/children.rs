//! Children that are started again when they end.

use std::{
    fmt,
    path::PathBuf,
    process::Stdio,
    time::{Duration, Instant},
};

use local_servers::{Child, ServerError, StopSignal, bound_command};
use tokio::{process::Command, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::journal::Journal;

/// How long a child may take to end when it is asked to. In production it is as long: a role gives its
/// tasks, its last spans and what it does on threads of its own 13 s together, and then says what hung.
const STOP_LIMIT: Duration = Duration::from_secs(20);
/// The pause before the first new start of a child that ended; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// A child that ran this long is well: its next pause is the first again.
const WELL_AFTER: Duration = Duration::from_secs(20);

/// A child that is kept running until told otherwise.
#[derive(Debug)]
pub struct Supervised {
    role: String,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Supervised {
    /// Keeps what `start` starts running, under the name `role`.
    pub fn keep<F>(role: &str, journal: &Journal, start: F) -> Self
    where
        F: Fn() -> Result<Child, ServerError> + Send + 'static,
    {
        let stop = CancellationToken::new();
        let task = tokio::spawn(supervise(role.to_owned(), journal.clone(), start, stop.clone()));
        Self { role: role.to_owned(), stop, task }
    }

    /// Stops it and waits until it is gone.
    pub async fn stop(self, journal: &Journal) {
        self.stop.cancel();
        if self.task.await.is_err() {
            journal.line(&self.role, "its supervisor panicked");
        }
    }
}

async fn supervise<F>(role: String, journal: Journal, start: F, stop: CancellationToken)
where
    F: Fn() -> Result<Child, ServerError>,
{
    let mut pause = FIRST_PAUSE;
    while !stop.is_cancelled() {
        let began = Instant::now();
        let ended = match start() {
            Ok(mut child) => run_once(&role, &journal, &mut child, &stop).await,
            Err(error) => format!("could not start: {}", runtime::error_text(&error)),
        };
        if stop.is_cancelled() {
            return;
        }
        if began.elapsed() > WELL_AFTER {
            pause = FIRST_PAUSE;
        }
        journal.line(&role, &format!("{ended}; starting it again in {} ms", pause.as_millis()));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stop.cancelled() => return,
        }
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

/// Runs `child` to its end, or stops it when told; gives how it ended.
async fn run_once(
    role: &str,
    journal: &Journal,
    child: &mut Child,
    stop: &CancellationToken,
) -> String {
    if let Some(output) = child.process().stdout.take() {
        tokio::spawn(journal.clone().copy(role.to_owned(), output));
    }
    if let Some(output) = child.process().stderr.take() {
        tokio::spawn(journal.clone().copy(role.to_owned(), output));
    }
    tokio::select! {
        ended = child.wait() => match ended {
            Ok(status) => format!("ended by itself ({status})"),
            Err(error) => runtime::error_text(&error),
        },
        () = stop.cancelled() => match child.stop(STOP_LIMIT).await {
            Ok(true) => "stopped".to_owned(),
            Ok(false) => {
                let seconds = STOP_LIMIT.as_secs();
                journal.line(role, &format!("did not end within {seconds} s and was killed"));
                "killed".to_owned()
            }
            Err(error) => runtime::error_text(&error),
        }
    }
}

/// A program with its arguments and environment, to be started again and again.
#[derive(Clone, Debug)]
pub struct Program {
    file: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Program {
    /// `program` with `arguments`, run in `folder`.
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: &[&str],
        folder: impl Into<PathBuf>,
    ) -> Self {
        Self {
            file: program.into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            folder: folder.into(),
            environment: Vec::new(),
        }
    }

    /// The same with one more environment variable.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// The command, its output to be read by us.
    pub fn command(&self) -> Command {
        let mut command = bound_command(&self.file, StopSignal::Terminate);
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Starts it.
    pub fn start(&self) -> Result<Child, ServerError> {
        Child::spawn(self.command(), StopSignal::Terminate)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{} {}`", self.file.display(), self.arguments.join(" "))
    }
}
