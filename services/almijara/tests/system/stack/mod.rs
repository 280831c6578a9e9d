//! A complete Almijara for a test: `almijara up` with its own ports and folders.
#![allow(dead_code, reason = "the benchmarks use a part of this")]
#![allow(clippy::expect_used, reason = "a test that can't go on must fail")]

pub mod content;
pub mod editor;
mod idle;
pub mod journeys;
mod operators;
pub mod personal;
mod readiness;
mod sample;
mod site;
pub mod spans;
pub mod webhooks;
pub mod words;

use std::{
    collections::BTreeMap,
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// How long a start may take: `up` gives Directus four minutes to be set up, and then the first page three.
const START_LIMIT: Duration = Duration::from_mins(8);
/// How long a stop may take: `up` stops six groups one after the other, and gives each 20 s.
const STOP_LIMIT: Duration = Duration::from_mins(2);
/// How long a change may take to be visible.
const SEEN_LIMIT: Duration = Duration::from_mins(1);
/// What `up` prints when the first page is served, and when none is in time.
const SERVED: &str = " served /";
const NO_PAGE: &str = "no page shows a property yet";

/// Returns `limit` times `STACK_PATIENCE`, for catalogues that are larger than the sample, and for busy
/// machines.
pub fn scaled(limit: Duration) -> Duration {
    let factor = std::env::var("STACK_PATIENCE").ok().and_then(|factor| factor.parse().ok());
    limit * factor.unwrap_or(1)
}

/// Returns how long a change may take to be visible.
pub fn seen_limit() -> Duration {
    scaled(SEEN_LIMIT)
}

/// A running stack. [`Stack::stop`] ends it gracefully; dropping it kills it.
pub struct Stack {
    up: Child,
    pub port: u16,
    pub data: TempDir,
    pub client: reqwest::Client,
    lines: Arc<Mutex<Vec<String>>>,
}

/// Differences from a plain `almijara up`.
#[derive(Default)]
pub struct Options {
    pub environment: Vec<(&'static str, String)>,
}

impl Options {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Uses as many renderers as the machine has cores, as in production.
    pub fn with_all_renderers(self) -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        self.with("RENDERERS", cores.to_string())
    }
}

#[derive(Deserialize)]
struct State {
    ports: BTreeMap<String, u16>,
    secrets: BTreeMap<String, String>,
}

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

impl Stack {
    /// Starts a stack on a copy of prepared data, which has the complete sample content.
    pub async fn start_with_sample(options: Options) -> Result<Self> {
        Self::start_in(sample::copy(&options).await?, options).await
    }

    /// Starts a stack on an empty data folder.
    pub async fn start(options: Options) -> Result<Self> {
        Self::start_in(TempDir::with_prefix("almijara-stack-")?, options).await
    }

    pub async fn start_in(data: TempDir, options: Options) -> Result<Self> {
        Self::start_until(SERVED, data, options).await
    }

    /// Starts a stack, and returns as soon as it has printed a line with `words`.
    pub async fn start_until(words: &'static str, data: TempDir, options: Options) -> Result<Self> {
        runtime::install_crypto_provider();
        // The database's user must be able to reach its folder in there.
        fs::set_permissions(data.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let port = local_servers::free_port()?;
        let mut environment = options.environment;
        // The small pictures are made for the first stack that has no content of its own.
        if !environment.iter().any(|(name, _)| *name == "CONTENT_DIR") {
            let content = content::with_small_pictures().display().to_string();
            environment.push(("CONTENT_DIR", content));
        }
        let mut up = Command::new(env!("CARGO_BIN_EXE_almijara"))
            .arg("up")
            .current_dir(root())
            .env("PORT", port.to_string())
            .env("DATA_DIR", data.path())
            // Most stacks render few pages, and each further process costs a second of processor time.
            .env("RENDERERS", "1")
            .envs(environment)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = up.stdout.take().context("the output is piped")?;
        let mut lines = BufReader::new(output).lines();
        let (sender, is_printed) = tokio::sync::oneshot::channel();
        let printed: Arc<Mutex<Vec<String>>> = Arc::default();
        let collected = printed.clone();
        tokio::spawn(async move {
            let mut sender = Some(sender);
            while let Ok(Some(line)) = lines.next_line().await {
                println!("{line}");
                collected.lock().expect("nobody panics with it").push(line.clone());
                if line.contains(words)
                    && let Some(sender) = sender.take()
                {
                    // An error means that the limit has passed.
                    let _late = sender.send(());
                } else if words == SERVED && line.contains(NO_PAGE) {
                    // The line will not come any more.
                    drop(sender.take());
                }
            }
        });
        tokio::time::timeout(scaled(START_LIMIT), is_printed)
            .await
            .with_context(|| format!("almijara up did not say {words:?} in time"))?
            .with_context(|| format!("almijara up ended, or gave up, before it said {words:?}"))?;
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { up, port, data, client, lines: printed })
    }

    /// Stops the stack with SIGTERM. Checks that it succeeded and left no process, and returns its data.
    pub async fn stop(mut self) -> Result<TempDir> {
        let children = self.children()?;
        let pid = self.up.id().context("it runs")?;
        kill_process(Pid::from_raw(pid.cast_signed()).context("a pid")?, Signal::TERM)?;
        let limit = scaled(STOP_LIMIT);
        let status = tokio::time::timeout(limit, self.up.wait()).await.context("it hangs")??;
        ensure!(status.success(), "almijara up ended with {status}");
        let left: Vec<_> = children
            .iter()
            .filter(|child| Path::new(&format!("/proc/{}", child.pid)).exists())
            .map(|child| child.command.clone())
            .collect();
        ensure!(left.is_empty(), "still running: {left:?}");
        Ok(self.data)
    }

    /// Returns the lines that it has printed. More are added later.
    pub fn printed(&self) -> Arc<Mutex<Vec<String>>> {
        self.lines.clone()
    }

    /// Returns how many lines with `words` it has printed.
    pub fn count_lines(&self, words: &str) -> usize {
        let lines = self.lines.lock().expect("nobody panics with it");
        lines.iter().filter(|line| line.contains(words)).count()
    }

    /// Waits until it has printed `times` lines with `words`.
    pub async fn wait_for_lines(&self, words: &str, times: usize) -> Result<()> {
        let started = Instant::now();
        while self.count_lines(words) < times {
            ensure!(
                started.elapsed() < seen_limit(),
                "{words} is printed {} times",
                self.count_lines(words)
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    fn state(&self) -> Result<State> {
        Ok(serde_json::from_slice(&fs::read(self.data.path().join("stack.json"))?)?)
    }

    /// Returns the port of a part.
    pub fn port_of(&self, part: &str) -> Result<u16> {
        self.state()?.ports.get(part).copied().with_context(|| format!("{part} has a port"))
    }

    /// Returns a secret of the stack.
    pub fn secret(&self, name: &str) -> Result<String> {
        self.state()?.secrets.get(name).cloned().with_context(|| format!("{name} is kept"))
    }

    /// Connects `user` to `database`, with the password that the stack stores as `secret`.
    pub async fn connect(&self, user: &str, secret: &str, database: &str) -> Result<PgConnection> {
        let options = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(self.port_of("postgres")?)
            .username(user)
            .password(&self.secret(secret)?)
            .database(database);
        Ok(PgConnection::connect_with(&options).await?)
    }

    /// Returns the direct children of `almijara up`.
    pub fn children(&self) -> Result<Vec<Process>> {
        children_of(self.up.id().context("it runs")?)
    }

    /// Kills (SIGKILL) the child whose command contains `part`.
    pub fn kill(&self, part: &str) -> Result<()> {
        self.signal(part, Signal::KILL)
    }

    /// Sends `signal` to the child whose command contains `part`, and to that child's own children.
    pub fn signal_with_children(&self, part: &str, signal: Signal) -> Result<()> {
        for child in self.children()?.iter().filter(|child| child.command.contains(part)) {
            for process in children_of(child.pid.cast_unsigned())? {
                kill_process(Pid::from_raw(process.pid).context("a pid")?, signal)?;
            }
        }
        self.signal(part, signal)
    }

    /// Sends `signal` to the child whose command contains `part`.
    pub fn signal(&self, part: &str, signal: Signal) -> Result<()> {
        let children = self.children()?;
        let child = children
            .iter()
            .find(|child| child.command.contains(part))
            .with_context(|| format!("{part} is not among {children:?}"))?;
        kill_process(Pid::from_raw(child.pid).context("a pid")?, signal)?;
        Ok(())
    }

    /// Runs `work` while the child whose command contains `part` is stopped gracefully, and everything
    /// else keeps running. `almijara up` is suspended meanwhile, so it notices and restarts the child
    /// only afterwards.
    pub async fn while_stopped(&self, part: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let up = Pid::from_raw(self.up.id().context("it runs")?.cast_signed()).context("a pid")?;
        let children = self.children()?;
        let child = children.iter().find(|child| child.command.contains(part));
        let child = child.with_context(|| format!("{part} is not among {children:?}"))?;
        kill_process(up, Signal::STOP)?;
        kill_process(Pid::from_raw(child.pid).context("a pid")?, Signal::INT)?;
        let started = Instant::now();
        // Its parent has not reaped it yet, so it remains as a zombie, which has no command line.
        let command = format!("/proc/{}/cmdline", child.pid);
        while fs::read(&command).is_ok_and(|command| !command.is_empty()) {
            ensure!(started.elapsed() < scaled(STOP_LIMIT), "{part} does not end");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let result = work();
        kill_process(up, Signal::CONT)?;
        result
    }
}

/// A process on this machine.
#[derive(Debug)]
pub struct Process {
    pub pid: i32,
    pub command: String,
}

/// Returns the direct children of a process.
fn children_of(parent: u32) -> Result<Vec<Process>> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // `pid (name) state ppid …`: the name may contain anything, so this counts from its end.
        let parent_of_it = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        if parent_of_it != Some(&parent.to_string()) {
            continue;
        }
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        children.push(Process { pid, command });
    }
    Ok(children)
}
