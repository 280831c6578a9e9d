//! The whole of Almijara for a test: `almijara up` on ports and folders of its own.
#![allow(dead_code, reason = "the benchmarks use a part of this")]
#![allow(clippy::expect_used, reason = "a test that can't go on must fail")]

pub mod content;
pub mod editor;
pub mod journeys;
mod operators;
pub mod personal;
mod readiness;
mod rest;
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

/// How long the first page may take: `up` gives Directus four minutes to be set up, and then the page three.
const START_LIMIT: Duration = Duration::from_mins(8);
/// How long everything may take to end: `up` gives 20 s to each of six that end one after the other.
const STOP_LIMIT: Duration = Duration::from_mins(2);
/// How long a change may take to be seen.
const SEEN_LIMIT: Duration = Duration::from_mins(1);
/// What `up` says when the first page is served, and where none is in time.
const SERVED: &str = " served /";
const NO_PAGE: &str = "no property is on a page yet";

/// `limit`, as many times longer as `STACK_PATIENCE` says: for catalogues that are larger than the sample,
/// and for a machine that has more to do than this.
pub fn patient(limit: Duration) -> Duration {
    let times = std::env::var("STACK_PATIENCE").ok().and_then(|times| times.parse().ok());
    limit * times.unwrap_or(1)
}

/// How long a change may take to be seen.
pub fn seen_limit() -> Duration {
    patient(SEEN_LIMIT)
}

/// A running stack. [`Stack::stop`] ends it in good order; dropping it kills it.
pub struct Stack {
    up: Child,
    pub port: u16,
    pub data: TempDir,
    pub client: reqwest::Client,
    lines: Arc<Mutex<Vec<String>>>,
}

/// What differs from a plain `almijara up`.
#[derive(Default)]
pub struct Options {
    pub environment: Vec<(&'static str, String)>,
}

impl Options {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// With as many renderers as the machine has cores, as it runs for visitors.
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

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

impl Stack {
    /// Starts it with all the sample taken in, as it was left by a stack before it.
    pub async fn start_with_sample(options: Options) -> Result<Self> {
        Self::start_in(sample::copy(&options).await?, options).await
    }

    /// Starts it from nothing.
    pub async fn start(options: Options) -> Result<Self> {
        Self::start_in(TempDir::with_prefix("almijara-stack-")?, options).await
    }

    pub async fn start_in(data: TempDir, options: Options) -> Result<Self> {
        Self::start_until(SERVED, data, options).await
    }

    /// Starts it, and goes on as soon as it has printed a line with `words`.
    pub async fn start_until(words: &'static str, data: TempDir, options: Options) -> Result<Self> {
        runtime::install_crypto_provider();
        // The database's user must be able to reach its folder in there.
        fs::set_permissions(data.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let port = local_servers::free_port()?;
        let mut environment = options.environment;
        // They are made for the first stack that is without content of its own.
        if !environment.iter().any(|(name, _)| *name == "CONTENT_DIR") {
            let content = content::with_small_pictures().display().to_string();
            environment.push(("CONTENT_DIR", content));
        }
        let mut up = Command::new(env!("CARGO_BIN_EXE_almijara"))
            .arg("up")
            .current_dir(root())
            .env("PORT", port.to_string())
            .env("DATA_DIR", data.path())
            // Most stacks render a few pages; each process more is a second of a processor.
            .env("RENDERERS", "1")
            .envs(environment)
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = up.stdout.take().context("the output is piped")?;
        let mut lines = BufReader::new(output).lines();
        let (sender, said_so) = tokio::sync::oneshot::channel();
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = said.clone();
        tokio::spawn(async move {
            let mut sender = Some(sender);
            while let Ok(Some(line)) = lines.next_line().await {
                println!("{line}");
                heard.lock().expect("nobody panics with it").push(line.clone());
                if line.contains(words)
                    && let Some(sender) = sender.take()
                {
                    // Nobody waits any more when the limit has passed.
                    let _late = sender.send(());
                } else if words == SERVED && line.contains(NO_PAGE) {
                    // It is not going to be said.
                    drop(sender.take());
                }
            }
        });
        tokio::time::timeout(patient(START_LIMIT), said_so)
            .await
            .with_context(|| format!("almijara up did not say {words:?} in time"))?
            .with_context(|| format!("almijara up ended, or gave up, before it said {words:?}"))?;
        let client = reqwest::Client::builder()
            .timeout(Duration::from_secs(30))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { up, port, data, client, lines: said })
    }

