//! A child process that can't outlive us.

use std::{
    ffi::OsStr,
    fs,
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

    /// Asks it to end, and kills it when it has not within `limit`; gives whether it ended by itself.
    pub async fn stop(&mut self, limit: Duration) -> Result<bool, ServerError> {
        if let Some(pid) = self.pid() {
            // It may have ended by itself in between; then there is nothing to ask.
            let _ended_already = kill_process(pid, self.stop.signal());
            if tokio::time::timeout(limit, self.process.wait()).await.is_err() {
                self.kill().await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stops it and its own children where they stand (SIGSTOP), until [`Child::thaw`]: connections
    /// stay open, and nothing answers.
    pub fn freeze(&self) {
        self.signal_all(Signal::STOP);
    }

    /// Lets them go on (SIGCONT).
    pub fn thaw(&self) {
        self.signal_all(Signal::CONT);
    }

    fn signal_all(&self, signal: Signal) {
        let Some(pid) = self.pid() else { return };
        // The parent first, so that no child comes after the others were counted. Who has ended in
        // between needs no signal.
        let _ended_already = kill_process(pid, signal);
        for child in children_of(pid) {
            let _ended_already = kill_process(child, signal);
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

/// The direct children of `parent`.
fn children_of(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // `pid (name) state ppid …`: the name may hold anything, so the fields are counted from its
        // end.
        let above = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        above.and_then(|above| above.parse().ok()) == Some(parent.as_raw_nonzero().get())
    })
    .filter_map(Pid::from_raw)
    .collect()
}
