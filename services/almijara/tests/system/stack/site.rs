//! Requests to the stack, as visitors make them.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use reqwest::{Response, StatusCode};

use super::{Stack, seen_limit};

impl Stack {
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns the site's address for browsers, with a host name, because they don't accept passkeys for IP
    /// addresses.
    pub fn public_url(&self) -> String {
        format!("http://localhost:{}", self.port)
    }

    /// Returns the status and the page at `path`.
    pub async fn page(&self, path: &str) -> Result<(u16, String)> {
        let response = self.client.get(self.url(path)).send().await?;
        let status = response.status().as_u16();
        Ok((status, response.text().await?))
    }

    /// Returns the answer at `path`, retrying on 503: the door answers so for a while if a page or a new
    /// picture takes long to make.
    pub async fn get_with_retry(&self, path: &str) -> Result<Response> {
        let started = Instant::now();
        loop {
            let response = self.client.get(self.url(path)).send().await?;
            let is_busy = response.status() == StatusCode::SERVICE_UNAVAILABLE;
            if !is_busy || started.elapsed() > seen_limit() {
                return Ok(response);
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    /// Returns the status and the page at `path`, retrying on 503.
    pub async fn page_with_retry(&self, path: &str) -> Result<(u16, String)> {
        let response = self.get_with_retry(path).await?;
        let status = response.status().as_u16();
        Ok((status, response.text().await?))
    }

    /// Returns the read API's answer at `path`.
    pub async fn api(&self, path: &str) -> Result<serde_json::Value> {
        let response = self.client.get(self.url(path)).send().await?;
        Ok(response.error_for_status()?.json().await?)
    }

    /// Waits until the page at `path` satisfies `condition`, and returns how long that took.
    pub async fn wait_for_page(
        &self,
        path: &str,
        what: &str,
        condition: impl Fn(u16, &str) -> bool,
    ) -> Result<Duration> {
        let started = Instant::now();
        self.page_when(path, what, condition).await?;
        Ok(started.elapsed())
    }

    /// Waits until the page at `path` satisfies `condition`, and returns it.
    pub async fn page_when(
        &self,
        path: &str,
        what: &str,
        condition: impl Fn(u16, &str) -> bool,
    ) -> Result<String> {
        let started = Instant::now();
        loop {
            if let Ok((status, html)) = self.page(path).await
                && condition(status, &html)
            {
                return Ok(html);
            }
            if started.elapsed() > seen_limit() {
                bail!("{path} does not show {what}");
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}
