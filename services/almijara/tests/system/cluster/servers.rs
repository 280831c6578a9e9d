//! Three NATS servers, and Postgres with a replica, set up with the files of `deploy/`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use anyhow::{Context, Result, ensure};
use local_servers::{
    Child, Durability, PostgresServer, Programs, StopSignal, bound_command, free_port,
};
use sqlx::AssertSqlSafe;
use tokio::process::Command;

use crate::stack::{root, scaled};

pub const NATS: [&str; 3] = ["nats-1", "nats-2", "nats-3"];
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// The ports of the servers.
pub struct Ports {
    pub postgres: u16,
    pub replica: u16,
    pub nats: [u16; 3],
}

impl Ports {
    pub fn free() -> Result<Self> {
        Ok(Self {
            postgres: free_port()?,
            replica: free_port()?,
            nats: [free_port()?, free_port()?, free_port()?],
        })
    }

    pub fn nats_addresses(&self) -> String {
        self.nats.map(|port| format!("127.0.0.1:{port}")).join(",")
    }
}

/// Creates all secrets in `folder`, and the addresses that contain them.
pub async fn make_secrets(folder: &Path, ports: &Ports) -> Result<()> {
    fs::create_dir_all(folder)?;
    // Nothing listens on this port: mails wait.
    fs::write(folder.join("smtp-url"), "smtp://127.0.0.1:1")?;
    let mut command = Command::new(root().join("deploy/secrets.sh"));
    command
        .arg(folder)
        .env("POSTGRES", format!("127.0.0.1:{}", ports.postgres))
        .env("NATS", ports.nats_addresses());
    run_to_success(command).await
}

/// Returns how each NATS server is started, with the files of `deploy/nats` and this machine's ports and
/// folders.
pub fn nats(folder: &Path, secrets: &Path, ports: &Ports) -> Result<Vec<(String, Start)>> {
    let routes = [free_port()?, free_port()?, free_port()?];
    let mut servers = Vec::new();
    for (index, name) in NATS.into_iter().enumerate() {
        let own = folder.join(name);
        fs::create_dir_all(&own)?;
        let deploy = root().join("deploy/nats");
        let read = |file: &str| {
            fs::read_to_string(deploy.join(file)).with_context(|| format!("reading {file}"))
        };
        let server = replaced(
            &read("server.conf")?,
            &[
                ("0.0.0.0:4222", &format!("127.0.0.1:{}", ports.nats[index])),
                ("http: \"127.0.0.1:8222\"", ""),
            ],
        )?;
        let streams = own.join("jetstream");
        let jetstream = replaced(
            &read("jetstream.conf")?,
            &[("/var/lib/nats/jetstream", &streams.to_string_lossy())],
        )?;
        let cluster = replaced(
            &read("cluster.conf")?,
            &[
                ("0.0.0.0:6222", &format!("127.0.0.1:{}", routes[index])),
                ("nats://nats:6222", &format!("nats://127.0.0.1:{}", routes[0])),
                ("nats://nats-2:6222", &format!("nats://127.0.0.1:{}", routes[1])),
                ("nats://nats-3:6222", &format!("nats://127.0.0.1:{}", routes[2])),
            ],
        )?;
        fs::write(own.join("server.conf"), server)?;
        fs::write(own.join("jetstream.conf"), jetstream)?;
        fs::write(own.join("cluster.conf"), cluster)?;
        fs::copy(deploy.join("accounts.conf"), own.join("accounts.conf"))?;
        fs::copy(secrets.join("nats-passwords.conf"), own.join("passwords.conf"))?;
        let start: Start = Box::new(move || {
            let program = Programs::nats_server().map_err(anyhow::Error::msg)?;
            let mut command = bound_command(program, StopSignal::Terminate);
            command.arg("-c").arg(own.join("cluster.conf")).args(["--name", name]);
            command.arg("-l").arg(own.join("../logs").join(name));
            Ok(Child::spawn(command, StopSignal::Terminate)?)
        });
        servers.push((name.to_owned(), start));
    }
    Ok(servers)
}

/// Starts a process; can be called many times.
pub type Start = Box<dyn Fn() -> Result<Child> + Send + Sync>;

/// Returns `text` with `changes` applied. Each text to replace has to occur exactly once.
fn replaced(text: &str, changes: &[(&str, &str)]) -> Result<String> {
    changes.iter().try_fold(text.to_owned(), |text, (from, to)| {
        ensure!(text.matches(from).count() == 1, "{from} does not stand there once");
        Ok(text.replacen(from, to, 1))
    })
}

