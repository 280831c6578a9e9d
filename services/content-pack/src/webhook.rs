//! Posting changes, as Directus's flow does: once each, in no order, with no second try. Sync finds
//! by itself what it was not told.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinSet};
use url::Url;

/// How many posts wait at most; more are dropped.
const QUEUE: usize = 10_000;
/// How many are under way at once.
const AT_ONCE: usize = 8;
/// The longest that one may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Where posts are handed in.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    queue: mpsc::Sender<Value>,
}

impl Sender {
    /// Hands `body` in, unless too many wait already.
    pub fn send(&self, body: Value) {
        if self.queue.try_send(body).is_err() {
            tracing::debug!("too many webhooks wait; one was dropped");
        }
    }
}

/// A sender to `url`, and the work that posts what it is handed.
pub(crate) fn sender(
    url: Url,
    secret: SecretString,
) -> Result<(Sender, impl Future<Output = ()> + Send), reqwest::Error> {
    let http = reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build()?;
    let (queue, mut waiting) = mpsc::channel::<Value>(QUEUE);
    let worker = async move {
        let failing = Arc::new(AtomicBool::new(false));
        let mut posts = JoinSet::new();
        while let Some(body) = waiting.recv().await {
            if posts.len() >= AT_ONCE {
                posts.join_next().await;
            }
            let request = http.post(url.clone()).bearer_auth(secret.expose_secret()).json(&body);
            let failing = Arc::clone(&failing);
            posts.spawn(async move { post(request, &failing).await });
        }
    };
    Ok((Sender { queue }, worker))
}

async fn post(request: reqwest::RequestBuilder, failing: &AtomicBool) {
    let answer = request.send().await.and_then(reqwest::Response::error_for_status);
    let failed = answer.is_err();
    let first = failing.swap(failed, Ordering::Relaxed) != failed;
    match answer {
        Err(error) if first => {
            tracing::warn!(error = %error.without_url(), "a webhook was not taken");
        }
        Err(error) => tracing::debug!(error = %error.without_url(), "a webhook was not taken"),
        Ok(_) => {}
    }
}
