//! Which places visitors look for, so that what completes their typing names the most searched first.
//!
//! A place is counted when somebody comes to the list of its homes, and nothing else of that is kept: no
//! address, no cookie, no time. Counts go to the write side now and then, which keeps them by place and
//! day. Anybody can have one counted by asking as a browser does: it orders a list, and nothing more.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    convert::Infallible,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use contracts::{Locale, Slug};
use http::{HeaderMap, Uri};
use reqwest::Response;
use tokio_util::sync::CancellationToken;
use url::{Url, form_urlencoded};

use crate::{
    headers::text,
    language::is_crawler,
    upstream::{Limits, Upstream},
};

/// How often counts are handed on; a process that is killed loses as much.
const EVERY: Duration = Duration::from_secs(10);
/// The last ones are handed on while the door closes, which is waited for.
const LIMITS: Limits = Limits {
    connect: Duration::from_secs(1),
    answer: Duration::from_secs(3),
    idle: Duration::from_mins(1),
};
/// The most places that are counted at a time: their names have to fit into what the write side reads.
const MAX_PLACES: usize = 100;
/// The call of the write side, which no visitor reaches.
const CALL: &str = "/internal/searches";

/// The address of each place's list begins so in English.
const LISTS: &str = "/property-for-sale/";
/// What lists are made of.
const LIST_CALL: &str = "/api/properties";

/// Counts of searches by place that were not handed on yet.
#[derive(Debug)]
pub struct Searches {
    counts: Mutex<BTreeMap<String, u32>>,
    command: Upstream,
}

impl Searches {
    /// To be handed on to the write side at `command_url`.
    pub fn new(command_url: &Url) -> Result<Self, reqwest::Error> {
        let command = Upstream::new(command_url, LIMITS)?;
        Ok(Self { counts: Mutex::default(), command })
    }

    /// The page at `path` was given to a request with `headers`.
    pub fn opened(&self, path: &str, headers: &HeaderMap) {
        let place = below_lists(path).filter(|rest| !rest.contains('/'));
        if let Some(place) = place
            && text(headers, "sec-fetch-dest") == Some("document")
        {
            self.count(place, headers);
        }
    }

    /// What `uri` names was answered to a request with `headers`: a step within the site asks for homes,
    /// and for no document.
    pub fn answered(&self, uri: &Uri, headers: &HeaderMap) {
        if uri.path() == LIST_CALL
            && text(headers, "sec-fetch-dest") == Some("empty")
            && text(headers, "sec-fetch-site") == Some("same-origin")
            && let Some(place) = only_place(uri.query().unwrap_or_default())
        {
            self.count(&place, headers);
        }
    }

    /// Hands on what was counted, now and then, and once more after `shutdown`.
    pub async fn run(self: Arc<Self>, shutdown: CancellationToken) -> Result<(), Infallible> {
        let mut has_failed = false;
        loop {
            let pause = shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await;
            match self.hand_on().await {
                Err(error) if !has_failed => {
                    tracing::warn!(%error, "counts of searches wait to be handed on");
                    has_failed = true;
                }
                handed_on => has_failed = handed_on.is_err(),
            }
            if pause.is_none() {
                return Ok(());
            }
        }
    }

    /// Hands on what was counted. Where the write side does not say that it has it, that is counted on: at
    /// the worst something counts twice.
    async fn hand_on(&self) -> Result<(), reqwest::Error> {
        let counts = mem::take(&mut *self.counts());
        if counts.is_empty() {
            return Ok(());
        }
        let call = |client: &reqwest::Client, base: &str| {
            client.post(format!("{base}{CALL}")).json(&counts)
        };
        let answer = self.command.send(call).await.and_then(Response::error_for_status);
        if answer.is_err() {
            for (place, times) in counts {
                self.add(&place, times);
            }
        }
        answer.map(drop)
    }

    fn count(&self, place: &str, headers: &HeaderMap) {
        if Slug::is(place) && is_person(headers) && !comes_from(place, headers) {
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

/// What of `path` is below the address of lists, in either language.
fn below_lists(path: &str) -> Option<&str> {
    path.strip_prefix(Locale::Es.path_prefix()).unwrap_or(path).strip_prefix(LISTS)
}

/// The one place whose homes `query` asks for. A few homes of one are shown on other pages too.
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

/// Whether a person asks, for now and not ahead, whose browser has nothing against being counted.
fn is_person(headers: &HeaderMap) -> bool {
    let is_ahead = ["sec-purpose", "purpose", "x-moz"]
        .into_iter()
        .any(|name| text(headers, name).is_some_and(|purpose| purpose.contains("prefetch")));
    let refuses = ["dnt", "sec-gpc"].into_iter().any(|name| text(headers, name) == Some("1"));
    !is_ahead && !refuses && !is_crawler(headers)
}

/// Whether whoever asks is at `place` already: they look further there, or their page follows a change.
fn comes_from(place: &str, headers: &HeaderMap) -> bool {
    let from: Option<Url> = text(headers, "referer").and_then(|from| from.parse().ok());
    let rest = from.as_ref().and_then(|from| below_lists(from.path()));
    rest.is_some_and(|rest| rest.split('/').next() == Some(place))
}
