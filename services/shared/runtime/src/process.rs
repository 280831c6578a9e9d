//! The lifecycle of a process: its tasks, signals and shutdown.

use std::{
    error::Error,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::Router;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    admin::{self, Admin, AdminToken},
    error_text,
    health::Health,
};

/// How long tasks may take to end after a shutdown was requested.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(10);

/// Why a process ended with an error.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// A task failed, which stopped the others.
    #[error("{task} failed")]
    TaskFailed {
        /// The task's name.
        task: String,
        /// Its error, or its panic.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Tasks were still running when the shutdown timeout expired.
    #[error("{tasks} tasks did not end in {} s", SHUTDOWN_LIMIT.as_secs())]
    Stuck {
        /// The number of tasks.
        tasks: usize,
    },
    /// The signal handlers could not be installed.
    #[error("cannot handle signals")]
    Signals(#[source] std::io::Error),
}

/// A running process: [`spawn`](Process::spawn) tasks on it, then [`wait`](Process::wait). Clones share
/// its state.
#[derive(Clone, Debug, Default)]
pub struct Process {
    shutdown: CancellationToken,
    tasks: TaskTracker,
    health: Health,
    admin: Admin,
    first_failure: Arc<Mutex<Option<ProcessError>>>,
}

impl Process {
    /// Creates a process without tasks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Enables the admin calls for callers that present `token`; without one, admin calls are disabled.
    #[must_use]
    pub fn with_admin(self, token: Option<AdminToken>) -> Self {
        Self { admin: Admin::new(token), ..self }
    }

    /// Returns the token that is cancelled when the process should end.
    pub fn shutdown(&self) -> CancellationToken {
        self.shutdown.clone()
    }

    /// Returns the health of the process.
    pub fn health(&self) -> &Health {
        &self.health
    }

    /// Serves the admin `calls` from now on; their paths begin with `/admin/`. The token is checked
    /// before they run, so a role does not have to.
    pub fn serve_admin_calls(&self, calls: Router) {
        self.admin.open(calls);
    }

    /// Returns the routes of the health port: `/healthz`, `/readyz`, `/metrics` and `/admin/…`.
    pub fn router(&self) -> Router {
        self.health.router().merge(admin::router(self.admin.clone()))
    }

    /// Runs `task` until it ends. An error or a panic ends the process; so a task should retry what can
    /// be retried, and return only errors that it cannot recover from.
    pub fn spawn<F, E>(&self, name: &str, task: F)
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Error + Send + Sync + 'static,
    {
        let name = name.to_owned();
        let process = self.clone();
        let running = self.tasks.spawn(task);
        self.tasks.spawn(async move {
            let source: Box<dyn Error + Send + Sync> = match running.await {
                Ok(Ok(())) => return,
                Ok(Err(error)) => error.into(),
                Err(panic) => panic.into(),
            };
            let reason = error_text(&*source);
            tracing::error!(task = %name, reason, "a task failed; the process ends");
            process
                .first_failure
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert(ProcessError::TaskFailed { task: name, source });
            process.shutdown.cancel();
        });
    }

    /// Starts to handle SIGINT and SIGTERM, which request a shutdown, for as long as the process runs. A
    /// signal that arrives while nothing listens would be lost.
    pub fn listen_to_signals(&self) -> Result<(), ProcessError> {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(ProcessError::Signals)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(ProcessError::Signals)?;
        let shutdown = self.shutdown.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => tracing::debug!("interrupted"),
                _ = terminate.recv() => tracing::debug!("asked to terminate"),
            }
            shutdown.cancel();
        });
        Ok(())
    }

    /// Waits for a signal (SIGINT, SIGTERM) or a failure, then for every task to end.
    pub async fn wait(self) -> Result<(), ProcessError> {
        self.listen_to_signals()?;
        self.shutdown.cancelled().await;
        self.finish().await
    }

    /// Requests a shutdown, and waits until every task has ended.
    pub async fn finish(self) -> Result<(), ProcessError> {
        self.shutdown.cancel();
        self.tasks.close();
        let ended = tokio::time::timeout(SHUTDOWN_LIMIT, self.tasks.wait()).await;
        let failure = self.first_failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(failure) = failure {
            return Err(failure);
        }
        ended.map_err(|_| ProcessError::Stuck { tasks: self.tasks.len() })
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[tokio::test]
    async fn a_failed_task_ends_the_process_and_is_named() {
        let process = Process::new();
        let shutdown = process.shutdown();
        process.spawn("steady", async move {
            shutdown.cancelled().await;
            Ok::<(), io::Error>(())
        });
        process.spawn("doomed", async { Err::<(), _>(io::Error::other("no disk")) });
        let ended = process.wait().await.map_err(|error| error_text(&error));
        assert_eq!(ended, Err("doomed failed: no disk".to_owned()));
    }
}