    /// Ends it with SIGTERM, checks that it ended well and left nothing running, and gives its data.
    pub async fn stop(mut self) -> Result<TempDir> {
        let children = self.children()?;
        let pid = self.up.id().context("it runs")?;
        kill_process(Pid::from_raw(pid.cast_signed()).context("a pid")?, Signal::TERM)?;
        let limit = patient(STOP_LIMIT);
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

    /// What it has printed, and goes on to print.
    pub fn printed(&self) -> Arc<Mutex<Vec<String>>> {
        self.lines.clone()
    }

    /// How many lines with `words` it has printed.
    pub fn said(&self, words: &str) -> usize {
        let lines = self.lines.lock().expect("nobody panics with it");
        lines.iter().filter(|line| line.contains(words)).count()
    }

    /// Waits until it has printed that many lines with `words`.
    pub async fn wait_until_said(&self, words: &str, times: usize) -> Result<()> {
        let began = Instant::now();
        while self.said(words) < times {
            ensure!(began.elapsed() < seen_limit(), "{words} is said {} times", self.said(words));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    fn state(&self) -> Result<State> {
        Ok(serde_json::from_slice(&fs::read(self.data.path().join("stack.json"))?)?)
    }

    /// The port of one part.
    pub fn port_of(&self, part: &str) -> Result<u16> {
        self.state()?.ports.get(part).copied().with_context(|| format!("{part} has a port"))
    }

    /// A secret of the stack.
    pub fn secret(&self, name: &str) -> Result<String> {
        self.state()?.secrets.get(name).cloned().with_context(|| format!("{name} is kept"))
    }

    /// A connection of `user` to `database`, with the password that the stack keeps as `secret`.
    pub async fn connect(&self, user: &str, secret: &str, database: &str) -> Result<PgConnection> {
        let options = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(self.port_of("postgres")?)
            .username(user)
            .password(&self.secret(secret)?)
            .database(database);
        Ok(PgConnection::connect_with(&options).await?)
    }

    /// Every direct child of `almijara up`.
    pub fn children(&self) -> Result<Vec<Process>> {
        children_of(self.up.id().context("it runs")?)
    }

    /// Kills (SIGKILL) the child whose command holds `part`.
    pub fn kill(&self, part: &str) -> Result<()> {
        self.signal(part, Signal::KILL)
    }

    /// Sends `signal` to the child whose command holds `part`, and to the processes that it started.
    pub fn signal_with_its_own(&self, part: &str, signal: Signal) -> Result<()> {
        for child in self.children()?.iter().filter(|child| child.command.contains(part)) {
            for own in children_of(child.pid.cast_unsigned())? {
                kill_process(Pid::from_raw(own.pid).context("a pid")?, signal)?;
            }
        }
        self.signal(part, signal)
    }

    /// Sends `signal` to the child whose command holds `part`.
    pub fn signal(&self, part: &str, signal: Signal) -> Result<()> {
        let children = self.children()?;
        let child = children
            .iter()
            .find(|child| child.command.contains(part))
            .with_context(|| format!("{part} is not among {children:?}"))?;
        kill_process(Pid::from_raw(child.pid).context("a pid")?, signal)?;
        Ok(())
    }

    /// Does `work` while the child whose command holds `part` has ended in good order, and everything
    /// else goes on: `almijara up` sees it gone, and starts it again, only after that.
    pub async fn while_away(&self, part: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let up = Pid::from_raw(self.up.id().context("it runs")?.cast_signed()).context("a pid")?;
        let children = self.children()?;
        let child = children.iter().find(|child| child.command.contains(part));
        let child = child.with_context(|| format!("{part} is not among {children:?}"))?;
        kill_process(up, Signal::STOP)?;
        kill_process(Pid::from_raw(child.pid).context("a pid")?, Signal::INT)?;
        let began = Instant::now();
        // Nobody has asked for its status yet, so what is left of it has no command any more.
        let command = format!("/proc/{}/cmdline", child.pid);
        while fs::read(&command).is_ok_and(|command| !command.is_empty()) {
            ensure!(began.elapsed() < patient(STOP_LIMIT), "{part} does not end");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let done = work();
        kill_process(up, Signal::CONT)?;
        done
    }
}

/// A process of this machine.
#[derive(Debug)]
pub struct Process {
    pub pid: i32,
    pub command: String,
}

/// Every direct child of a process.
fn children_of(parent: u32) -> Result<Vec<Process>> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // `pid (name) state ppid …`: the name may hold anything, so count from its end.
        let of = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1));
        if of != Some(&parent.to_string()) {
            continue;
        }
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        children.push(Process { pid, command });
    }
    Ok(children)
}
