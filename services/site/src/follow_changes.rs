//! Follows the change stream, and purges pages by it.
//!
//! Staleness is bounded as follows. While the stream is connected and the query node is healthy, a page
//! is out of date only for as long as an event takes to arrive. The end of a stream is noticed at once,
//! and a silent stream after [`SILENCE_LIMIT`]. After another [`GRACE`] this node reports that it is not
//! ready, and trusts no page for longer than two seconds without rendering it again.
//!
//! A query node that has reported failures for [`UNHEALTHY_LIMIT`], and has sent nothing else, may be the
//! only one that receives no changes. This node then connects again, to whichever query node accepts,
//! which may be the same one, and leaves the old connection once the new one is made.
//!
//! After a reconnect the stream resumes after the last event seen. Only if it can't resume (`reset`,
//! `hello`) is the complete cache dropped.

use std::{convert::Infallible, error::Error, sync::Arc, time::Duration};

use chrono::Utc;
use contracts::feed::{Changed, FeedEvent, Heartbeat, PositionEvent};
use eventsource_stream::{Event, Eventsource};
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use http::header;
use runtime::{Check, error_text};
use tokio::{sync::watch, time::timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    calls::change_feed::ChangeFeed,
    counters::Counters,
    observations::Observations,
    pages::{cache::PageCache, rerender::Rerender},
};

/// How long the stream may be silent. The query service sends a heartbeat every 2 s.
const SILENCE_LIMIT: Duration = Duration::from_secs(6);
/// How long a query node is followed that reports failures and sends no events.
const UNHEALTHY_LIMIT: Duration = Duration::from_secs(10);
/// How long pages are trusted after the stream is lost.
const GRACE: Duration = Duration::from_secs(3);
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const MIN_WAIT: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_millis(500);

/// Follows the change stream of the query service.
#[derive(Debug)]
pub struct FollowChanges {
    client: reqwest::Client,
    url: Url,
    consumers: ChangeConsumers,
    connected: watch::Sender<bool>,
    last_received: watch::Sender<tokio::time::Instant>,
}

/// The components that receive changes.
#[derive(Debug)]
pub struct ChangeConsumers {
    /// Its pages are purged by changes.
    pub cache: Arc<PageCache>,
    /// Re-renders purged pages.
    pub rerender: Arc<Rerender>,
    /// Forwards changes to open pages.
    pub feed: Arc<ChangeFeed>,
    /// Counts changes and purges.
    pub counters: Arc<Counters>,
    /// Remembers when the last change arrived, for operators.
    pub observations: Arc<Observations>,
}

/// The health checks that depend on the stream.
#[derive(Debug)]
pub struct Checks {
    /// Whether cached pages can be trusted.
    pub stream: Check,
    /// Whether the query service reports that it is healthy.
    pub query: Check,
}

