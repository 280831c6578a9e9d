//! Whether a role of the stack is ready, as it says itself.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::{Stack, seen_limit};

impl Stack {
    /// Waits until `role`, which may be starting again, says `status` of its readiness.
    pub async fn wait_for_readiness(&self, role: &str, status: u16) -> Result<()> {
        self.wait_until_it_says(role, status, "").await
    }

    /// The same, with these `words` among what it says.
    pub async fn wait_until_it_says(&self, role: &str, status: u16, words: &str) -> Result<()> {
        let url = format!("http://127.0.0.1:{}/readyz", self.port_of(&format!("{role} health"))?);
        let began = Instant::now();
        loop {
            let said = match self.client.get(&url).send().await {
                Ok(answer) => {
                    let found = answer.status().as_u16();
                    let said = answer.text().await?;
                    if found == status && said.contains(words) {
                        return Ok(());
                    }
                    format!("{found} {said}")
                }
                Err(error) => runtime::error_text(&error),
            };
            ensure!(began.elapsed() < seen_limit(), "{role} says {said}, not {status} {words}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
