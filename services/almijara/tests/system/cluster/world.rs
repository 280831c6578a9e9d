//! Every process of the cluster.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use local_servers::{Child, Programs, StopSignal, bound_command, free_port};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::process::Command;

use super::{
    forward::Service,
    servers::{self, Ports, Start},
};
use crate::stack::{self, root};

/// How long one process may take to be ready, on a slow machine that starts many.
const READY_LIMIT: Duration = Duration::from_mins(3);
const STOP_LIMIT: Duration = Duration::from_secs(40);
/// Where a package has the renderer and its build.
const PACKAGED_FRONTEND: &str = "usr/share/almijara/frontend";
/// What is printed of each log when the test fails.
const LAST_LINES: usize = 40;

pub struct World {
    folder: TempDir,
    content: TempDir,
    client: reqwest::Client,
    door: u16,
    programs: BTreeMap<String, Program>,
    operator: Vec<(&'static str, String)>,
    indexes: Vec<PathBuf>,
    failed: bool,
    /// The version before: its unpacked package.
    before: Option<PathBuf>,
    /// What leads to the processes; dropped with them.
    names: Option<Names>,
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
    /// Where it tells that it is ready.
    ready: Option<String>,
}

/// Where roles find each other.
struct Names {
    content: u16,
    sync: Pair,
    query: Pair,
    command: Pair,
    renderer: Pair,
    sites: [u16; 2],
    /// Leads to the replica and, while that is away, to the first Postgres.
    reading: Service,
}

impl Names {
    fn content_url(&self) -> String {
        format!("http://127.0.0.1:{}", self.content)
    }
}

/// A role that there are two of: where they listen, and the name that leads to both.
struct Pair {
    ports: [u16; 2],
    service: Service,
}

impl Pair {
    async fn new() -> Result<Self> {
        let ports = [free_port()?, free_port()?];
        Ok(Self { ports, service: Service::turn_by_turn(ports.to_vec()).await? })
    }
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
        let content = stack::copy_of_the_content()?;
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
        for (name, start) in servers::nats(self.folder.path(), secrets, ports)? {
            self.run(&name, start, None, None)?;
        }
        let first = servers::first_postgres(self.folder.path(), secrets, ports).await?;
        let server = first.server.clone();
        self.run("postgres", Box::new(move || Ok(server.start()?)), None, None)?;
        first.make_accounts(self.folder.path(), secrets).await?;
        let replica = servers::replica(self.folder.path(), secrets, ports)?;
        self.run("postgres-replica", replica, None, None)
    }

    async fn start_roles(&mut self, secrets: &Path, ports: &Ports) -> Result<()> {
        let names = Names {
            content: free_port()?,
            sync: Pair::new().await?,
            query: Pair::new().await?,
            command: Pair::new().await?,
            renderer: Pair::new().await?,
            sites: [free_port()?, free_port()?],
            reading: Service::first_of(vec![ports.replica, ports.postgres]).await?,
        };
        self.start_publishing(secrets, &names)?;
        let read = fs::read_to_string(secrets.join("query-database-url"))?
            .replace(&format!(":{}/", ports.postgres), &format!(":{}/", names.reading.port));
        for number in [1, 2] {
            self.start_answering(secrets, &names, number, &read)?;
            self.start_showing(secrets, &names, number)?;
        }
        self.caddy(names.sites)?;
        let operator = [
            ("SYNC_DATABASE_URL", "sync-database-url"),
            ("PROJECTIONS_DATABASE_URL", "projections-database-url"),
            ("PROJECTIONS_NATS_URL", "projections-nats-url"),
            ("COMMAND_DATABASE_URL", "command-database-url"),
            ("CONTENT_TOKEN", "content-token"),
        ];
        for (name, file) in operator {
            self.operator.push((name, fs::read_to_string(secrets.join(file))?));
        }
        self.operator.push(("CONTENT_URL", names.content_url()));
        self.operator.push(("ENQUIRY_ITEMS", "false".to_owned()));
        self.names = Some(names);
        Ok(())
    }