/// Why the stream was lost.
#[derive(Debug, thiserror::Error)]
enum StreamError {
    #[error("cannot reach the change stream")]
    Unreachable(#[from] reqwest::Error),
    #[error("the change stream was interrupted")]
    Broken(#[source] Box<dyn Error + Send + Sync>),
    #[error("the change stream ended")]
    Ended,
    #[error("an event of the change stream can't be read")]
    Unreadable(#[from] serde_json::Error),
}

impl FollowChanges {
    /// Creates a follower of the query service at `query_url`.
    pub fn new(query_url: &Url, consumers: ChangeConsumers) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            // Each attempt uses a new connection: a pooled one would lead back to the node that refused
            // the last attempt.
            .pool_max_idle_per_host(0)
            .no_proxy()
            .build()?;
        let mut url = query_url.clone();
        url.set_path(&format!("{}/api/changes", url.path().trim_end_matches('/')));
        let connected = watch::Sender::new(false);
        let last_received = watch::Sender::new(tokio::time::Instant::now());
        Ok(Self { client, url, consumers, connected, last_received })
    }

    /// Watches whether the stream is connected.
    pub fn connected(&self) -> watch::Receiver<bool> {
        self.connected.subscribe()
    }

    /// Follows the stream until `shutdown`.
    pub async fn run(self, checks: Checks, shutdown: CancellationToken) -> Result<(), Infallible> {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.keep_following(&checks.query) => {}
            () = self.update_trust(&checks.stream) => {}
            () = self.report() => {}
        }
        Ok(())
    }

    async fn keep_following(&self, query: &Check) {
        let mut last = None;
        let mut wait = MIN_WAIT;
        loop {
            let Err(error) = self.follow(&mut last, query).await;
            if matches!(error, StreamError::Unreadable(_)) {
                // Its content is unknown, so nothing in the cache can be trusted.
                last = None;
            }
            if self.connected.send_replace(false) {
                wait = MIN_WAIT;
                tracing::warn!(
                    error = error_text(&error),
                    "the change stream was lost; reconnecting"
                );
            } else {
                tracing::debug!(
                    error = error_text(&error),
                    "the change stream is still unavailable"
                );
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(MAX_WAIT);
        }
    }

    /// Follows the stream after `last`, the id of an event, until a connection ends.
    async fn follow(
        &self,
        last: &mut Option<String>,
        query: &Check,
    ) -> Result<Infallible, StreamError> {
        let mut events = self.connect(last.as_deref()).await?;
        let mut unhealthy_since = None;
        loop {
            let event = events.next().await.ok_or(StreamError::Ended)??;
            // A kind of a later build is none.
            let kind: Option<FeedEvent> = event.event.parse().ok();
            if kind == Some(FeedEvent::Heartbeat) {
                if report_health(query, &serde_json::from_str(&event.data)?) {
                    unhealthy_since = None;
                    continue;
                }
                let since = unhealthy_since.get_or_insert_with(tokio::time::Instant::now);
                if since.elapsed() >= UNHEALTHY_LIMIT {
                    unhealthy_since = None;
                    // If no other node accepts a connection, this one keeps reporting that nothing
                    // changed, as far as it knows.
                    match self.connect(last.as_deref()).await {
                        Ok(other) => events = other,
                        Err(error) => {
                            tracing::debug!(
                                error = error_text(&error),
                                "no other query node accepted a connection"
                            );
                        }
                    }
                }
                continue;
            }
            unhealthy_since = None;
            self.apply(kind, &event)?;
            *last = Some(event.id);
            // Missed events arrive before `resumed`, so the stream is up to date only after that.
            if kind != Some(FeedEvent::Changed) {
                self.connected.send_replace(true);
            }
        }
    }

    /// Connects to whichever node accepts. Returns the events after `last`.
    async fn connect(
        &self,
        last: Option<&str>,
    ) -> Result<BoxStream<'_, Result<Event, StreamError>>, StreamError> {
        let mut request =
            self.client.get(self.url.clone()).header(header::ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = timeout(SILENCE_LIMIT, request.send())
            .await
            .map_err(|_| StreamError::Broken("no answer".into()))??
            .error_for_status()?;
        let last_received = &self.last_received;
        let bytes = response.bytes_stream().inspect_ok(move |_| {
            last_received.send_replace(tokio::time::Instant::now());
        });
        Ok(bytes.eventsource().map_err(|error| StreamError::Broken(error.into())).boxed())
    }

    fn apply(&self, kind: Option<FeedEvent>, event: &Event) -> Result<(), StreamError> {
        match kind {
            Some(FeedEvent::Changed) => {
                let change: Changed = serde_json::from_str(&event.data)?;
                runtime::failpoint("site.purge")
                    .map_err(|error| StreamError::Broken(error.into()))?;
                self.purge(&change);
                self.consumers.feed.changed(change.sequence, change.tags, event.data.clone());
            }
            Some(FeedEvent::Resumed) => {
                let PositionEvent { sequence } = serde_json::from_str(&event.data)?;
                self.consumers.feed.advance(sequence);
            }
            Some(FeedEvent::Heartbeat) => {}
            // An unknown event, from a later build, is treated like the worst case, a reset.
            Some(FeedEvent::Hello | FeedEvent::Reset) | None => {
                let PositionEvent { sequence } = serde_json::from_str(&event.data)?;
                self.consumers.cache.restart(sequence);
                self.consumers.observations.purged.record(sequence.get());
                self.consumers.counters.restarts.increment(1);
                tracing::info!(%sequence, event = event.event, "the page cache was emptied, because changes may have been missed");
                self.consumers.feed.reset(sequence);
            }
        }
        Ok(())
    }

    fn purge(&self, change: &Changed) {
        let span = tracing::info_span!(
            "purge",
            sequence = change.sequence.get(),
            tags = %change.tags.iter().map(String::as_str).collect::<Vec<_>>().join(" "),
            pages = tracing::field::Empty,
        );
        runtime::telemetry::link_parent(&span, change.traceparent.as_deref());
        let _entered = span.enter();
        // Re-renders link to this trace, whoever starts them.
        let trace = runtime::telemetry::traceparent();
        let removed = self.consumers.cache.purge(&change.tags, change.sequence, trace.as_deref());
        span.record("pages", removed.len());
        tracing::debug!(sequence = %change.sequence, pages = removed.len(), "purged");
        self.consumers.counters.purged.increment(removed.len() as u64);
        self.consumers.observations.record_change(change.sequence);
        self.consumers.rerender.push(removed);
        if let Some(captured) = change.captured_at {
            // Two clocks are involved. If they differ, the result is at least zero.
            let took = (Utc::now() - captured).to_std().unwrap_or_default();
            self.consumers.counters.publish_seconds.record(took.as_secs_f64());
        }
    }

    /// Updates whether pages can be trusted. Only this function does, so that the last update wins.
    async fn update_trust(&self, check: &Check) {
        let mut connected = self.connected.subscribe();
        // The sender lives as long as `self`, so `wait_for` returns only when its condition holds.
        loop {
            let _always = connected.wait_for(|connected| *connected).await.is_ok();
            self.consumers.cache.set_verified(true);
            check.ready();
            let _always = connected.wait_for(|connected| !*connected).await.is_ok();
            if timeout(GRACE, connected.wait_for(|connected| *connected)).await.is_err() {
                self.consumers.cache.set_verified(false);
                check.not_ready("the change stream is unavailable");
            }
        }
    }

    async fn report(&self) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        loop {
            ticks.tick().await;
            let size = self.consumers.cache.size();
            self.consumers
                .counters
                .changes_age
                .set(self.last_received.borrow().elapsed().as_secs_f64());
            self.consumers.counters.cache_pages.set(approximate(size.pages));
            self.consumers.counters.cache_bytes.set(approximate(size.bytes));
        }
    }
}

/// Reports the health of the query service to its check. Returns whether it is healthy.
fn report_health(query: &Check, heartbeat: &Heartbeat) -> bool {
    if heartbeat.failing.is_empty() {
        query.ready();
        return true;
    }
    let reasons: Vec<String> =
        heartbeat.failing.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    query.not_ready(reasons.join("; "));
    false
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is looked at, not counted with")]
const fn approximate(number: usize) -> f64 {
    number as f64
}