/// Prepares the primary Postgres.
pub async fn primary_postgres(folder: &Path, secrets: &Path, ports: &Ports) -> Result<Primary> {
    let password = fs::read_to_string(secrets.join("postgres-admin"))?;
    let server = PostgresServer::prepare(
        &folder.join("postgres"),
        ports.postgres,
        &password,
        // Otherwise what was confirmed within the last half second is lost when it is killed.
        Durability::Full,
    )
    .await?;
    Ok(Primary { server, password })
}

pub struct Primary {
    pub server: PostgresServer,
    password: String,
}

impl Primary {
    /// Waits until it runs, and creates its roles and its database, as in production.
    pub async fn create_accounts(&self, folder: &Path, secrets: &Path) -> Result<()> {
        self.server.wait_ready(scaled(ANSWER_TIMEOUT)).await?;
        // A replica starts as a copy with the same settings, and needs another folder for its socket.
        let mut connection = self.server.connect("postgres").await?;
        let sockets = folder.join("postgres-replica");
        let statement =
            format!("alter system set unix_socket_directories = '{}'", sockets.display());
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
        let mut command = Command::new("sh");
        command
            .arg(root().join("deploy/postgres/accounts.sh"))
            .arg(secrets)
            .env("PGHOST", "127.0.0.1")
            .env("PGPORT", self.server.port().to_string())
            .env("PGUSER", "almijara")
            .env("PGPASSWORD", &self.password);
        run_to_success(command).await?;
        let bound = "select setting from pg_file_settings where name = 'max_slot_wal_keep_size'";
        let bound: Option<String> =
            sqlx::query_scalar(bound).fetch_optional(&mut connection).await?;
        ensure!(
            bound.as_deref() == Some("8GB"),
            "the log for a replica that is down has no limit: {bound:?}"
        );
        Ok(())
    }
}

/// Returns how the replica is started, in its own folder.
pub fn replica(folder: &Path, secrets: &Path, ports: &Ports) -> Result<Start> {
    let own = folder.join("postgres-replica");
    let passwords = own.join("passwords");
    fs::create_dir_all(own.join("data"))?;
    fs::create_dir_all(&passwords)?;
    fs::copy(secrets.join("postgres-replica"), passwords.join("postgres-replica"))?;
    let binaries = Programs::postgres().map_err(anyhow::Error::msg)?;
    let binaries = binaries.parent().context("it is in a folder")?.to_owned();
    let user = fs::metadata(folder.join("postgres/data"))?;
    let (uid, gid) =
        (std::os::unix::fs::MetadataExt::uid(&user), std::os::unix::fs::MetadataExt::gid(&user));
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        chown_all(&own, uid, gid)?;
    }
    let (primary, port) = (ports.postgres, ports.replica);
    Ok(Box::new(move || {
        let mut command = Command::new("setpriv");
        if is_root {
            command.args([format!("--reuid={uid}"), format!("--regid={gid}")]);
            command.arg("--clear-groups");
        }
        command.args(["--pdeathsig=INT", "--", "sh"]);
        command.arg(script(&own)?).args(["127.0.0.1", &primary.to_string()]);
        let log = own.join("../logs/postgres-replica");
        let log = fs::File::options().create(true).append(true).open(log)?;
        command
            .current_dir(&own)
            .env("PATH", path_starting_with(&binaries)?)
            .env("PGDATA", own.join("data"))
            .env("PASSWORDS", &passwords)
            .env("LISTEN", "127.0.0.1")
            .env("OWN_PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true);
        Ok(Child::spawn(command, StopSignal::Interrupt)?)
    }))
}

/// Copies `replica.sh` to where its user can read it.
fn script(folder: &Path) -> Result<PathBuf> {
    let copy = folder.join("replica.sh");
    fs::copy(root().join("deploy/postgres/replica.sh"), &copy)?;
    Ok(copy)
}

fn chown_all(folder: &Path, uid: u32, gid: u32) -> Result<()> {
    std::os::unix::fs::chown(folder, Some(uid), Some(gid))?;
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_type()?.is_dir() {
            chown_all(&entry.path(), uid, gid)?;
        } else {
            std::os::unix::fs::chown(entry.path(), Some(uid), Some(gid))?;
        }
    }
    Ok(())
}

fn path_starting_with(folder: &Path) -> Result<std::ffi::OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    Ok(std::env::join_paths(folders)?)
}

async fn run_to_success(mut command: Command) -> Result<()> {
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}
