//! A NATS server with JetStream for one test.

use std::{path::Path, time::Duration};

use local_servers::{Child, NatsAccounts, NatsServer, free_port};
use secrecy::SecretString;
use tempfile::TempDir;

use crate::server_thread::on_server_thread;

const START_LIMIT: Duration = Duration::from_secs(30);
const USER: &str = "test";

/// A running server. It ends when this is dropped.
#[derive(Debug)]
pub struct Nats {
    server: NatsServer,
    child: Option<Child>,
    _folder: TempDir,
}

/// A copy of the stored data of a server.
#[derive(Debug)]
pub struct StoreCopy(TempDir);

impl Nats {
    /// Starts a server on a free port.
    pub async fn start() -> Self {
        let accounts = NatsAccounts::single_user(USER, "for-tests-only");
        on_server_thread(async {
            let folder = TempDir::with_prefix("almijara-nats-").expect("a temporary folder");
            let port = free_port().expect("a free port");
            let server =
                NatsServer::prepare(folder.path(), port, accounts).expect("a server can be made");
            let child = server.start().expect("nats-server starts");
            server.wait_ready(START_LIMIT).await.expect("nats-server answers");
            Self { server, child: Some(child), _folder: folder }
        })
        .await
    }

    /// Returns its address.
    pub fn url(&self) -> SecretString {
        self.server.url(USER).expect("the user was given at the start").into()
    }

    /// Kills it (SIGKILL).
    pub async fn kill(&mut self) {
        let mut child = self.child.take().expect("nats-server runs");
        on_server_thread(async move { child.kill().await.expect("nats-server can be killed") })
            .await;
    }

    /// Starts it again after [`Nats::kill`].
    pub async fn restart(&mut self) {
        let server = self.server.clone();
        let child = on_server_thread(async move {
            let child = server.start().expect("nats-server starts again");
            server.wait_ready(START_LIMIT).await.expect("nats-server answers again");
            child
        })
        .await;
        self.child = Some(child);
    }

    /// Suspends it (SIGSTOP) until [`Nats::thaw`]: connections stay open, but nothing responds.
    pub fn freeze(&self) {
        self.child.as_ref().expect("nats-server runs").freeze();
    }

    /// Resumes it after [`Nats::freeze`].
    pub fn thaw(&self) {
        self.child.as_ref().expect("nats-server runs").thaw();
    }

    /// Kills it, copies its stored data, and restarts it.
    pub async fn copy_store(&mut self) -> StoreCopy {
        self.kill().await;
        let copy = TempDir::with_prefix("almijara-nats-copy-").expect("a temporary folder");
        copy_folder(&self.server.store(), copy.path());
        self.restart().await;
        StoreCopy(copy)
    }

    /// Kills it, replaces its stored data by `copy`, and restarts it.
    pub async fn restore_store(&mut self, copy: &StoreCopy) {
        self.kill().await;
        self.wipe();
        copy_folder(copy.0.path(), &self.server.store());
        self.restart().await;
    }

    /// Deletes all streams; call it between [`Nats::kill`] and [`Nats::restart`].
    pub fn wipe(&self) {
        assert!(self.child.is_none(), "kill nats-server before its store is wiped");
        std::fs::remove_dir_all(self.server.store()).expect("the store is ours");
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder of ours");
    for entry in std::fs::read_dir(from).expect("a folder of ours") {
        let entry = entry.expect("a folder of ours");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("there is room for a copy");
        }
    }
}
