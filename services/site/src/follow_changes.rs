//! Following the change stream, and purging by it.
//!
//! What bounds staleness: while the stream is connected and the query node well, a page is out of date
//! for as long as an event travels. A stream that ends is noticed at once, one that falls silent after
//! [`SILENCE_LIMIT`]; after [`GRACE`] more this node is not ready and trusts no page for longer than
//! two seconds without rendering it again. A query node that says for [`UNWELL_LIMIT`] that something
//! fails it, and nothing else, may be the only one that hears of no change: it is left once another
//! connection is made, to whichever node takes it, if need be itself. On the way back the stream resumes
//! after the last event seen; only where it can't (`reset`, `hello`) is everything dropped.

use std::{convert::Infallible, sync::Arc, time::Duration};

use chrono::Utc;
use contracts::feed::{At, Changed, FeedEvent, Heartbeat};
use eventsource_stream::{Event, Eventsource};
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use http::header;
use runtime::Check;
use tokio::{sync::watch, time::timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{
    cache::PageCache, change_feed::ChangeFeed, counters::Counters, rerender::Rerender,
    watched::Watched,
};

/// How long the stream may say nothing. The query service sends a heartbeat every 2 s.
const SILENCE_LIMIT: Duration = Duration::from_secs(6);
/// How long a query node is followed that is unwell and tells of nothing.
const UNWELL_LIMIT: Duration = Duration::from_secs(10);
/// How long pages are trusted once the stream is lost.
const GRACE: Duration = Duration::from_secs(3);
const CONNECT_LIMIT: Duration = Duration::from_secs(1);
const FIRST_WAIT: Duration = Duration::from_millis(50);
const MAX_WAIT: Duration = Duration::from_millis(500);

/// Follows the change stream of one query service.
#[derive(Debug)]
pub struct FollowChanges {
    client: reqwest::Client,
    url: Url,
    to: Followers,
    connected: watch::Sender<bool>,
    heard: watch::Sender<tokio::time::Instant>,
}

/// Who is told of changes.
#[derive(Debug)]
pub struct Followers {
    /// Purged by them.
    pub cache: Arc<PageCache>,
    /// Renders again what was purged.
    pub rerender: Arc<Rerender>,
    /// Hands them on to open pages.
    pub feed: Arc<ChangeFeed>,
    /// Counts them.
    pub counters: Arc<Counters>,
    /// Remembers when the last one came.
    pub watched: Arc<Watched>,
}

/// What is said of the stream.
#[derive(Debug)]
pub struct Checks {
    /// Whether pages are to be trusted.
    pub stream: Check,
    /// Whether the query service says that it is well.
    pub query: Check,
}

/// Why the stream ended.
#[derive(Debug, thiserror::Error)]
enum Lost {
    #[error("cannot reach the change stream")]
    Unreachable(#[from] reqwest::Error),
    #[error("the change stream broke off: {0}")]
    Broken(String),
    #[error("the change stream ended")]
    Ended,
    #[error("an event of the change stream can't be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}

impl FollowChanges {
    /// Follows the stream of the query service at `query_url`.
    pub fn new(query_url: &Url, to: Followers) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            // Each try is a connection of its own: a kept one would lead to the node that refused the last.
            .pool_max_idle_per_host(0)
            .no_proxy()
            .build()?;
        let mut url = query_url.clone();
        url.set_path(&format!("{}/api/changes", url.path().trim_end_matches('/')));
        let connected = watch::Sender::new(false);
        let heard = watch::Sender::new(tokio::time::Instant::now());
        Ok(Self { client, url, to, connected, heard })
    }

    /// Whether the stream is followed now.
    pub fn followed(&self) -> watch::Receiver<bool> {
        self.connected.subscribe()
    }

    /// Follows until `shutdown`.
    pub async fn run(self, checks: Checks, shutdown: CancellationToken) -> Result<(), Infallible> {
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = self.keep_following(&checks.query) => {}
            () = self.judge(&checks.stream) => {}
            () = self.report() => {}
        }
        Ok(())
    }

    async fn keep_following(&self, query: &Check) {
        let mut last = None;
        let mut wait = FIRST_WAIT;
        loop {
            let Err(reason) = self.follow(&mut last, query).await;
            if matches!(reason, Lost::Unreadable(_)) {
                // What it said is unknown, so nothing that is kept can be trusted.
                last = None;
            }
            if self.connected.send_replace(false) {
                wait = FIRST_WAIT;
                tracing::warn!(error = %reason, "the change stream is lost");
            } else {
                tracing::debug!(error = %reason, "the change stream is away");
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(MAX_WAIT);
        }
    }

    /// Follows from after `last`, the id of an event, to the end of a connection.
    async fn follow(&self, last: &mut Option<String>, query: &Check) -> Result<Infallible, Lost> {
        let mut events = self.connect(last.as_deref()).await?;
        let mut unwell_since = None;
        loop {
            let event = events.next().await.ok_or(Lost::Ended)??;
            let kind = FeedEvent::named(&event.event);
            if kind == Some(FeedEvent::Heartbeat) {
                if say(query, &serde_json::from_str(&event.data)?) {
                    unwell_since = None;
                    continue;
                }
                let since = unwell_since.get_or_insert_with(tokio::time::Instant::now);
                if since.elapsed() >= UNWELL_LIMIT {
                    unwell_since = None;
                    // Where nobody else takes one, this node says still that nothing changed, as far as
                    // it hears.
                    match self.connect(last.as_deref()).await {
                        Ok(other) => events = other,
                        Err(error) => tracing::debug!(%error, "no other query node is found"),
                    }
                }
                continue;
            }
            unwell_since = None;
            self.apply(kind, &event)?;
            *last = Some(event.id);
            // What was missed comes before the word that this is all of it.
            if kind != Some(FeedEvent::Changed) {
                self.connected.send_replace(true);
            }
        }
    }

    /// Connects to whichever node takes it; gives the events from after `last`.
    async fn connect(
        &self,
        last: Option<&str>,
    ) -> Result<BoxStream<'_, Result<Event, Lost>>, Lost> {
        let mut request =
            self.client.get(self.url.clone()).header(header::ACCEPT, "text/event-stream");
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let response = timeout(SILENCE_LIMIT, request.send())
            .await
            .map_err(|_| Lost::Broken("no answer".to_owned()))??
            .error_for_status()?;
        let heard = &self.heard;
        let bytes = response.bytes_stream().inspect_ok(move |_| {
            heard.send_replace(tokio::time::Instant::now());
        });
        Ok(bytes.eventsource().map_err(|error| Lost::Broken(error.to_string())).boxed())
    }

    fn apply(&self, kind: Option<FeedEvent>, event: &Event) -> Result<(), Lost> {
        match kind {
            Some(FeedEvent::Changed) => {
                let change: Changed = serde_json::from_str(&event.data)?;
                runtime::failpoint("site.purge")
                    .map_err(|error| Lost::Broken(error.to_string()))?;
                self.purge(&change);
                self.to.feed.changed(change.sequence, change.tags, event.data.clone());
            }
            Some(FeedEvent::Resumed) => {
                let At { sequence } = serde_json::from_str(&event.data)?;
                self.to.feed.moved(sequence);
            }
            Some(FeedEvent::Heartbeat) => {}
            // Whatever a later build may have to say is taken for the most that it can be.
            Some(FeedEvent::Hello | FeedEvent::Reset) | None => {
                let At { sequence } = serde_json::from_str(&event.data)?;
                self.to.cache.restart(sequence);
                self.to.watched.purged.note(sequence.get());
                self.to.counters.restarts.increment(1);
                tracing::info!(%sequence, event = event.event, "the page cache begins anew");
                self.to.feed.reset(sequence);
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
        // The renders that this purge makes necessary tell of it, whoever begins them.
        let trace = runtime::telemetry::traceparent();
        let removed = self.to.cache.purge(&change.tags, change.sequence, trace.as_deref());
        span.record("pages", removed.len());
        tracing::debug!(sequence = %change.sequence, pages = removed.len(), "purged");
        self.to.counters.purged.increment(removed.len() as u64);
        self.to.watched.purged_by(change.sequence);
        self.to.rerender.push(removed);
        if let Some(captured) = change.captured_at {
            // Two clocks: where they differ, nothing took less than no time.
            let took = (Utc::now() - captured).to_std().unwrap_or_default();
            self.to.counters.publish_seconds.record(took.as_secs_f64());
        }
    }

    /// Says whether pages are to be trusted. It alone does, so that the last word is the right one.
    async fn judge(&self, check: &Check) {
        let mut connected = self.connected.subscribe();
        // The sender lives as long as this does, so a wait ends only by its condition.
        loop {
            let _always = connected.wait_for(|connected| *connected).await.is_ok();
            self.to.cache.set_verified(true);
            check.ready();
            let _always = connected.wait_for(|connected| !*connected).await.is_ok();
            if timeout(GRACE, connected.wait_for(|connected| *connected)).await.is_err() {
                self.to.cache.set_verified(false);
                check.not_ready("the change stream is away");
            }
        }
    }

    async fn report(&self) {
        let mut ticks = tokio::time::interval(Duration::from_secs(1));
        loop {
            ticks.tick().await;
            let size = self.to.cache.size();
            self.to.counters.changes_age.set(self.heard.borrow().elapsed().as_secs_f64());
            self.to.counters.cache_pages.set(approximate(size.pages));
            self.to.counters.cache_bytes.set(approximate(size.bytes));
        }
    }
}

/// Says how the query service is; gives whether it is well.
fn say(query: &Check, heartbeat: &Heartbeat) -> bool {
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
