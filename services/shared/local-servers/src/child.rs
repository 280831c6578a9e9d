//! Child processes that cannot outlive this process.

use std::{
    ffi::OsStr,
    fs,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::Command;

use crate::{ServerError, unprivileged::User};

/// The signal that asks a program to end.
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

/// Returns a command for `program`. The kernel sends it `stop` when the thread that started it ends. It
/// runs in a process group of its own, so that Ctrl-C in the terminal reaches only this process.
pub fn bound_command(program: impl AsRef<OsStr>, stop: StopSignal) -> Command {
    bound_command_as(program, stop, None)
}

/// Like [`bound_command`], but runs the program as `user` if there is one.
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

    /// Returns the process, for its output.
    pub fn process(&mut self) -> &mut tokio::process::Child {
        &mut self.process
    }

    /// Returns its process id while it runs.
    pub fn id(&self) -> Option<u32> {
        self.process.id()
    }

    /// Waits until it ends by itself.
    pub async fn wait(&mut self) -> Result<ExitStatus, ServerError> {
        self.process.wait().await.map_err(ServerError::io("cannot wait for a child process"))
    }

    /// Asks it to end, and kills it after `limit`. Returns whether it ended without being killed.
    pub async fn stop(&mut self, limit: Duration) -> Result<bool, ServerError> {
        if let Some(pid) = self.pid() {
            // An error means only that it has already ended.
            let _ended_already = kill_process(pid, self.stop.signal());
            if tokio::time::timeout(limit, self.process.wait()).await.is_err() {
                self.kill().await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Suspends it and its children (SIGSTOP) until [`Child::thaw`]: connections stay open, but nothing
    /// responds.
    pub fn freeze(&self) {
        self.signal_all(Signal::STOP);
    }

    /// Resumes them (SIGCONT).
    pub fn thaw(&self) {
        self.signal_all(Signal::CONT);
    }

    fn signal_all(&self, signal: Signal) {
        let Some(pid) = self.pid() else { return };
        // Signals the parent first, so that it starts no child after its children were listed. An error
        // means only that a process has already ended.
        let _ended_already = kill_process(pid, signal);
        for child in children_of(pid) {
            let _ended_already = kill_process(child, signal);
        }
    }

    /// Kills it and its children (SIGKILL), and waits until it has ended. Children of Postgres would answer
    /// for another moment.
    pub async fn kill(&mut self) -> Result<(), ServerError> {
        // Frozen first, so that it starts no more.
        self.freeze();
        for child in self.pid().map(children_of).unwrap_or_default() {
            let _ended_already = kill_process(child, Signal::KILL);
        }
        self.process.kill().await.map_err(ServerError::io("cannot kill a child process"))
    }

    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.process.id()?).ok()?)
    }
}

/// Returns the direct children of `parent`.
fn children_of(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The format is `pid (name) state ppid …`. The name may contain anything, so the fields are
        // counted from its end.
        let parent_pid = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        parent_pid.and_then(|pid| pid.parse().ok()) == Some(parent.as_raw_nonzero().get())
    })
    .filter_map(Pid::from_raw)
    .collect()
}
