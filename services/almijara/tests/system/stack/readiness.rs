//! Whether a role of the stack is ready, as it says itself.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::{SEEN_LIMIT, Stack, patient};

impl Stack {
    /// Waits until `role`, which may be starting again, says `status` of its readiness; gives its words.
    pub async fn wait_for_readiness(&self, role: &str, status: u16) -> Result<String> {
        let url = format!("http://127.0.0.1:{}/readyz", self.port_of(&format!("{role} health"))?);
        let began = Instant::now();
        loop {
            let said = match self.client.get(&url).send().await {
                Ok(answer) => {
                    let found = answer.status().as_u16();
                    let words = answer.text().await?;
                    if found == status {
                        return Ok(words);
                    }
                    format!("{found} {words}")
                }
                Err(error) => runtime::error_text(&error),
            };
            ensure!(began.elapsed() < patient(SEEN_LIMIT), "{role} says {said}, not {status}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
