//! What visitors get of the stack.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use reqwest::{Response, StatusCode};

use super::{Stack, seen_limit};

impl Stack {
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Where browsers find the site, which keep passkeys for names alone.
    pub fn public_url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// The page at `path`, with its status.
    pub async fn page(&self, path: &str) -> Result<(u16, String)> {
        let response = self.client.get(self.url(path)).send().await?;
        let status = response.status().as_u16();
        Ok((status, response.text().await?))
    }

    /// What is answered at `path` once the door has time for it: a picture that was never asked for, or a
    /// page, is refused for a while where making it takes long.
    pub async fn had(&self, path: &str) -> Result<Response> {
        let began = Instant::now();
        loop {
            let response = self.client.get(self.url(path)).send().await?;
            let is_refused = response.status() == StatusCode::SERVICE_UNAVAILABLE;
            if !is_refused || began.elapsed() > seen_limit() {
                return Ok(response);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// The same of a page, with its status.
    pub async fn page_had(&self, path: &str) -> Result<(u16, String)> {
        let response = self.had(path).await?;
        let status = response.status().as_u16();
        Ok((status, response.text().await?))
    }

    /// What the read API answers at `path`.
    pub async fn api(&self, path: &str) -> Result<serde_json::Value> {
        let response = self.client.get(self.url(path)).send().await?;
        Ok(response.error_for_status()?.json().await?)
    }

    /// Waits until the page at `path` satisfies `condition`, and says how long that took.
    pub async fn wait_for_page(
        &self,
        path: &str,
        what: &str,
        condition: impl Fn(u16, &str) -> bool,
    ) -> Result<Duration> {
        let began = Instant::now();
        self.page_once(path, what, condition).await?;
        Ok(began.elapsed())
    }

    /// The page at `path`, once it satisfies `condition`.
    pub async fn page_once(
        &self,
        path: &str,
        what: &str,
        condition: impl Fn(u16, &str) -> bool,
    ) -> Result<String> {
        let began = Instant::now();
        loop {
            if let Ok((status, html)) = self.page(path).await
                && condition(status, &html)
            {
                return Ok(html);
            }
            if began.elapsed() > seen_limit() {
                bail!("{path} does not show {what}");
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}
