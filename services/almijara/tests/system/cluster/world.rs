//! The processes of the cluster: starts, stops, kills and replaces them.

use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use local_servers::{Child, StopSignal, bound_command, free_port};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    process::Command,
};

use super::{
    roles::{Environment, Names},
    servers::{self, Ports, Start},
};
use crate::stack::{content, scaled};

/// How long a process may take to be ready, on a slow machine that starts many.
const READY_LIMIT: Duration = Duration::from_mins(3);
const STOP_LIMIT: Duration = Duration::from_secs(40);
/// How long each query node may take until it has everything that is published.
const VERIFY_LIMIT: Duration = Duration::from_mins(3);
/// The `SSLRequest` message of the Postgres protocol.
const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// How many lines of each log are printed when the test fails.
const LAST_LINES: usize = 40;

pub struct World {
    folder: TempDir,
    pub(super) content: TempDir,
    client: reqwest::Client,
    pub(super) door: u16,
    programs: BTreeMap<String, Program>,
    pub(super) operator: Vec<(&'static str, String)>,
    pub(super) indexes: Vec<PathBuf>,
    failed: bool,
    /// The unpacked package of the version before.
    pub(super) before: Option<PathBuf>,
    /// The services that forward to the processes; dropped with them.
    pub(super) names: Option<Names>,
}

/// Which version of a role runs.
#[derive(Clone, Copy)]
pub enum Version {
    /// The version of the unpacked package.
    Before,
    Today,
}

/// A process that can be killed and restarted.
struct Program {
    start: Start,
    /// How the version before is started.
    before: Option<Start>,
    child: Option<Child>,
    up_check: Option<UpCheck>,
}

/// How to check that a process is up.
pub(super) enum UpCheck {
    /// It answers at this address, which also reports whether it is ready.
    Ready(String),
    /// It sends a byte on this port: NATS at once, Postgres in answer to an `SSLRequest`.
    Port(u16),
}

impl UpCheck {
    /// Waits until the process is up.
    async fn wait_until_up(&self, client: &reqwest::Client) {
        loop {
            let is_up = match self {
                Self::Ready(url) => client.get(url).send().await.is_ok(),
                Self::Port(port) => first_byte(*port).await.is_ok(),
            };
            if is_up {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Returns the first byte that the server at `port` sends.
async fn first_byte(port: u16) -> io::Result<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(&SSL_REQUEST).await?;
    stream.read_u8().await
}

impl World {
    /// Starts everything, and waits until it is ready and all content is on the site.
    pub async fn start() -> Result<Self> {
        Self::start_from(None).await
    }

    /// Does the same with each role from the unpacked package `before`. The content service is of this
    /// version: it stands for Directus, which is set up first.
    pub async fn start_from(before: Option<PathBuf>) -> Result<Self> {
        runtime::install_crypto_provider();
        let folder = TempDir::with_prefix("almijara-cluster-")?;
        // The database's user needs access to its folder in there.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
        fs::create_dir(folder.path().join("logs"))?;
        let content = content::copy()?;
        let ports = Ports::free()?;
        let secrets = folder.path().join("secrets");
        servers::make_secrets(&secrets, &ports).await?;
        let client = reqwest::Client::builder().timeout(Duration::from_secs(30)).build()?;
        let mut world = Self {
            folder,
            content,
            client,
            door: free_port()?,
            programs: BTreeMap::new(),
            operator: Vec::new(),
            indexes: Vec::new(),
            failed: true,
            before,
            names: None,
        };
        world.start_servers(&secrets, &ports).await?;
        world.start_roles(&secrets, &ports).await?;
        world.wait_until_all_are_ready().await?;
        let version = if world.before.is_some() { Version::Before } else { Version::Today };
        world.verify(version).await?;
        Ok(world)
    }

    async fn start_servers(&mut self, secrets: &Path, ports: &Ports) -> Result<()> {
        let nats = servers::nats(self.folder.path(), secrets, ports)?;
        for ((name, start), port) in nats.into_iter().zip(ports.nats) {
            self.run(&name, start, None, Some(UpCheck::Port(port)))?;
        }
        let primary = servers::primary_postgres(self.folder.path(), secrets, ports).await?;
        let server = primary.server.clone();
        let up_check = Some(UpCheck::Port(ports.postgres));
        self.run("postgres", Box::new(move || Ok(server.start()?)), None, up_check)?;
        primary.create_accounts(self.folder.path(), secrets).await?;
        let replica = servers::replica(self.folder.path(), secrets, ports)?;
        self.run("postgres-replica", replica, None, Some(UpCheck::Port(ports.replica)))
    }

    /// Returns how `program` is started, with its output in its own log.
    pub(super) fn program(
        &self,
        name: &str,
        program: PathBuf,
        arguments: Vec<String>,
        environment: Environment,
    ) -> Start {
        let log = self.log_of(name);
        Box::new(move || {
            let log = fs::File::options().create(true).append(true).open(&log)?;
            let mut command = bound_command(&program, StopSignal::Terminate);
            command.env("NO_COLOR", "1").args(&arguments).envs(environment.clone());
            command.stdout(log.try_clone()?).stderr(log);
            Ok(Child::spawn(command, StopSignal::Terminate)?)
        })
    }

    pub(super) fn run(
        &mut self,
        name: &str,
        start: Start,
        before: Option<Start>,
        up_check: Option<UpCheck>,
    ) -> Result<()> {
        let child = Some(before.as_ref().unwrap_or(&start)()?);
        self.programs.insert(name.to_owned(), Program { start, before, child, up_check });
        Ok(())
    }

    /// Stops `name` as systemd and Kubernetes do, if it runs, and starts it in that `version`.
    pub async fn replace(&mut self, name: &str, version: Version) -> Result<()> {
        self.end(name).await?;
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let start = match version {
            Version::Before => program.before.as_ref().context("the version before is known")?,
            Version::Today => &program.start,
        };
        program.child = Some(start()?);
        Ok(())
    }

    /// Stops `name` as systemd and Kubernetes do.
    pub async fn end(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        if let Some(mut child) = program.child.take() {
            child.stop(STOP_LIMIT).await?;
        }
        Ok(())
    }

    /// Kills `name` (SIGKILL). Its child processes end with it.
    pub async fn kill(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let mut child = program.child.take().with_context(|| format!("{name} does not run"))?;
        let pid = i32::try_from(child.id().context("it runs")?)?;
        // Postgres's child processes end when they notice that the postmaster has.
        kill_process(Pid::from_raw(pid).context("a pid")?, Signal::KILL)?;
        child.wait().await?;
        Ok(())
    }

    /// Restarts `name`, as often as necessary, as systemd and Kubernetes do, until it is up.
    pub async fn restart(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let up_check = program.up_check.as_ref().with_context(|| format!("{name} has no check"))?;
        let (started, limit) = (Instant::now(), scaled(READY_LIMIT));
        loop {
            let mut child = (program.start)()?;
            // Postgres refuses to start while processes of the one before it exist.
            tokio::select! {
                ended = child.wait() => {
                    ensure!(started.elapsed() < limit, "{name} ends at once: {}", ended?);
                }
                up = tokio::time::timeout(limit, up_check.wait_until_up(&self.client)) => {
                    up.with_context(|| format!("{name} does not come up"))?;
                    program.child = Some(child);
                    return Ok(());
                }
            }
        }
    }

    /// Waits until every process reports that it is ready.
    pub async fn wait_until_all_are_ready(&self) -> Result<()> {
        for name in self.programs.keys() {
            self.wait_until_ready(name).await?;
        }
        Ok(())
    }

    /// Waits until `name` reports that it is ready.
    pub async fn wait_until_ready(&self, name: &str) -> Result<()> {
        let program = self.programs.get(name).with_context(|| format!("{name} is not there"))?;
        let Some(UpCheck::Ready(url)) = &program.up_check else { return Ok(()) };
        let started = Instant::now();
        loop {
            let text = match self.client.get(url).send().await {
                Ok(response) if response.status().is_success() => return Ok(()),
                Ok(response) => response.text().await.unwrap_or_default(),
                Err(error) => runtime::error_text(&error),
            };
            ensure!(started.elapsed() < scaled(READY_LIMIT), "{name} is not ready: {text}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.door)
    }

    pub fn content(&self) -> &Path {
        self.content.path()
    }

    pub async fn page(&self, path: &str) -> Result<String> {
        let response = self.client.get(self.url(path)).send().await?;
        Ok(response.error_for_status()?.text().await?)
    }

    pub async fn api(&self, path: &str) -> Result<serde_json::Value> {
        Ok(serde_json::from_str(&self.page(path).await?)?)
    }

    /// Compares what is published with the read models and with the index of each query node.
    pub async fn verify(&self, version: Version) -> Result<()> {
        let wait = scaled(VERIFY_LIMIT).as_secs().to_string();
        for index in &self.indexes {
            self.operate(version, &["verify", "--wait", &wait], index).await?;
        }
        Ok(())
    }

    /// Rebuilds the read models in the form of that `version`.
    pub async fn rebuild(&self, version: Version) -> Result<()> {
        self.operate(version, &["rebuild"], self.folder.path()).await
    }

    async fn operate(&self, version: Version, arguments: &[&str], data: &Path) -> Result<()> {
        let output = Command::new(self.almijara(version))
            .args(arguments)
            .envs(self.operator.clone())
            .env("DATA_DIR", data)
            .kill_on_drop(true)
            .output()
            .await?;
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {text}{errors}", arguments[0]);
        Ok(())
    }

    /// Stops everything: the door first, the servers last.
    pub async fn stop(mut self) -> Result<()> {
        self.failed = false;
        let order =
            ["caddy", "site", "renderer", "command", "query", "projections", "sync", "content"];
        for start in order.into_iter().chain(["postgres-replica", "postgres", "nats"]) {
            for (name, program) in &mut self.programs {
                if name.starts_with(start)
                    && let Some(mut child) = program.child.take()
                {
                    child.stop(STOP_LIMIT).await?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn almijara(&self, version: Version) -> PathBuf {
        match (version, &self.before) {
            (Version::Before, Some(package)) => package.join("usr/bin/almijara"),
            _ => PathBuf::from(env!("CARGO_BIN_EXE_almijara")),
        }
    }

    pub(super) fn data_of(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn log_of(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs").join(name)
    }
}

impl Drop for World {
    /// Prints the last lines of each process's log if the test failed.
    fn drop(&mut self) {
        if !self.failed {
            return;
        }
        for name in self.programs.keys() {
            let log = fs::read(self.log_of(name)).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let lines: Vec<&str> = log.lines().collect();
            let first = lines.len().saturating_sub(LAST_LINES);
            println!("== {name}\n{}", lines[first..].join("\n"));
        }
    }
}
