//! A child process that can't outlive us.

use std::{
    ffi::OsStr,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Command;

use crate::{ServerError, unprivileged::User};

/// The signal by which a program is asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGTERM: most programs.
    Terminate,
    /// SIGINT: Postgres's fast shutdown, which does not wait for clients to leave.
    Interrupt,
}

impl StopSignal {
    const fn name(self) -> &'static str {
        match self {
            Self::Terminate => "TERM",
            Self::Interrupt => "INT",
        }
    }

    const fn signal(self) -> Signal {
        match self {
            Self::Terminate => Signal::TERM,
            Self::Interrupt => Signal::INT,
        }
    }
}

/// A command for `program` that the kernel ends with `stop` when the thread that starts it ends.
/// It runs as `user` where one is given, and in a process group of its own, so that a Ctrl-C in
/// the terminal reaches only us.
pub fn bound_command(program: impl AsRef<OsStr>, stop: StopSignal) -> Command {
    bound_command_as(program, stop, None)
}

pub(crate) fn bound_command_as(
    program: impl AsRef<OsStr>,
    stop: StopSignal,
    user: Option<&User>,
) -> Command {
    let mut command = Command::new("setpriv");
    if let Some(user) = user {
        command.args([
            format!("--reuid={}", user.uid),
            format!("--regid={}", user.gid),
            "--clear-groups".to_owned(),
        ]);
    }
    command.arg(format!("--pdeathsig={}", stop.name())).arg("--").arg(program);
    command.process_group(0).kill_on_drop(true).stdin(Stdio::null());
    command
}

/// A running child.
#[derive(Debug)]
pub struct Child {
    process: tokio::process::Child,
    stop: StopSignal,
}

impl Child {
    /// Starts `command`, to be stopped with `stop`.
    pub fn spawn(mut command: Command, stop: StopSignal) -> Result<Self, ServerError> {
        let process = command.spawn().map_err(ServerError::io("cannot start a child process"))?;
        Ok(Self { process, stop })
    }

    /// The process itself, for its output.
    pub fn process(&mut self) -> &mut tokio::process::Child {
        &mut self.process
    }

    /// Its process id, while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Waits until it ends by itself.
    pub async fn wait(&mut self) -> Result<ExitStatus, ServerError> {
        self.process.wait().await.map_err(ServerError::io("cannot wait for a child process"))
    }

    /// Asks it to end, and kills it when it has not within `limit`.
    pub async fn stop(&mut self, limit: Duration) -> Result<(), ServerError> {
        if let Some(pid) = self.pid() {
            // It may have ended by itself in between; then there is nothing to ask.
            let _ended_already = kill_process(pid, self.stop.signal());
            if tokio::time::timeout(limit, self.process.wait()).await.is_ok() {
                return Ok(());
            }
            self.kill().await?;
        }
        Ok(())
    }

    /// Stops it where it stands (SIGSTOP), until [`Child::thaw`]: its connections stay open, and
    /// nothing answers.
    pub fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on (SIGCONT).
    pub fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = self.pid() {
            // One that has ended needs neither.
            let _ended_already = kill_process(pid, signal);
        }
    }

    /// Kills it at once (SIGKILL) and waits until it is gone.
    pub async fn kill(&mut self) -> Result<(), ServerError> {
        self.process.kill().await.map_err(ServerError::io("cannot kill a child process"))
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.process.id()?).ok()?)
    }
}
