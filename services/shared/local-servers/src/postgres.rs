//! A Postgres cluster, whose data is in one folder.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, chown},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use sqlx::{Connection, PgConnection};
use tokio::process::Command;

use crate::{
    Child, Programs, ServerError, StopSignal,
    child::bound_command_as,
    unprivileged::{User, check_reachable, database_user},
};

const SUPERUSER: &str = "almijara";

/// What may be lost in a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    Full,
    /// Everything: for tests, which create their data each time. A killed server still loses nothing.
    None,
}

/// A prepared cluster, which may or may not be running.
#[derive(Clone, Debug)]
pub struct PostgresServer {
    binaries: PathBuf,
    folder: PathBuf,
    port: u16,
    password: String,
    durability: Durability,
    user: Option<User>,
}

impl PostgresServer {
    /// Finds Postgres on this machine, and creates the cluster in `folder` if there is none. `password`
    /// is the password of the superuser, and is set only when the cluster is created.
    pub async fn prepare(
        folder: &Path,
        port: u16,
        password: &str,
        durability: Durability,
    ) -> Result<Self, ServerError> {
        let user = database_user()?;
        check_reachable(folder, user.as_ref())?;
        let server = Self {
            binaries: Programs::postgres_folder()?,
            folder: folder.to_owned(),
            port,
            password: password.to_owned(),
            durability,
            user,
        };
        if !server.data().join("PG_VERSION").exists() {
            server.initialise().await?;
        }
        Ok(server)
    }

    /// Starts the server; [`PostgresServer::wait_ready`] waits until it is ready.
    pub fn start(&self) -> Result<Child, ServerError> {
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.log())
            .map_err(ServerError::io("cannot open the log of Postgres"))?;
        let stderr = log.try_clone().map_err(ServerError::io("cannot share the log"))?;
        let mut command = self.command("postgres");
        command.arg("-D").arg(self.data()).stdout(log).stderr(stderr);
        for setting in self.settings() {
            command.args(["-c", &setting]);
        }
        Child::spawn(command, StopSignal::Interrupt)
    }

    /// Waits until the server answers a query.
    pub async fn wait_ready(&self, limit: Duration) -> Result<(), ServerError> {
        let answer = async {
            loop {
                if let Ok(connection) = self.connect("postgres").await {
                    return Ok(connection.close().await?);
                }
                tokio::time::sleep(Duration::from_millis(25)).await;
            }
        };
        let not_ready = || ServerError::NotReady { server: "postgres", limit, log: self.log() };
        tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| Err(not_ready()))
    }

    /// Connects to `database` as the superuser.
    pub async fn connect(&self, database: &str) -> Result<PgConnection, ServerError> {
        let url = self.url(SUPERUSER, &self.password, database);
        Ok(PgConnection::connect(&url).await?)
    }

    /// Returns the address of `database` for `user`.
    pub fn url(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the address of `database` for the superuser.
    pub fn superuser_url(&self, database: &str) -> String {
        self.url(SUPERUSER, &self.password, database)
    }

    /// Returns the port that the server listens on.
    pub const fn port(&self) -> u16 {
        self.port
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("postgres.log")
    }

    fn command(&self, program: &str) -> Command {
        bound_command_as(self.binaries.join(program), StopSignal::Interrupt, self.user.as_ref())
    }

    fn settings(&self) -> Vec<String> {
        let is_durable = self.durability == Durability::Full;
        let mut settings = vec![
            format!("port={}", self.port),
            "listen_addresses=127.0.0.1".to_owned(),
            "unix_socket_directories=".to_owned(),
            "max_connections=200".to_owned(),
            "shared_buffers=128MB".to_owned(),
            "password_encryption=scram-sha-256".to_owned(),
        ];
        if !is_durable {
            settings.extend(
                [
                    "fsync=off",
                    "full_page_writes=off",
                    "synchronous_commit=off",
                    // Several clusters may be on a developer's disk at once.
                    "max_wal_size=128MB",
                    "min_wal_size=32MB",
                ]
                .map(String::from),
            );
        }
        settings
    }

    async fn initialise(&self) -> Result<(), ServerError> {
        fs::create_dir_all(&self.folder)
            .map_err(ServerError::io(format!("cannot make {}", self.folder.display())))?;
        if let Some(user) = &self.user {
            chown(&self.folder, Some(user.uid), Some(user.gid))
                .map_err(ServerError::io("cannot hand the folder to the database's user"))?;
        }
        let password_file = self.folder.join("password");
        fs::write(&password_file, &self.password)
            .and_then(|()| fs::set_permissions(&password_file, fs::Permissions::from_mode(0o600)))
            .and_then(|()| match &self.user {
                Some(user) => chown(&password_file, Some(user.uid), Some(user.gid)),
                None => Ok(()),
            })
            .map_err(ServerError::io("cannot write the password file"))?;
        let mut command = self.command("initdb");
        command
            .args(["--username", SUPERUSER, "--encoding", "UTF8", "--locale", "C.UTF-8"])
            .args(["--auth", "scram-sha-256", "--pwfile"])
            .arg(&password_file)
            .arg("-D")
            .arg(self.data());
        if self.durability == Durability::None {
            command.arg("--no-sync");
        }
        let output = command
            .current_dir(&self.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .await
            .map_err(ServerError::io("cannot run initdb"))?;
        fs::remove_file(&password_file)
            .map_err(ServerError::io("cannot remove the password file"))?;
        if output.status.success() {
            return Ok(());
        }
        let output = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(ServerError::Failed { program: "initdb", output })
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_server_that_accepts_connections_and_does_not_answer_is_not_ready() {
        let silent = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let server = PostgresServer {
            binaries: PathBuf::new(),
            folder: PathBuf::from("data"),
            port: silent.local_addr().expect("it is bound").port(),
            password: String::new(),
            durability: Durability::None,
            user: None,
        };
        let waited = server.wait_ready(Duration::from_millis(200)).await;
        assert!(matches!(waited, Err(ServerError::NotReady { .. })), "{waited:?}");
    }
}
