//! Whether the renderer is there: told beside the readiness and no part of it. Without one this site still
//! gives the pages that it has, and no other could do better in its place.

use std::{convert::Infallible, time::Duration};

use chrono::Utc;
use runtime::health::Details;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::upstream::{Limits, Upstream};

/// How often it is asked.
const EVERY: Duration = Duration::from_secs(2);
const LIMITS: Limits = Limits {
    connect: Duration::from_millis(500),
    answer: Duration::from_secs(2),
    idle: Duration::from_secs(3),
};

/// The way to what the renderer says of itself.
#[derive(Debug)]
pub struct RendererHealth(Upstream);

impl RendererHealth {
    /// Of the renderers behind `url`.
    pub fn new(url: &Url) -> Result<Self, reqwest::Error> {
        Upstream::new(url, LIMITS).map(Self)
    }

    /// Tells in `details` since when none answers and why, until `shutdown`.
    pub async fn watch(
        self,
        details: Details,
        shutdown: CancellationToken,
    ) -> Result<(), Infallible> {
        let mut since = None;
        let mut ticks = tokio::time::interval(EVERY);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            // It is waited for, as pages wait.
            let asked = Utc::now();
            match shutdown.run_until_cancelled(self.trouble()).await {
                Some(Some(why)) => {
                    let since = since.get_or_insert(asked);
                    details.set(Some(json!({ "away": why, "since": since })));
                }
                Some(None) => {
                    since = None;
                    details.set(None);
                }
                None => break,
            }
        }
        Ok(())
    }

    /// Why it can't be asked for pages; none where it can.
    async fn trouble(&self) -> Option<String> {
        let ask = |client: &reqwest::Client, base: &str| client.get(format!("{base}/healthz"));
        match self.0.ask(&[], ask).await {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answers {}", answer.status())),
            Err(error) => Some(runtime::error_text(&error)),
        }
    }
}
