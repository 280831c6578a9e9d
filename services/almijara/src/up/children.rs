//! Child processes that are restarted when they end.

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

/// How long a child may take to stop, as long as in production. A role gives its tasks, its last spans and
/// its blocking threads 13 s in total, and then reports what hung.
const STOP_LIMIT: Duration = Duration::from_secs(20);
/// The pause before the first restart of a child; it doubles with each further restart.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// A child that ran for this long is healthy: the next pause is the first one again.
const HEALTHY_AFTER: Duration = Duration::from_secs(20);

/// A child process that is restarted until it is stopped.
#[derive(Debug)]
pub struct Supervised {
    role: String,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Supervised {
    /// Starts a child with `start`, and restarts it whenever it ends. The journal calls it `role`.
    pub fn spawn<F>(role: &str, journal: &Journal, start: F) -> Self
    where
        F: Fn() -> Result<Child, ServerError> + Send + 'static,
    {
        let stop = CancellationToken::new();
        let task = tokio::spawn(supervise(role.to_owned(), journal.clone(), start, stop.clone()));
        Self { role: role.to_owned(), stop, task }
    }

    /// Stops the child and waits until it has ended.
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
        let started = Instant::now();
        let ended = match start() {
            Ok(mut child) => run_once(&role, &journal, &mut child, &stop).await,
            Err(error) => format!("could not start: {}", runtime::error_text(&error)),
        };
        if stop.is_cancelled() {
            return;
        }
        if started.elapsed() > HEALTHY_AFTER {
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

/// Runs `child` until it ends, or stops it when `stop` is cancelled. Returns how it ended, in words.
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

/// A program with its arguments and environment, which can be started many times.
#[derive(Clone, Debug)]
pub struct Program {
    file: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl Program {
    /// Creates a program that runs `program` with `arguments` in `folder`.
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

    /// Adds an environment variable.
    #[must_use]
    pub fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Returns the command, with its output piped to this process.
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

    /// Starts the program.
    pub fn start(&self) -> Result<Child, ServerError> {
        Child::spawn(self.command(), StopSignal::Terminate)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{} {}`", self.file.display(), self.arguments.join(" "))
    }
}
