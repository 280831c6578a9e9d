//! Waits for the readiness that a role of the stack reports.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::{Stack, seen_limit};

impl Stack {
    /// Waits until the readiness endpoint of `role`, which may be restarting, answers with `status`.
    pub async fn wait_for_readiness(&self, role: &str, status: u16) -> Result<()> {
        self.wait_for_readiness_with(role, status, "").await
    }

    /// Does the same, and waits until the answer also contains `words`.
    pub async fn wait_for_readiness_with(
        &self,
        role: &str,
        status: u16,
        words: &str,
    ) -> Result<()> {
        let url = format!("http://127.0.0.1:{}/readyz", self.port_of(&format!("{role} health"))?);
        let started = Instant::now();
        loop {
            let found = match self.client.get(&url).send().await {
                Ok(answer) => {
                    let found_status = answer.status().as_u16();
                    let text = answer.text().await?;
                    if found_status == status && text.contains(words) {
                        return Ok(());
                    }
                    format!("{found_status} {text}")
                }
                Err(error) => runtime::error_text(&error),
            };
            ensure!(started.elapsed() < seen_limit(), "{role} says {found}, not {status} {words}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
