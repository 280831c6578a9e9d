//! Health checks of the two sources of a preview: polls the content service and the query service.

use std::time::Duration;

use content_client::{Drafts, Error};
use contracts::Locale;
use runtime::{Check, Disposition, Health, error_text};
use tokio::time::{interval, timeout};

use crate::published::Published;

/// How often they are polled, and the timeout of a poll.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// The checks of both services.
#[derive(Debug)]
pub struct Checks {
    content: Check,
    query: Check,
}

impl Checks {
    /// Registers both checks in `health`.
    pub fn new(health: &Health) -> Self {
        Self {
            content: health.renewed_check("content service"),
            query: health.renewed_check("query service"),
        }
    }

    /// Reports whether `drafts` and what is `published` can be read, until it is dropped.
    pub async fn watch(&self, drafts: &Drafts, published: &Published) {
        let mut ticks = interval(POLL_INTERVAL);
        loop {
            ticks.tick().await;
            let content = timeout(ANSWER_TIMEOUT, drafts.check_access());
            let query = timeout(ANSWER_TIMEOUT, published.read("/api/site", Locale::En));
            let (content, query) = tokio::join!(content, query);
            // The service's own errors are not reported, since they may quote an item. If it can't be reached
            // at all (its name, its certificate), operators get the complete error.
            match content {
                Ok(Ok(())) => self.content.ready(),
                Ok(Err(error)) if error.disposition() == Disposition::Halt => {
                    self.content.not_ready("it refuses PREVIEW_TOKEN");
                }
                Ok(Err(error @ Error::Unreachable(_))) => {
                    self.content.not_ready(error_text(&error));
                }
                Ok(Err(_)) => self.content.not_ready("it can't be read"),
                Err(_) => self.content.not_ready("it does not answer"),
            }
            match query {
                Ok(Ok(_)) => self.query.ready(),
                Ok(Err(error)) => self.query.not_ready(error_text(&error)),
                Err(_) => self.query.not_ready("it does not answer"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    const DEADLINE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn the_checks_report_why_the_services_can_not_be_reached() {
        runtime::install_crypto_provider();
        let nobody: Url = "http://127.0.0.1:1".parse().expect("a URL");
        let health = Health::default();
        let checks = Checks::new(&health);
        let drafts = Drafts::new(nobody.clone(), "a-token".into()).expect("a client");
        let published = Published::new(&nobody).expect("a client");
        let reported = async {
            while !health.failing().values().all(|reason| reason.contains("refused")) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::select! {
            () = checks.watch(&drafts, &published) => {}
            result = timeout(DEADLINE, reported) => result.expect("the reason"),
        }
    }
}
