//! A real Directus, as installed in deploy/directus.

use std::{path::Path, time::Duration};

use directus_setup::{Directus, Options, Plan};
use reqwest::{Method, RequestBuilder, StatusCode, multipart};
use serde_json::{Value, json};
use url::Url;

use super::{
    Edit, Editor, Service, TOKEN, WEBHOOK_SECRET, folder::Folder, receiver::Receiver, server_thread,
};

/// The timeout of the start and of the set-up, generous enough for a busy machine.
const START_LIMIT: Duration = Duration::from_mins(4);

/// Edits content by REST, and owns everything that has to live as long as the service.
pub struct Rest {
    url: Url,
    content: Folder,
    _server: testkit::Directus,
}

/// Starts Directus on an empty database and sets it up from the fixture.
pub async fn start() -> Service {
    server_thread::run(start_and_set_up()).await
}

async fn start_and_set_up() -> Service {
    let (receiver, webhook_url) = Receiver::start().await;
    let content = Folder::copy();
    // This folder does not exist, so no extensions are loaded: the fixture violates rules that they
    // enforce.
    let extensions = content.path().join("extensions");
    let server = testkit::Directus::start(webhook_url.as_str(), WEBHOOK_SECRET, &extensions).await;
    let url: Url = server.url.parse().expect("an address");

    let set_up = tokio::time::timeout(START_LIMIT, set_up(&url, content.path())).await;
    match set_up {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => panic!("the set-up failed: {error}\nDirectus said: {}", server.log()),
        Err(timeout) => panic!("the set-up: {timeout}\nDirectus said: {}", server.log()),
    }
    let rest = Rest { url: url.clone(), content, _server: server };
    Service::new(url, receiver, Editor::Rest(Box::new(rest)))
}

/// Sets up the Directus at `url` from the content folder `content`; returns the applied plan.
async fn set_up(url: &Url, content: &Path) -> Result<Plan, directus_setup::Error> {
    let directus = Directus::new(url.clone(), testkit::Directus::ADMIN_TOKEN.into())?;
    directus.wait_until_ready(START_LIMIT).await?;
    let options = Options {
        content_token: Some(TOKEN.into()),
        content: Some(content.to_owned()),
        ..Options::default()
    };
    let plan = directus_setup::plan(&directus, &options).await?;
    directus_setup::apply(&directus, &plan).await?;
    Ok(plan)
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

    /// Sets it up again, as each start does; returns the applied plan.
    pub async fn set_up_again(&self) -> Plan {
        set_up(&self.url, self.content.path()).await.expect("the set-up goes well")
    }

    /// Sends a request, and returns the status and the body, even of a failure.
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
        reqwest::Client::new().request(method, url).bearer_auth(testkit::Directus::ADMIN_TOKEN)
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
