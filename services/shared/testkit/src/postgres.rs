//! One Postgres cluster for the whole test binary.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use local_servers::{Child, Durability, PostgresServer, free_port};
use secrecy::SecretString;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, PgPool};
use tempfile::TempDir;
use tokio::sync::{Mutex, OnceCell};

use crate::keeper::on_keeper;

const START_LIMIT: Duration = Duration::from_secs(90);
const START_PAUSE: Duration = Duration::from_millis(200);
const PASSWORD: &str = "for-tests-only";
const FOLDER_PREFIX: &str = "almijara-postgres-";

/// A running cluster.
#[derive(Debug)]
pub struct Postgres {
    server: PostgresServer,
    child: Mutex<Child>,
    _folder: TempDir,
}

/// The cluster of this test binary, started on first use.
pub async fn postgres() -> &'static Postgres {
    static CLUSTER: OnceCell<Postgres> = OnceCell::const_new();
    CLUSTER.get_or_init(Postgres::start).await
}

impl Postgres {
    /// A cluster of the test's own, for tests that kill it.
    pub async fn start() -> Self {
        on_keeper(async {
            // Under /tmp rather than the build folder: the database's user must reach it.
            remove_abandoned();
            let prefix = format!("{FOLDER_PREFIX}{}-", std::process::id());
            let folder = TempDir::with_prefix(prefix).expect("a temporary folder");
            open_to_others(&folder);
            let port = free_port().expect("a free port");
            let server = PostgresServer::prepare(folder.path(), port, PASSWORD, Durability::None)
                .await
                .expect("a cluster can be made");
            let child = server.start().expect("postgres starts");
            server.wait_ready(START_LIMIT).await.expect("postgres answers");
            Self { server, child: Mutex::new(child), _folder: folder }
        })
        .await
    }

    /// A new empty database; `name` makes it findable, a number makes it the caller's own.
    pub async fn database(&self, name: &str) -> Database {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("{name}_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let mut connection = self.server.connect("postgres").await.expect("postgres answers");
        connection
            .execute(AssertSqlSafe(format!("create database \"{name}\"")))
            .await
            .expect("the database is new");
        connection.close().await.expect("the connection closes");
        Database { url: self.server.superuser_url(&name), name, port: self.server.port() }
    }

    /// Kills the server (SIGKILL).
    pub async fn kill(&'static self) {
        on_keeper(async { self.child.lock().await.kill().await.expect("postgres can be killed") })
            .await;
    }

    /// Freezes it (SIGSTOP) until [`Postgres::thaw`]: connections stay, and nothing answers.
    pub async fn freeze(&self) {
        self.child.lock().await.freeze();
    }

    /// Lets it go on after [`Postgres::freeze`].
    pub async fn thaw(&self) {
        self.child.lock().await.thaw();
    }

    /// Starts it again after [`Postgres::kill`].
    ///
    /// A server refuses to start while a process of the killed one holds the memory that they
    /// shared: it is then started once more.
    pub async fn restart(&'static self) {
        on_keeper(async {
            let mut child = self.child.lock().await;
            let deadline = Instant::now() + START_LIMIT;
            while Instant::now() < deadline {
                *child = self.server.start().expect("postgres starts again");
                tokio::select! {
                    ready = self.server.wait_ready(START_LIMIT) => {
                        return ready.expect("postgres answers again");
                    }
                    _ended = child.wait() => tokio::time::sleep(START_PAUSE).await,
                }
            }
            panic!("postgres refuses to start again");
        })
        .await;
    }
}

/// Removes the clusters of test binaries that have ended: a static is never dropped, so each leaves
/// its folder behind, though not its server. A cluster whose server alone has ended is some test's,
/// which is about to start it again.
fn remove_abandoned() {
    let folders = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for folder in folders {
        let name = folder.file_name();
        let made_by =
            name.to_str().and_then(|name| name.strip_prefix(FOLDER_PREFIX)?.split('-').next());
        let Some(made_by) = made_by.and_then(|pid| pid.parse::<u32>().ok()) else { continue };
        if !std::path::Path::new("/proc").join(made_by.to_string()).exists() {
            // Another test binary may be removing it too.
            let _gone = std::fs::remove_dir_all(folder.path());
        }
    }
}

fn open_to_others(folder: &TempDir) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
        .expect("the folder is ours");
}

