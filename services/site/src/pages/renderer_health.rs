//! Reports whether the renderer is available. This is shown with the readiness but is no part of it:
//! without a renderer this node still serves its cached pages, and no other node could do better.

use std::{convert::Infallible, time::Duration};

use chrono::Utc;
use runtime::health::Details;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::upstream::{Limits, Upstream};

/// The interval between two checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
const LIMITS: Limits = Limits {
    connect: Duration::from_millis(500),
    answer: Duration::from_secs(2),
    idle: Duration::from_secs(3),
};

/// Checks the health of the renderers.
#[derive(Debug)]
pub struct RendererHealth(Upstream);

impl RendererHealth {
    /// Creates a check of the renderers behind `url`.
    pub fn new(url: &Url) -> Result<Self, reqwest::Error> {
        Upstream::new(url, LIMITS).map(Self)
    }

    /// Reports in `details` since when no renderer answers, and why, until `shutdown`.
    pub async fn watch(
        self,
        details: Details,
        shutdown: CancellationToken,
    ) -> Result<(), Infallible> {
        let mut since = None;
        let mut ticks = tokio::time::interval(CHECK_INTERVAL);
        while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
            // A restarting renderer is waited for, as it is for pages, so this may take a while.
            let checked_at = Utc::now();
            match shutdown.run_until_cancelled(self.failure()).await {
                Some(Some(why)) => {
                    let since = since.get_or_insert(checked_at);
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

    /// Returns why the renderer can't serve pages; none if it can.
    async fn failure(&self) -> Option<String> {
        let get = |client: &reqwest::Client, base: &str| client.get(format!("{base}/healthz"));
        match self.0.call_safe(&[], get).await {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answers {}", answer.status())),
            Err(error) => Some(runtime::error_text(&error)),
        }
    }
}
