//! Every process of the cluster: started, ended, killed and replaced.

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
use crate::stack::{content, patient};

/// How long one process may take to be ready, on a slow machine that starts many.
const READY_LIMIT: Duration = Duration::from_mins(3);
const STOP_LIMIT: Duration = Duration::from_secs(40);
/// What every node may take until it has what is published.
const VERIFY_LIMIT: Duration = Duration::from_mins(3);
/// With this Postgres is asked whether it encrypts, before anything else.
const DOES_IT_ENCRYPT: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];
/// What is printed of each log when the test fails.
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
    /// The version before: its unpacked package.
    pub(super) before: Option<PathBuf>,
    /// What leads to the processes; dropped with them.
    pub(super) names: Option<Names>,
}

/// Which version of a role runs.
#[derive(Clone, Copy)]
pub enum Version {
    /// That of the package that the world was started from.
    Before,
    Today,
}

/// One process, which can be killed and started again.
struct Program {
    start: Start,
    /// As the version before is started.
    before: Option<Start>,
    child: Option<Child>,
    tells: Option<Tells>,
}

/// How a process tells that it is up.
pub(super) enum Tells {
    /// At this address, where it also tells whether it is ready.
    Ready(String),
    /// By a word to whoever comes to this port: NATS speaks first, Postgres when it is asked.
    Port(u16),
}

impl Tells {
    /// Waits until it does.
    async fn wait_until_up(&self, client: &reqwest::Client) {
        loop {
            let is_up = match self {
                Self::Ready(url) => client.get(url).send().await.is_ok(),
                Self::Port(port) => speaks(*port).await.is_ok(),
            };
            if is_up {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The first that is said at `port`.
async fn speaks(port: u16) -> io::Result<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.write_all(&DOES_IT_ENCRYPT).await?;
    stream.read_u8().await
}

impl World {
    /// Starts everything, and waits until all of it is ready and all content is on the site.
    pub async fn start() -> Result<Self> {
        Self::start_from(None).await
    }

    /// The same, with each role in the version whose unpacked package is at `before`. The content service
    /// is today's: it stands for Directus, whose setup goes first.
    pub async fn start_from(before: Option<PathBuf>) -> Result<Self> {
        runtime::install_crypto_provider();
        let folder = TempDir::with_prefix("almijara-cluster-")?;
        // The database's user has to reach its folder in there.
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
            self.run(&name, start, None, Some(Tells::Port(port)))?;
        }
        let first = servers::first_postgres(self.folder.path(), secrets, ports).await?;
        let server = first.server.clone();
        let tells = Some(Tells::Port(ports.postgres));
        self.run("postgres", Box::new(move || Ok(server.start()?)), None, tells)?;
        first.make_accounts(self.folder.path(), secrets).await?;
        let replica = servers::replica(self.folder.path(), secrets, ports)?;
        self.run("postgres-replica", replica, None, Some(Tells::Port(ports.replica)))
    }

    /// How `program` is started, with what it prints in a log of its own.
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
        tells: Option<Tells>,
    ) -> Result<()> {
        let child = Some(before.as_ref().unwrap_or(&start)()?);
        self.programs.insert(name.to_owned(), Program { start, before, child, tells });
        Ok(())
    }

    /// Ends `name` as systemd and Kubernetes do, where it runs, and starts it in that `version`.
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

    /// Ends `name` as systemd and Kubernetes do.
    pub async fn end(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        if let Some(mut child) = program.child.take() {
            child.stop(STOP_LIMIT).await?;
        }
        Ok(())
    }

    /// Kills `name` (SIGKILL), with what it started itself.
    pub async fn kill(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let mut child = program.child.take().with_context(|| format!("{name} does not run"))?;
        let pid = i32::try_from(child.id().context("it runs")?)?;
        // Postgres's own processes end when they see that the first has.
        kill_process(Pid::from_raw(pid).context("a pid")?, Signal::KILL)?;
        child.wait().await?;
        Ok(())
    }

    /// Starts `name` again, as systemd and Kubernetes do, until it is up.
    pub async fn bring_back(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let tells = program.tells.as_ref().with_context(|| format!("{name} tells nobody"))?;
        let (began, limit) = (Instant::now(), patient(READY_LIMIT));
        loop {
            let mut child = (program.start)()?;
            // A Postgres refuses to start while processes of the one before it are there.
            tokio::select! {
                ended = child.wait() => {
                    ensure!(began.elapsed() < limit, "{name} ends at once: {}", ended?);
                }
                up = tokio::time::timeout(limit, tells.wait_until_up(&self.client)) => {
                    up.with_context(|| format!("{name} does not come up"))?;
                    program.child = Some(child);
                    return Ok(());
                }
            }
        }
    }

    /// Waits until each process says that it is ready.
    pub async fn wait_until_all_are_ready(&self) -> Result<()> {
        for name in self.programs.keys() {
            self.wait_until_ready(name).await?;
        }
        Ok(())
    }

    /// Waits until `name` says that it is ready.
    pub async fn wait_until_ready(&self, name: &str) -> Result<()> {
        let program = self.programs.get(name).with_context(|| format!("{name} is not there"))?;
        let Some(Tells::Ready(url)) = &program.tells else { return Ok(()) };
        let began = Instant::now();
        loop {
            let said = match self.client.get(url).send().await {
                Ok(response) if response.status().is_success() => return Ok(()),
                Ok(response) => response.text().await.unwrap_or_default(),
                Err(error) => runtime::error_text(&error),
            };
            ensure!(began.elapsed() < patient(READY_LIMIT), "{name} is not ready: {said}");
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
        let wait = patient(VERIFY_LIMIT).as_secs().to_string();
        for index in &self.indexes {
            self.operate(version, &["verify", "--wait", &wait], index).await?;
        }
        Ok(())
    }

    /// Makes the read models anew, in the form of that `version`.
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
        let said = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {said}{errors}", arguments[0]);
        Ok(())
    }

    /// Ends everything: the door first, the servers last.
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
    /// Where the test failed, says what each process said last.
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
