//! The two content services, each started once for all cases.

mod directus;
mod folder;
mod pack;
mod receiver;
mod server_thread;

use content_client::{Client, Reading};
use contracts::{AggregateId, Collection};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use testkit::eventually;
use tokio::sync::{Mutex, OnceCell};
use url::Url;

pub use folder::picture;
use receiver::Receiver;

/// The token for reading.
pub const TOKEN: &str = "a-token-that-reads-everything";
/// The secret of the webhooks.
pub const WEBHOOK_SECRET: &str = "a-secret-for-webhooks";

/// A running content service, and a way to edit its content.
pub struct Service {
    pub url: Url,
    receiver: Receiver,
    editor: Editor,
    /// Serialises edits, since a folder has no transactions.
    editing: Mutex<()>,
}

/// How content is changed.
enum Editor {
    Folder(folder::Folder),
    Rest(Box<directus::Rest>),
}

/// A change that an editor makes.
pub enum Edit<'a> {
    /// Sets fields of an item.
    Update { collection: &'a str, key: Value, fields: Value },
    /// Sets fields of a translation.
    Translate { collection: &'a str, parent: Value, row: i64, fields: Value },
    /// Adds an item with its parts.
    Create { collection: &'a str, item: Value },
    /// Deletes an item.
    Delete { collection: &'a str, key: Value },
    /// Replaces the bytes of a file.
    Replace { file: &'a str, picture: Vec<u8> },
}

/// Returns the content pack, started on a copy of the fixture.
pub async fn pack() -> &'static Service {
    static PACK: OnceCell<Service> = OnceCell::const_new();
    PACK.get_or_init(|| server_thread::run(pack::start())).await
}

/// Returns the Directus, set up from the fixture.
pub async fn directus() -> &'static Service {
    static DIRECTUS: OnceCell<Service> = OnceCell::const_new();
    DIRECTUS.get_or_init(directus::start).await
}

impl Service {
    fn new(url: Url, receiver: Receiver, editor: Editor) -> Self {
        Self { url, receiver, editor, editing: Mutex::new(()) }
    }

    /// Returns a client with the token for reading.
    pub fn client(&self) -> Client {
        self.client_with(TOKEN)
    }

    /// Returns a client with `token`.
    pub fn client_with(&self, token: &str) -> Client {
        runtime::install_crypto_provider();
        Client::new(self.url.clone(), token.into()).expect("a client")
    }

    /// Reads an item.
    pub async fn read(&self, collection: Collection, key: &str) -> Reading {
        let id = AggregateId::new(collection, key);
        self.client().read(&id).await.expect("the service answers")
    }

    /// Sends a GET of `path` with an optional `token`, and returns the status and the body.
    pub async fn get(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        let response = self.request(path, token).await;
        let status = response.status();
        (status, response.json().await.unwrap_or_default())
    }

    /// Sends a GET of `path` with an optional `token`.
    pub async fn request(&self, path: &str, token: Option<&str>) -> reqwest::Response {
        runtime::install_crypto_provider();
        let url = self.url.join(path).expect("a path");
        let mut request = reqwest::Client::new().get(url);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await.expect("the service answers")
    }

    /// Edits content as an editor would.
    pub async fn edit(&self, edit: Edit<'_>) {
        let _one_at_a_time = self.editing.lock().await;
        match &self.editor {
            Editor::Folder(folder) => folder.edit(edit),
            Editor::Rest(rest) => rest.edit(edit).await,
        }
    }

    /// Sends a request to Directus as its administrator.
    pub async fn try_save(&self, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        self.rest().try_save(method, path, body).await
    }

    /// Returns the REST access to Directus.
    pub fn rest(&self) -> &directus::Rest {
        match &self.editor {
            Editor::Folder(_) => panic!("the content pack has no REST access for edits"),
            Editor::Rest(rest) => rest,
        }
    }

    /// Waits for a webhook that `matches`. Only webhooks with the right secret are received.
    pub async fn webhook(&self, what: &str, matches: impl Fn(&Value) -> bool) -> Value {
        eventually(what, async || self.receiver.find(&matches)).await
    }

    /// Waits until the reading of an item `matches`.
    pub async fn eventually_read(
        &self,
        what: &str,
        collection: Collection,
        key: &str,
        matches: impl Fn(&Reading) -> bool,
    ) -> Reading {
        eventually(what, async || Some(self.read(collection, key).await).filter(&matches)).await
    }
}
