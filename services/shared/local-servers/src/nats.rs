//! A NATS server with JetStream, whose data is in one folder.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tokio::net::TcpStream;

use crate::{Child, Programs, ServerError, StopSignal, bound_command};

/// The maximum size of all streams together, in bytes. By default the server takes three quarters of the
/// free disk space at its start, and refuses streams that reserve more; so whether `almijara up` works
/// would depend on the free space at that moment.
const STORE_LIMIT: u64 = 10 << 30;
/// The file with the passwords, next to the configuration, which includes it.
const PASSWORDS_FILE: &str = "passwords.conf";

/// The users that may connect, and their permissions.
#[derive(Clone)]
pub struct NatsAccounts {
    passwords: BTreeMap<String, String>,
    configuration: String,
}

impl NatsAccounts {
    /// Creates accounts from `configuration`, in the format of NATS. It has to include `passwords.conf`,
    /// which is generated from `passwords`, by user name: the password of `almijara_sync` is in the
    /// variable `ALMIJARA_SYNC_PASSWORD`.
    pub fn new(passwords: BTreeMap<String, String>, configuration: &str) -> Self {
        Self { passwords, configuration: configuration.to_owned() }
    }

    /// Creates a single user with all permissions.
    pub fn single_user(name: &str, password: &str) -> Self {
        let passwords = BTreeMap::from([(name.to_owned(), password.to_owned())]);
        let variable = variable(name);
        let users = format!("users: [{{ user: {name:?}, password: ${variable} }}]");
        Self {
            passwords,
            configuration: format!("include \"{PASSWORDS_FILE}\"\nauthorization {{ {users} }}\n"),
        }
    }
}

impl std::fmt::Debug for NatsAccounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.passwords.keys()).finish()
    }
}

fn variable(user: &str) -> String {
    format!("{}_PASSWORD", user.to_uppercase())
}

/// A prepared server, which may or may not be running.
#[derive(Clone, Debug)]
pub struct NatsServer {
    binary: PathBuf,
    folder: PathBuf,
    port: u16,
    accounts: NatsAccounts,
}

impl NatsServer {
    /// Finds the server on this machine and writes its configuration to `folder`.
    pub fn prepare(folder: &Path, port: u16, accounts: NatsAccounts) -> Result<Self, ServerError> {
        let server = Self { binary: Programs::nats()?, folder: folder.to_owned(), port, accounts };
        fs::create_dir_all(folder)
            .map_err(ServerError::io(format!("cannot make {}", folder.display())))?;
        let files = [
            (server.configuration_file(), server.configuration()),
            (folder.join(PASSWORDS_FILE), server.passwords()),
        ];
        for (file, text) in files {
            fs::write(&file, text)
                .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o600)))
                .map_err(ServerError::io("cannot write the configuration of NATS"))?;
        }
        Ok(server)
    }

    /// Starts the server; [`NatsServer::wait_ready`] waits until it is ready.
    pub fn start(&self) -> Result<Child, ServerError> {
        let mut command = bound_command(&self.binary, StopSignal::Terminate);
        command.arg("-c").arg(self.configuration_file()).arg("-l").arg(self.log());
        Child::spawn(command, StopSignal::Terminate)
    }

    /// Waits until the server accepts connections.
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

    /// Returns the server's address for the user `name`.
    pub fn url(&self, name: &str) -> Option<String> {
        let password = self.accounts.passwords.get(name)?;
        Some(format!("nats://{name}:{password}@127.0.0.1:{}", self.port))
    }

    /// Returns the folder of the streams, for tests that delete it.
    pub fn store(&self) -> PathBuf {
        self.folder.join("jetstream")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("nats.log")
    }

    fn configuration_file(&self) -> PathBuf {
        self.folder.join("nats.conf")
    }

    fn passwords(&self) -> String {
        let mut text = String::new();
        for (user, password) in &self.accounts.passwords {
            // For these plain words, Debug quotes like JSON, which the configuration accepts.
            let _infallible = writeln!(text, "{}: {password:?}", variable(user));
        }
        text
    }

    fn configuration(&self) -> String {
        format!(
            "listen: \"127.0.0.1:{}\"\nmax_payload: 4MB\n\
             jetstream {{ store_dir: {:?}, max_file_store: {STORE_LIMIT} }}\n{}",
            self.port,
            self.store().to_string_lossy(),
            self.accounts.configuration,
        )
    }
}