    /// Starts the content service, and two of each role between it and the read models.
    fn start_publishing(&mut self, secrets: &Path, names: &Names) -> Result<()> {
        let webhook = format!("{}/webhooks/content", names.sync.service.url());
        let content = vec![
            ("CONTENT_DIR", self.content.path().display().to_string()),
            ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
            ("WEBHOOK_URL", webhook),
            ("WEBHOOK_SECRET_FILE", file(secrets, "webhook-secret")),
            ("PORT", names.content.to_string()),
        ];
        self.role("content-pack", "content", content)?;
        for (number, port) in (1..).zip(names.sync.ports) {
            let own = vec![
                ("CONTENT_URL", names.content_url()),
                ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
                ("WEBHOOK_SECRET_FILE", file(secrets, "webhook-secret")),
                ("ADMIN_TOKEN_FILE", file(secrets, "sync-admin-token")),
                ("PORT", port.to_string()),
            ];
            self.role("sync", &format!("sync-{number}"), with(servers_of(secrets, "sync"), own))?;
            let name = format!("projections-{number}");
            self.role("projections", &name, servers_of(secrets, "projections"))?;
        }
        Ok(())
    }

    /// Starts the query node and the write side of that `number`; `read` is the address of Postgres for
    /// who only reads.
    fn start_answering(
        &mut self,
        secrets: &Path,
        names: &Names,
        number: usize,
        read: &str,
    ) -> Result<()> {
        let data = self.data_of(&format!("query-{number}"))?;
        let query = vec![
            ("DATABASE_URL", read.to_owned()),
            ("NATS_URL_FILE", file(secrets, "query-nats-url")),
            ("DATA_DIR", data.display().to_string()),
            ("PUBLIC_URL", self.url("")),
            ("PORT", names.query.ports[number - 1].to_string()),
        ];
        self.indexes.push(data);
        self.role("query", &format!("query-{number}"), query)?;
        let command = vec![
            ("QUERY_URL", names.query.service.url()),
            ("PUBLIC_URL", self.url("")),
            ("SMTP_URL_FILE", file(secrets, "smtp-url")),
            ("MAIL_FROM", "Almijara Homes <homes@almijara.example>".to_owned()),
            ("OFFICE_EMAIL", "office@almijara.example".to_owned()),
            ("PORT", names.command.ports[number - 1].to_string()),
        ];
        let environment = with(servers_of(secrets, "command"), command);
        self.role("command", &format!("command-{number}"), environment)
    }

    /// Starts the renderer and the site of that `number`.
    fn start_showing(&mut self, secrets: &Path, names: &Names, number: usize) -> Result<()> {
        let public = vec![
            ("QUERY_URL", names.query.service.url()),
            ("COMMAND_URL", names.command.service.url()),
            ("PUBLIC_URL", self.url("")),
        ];
        let frontend = root().join("frontend");
        self.renderer(&frontend, names.renderer.ports[number - 1], number, &public)?;
        let data = self.data_of(&format!("site-{number}"))?;
        let site = vec![
            ("RENDERER_URL", names.renderer.service.url()),
            ("ASSETS_DIR", frontend.join("build/client").display().to_string()),
            ("DATA_DIR", data.display().to_string()),
            ("CONTENT_URL", names.content_url()),
            ("CONTENT_TOKEN_FILE", file(secrets, "content-token")),
            ("TRUSTED_PROXIES", "1".to_owned()),
            ("RATE_LIMIT", "0".to_owned()),
            ("PORT", names.sites[number - 1].to_string()),
        ];
        self.role("site", &format!("site-{number}"), with(public, site))
    }

    /// Starts `role` as `name`.
    fn role(&mut self, role: &str, name: &str, environment: Environment) -> Result<()> {
        let health = free_port()?;
        let arguments = vec![role.to_owned()];
        let environment = with(
            environment,
            vec![("HOST", "127.0.0.1".to_owned()), ("HEALTH_PORT", health.to_string())],
        );
        let before = self.before.as_ref().filter(|_| role != "content-pack").map(|package| {
            let environment = in_package(package, &environment);
            let program = self.almijara(Version::Before);
            self.program(name, program, arguments.clone(), environment)
        });
        let start = self.program(name, self.almijara(Version::Today), arguments, environment);
        let ready = Some(format!("http://127.0.0.1:{health}/readyz"));
        self.run(name, start, before, ready)
    }

    fn renderer(
        &mut self,
        frontend: &Path,
        port: u16,
        number: usize,
        public: &Environment,
    ) -> Result<()> {
        let name = format!("renderer-{number}");
        let environment = with(
            public.clone(),
            vec![
                ("NODE_ENV", "production".to_owned()),
                ("RENDERERS", "1".to_owned()),
                ("HOST", "127.0.0.1".to_owned()),
                ("PORT", port.to_string()),
            ],
        );
        let server = |frontend: &Path| vec![frontend.join("server.js").display().to_string()];
        let before = self.before.as_ref().map(|package| {
            let node = package.join("usr/lib/almijara/node");
            let server = server(&package.join(PACKAGED_FRONTEND));
            self.program(&name, node, server, environment.clone())
        });
        let node = frontend.join("node_modules/node/bin/node");
        let start = self.program(&name, node, server(frontend), environment);
        let ready = Some(format!("http://127.0.0.1:{port}/healthz"));
        self.run(&name, start, before, ready)
    }

