//! Posts changes as webhooks, like a Directus flow: each once, in no particular order and without
//! retries. Sync finds missed changes by itself.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use runtime::error_text;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinSet};
use url::Url;

/// The maximum number of queued posts; more are dropped.
const QUEUE_CAPACITY: usize = 10_000;
/// The maximum number of concurrent posts.
const MAX_CONCURRENT: usize = 8;
/// The timeout of a post.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Queues webhook bodies for the worker.
#[derive(Clone, Debug)]
pub(crate) struct Sender {
    queue: mpsc::Sender<Value>,
}

impl Sender {
    /// Queues `body`; drops it if the queue is full.
    pub fn send(&self, body: Value) {
        if self.queue.try_send(body).is_err() {
            tracing::debug!("too many webhooks wait; one was dropped");
        }
    }
}

/// Returns a sender of webhooks to `url`, and the worker that posts what is queued.
pub(crate) fn channel(
    url: Url,
    secret: SecretString,
) -> Result<(Sender, impl Future<Output = ()> + Send), reqwest::Error> {
    let http = reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build()?;
    let (queue, mut queued) = mpsc::channel::<Value>(QUEUE_CAPACITY);
    let worker = async move {
        let failing = Arc::new(AtomicBool::new(false));
        let mut posts = JoinSet::new();
        while let Some(body) = queued.recv().await {
            if posts.len() >= MAX_CONCURRENT {
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
    let has_changed = failing.swap(failed, Ordering::Relaxed) != failed;
    if let Err(error) = answer {
        let error = error_text(&error.without_url());
        if has_changed {
            tracing::warn!(error, "a webhook was not accepted");
        } else {
            tracing::debug!(error, "a webhook was not accepted");
        }
    }
}
