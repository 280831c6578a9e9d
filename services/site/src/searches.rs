//! Counts which places visitors search for, so that type-ahead suggests the most searched first.
//!
//! A search is counted when a visitor opens the list of a place's homes, and only the place is recorded:
//! no address, no cookie, no time. Counts are sent to the write side periodically, which stores them by
//! place and day. A client that imitates a browser can add counts, but these only affect the order of a
//! list.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    convert::Infallible,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contracts::{Locale, PROPERTY_LIST, Slug};
use http::{HeaderMap, Uri};
use reqwest::Response;
use runtime::error_text;
use tokio_util::sync::CancellationToken;
use url::{Url, form_urlencoded};

use crate::{
    headers::text,
    pages::language::is_crawler,
    upstream::{Limits, Upstream},
};

/// The interval at which counts are sent. A process that is killed loses as much.
const FLUSH_INTERVAL: Duration = Duration::from_secs(10);
/// The last counts are sent during shutdown, which waits for them.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(3),
    idle: Duration::from_mins(1),
};
/// The maximum number of places counted at a time: their names have to fit into the maximum body of the
/// write side.
const MAX_PLACES: usize = 100;
/// The call of the write side. It is internal: the door does not forward it.
const CALL: &str = "/internal/searches";
/// The API call that lists read.
const LIST_CALL: &str = "/api/properties";

/// Counts of searches by place that were not sent yet.
#[derive(Debug)]
pub struct Searches {
    counts: Mutex<BTreeMap<String, u32>>,
    command: Upstream,
}

impl Searches {
    /// Creates counts that are sent to the write side at `command_url`.
    pub fn new(command_url: &Url) -> Result<Self, reqwest::Error> {
        let command = Upstream::new(command_url, LIMITS)?;
        Ok(Self { counts: Mutex::default(), command })
    }

    /// Records that the page at `path` was served to a request with `headers`.
    pub fn record_page(&self, path: &str, headers: &HeaderMap) {
        let place = below_lists(path).filter(|rest| !rest.contains('/'));
        if let Some(place) = place
            && text(headers, "sec-fetch-dest") == Some("document")
        {
            self.count(place, headers);
        }
    }

    /// Records that the API call `uri` was answered to a request with `headers`: a client-side
    /// navigation requests the list's homes by the API, and no document.
    pub fn record_call(&self, uri: &Uri, headers: &HeaderMap) {
        if uri.path() == LIST_CALL
            && text(headers, "sec-fetch-dest") == Some("empty")
            && text(headers, "sec-fetch-site") == Some("same-origin")
            && let Some(place) = only_place(uri.query().unwrap_or_default())
        {
            self.count(&place, headers);
        }
    }

    /// Sends the counts periodically, and once more after `shutdown`.
    pub async fn run(self: Arc<Self>, shutdown: CancellationToken) -> Result<(), Infallible> {
        let mut has_failed = false;
        loop {
            let pause = shutdown.run_until_cancelled(tokio::time::sleep(FLUSH_INTERVAL)).await;
            match self.flush().await {
                Err(error) if !has_failed => {
                    tracing::warn!(
                        error = error_text(&error),
                        "counts of searches could not be forwarded; retrying"
                    );
                    has_failed = true;
                }
                flushed => has_failed = flushed.is_err(),
            }
            if pause.is_none() {
                return Ok(());
            }
        }
    }

    /// Sends the counts. If the write side does not confirm them, they are added back: at worst some are
    /// counted twice.
    async fn flush(&self) -> Result<(), reqwest::Error> {
        let counts = mem::take(&mut *self.counts());
        if counts.is_empty() {
            return Ok(());
        }
        let call = |client: &reqwest::Client, base: &str| {
            client.post(format!("{base}{CALL}")).json(&counts)
        };
        let answer = self.command.call_once(call).await.and_then(Response::error_for_status);
        if answer.is_err() {
            for (place, times) in counts {
                self.add(&place, times);
            }
        }
        answer.map(drop)
    }

    fn count(&self, place: &str, headers: &HeaderMap) {
        if Slug::is_valid(place) && is_person(headers) && !is_already_at(place, headers) {
            self.add(place, 1);
        }
    }

    fn add(&self, place: &str, times: u32) {
        let mut counts = self.counts();
        if let Some(count) = counts.get_mut(place) {
            *count = count.saturating_add(times);
        } else if counts.len() < MAX_PLACES {
            counts.insert(place.to_owned(), times);
        }
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the part of `path` below the address of lists, in either language.
fn below_lists(path: &str) -> Option<&str> {
    let path = path.strip_prefix(Locale::Es.path_prefix()).unwrap_or(path);
    path.strip_prefix(PROPERTY_LIST)?.strip_prefix('/')
}

/// Returns the one place whose homes `query` lists. Queries with `perPage` are of other pages, which
/// show a few homes of a place.
fn only_place(query: &str) -> Option<Cow<'_, str>> {
    let mut place = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "location" if place.is_none() => place = Some(value),
            "location" | "perPage" => return None,
            _ => {}
        }
    }
    place
}

/// Returns whether the request comes from a person, is no prefetch, and the browser has not opted out of
/// tracking.
fn is_person(headers: &HeaderMap) -> bool {
    let is_prefetch = ["sec-purpose", "purpose", "x-moz"]
        .into_iter()
        .any(|name| text(headers, name).is_some_and(|purpose| purpose.contains("prefetch")));
    let opted_out = ["dnt", "sec-gpc"].into_iter().any(|name| text(headers, name) == Some("1"));
    !is_prefetch && !opted_out && !is_crawler(headers)
}

/// Returns whether the visitor is already at `place`: then they filter or page within it, or their page
/// refreshes after a change.
fn is_already_at(place: &str, headers: &HeaderMap) -> bool {
    let from: Option<Url> = text(headers, "referer").and_then(|from| from.parse().ok());
    let rest = from.as_ref().and_then(|from| below_lists(from.path()));
    rest.is_some_and(|rest| rest.split('/').next() == Some(place))
}
