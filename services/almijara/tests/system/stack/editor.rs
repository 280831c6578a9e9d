//! An editor who works through Directus's REST API.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chrono::Utc;
use reqwest::{Method, multipart};
use serde_json::{Value, json};

use super::{Stack, seen_limit};

/// The token of a stack's Directus administrator, if the stack is started with it.
pub const ADMINISTRATOR: &str = "an-administrator-for-tests";

/// An editor with a token.
#[derive(Clone)]
pub struct Editor {
    base: String,
    token: String,
    client: reqwest::Client,
}

impl Editor {
    pub fn new(port: u16, token: &str) -> Result<Self> {
        // No idle connections: Directus closes them after five seconds, on a busy machine just as they
        // are used again, and requests that change something are not retried.
        let client =
            reqwest::Client::builder().timeout(Duration::from_mins(1)).pool_max_idle_per_host(0);
        Ok(Self {
            base: format!("http://127.0.0.1:{port}"),
            token: token.to_owned(),
            client: client.build()?,
        })
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value> {
        let mut request =
            self.client.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path}: {status} {text}");
        if text.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_str::<Value>(&text)?["data"].clone())
    }

    pub async fn create(&self, collection: &str, item: Value) -> Result<Value> {
        self.send(Method::POST, &format!("/items/{collection}"), Some(item)).await
    }

    pub async fn update(&self, collection: &str, key: &Value, change: Value) -> Result<Value> {
        let path = format!("/items/{collection}/{}", plain(key));
        self.send(Method::PATCH, &path, Some(change)).await
    }

    pub async fn delete(&self, collection: &str, key: &Value) -> Result<()> {
        self.send(Method::DELETE, &format!("/items/{collection}/{}", plain(key)), None).await?;
        Ok(())
    }

    pub async fn read(&self, path: &str) -> Result<Value> {
        self.send(Method::GET, path, None).await
    }

    /// Uploads a picture and returns its id.
    pub async fn upload(&self, name: &str, bytes: Vec<u8>) -> Result<String> {
        let part =
            multipart::Part::bytes(bytes).file_name(name.to_owned()).mime_str("image/jpeg")?;
        let response = self
            .client
            .post(format!("{}/files", self.base))
            .bearer_auth(&self.token)
            .multipart(multipart::Form::new().text("title", name.to_owned()).part("file", part))
            .send()
            .await?
            .error_for_status()?;
        let answer: Value = response.json().await?;
        answer["data"]["id"].as_str().map(str::to_owned).context("the file has an id")
    }
}

impl Stack {
    /// Waits until the live status of every item is written.
    pub async fn wait_until_live_status_is_written(&self) -> Result<()> {
        let mut ledger = self.ledger().await?;
        let started = Instant::now();
        loop {
            let left: i64 = sqlx::query_scalar("select count(*) from ledger.untold")
                .fetch_one(&mut ledger)
                .await?;
            if left == 0 {
                return Ok(());
            }
            ensure!(started.elapsed() < seen_limit(), "editors are not told of {left} items");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Returns a published house in Nerja (location 4) that is listed today, with texts in both languages.
pub fn house(reference: &str, price: i64) -> Value {
    json!({
        "status": "published", "ref": reference, "listing_status": "for_sale",
        "property_type": "house", "kind": "villa", "price": price, "bedrooms": 4, "bathrooms": 3,
        "built_m2": 240, "plot_m2": 900, "has_pool": true, "has_garden": true,
        "views": ["sea"], "features": ["terrace", "garage"], "energy_rating": "C",
        "lat": 36.7490, "lng": -3.8720, "location": 4,
        "listed_on": Utc::now().date_naive().to_string(),
        "translations": [
            { "languages_code": "en-GB", "title": format!("A bright house {reference}"),
              "summary": "Above the bay.", "description": "<p>Morning sun on every terrace.</p>" },
            { "languages_code": "es-ES", "title": format!("Una casa luminosa {reference}"),
              "summary": "Sobre la bahía.", "description": "<p>Sol de mañana en cada terraza.</p>" }
        ]
    })
}

fn plain(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}