/// What a database held once.
#[derive(Clone, Debug)]
pub struct DatabaseCopy {
    name: String,
}

/// A database of one test.
#[derive(Clone, Debug)]
pub struct Database {
    url: String,
    name: String,
    port: u16,
}

impl Database {
    /// Its address, for the superuser.
    pub fn url(&self) -> SecretString {
        self.url.clone().into()
    }

    /// Its address as plain text.
    pub fn plain_url(&self) -> &str {
        &self.url
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The port of its server, on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The superuser's name and password, for programs that take them apart.
    pub const fn credentials(&self) -> (&'static str, &'static str) {
        ("almijara", PASSWORD)
    }

    /// Copies it as it is. Whoever is connected to it is cut off.
    pub async fn copy(&self) -> DatabaseCopy {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let copy = DatabaseCopy { name: format!("{}_copy_{number}", self.name) };
        self.make_from(&self.name, &copy.name).await;
        copy
    }

    /// Puts `copy` in its place. Whoever is connected to it is cut off.
    pub async fn restore(&self, copy: &DatabaseCopy) {
        let mut postgres = self.maintenance().await;
        let drop = format!("drop database \"{}\" with (force)", self.name);
        postgres.execute(AssertSqlSafe(drop)).await.expect("the database is ours");
        self.make_from(&copy.name, &self.name).await;
    }

    /// Removes it before the test binary's end, for tests that make many: each takes some 8 MB.
    pub async fn remove(self) {
        let drop = format!("drop database \"{}\" with (force)", self.name);
        self.maintenance().await.execute(AssertSqlSafe(drop)).await.expect("the database is ours");
    }

    /// Has it be read only, or take writes again. Whoever is connected to it is cut off, and meets that
    /// when coming back.
    pub async fn only_reads(&self, on: bool) {
        let setting = "default_transaction_read_only";
        let change = if on { format!("set {setting} = on") } else { format!("reset {setting}") };
        let alter = format!("alter database \"{}\" {change}", self.name);
        let mut postgres = self.maintenance().await;
        postgres.execute(AssertSqlSafe(alter)).await.expect("the database is ours");
        cut_off(&mut postgres, &self.name).await;
    }

    async fn make_from(&self, template: &str, name: &str) {
        let mut postgres = self.maintenance().await;
        let make = format!("create database \"{name}\" template \"{template}\"");
        let deadline = Instant::now() + START_LIMIT;
        loop {
            // A role that is connected comes back at once: the copy is tried until it is quicker.
            cut_off(&mut postgres, template).await;
            match postgres.execute(AssertSqlSafe(make.clone())).await {
                Ok(_) => return,
                Err(error) => assert!(Instant::now() < deadline, "no copy of {template}: {error}"),
            }
        }
    }

    async fn maintenance(&self) -> PgConnection {
        let url = self.url.replace(&format!("/{}", self.name), "/postgres");
        PgConnection::connect(&url).await.expect("postgres answers")
    }

    /// A pool with the limits that roles have, but for one: a test holds what it holds for as long as a
    /// slow machine takes.
    pub fn pool(&self) -> PgPool {
        let pool = runtime::postgres::connect(&self.url(), "test", 10)
            .expect("the address is well formed");
        let options = (*pool.connect_options()).clone();
        pool.set_connect_options(options.options([("idle_in_transaction_session_timeout", "0")]));
        pool
    }
}

/// Ends the connections to the database of this `name`.
async fn cut_off(postgres: &mut PgConnection, name: &str) {
    let cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
    sqlx::query(cut).bind(name).execute(postgres).await.expect("postgres answers");
}