    /// Starts Caddy before both sites, by the file of production.
    fn caddy(&mut self, sites: [u16; 2]) -> Result<()> {
        let program = Programs::on_path("caddy")
            .or_else(|| {
                Some(root().join("target/caddy/usr/bin/caddy")).filter(|file| file.exists())
            })
            .context("caddy is not installed; deploy/prerequisites.sh test fetches it")?;
        let data = self.data_of("caddy")?.display().to_string();
        let configuration = root().join("deploy/caddy/Caddyfile").display().to_string();
        let arguments = ["run", "--adapter", "caddyfile", "--config", &configuration];
        let start = self.program(
            "caddy",
            program,
            arguments.map(str::to_owned).to_vec(),
            vec![
                ("SITE_HOST", self.url("")),
                ("SITE_UPSTREAMS", sites.map(|port| format!("127.0.0.1:{port}")).join(" ")),
                ("STUDIO_HOST", format!("http://studio.localhost:{}", self.door)),
                ("CADDY_ADMIN", format!("127.0.0.1:{}", free_port()?)),
                ("HOME", data.clone()),
                ("XDG_DATA_HOME", data.clone()),
                ("XDG_CONFIG_HOME", data),
            ],
        );
        self.run("caddy", start, None, None)
    }

    /// How `program` is started, with what it prints in a log of its own.
    fn program(
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

    fn run(
        &mut self,
        name: &str,
        start: Start,
        before: Option<Start>,
        ready: Option<String>,
    ) -> Result<()> {
        let child = Some(before.as_ref().unwrap_or(&start)()?);
        self.programs.insert(name.to_owned(), Program { start, before, child, ready });
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

    /// Starts `name` again, as systemd and Kubernetes do.
    pub async fn bring_back(&mut self, name: &str) -> Result<()> {
        let program =
            self.programs.get_mut(name).with_context(|| format!("{name} is not there"))?;
        let began = Instant::now();
        loop {
            let mut child = (program.start)()?;
            // A Postgres refuses to start while processes of the one before it are there.
            tokio::select! {
                ended = child.wait() => {
                    ensure!(began.elapsed() < READY_LIMIT, "{name} ends at once: {}", ended?);
                }
                () = tokio::time::sleep(Duration::from_secs(1)) => {
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
        let Some(url) = &program.ready else { return Ok(()) };
        let began = Instant::now();
        loop {
            let said = match self.client.get(url).send().await {
                Ok(response) if response.status().is_success() => return Ok(()),
                Ok(response) => response.text().await.unwrap_or_default(),
                Err(error) => runtime::error_text(&error),
            };
            ensure!(began.elapsed() < READY_LIMIT, "{name} is not ready: {said}");
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
        for index in &self.indexes {
            self.operate(version, &["verify", "--wait", "180"], index).await?;
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

    fn almijara(&self, version: Version) -> PathBuf {
        match (version, &self.before) {
            (Version::Before, Some(package)) => package.join("usr/bin/almijara"),
            _ => PathBuf::from(env!("CARGO_BIN_EXE_almijara")),
        }
    }

    fn data_of(&self, name: &str) -> Result<PathBuf> {
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

type Environment = Vec<(&'static str, String)>;

/// `environment` of a role that runs from an unpacked package, with the files that are in there.
fn in_package(package: &Path, environment: &Environment) -> Environment {
    let mut environment = environment.clone();
    for (_, value) in environment.iter_mut().filter(|(name, _)| *name == "ASSETS_DIR") {
        *value = package.join(PACKAGED_FRONTEND).join("build/client").display().to_string();
    }
    environment
}

fn with(mut environment: Environment, more: Environment) -> Environment {
    environment.extend(more);
    environment
}

/// The file of a secret.
fn file(secrets: &Path, name: &str) -> String {
    secrets.join(name).display().to_string()
}

/// What tells `role` of its servers.
fn servers_of(secrets: &Path, role: &str) -> Environment {
    vec![
        ("DATABASE_URL_FILE", file(secrets, &format!("{role}-database-url"))),
        ("NATS_URL_FILE", file(secrets, &format!("{role}-nats-url"))),
        ("STREAM_REPLICAS", "3".to_owned()),
    ]
}
