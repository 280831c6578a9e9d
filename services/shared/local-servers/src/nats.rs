//! A NATS server with JetStream in a folder.

use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::{Child, Programs, ServerError, StopSignal, bound_command};

/// What the streams may take together, in bytes. Said rather than left to the server, which would
/// take three quarters of what the disk has free when it starts, and refuse a stream that reserves
/// more: whether the house can be started would hang on that hour's disk.
const STORE_LIMIT: u64 = 10 << 30;

/// Somebody who may connect, and what to.
#[derive(Clone, Debug)]
pub struct NatsUser {
    /// Name.
    pub name: String,
    /// Password.
    pub password: String,
    /// The subjects that they may publish to.
    pub publish: Vec<String>,
    /// The subjects that they may subscribe to.
    pub subscribe: Vec<String>,
}

impl NatsUser {
    /// A user who may do anything.
    pub fn all(name: &str, password: &str) -> Self {
        let everything = vec![">".to_owned()];
        Self {
            name: name.to_owned(),
            password: password.to_owned(),
            publish: everything.clone(),
            subscribe: everything,
        }
    }
}

/// A server, prepared but perhaps not running.
#[derive(Clone, Debug)]
pub struct NatsServer {
    binary: PathBuf,
    folder: PathBuf,
    port: u16,
    users: Vec<NatsUser>,
}

impl NatsServer {
    /// Finds the server on this machine and writes its configuration to `folder`.
    pub fn prepare(folder: &Path, port: u16, users: Vec<NatsUser>) -> Result<Self, ServerError> {
        let server = Self { binary: Programs::nats()?, folder: folder.to_owned(), port, users };
        fs::create_dir_all(folder)
            .map_err(ServerError::io(format!("cannot make {}", folder.display())))?;
        let configuration = server.configuration_file();
        fs::write(&configuration, server.configuration())
            .and_then(|()| fs::set_permissions(&configuration, fs::Permissions::from_mode(0o600)))
            .map_err(ServerError::io("cannot write the configuration of NATS"))?;
        Ok(server)
    }

    /// Starts the server; [`NatsServer::wait_ready`] says when it answers.
    pub fn start(&self) -> Result<Child, ServerError> {
        let mut command = bound_command(&self.binary, StopSignal::Terminate);
        command.arg("-c").arg(self.configuration_file()).arg("-l").arg(self.log());
        Child::spawn(command, StopSignal::Terminate)
    }

    /// Waits until the server takes connections.
    pub async fn wait_ready(&self, limit: Duration) -> Result<(), ServerError> {
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Err(ServerError::NotReady { server: "nats-server", limit, log: self.log() })
    }

    /// The server's address for the user `name`.
    pub fn url(&self, name: &str) -> Option<String> {
        let user = self.users.iter().find(|user| user.name == name)?;
        Some(format!("nats://{}:{}@127.0.0.1:{}", user.name, user.password, self.port))
    }

    /// The folder of the streams, for tests that lose it.
    pub fn store(&self) -> PathBuf {
        self.folder.join("jetstream")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("nats.log")
    }

    fn configuration_file(&self) -> PathBuf {
        self.folder.join("nats.conf")
    }

    fn configuration(&self) -> String {
        let mut users = String::new();
        for user in &self.users {
            // Debug's quoting of these plain words is JSON's, which the configuration takes.
            let _infallible = writeln!(
                users,
                "  {{ user: {:?}, password: {:?}, permissions: {{ publish: {:?}, subscribe: {:?} }} }}",
                user.name, user.password, user.publish, user.subscribe
            );
        }
        format!(
            "listen: \"127.0.0.1:{}\"\nmax_payload: 4MB\n\
             jetstream {{ store_dir: {:?}, max_file_store: {STORE_LIMIT} }}\n\
             authorization {{ users: [\n{users}] }}\n",
            self.port,
            self.store().to_string_lossy(),
        )
    }
}
