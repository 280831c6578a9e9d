//! A Postgres cluster that is shared by all tests of a binary.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use local_servers::{Child, Durability, PostgresServer, free_port};
use secrecy::SecretString;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, PgPool};
use tempfile::TempDir;
use tokio::sync::{Mutex, OnceCell};

use crate::server_thread::on_server_thread;

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

/// Returns the cluster of this test binary, which is started on first use.
pub async fn postgres() -> &'static Postgres {
    static CLUSTER: OnceCell<Postgres> = OnceCell::const_new();
    CLUSTER.get_or_init(Postgres::start).await
}

impl Postgres {
    /// Starts a separate cluster, for a test that kills it.
    pub async fn start() -> Self {
        on_server_thread(async {
            // Under /tmp rather than in the build folder, since the user of Postgres must be able to
            // enter it.
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

    /// Creates an empty database. A number after `name` makes it unique.
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
        on_server_thread(async {
            self.child.lock().await.kill().await.expect("postgres can be killed");
        })
        .await;
    }

    /// Suspends it (SIGSTOP) until [`Postgres::thaw`]: connections stay open, but nothing responds.
    pub async fn freeze(&self) {
        self.child.lock().await.freeze();
    }

    /// Resumes it after [`Postgres::freeze`].
    pub async fn thaw(&self) {
        self.child.lock().await.thaw();
    }

    /// Starts it again after [`Postgres::kill`].
    ///
    /// A server refuses to start while a process of the killed one still holds their shared memory; then
    /// the start is retried.
    pub async fn restart(&'static self) {
        on_server_thread(async {
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

/// Deletes the folders of test binaries that have ended. A static is never dropped, so each binary
/// leaves its folder behind, although its server has ended. Checks the binary and not the server, since
/// a running test may have killed its server to restart it.
fn remove_abandoned() {
    let folders = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for folder in folders {
        let name = folder.file_name();
        let creator =
            name.to_str().and_then(|name| name.strip_prefix(FOLDER_PREFIX)?.split('-').next());
        let Some(creator) = creator.and_then(|pid| pid.parse::<u32>().ok()) else { continue };
        if !std::path::Path::new("/proc").join(creator.to_string()).exists() {
            // An error means only that another test binary has deleted it too.
            let _already_deleted = std::fs::remove_dir_all(folder.path());
        }
    }
}

fn open_to_others(folder: &TempDir) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))
        .expect("the folder is ours");
}

/// A copy of a database.
#[derive(Clone, Debug)]
pub struct DatabaseCopy {
    name: String,
}

/// The database of one test.
#[derive(Clone, Debug)]
pub struct Database {
    url: String,
    name: String,
    port: u16,
}

impl Database {
    /// Returns its address, for the superuser.
    pub fn url(&self) -> SecretString {
        self.url.clone().into()
    }

    /// Returns its address as plain text.
    pub fn plain_url(&self) -> &str {
        &self.url
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the port of its server, on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns the superuser's name and password, for programs that take them separately.
    pub const fn credentials(&self) -> (&'static str, &'static str) {
        ("almijara", PASSWORD)
    }

    /// Copies it. Its connections are terminated.
    pub async fn copy(&self) -> DatabaseCopy {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let copy = DatabaseCopy { name: format!("{}_copy_{number}", self.name) };
        self.create_from(&self.name, &copy.name).await;
        copy
    }

    /// Replaces it by `copy`. Its connections are terminated.
    pub async fn restore(&self, copy: &DatabaseCopy) {
        let mut postgres = self.maintenance().await;
        let drop = format!("drop database \"{}\" with (force)", self.name);
        postgres.execute(AssertSqlSafe(drop)).await.expect("the database is ours");
        self.create_from(&copy.name, &self.name).await;
    }

    /// Drops it before the test binary ends, for tests that create many: each takes about 8 MB.
    pub async fn remove(self) {
        let drop = format!("drop database \"{}\" with (force)", self.name);
        self.maintenance().await.execute(AssertSqlSafe(drop)).await.expect("the database is ours");
    }

    /// Makes it read-only, or writable again. Its connections are terminated, so that the setting
    /// applies when clients reconnect.
    pub async fn set_read_only(&self, on: bool) {
        let setting = "default_transaction_read_only";
        let change = if on { format!("set {setting} = on") } else { format!("reset {setting}") };
        let alter = format!("alter database \"{}\" {change}", self.name);
        let mut postgres = self.maintenance().await;
        postgres.execute(AssertSqlSafe(alter)).await.expect("the database is ours");
        terminate_connections(&mut postgres, &self.name).await;
    }

    async fn create_from(&self, template: &str, name: &str) {
        let mut postgres = self.maintenance().await;
        let create = format!("create database \"{name}\" template \"{template}\"");
        let deadline = Instant::now() + START_LIMIT;
        loop {
            // A connected role reconnects at once, which prevents the copy. So this retries until it is
            // faster.
            terminate_connections(&mut postgres, template).await;
            match postgres.execute(AssertSqlSafe(create.clone())).await {
                Ok(_) => return,
                Err(error) => assert!(Instant::now() < deadline, "no copy of {template}: {error}"),
            }
        }
    }

    async fn maintenance(&self) -> PgConnection {
        let url = self.url.replace(&format!("/{}", self.name), "/postgres");
        PgConnection::connect(&url).await.expect("postgres answers")
    }

    /// Returns a pool with the timeouts of the roles, except the one for idle transactions: on a slow
    /// machine a test may hold a transaction for longer.
    pub fn pool(&self) -> PgPool {
        let pool = runtime::postgres::connect(&self.url(), "test", 10)
            .expect("the address is well formed");
        let options = (*pool.connect_options()).clone();
        pool.set_connect_options(options.options([("idle_in_transaction_session_timeout", "0")]));
        pool
    }
}

/// Terminates the connections to the database `name`.
async fn terminate_connections(postgres: &mut PgConnection, name: &str) {
    let sql = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
    sqlx::query(sql).bind(name).execute(postgres).await.expect("postgres answers");
}
