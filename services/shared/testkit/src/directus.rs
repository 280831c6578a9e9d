//! A real Directus, as installed in deploy/directus.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use local_servers::{Child, StopSignal, bound_command, free_port};
use tempfile::TempDir;

use crate::{postgres, server_thread::on_server_thread};

/// A Directus with its own database. It ends with the test binary.
#[derive(Debug)]
pub struct Directus {
    /// Its address, with a trailing slash.
    pub url: String,
    files: TempDir,
    _server: Child,
}

impl Directus {
    /// The static token of its administrator.
    pub const ADMIN_TOKEN: &str = "a-token-that-may-do-everything";

    /// Starts Directus on an empty database. It posts webhooks to `webhook_url` with `webhook_secret`,
    /// and loads the extensions in the folder `extensions`. It may not be ready yet when this returns.
    pub async fn start(webhook_url: &str, webhook_secret: &str, extensions: &Path) -> Self {
        let database = postgres().await.database("directus").await;
        let folder = installation_folder();
        let mut command =
            bound_command(folder.join("node_modules/.bin/node"), StopSignal::Terminate);
        let port = free_port().expect("a free port");
        let files = TempDir::with_prefix("almijara-directus-").expect("a temporary folder");
        let log = fs::File::create(files.path().join("log")).expect("a log file");
        command
            .arg("start.mjs")
            .current_dir(&folder)
            .env("PORT", port.to_string())
            .env("DB_CONNECTION_STRING", database.plain_url())
            .env("SECRET", "a-secret-of-forty-characters-for-sessions")
            .env("ADMIN_EMAIL", "admin@example.com")
            .env("ADMIN_PASSWORD", "for-tests-only")
            .env("ADMIN_TOKEN", Self::ADMIN_TOKEN)
            .env("WEBHOOK_URL", webhook_url)
            .env("WEBHOOK_SECRET", webhook_secret)
            .env("STORAGE_LOCAL_ROOT", files.path().join("uploads"))
            .env("EXTENSIONS_PATH", extensions)
            .env("TEMP_PATH", files.path().join("temporary"))
            // Tests keep the machine busy, and do not test how Directus sheds load.
            .env("PRESSURE_LIMITER_ENABLED", "false")
            .stdout(log.try_clone().expect("the log"))
            .stderr(log);
        let server = on_server_thread(async move {
            Child::spawn(command, StopSignal::Terminate).expect("Directus starts")
        })
        .await;
        Self { url: format!("http://127.0.0.1:{port}/"), files, _server: server }
    }

    /// Returns its log so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.files.path().join("log")).unwrap_or_default()
    }
}

/// Returns the folder where Directus is installed: `ALMIJARA_DIRECTUS_DIR`, or the one in the
/// repository.
fn installation_folder() -> PathBuf {
    let folder = env::var_os("ALMIJARA_DIRECTUS_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../deploy/directus"),
        PathBuf::from,
    );
    let folder = folder.canonicalize().expect("the folder of Directus");
    assert!(
        folder.join("node_modules/directus").exists(),
        "Directus is not installed in {}; `make directus` installs it",
        folder.display()
    );
    folder
}
