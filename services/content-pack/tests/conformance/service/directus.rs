//! A real Directus, from deploy/directus.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Output, Stdio},
    time::Duration,
};

use local_servers::{Child, StopSignal, bound_command, free_port};
use reqwest::{Method, RequestBuilder, StatusCode, multipart};
use serde_json::{Value, json};
use tempfile::TempDir;
use url::Url;

use super::{
    Edit, Editor, Service, TOKEN, WEBHOOK_SECRET, folder::Folder, keeper, receiver::Receiver,
};

const ADMIN_TOKEN: &str = "a-token-that-may-do-everything";
/// How long starting and setting up may take together, on a busy machine.
const START_LIMIT: Duration = Duration::from_mins(4);

/// An editor's REST calls, and what has to live as long as the service does.
pub struct Rest {
    url: Url,
    content: Folder,
    _server: Child,
    _files: TempDir,
}

/// Starts Directus on an empty database and sets it up from the fixture.
pub async fn start() -> Service {
    let database = testkit::postgres().await.database("directus").await;
    let database_url = database.plain_url().to_owned();
    keeper::run(start_on(database_url)).await
}

async fn start_on(database_url: String) -> Service {
    let folder = directus_folder();
    let (receiver, webhook_url) = Receiver::start().await;
    let files = TempDir::with_prefix("almijara-directus-").expect("a temporary folder");
    let content = Folder::copy();
    let port = free_port().expect("a free port");
    let url: Url = format!("http://127.0.0.1:{port}/").parse().expect("an address");

    let log = std::fs::File::create(files.path().join("log")).expect("a log file");
    let mut command = node(&folder, "start.mjs");
    command
        .env("PORT", port.to_string())
        .env("DB_CONNECTION_STRING", database_url)
        .env("SECRET", "a-secret-of-forty-characters-for-sessions")
        .env("ADMIN_EMAIL", "admin@example.com")
        .env("ADMIN_PASSWORD", "for-tests-only")
        .env("ADMIN_TOKEN", ADMIN_TOKEN)
        .env("WEBHOOK_URL", webhook_url.as_str())
        .env("WEBHOOK_SECRET", WEBHOOK_SECRET)
        .env("STORAGE_LOCAL_ROOT", files.path().join("uploads"))
        .env("EXTENSIONS_PATH", files.path().join("extensions"))
        // Tests keep the machine busy; what is told here is not how it sheds load.
        .env("PRESSURE_LIMITER_ENABLED", "false")
        .stdout(log.try_clone().expect("the log"))
        .stderr(log);
    let server = Child::spawn(command, StopSignal::Terminate).expect("Directus starts");

    let setup = set_up(&folder, &url, content.path()).await;
    assert!(
        setup.status.success(),
        "the set-up failed: {}{}\nDirectus said: {}",
        String::from_utf8_lossy(&setup.stdout),
        String::from_utf8_lossy(&setup.stderr),
        std::fs::read_to_string(files.path().join("log")).unwrap_or_default(),
    );
    let rest = Rest { url: url.clone(), content, _server: server, _files: files };
    Service::new(url, receiver, Editor::Rest(Box::new(rest)))
}

/// Sets the Directus at `url` up, from the content folder `content`.
async fn set_up(folder: &Path, url: &Url, content: &Path) -> Output {
    let mut command = node(folder, "setup.mjs");
    command
        .env("DIRECTUS_URL", url.as_str())
        .env("DIRECTUS_ADMIN_TOKEN", ADMIN_TOKEN)
        .env("CONTENT_TOKEN", TOKEN)
        .env("CONTENT_DIR", content)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tokio::time::timeout(START_LIMIT, command.output())
        .await
        .expect("the set-up ends in time")
        .expect("the set-up runs")
}

fn directus_folder() -> PathBuf {
    let folder = env::var_os("ALMIJARA_DIRECTUS_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/directus"),
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

fn node(folder: &Path, script: &str) -> tokio::process::Command {
    let mut command = bound_command(folder.join("node_modules/.bin/node"), StopSignal::Terminate);
    command.arg(script).current_dir(folder);
    command
}

impl Rest {
    pub async fn edit(&self, edit: Edit<'_>) {
        match edit {
            Edit::Update { collection, key, fields } => {
                let path = match collection {
                    "directus_files" => format!("files/{}", text(&key)),
                    _ => format!("items/{collection}/{}", text(&key)),
                };
                send(self.call(Method::PATCH, &path).json(&fields)).await;
            }
            Edit::Translate { collection, row, fields, .. } => {
                let path = format!("items/{collection}_translations/{row}");
                send(self.call(Method::PATCH, &path).json(&fields)).await;
            }
            Edit::Create { collection, item } => {
                send(self.call(Method::POST, &format!("items/{collection}")).json(&item)).await;
            }
            Edit::Delete { collection, key } => {
                let path = format!("items/{collection}/{}", text(&key));
                send(self.call(Method::DELETE, &path)).await;
            }
            Edit::Replace { file, picture } => {
                let part = multipart::Part::bytes(picture)
                    .file_name("other.png")
                    .mime_str("image/png")
                    .expect("a type");
                let form = multipart::Form::new().part("file", part);
                send(self.call(Method::PATCH, &format!("files/{file}")).multipart(form)).await;
            }
        }
    }

    /// Sets it up once more, as each start does; gives what the set-up says.
    pub async fn set_up_again(&self) -> String {
        let output = set_up(&directus_folder(), &self.url, self.content.path()).await;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Makes a call whatever comes of it.
    pub async fn try_save(&self, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        let mut request = self.call(method, path);
        if !body.is_null() {
            request = request.json(body);
        }
        let response = request.send().await.expect("Directus answers");
        let status = response.status();
        (status, response.json().await.unwrap_or_default())
    }

    fn call(&self, method: Method, path: &str) -> RequestBuilder {
        let url = self.url.join(path).expect("a path");
        reqwest::Client::new().request(method, url).bearer_auth(ADMIN_TOKEN)
    }
}

async fn send(request: RequestBuilder) {
    let response = request.send().await.expect("Directus answers");
    let status = response.status();
    let body: Value = response.json().await.unwrap_or(json!(null));
    assert!(status.is_success(), "Directus answered an edit with {status}: {body}");
}

fn text(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}
