//! The two content services, each started once for all the cases.

mod directus;
mod folder;
mod keeper;
mod pack;
mod receiver;

use content_client::{Client, Reading};
use contracts::{AggregateId, Collection};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use testkit::eventually;
use tokio::sync::{Mutex, OnceCell};
use url::Url;

pub use folder::picture;
use receiver::Receiver;

/// The token that reads.
pub const TOKEN: &str = "a-token-that-reads-everything";
/// The secret that webhooks are posted with.
pub const WEBHOOK_SECRET: &str = "a-secret-for-webhooks";

/// A running content service, and an editor's way into it.
pub struct Service {
    pub url: Url,
    receiver: Receiver,
    editor: Editor,
    /// A folder has no transactions: one edit at a time.
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
    /// Puts other bytes in the place of a file's.
    Replace { file: &'a str, picture: Vec<u8> },
}

/// The content pack on a copy of the fixture.
pub async fn pack() -> &'static Service {
    static PACK: OnceCell<Service> = OnceCell::const_new();
    PACK.get_or_init(|| keeper::run(pack::start())).await
}

/// A Directus that was set up from the fixture.
pub async fn directus() -> &'static Service {
    static DIRECTUS: OnceCell<Service> = OnceCell::const_new();
    DIRECTUS.get_or_init(directus::start).await
}

impl Service {
    fn new(url: Url, receiver: Receiver, editor: Editor) -> Self {
        Self { url, receiver, editor, editing: Mutex::new(()) }
    }

    /// A client with the token that reads.
    pub fn client(&self) -> Client {
        self.client_with(TOKEN)
    }

    /// A client with `token`.
    pub fn client_with(&self, token: &str) -> Client {
        runtime::install_crypto_provider();
        Client::new(self.url.clone(), token.into()).expect("a client")
    }

    /// Reads an item.
    pub async fn read(&self, collection: Collection, key: &str) -> Reading {
        let id = AggregateId::new(collection, key);
        self.client().read(&id).await.expect("the service answers")
    }

    /// The status and body of a plain request for `path`, with `token` if one is given.
    pub async fn get(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        let response = self.request(path, token).await;
        let status = response.status();
        (status, response.json().await.unwrap_or_default())
    }

    /// The answer to a plain request for `path`.
    pub async fn request(&self, path: &str, token: Option<&str>) -> reqwest::Response {
        runtime::install_crypto_provider();
        let url = self.url.join(path).expect("a path");
        let mut request = reqwest::Client::new().get(url);
        if let Some(token) = token {
            request = request.bearer_auth(token);
        }
        request.send().await.expect("the service answers")
    }

    /// Changes content as an editor does.
    pub async fn edit(&self, edit: Edit<'_>) {
        let _one_at_a_time = self.editing.lock().await;
        match &self.editor {
            Editor::Folder(folder) => folder.edit(edit),
            Editor::Rest(rest) => rest.edit(edit).await,
        }
    }

    /// What Directus answers to a call of its administrator.
    pub async fn try_save(&self, method: Method, path: &str, body: &Value) -> (StatusCode, Value) {
        self.rest().try_save(method, path, body).await
    }

    /// The way into Directus.
    pub fn rest(&self) -> &directus::Rest {
        match &self.editor {
            Editor::Folder(_) => panic!("a folder answers nothing"),
            Editor::Rest(rest) => rest,
        }
    }

    /// Waits for a webhook that `is_it`; it must have come with the secret.
    pub async fn webhook(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        eventually(what, async || self.receiver.find(&is_it)).await
    }

    /// Waits until an item reads so that `is_it`.
    pub async fn eventually_read(
        &self,
        what: &str,
        collection: Collection,
        key: &str,
        is_it: impl Fn(&Reading) -> bool,
    ) -> Reading {
        eventually(what, async || Some(self.read(collection, key).await).filter(&is_it)).await
    }
}
