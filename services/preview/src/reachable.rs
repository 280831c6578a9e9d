//! Whether what a preview is made of can be read: the content service and the query service are asked
//! again and again, and the checks say what came of it.

use std::time::Duration;

use content_client::{Drafts, Error};
use contracts::Locale;
use runtime::{Check, Disposition, Health};
use tokio::time::{interval, timeout};

use crate::published::Published;

/// How often they are asked, and for how long one may take.
const EVERY: Duration = Duration::from_secs(2);
const ANSWER_LIMIT: Duration = Duration::from_secs(3);

/// What is said of both.
#[derive(Debug)]
pub struct Checks {
    content: Check,
    query: Check,
}

impl Checks {
    /// In `health`.
    pub fn new(health: &Health) -> Self {
        Self {
            content: health.renewed_check("content service"),
            query: health.renewed_check("query service"),
        }
    }

    /// Says of `drafts` and of what is `published` whether they can be read, for ever.
    pub async fn watch(&self, drafts: &Drafts, published: &Published) {
        let mut ticks = interval(EVERY);
        loop {
            ticks.tick().await;
            let content = timeout(ANSWER_LIMIT, drafts.are_readable());
            let query = timeout(ANSWER_LIMIT, published.read("/api/site", Locale::En.code()));
            let (content, query) = tokio::join!(content, query);
            // In words of ours: what the service says of an item may hold the item's words. Of what keeps
            // it from saying anything (a name, a certificate) operators are told all.
            match content {
                Ok(Ok(())) => self.content.ready(),
                Ok(Err(error)) if error.disposition() == Disposition::Halt => {
                    self.content.not_ready("it refuses PREVIEW_TOKEN");
                }
                Ok(Err(error @ Error::Unreachable(_))) => {
                    self.content.not_ready(error.to_string());
                }
                Ok(Err(_)) => self.content.not_ready("it can't be read"),
                Err(_) => self.content.not_ready("it does not answer"),
            }
            match query {
                Ok(Ok(_)) => self.query.ready(),
                Ok(Err(away)) => self.query.not_ready(away.to_string()),
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
    async fn operators_are_told_why_the_content_service_can_not_be_reached() {
        runtime::install_crypto_provider();
        let nobody: Url = "http://127.0.0.1:1".parse().expect("a URL");
        let health = Health::default();
        let checks = Checks::new(&health);
        let drafts = Drafts::new(nobody.clone(), "a-token".into()).expect("a client");
        let published = Published::new(&nobody).expect("a client");
        let is_told = async {
            while !health.failing()["content service"].contains("refused") {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::select! {
            () = checks.watch(&drafts, &published) => {}
            told = timeout(DEADLINE, is_told) => told.expect("the reason"),
        }
    }
}
