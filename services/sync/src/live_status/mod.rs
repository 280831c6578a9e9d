//! Reports the live status of items to their editors: whether the site shows what they published, since
//! when, after how many milliseconds and at which addresses, and which pictures are omitted; or which
//! rule keeps it from being shown.
//!
//! The result is also stored in the ledger, for operators. Without a token for editors it is stored only
//! there.
//!
//! Editors read it in a separate collection of the content service, `live_status`, with a row per item:
//! a field of the item itself would make every open draft of it outdated. Nothing waits for this report:
//! if the content service or the site is unreachable, it is made later.

mod row;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use clap::Args;
use content_client::Writer;
use contracts::{Change, SEQUENCE_HEADER, Violation, content::Snapshot, rules::ItemFault};
use futures::{StreamExt, stream};
use http::StatusCode;
use runtime::{error_text, health::Details};
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use self::row::{Row, State, addresses, id_of, name_of, path_of, reason};
use crate::{
    Error, Ledger, Wakeups,
    ledger::{Newest, PendingItem},
};

/// The maximum number of items processed concurrently.
const MAX_CONCURRENT: usize = 8;
/// The number of items claimed together, the most recent first; and the pause after a full batch, so
/// that a complete catalogue is reported gradually.
const BATCH: usize = 20;
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// How often the queue is polled without a notification.
const POLL: Duration = Duration::from_millis(500);
/// The pause after a failure.
const FAILURE_PAUSE: Duration = Duration::from_secs(5);
/// How long to wait for the site to show a version before the item is postponed: a batch waits for its
/// slowest item. The site is polled at growing intervals, since it takes each client address for a
/// visitor and limits the requests of each.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(2);
/// The own page of an item is checked only until it has been queued for this long. When many items are
/// published at once, the last ones are processed later than that; for them it is enough that the site
/// has read the log up to their versions.
const PAGE_CHECK_AGE_LIMIT: Duration = Duration::from_secs(30);
/// If the first check of an item starts within this time, its delay is measured even if that check
/// already finds the item shown.
const IMMEDIATE_CHECK_LIMIT: Duration = Duration::from_millis(100);
const MIN_CHECK_PAUSE: Duration = Duration::from_millis(8);
const MAX_CHECK_PAUSE: Duration = Duration::from_millis(500);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum length of an item's name, in characters.
const MAX_NAME_LENGTH: usize = 255;
/// The path that is checked for items without a page of their own: its header states how far the site
/// has read.
const SITE_SETTINGS_PATH: &str = "/api/site";

/// Where the live status is reported to editors, and where it is checked.
#[derive(Clone, Debug, Args)]
pub struct LiveStatusConfig {
    /// A token for the content service that may write `live_status` and nothing else. Without it
    /// editors don't see what is live.
    #[arg(long, env = "LIVE_STATUS_TOKEN", hide_env_values = true, requires = "site_url")]
    pub live_status_token: Option<SecretString>,
    /// The internal address of the site, which is checked for whether it shows what was published.
    /// Without it the live status is not determined.
    #[arg(long, env = "SITE_URL", value_parser = runtime::service_url)]
    pub site_url: Option<Url>,
    /// The public address of the site.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// How long the site and the content service may take to answer.
    #[arg(skip = ANSWER_TIMEOUT)]
    pub answer_limit: Duration,
}

/// Determines the live status of items, and reports it to editors.
#[derive(Debug)]
pub struct LiveStatus {
    client: reqwest::Client,
    site: String,
    public: Url,
    /// The rows for editors; none where they get no report.
    rows: Option<Writer>,
}

/// An answer of the site.
enum SiteAnswer {
    /// A page or data, made from the log up to this position.
    BuiltFrom(u64),
    Missing,
    /// The site could not be checked.
    Unknown,
}

impl LiveStatus {
    /// Creates a reporter for the content service at `content_url`; none where there is no site to
    /// check.
    pub fn new(config: &LiveStatusConfig, content_url: &Url) -> Result<Option<Self>, Error> {
        let Some(site) = &config.site_url else { return Ok(None) };
        let client = runtime::content_service_client()
            // The site recognizes by this that the request is not from a visitor.
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .timeout(config.answer_limit)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| Error::LiveStatus(content_client::Error::Unreachable(error)))?;
        let rows = config.live_status_token.clone().map(|token| {
            Writer::new(content_url.clone(), token, "live_status", config.answer_limit)
        });
        let rows = rows.transpose().map_err(Error::LiveStatus)?;
        let site = site.as_str().trim_end_matches('/').to_owned();
        Ok(Some(Self { client, site, public: config.public_url.clone(), rows }))
    }

    /// Reports until `shutdown`.
    pub async fn run(
        self,
        ledger: Ledger,
        wakeups: Arc<Wakeups>,
        details: Details,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        let mut failing = false;
        loop {
            let pause = match self.process_batch(&ledger).await {
                Ok(count) => {
                    if std::mem::take(&mut failing) {
                        tracing::info!("the live status is reported to editors again");
                        details.set(None);
                    }
                    match count {
                        0 => POLL,
                        1..BATCH => Duration::ZERO,
                        _ => BATCH_PAUSE,
                    }
                }
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        let why = error_text(&error);
                        tracing::warn!(error = why, "the live status can't be reported to editors");
                        details.set(Some(json!({ "nobodyIsToldSince": Utc::now(), "why": why })));
                    }
                    FAILURE_PAUSE
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = tokio::time::sleep(pause) => {}
                () = wakeups.live_status.notified(), if !failing => {}
            }
        }
    }

    /// Processes one batch, and returns how many items it had.
    async fn process_batch(&self, ledger: &Ledger) -> Result<usize, Error> {
        let items = ledger.claim_pending(i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        let count = items.len();
        // Checked once for all items that need no wait of their own.
        let read_to = match count {
            0 => None,
            _ => match self.query_site(SITE_SETTINGS_PATH).await {
                SiteAnswer::BuiltFrom(sequence) => Some(sequence),
                SiteAnswer::Missing | SiteAnswer::Unknown => None,
            },
        };
        let mut reports = stream::iter(items)
            .map(|item| async move {
                let Some(row) = self.evaluate(&item, read_to).await else {
                    return ledger.postpone_pending(&item).await;
                };
                if let (Some(since), Some(newest)) = (row.seen_at, &item.newest) {
                    let Row { milliseconds, addresses, .. } = &row;
                    ledger.record_seen(newest.entry, since, *milliseconds, addresses)
                        .await?;
                }
                match self.write(&row).await {
                    // The error concerns this item only: the others are reported, and this one is
                    // claimed again later.
                    Err(Error::LiveStatus(error)) if is_bad_request(&error) => {
                        let item = format!("{}/{}", item.collection, item.key);
                        tracing::warn!(%item, error = error_text(&error), "the live status of an item can't be reported to editors");
                        Ok(())
                    }
                    written => {
                        written?;
                        ledger.mark_reported(&item).await
                    }
                }
            })
            .buffer_unordered(MAX_CONCURRENT);
        while let Some(reported) = reports.next().await {
            reported?;
        }
        Ok(count)
    }

    /// Returns the status of an item on a site that has read up to `read_to`; none while the site does
    /// not show the item yet, or may still show what was taken off it.
    async fn evaluate(&self, item: &PendingItem, read_to: Option<u64>) -> Option<Row> {
        let newest = item.newest.as_ref();
        let shown = newest.and_then(|newest| match &newest.change {
            Change::Upserted { snapshot } => Some(snapshot.as_ref()),
            Change::Removed => None,
        });
        let refused = newest.and_then(|newest| newest.refused.as_ref());
        let refused = refused.map(|why| Violation::of_the_item(ItemFault::Unpublishable, why));
        let broken = match &item.violations[..] {
            [] => refused.as_slice(),
            violations => violations,
        };
        let path = shown.and_then(path_of);
        let row = self.row(item, shown, path.as_deref());
        let with_state = |state, reasons: &[Violation]| {
            let reasons = reasons.iter().map(reason).collect();
            Row { state, reasons, ..row }
        };
        match newest {
            Some(newest) if shown.is_none() && refused.is_none() => {
                let state = if broken.is_empty() { State::Off } else { State::NotLive };
                self.off_site_row(with_state(state, broken), item, newest, read_to).await
            }
            _ if !broken.is_empty() => Some(with_state(State::NotLive, broken)),
            None => Some(with_state(State::Off, broken)),
            Some(newest) => {
                let is_complete = item.left_out.is_empty();
                let state = if is_complete { State::Live } else { State::LiveInPart };
                let row = with_state(state, &item.left_out);
                self.live_row(row, item, newest, path.as_deref(), read_to).await
            }
        }
    }

    /// Completes `row` of an item that the version `newest` took off the site; none while the site may
    /// still show the version before.
    async fn off_site_row(
        &self,
        row: Row,
        item: &PendingItem,
        newest: &Newest,
        read_to: Option<u64>,
    ) -> Option<Row> {
        if newest.seen_before().is_some() {
            return Some(row);
        }
        let sequence = newest.sequence?;
        if read_to.is_none_or(|read_to| read_to < sequence) {
            if item.age() >= PAGE_CHECK_AGE_LIMIT {
                return None;
            }
            self.wait_for(sequence, SITE_SETTINGS_PATH).await?;
        }
        Some(Row { seen_at: Some(Utc::now()), ..row })
    }

    /// Completes `live`, the row of an item whose version `newest` is to be shown; none while the site
    /// does not show it yet.
    async fn live_row(
        &self,
        live: Row,
        item: &PendingItem,
        newest: &Newest,
        path: Option<&str>,
        read_to: Option<u64>,
    ) -> Option<Row> {
        let sequence = newest.sequence?;
        let seen = |since: DateTime<Utc>, milliseconds| Row {
            live_since: Some(since),
            seen_at: Some(since),
            milliseconds,
            ..live
        };
        if let Some((since, milliseconds)) = newest.seen_before() {
            return (read_to? >= sequence).then(|| seen(since, milliseconds));
        }
        let Some(hinted_at) = newest.hinted_at.filter(|_| item.age() < PAGE_CHECK_AGE_LIMIT) else {
            return (read_to? >= sequence).then(|| seen(newest.captured_at, None));
        };
        let checked_immediately = item.age() < IMMEDIATE_CHECK_LIMIT;
        let appeared = self.wait_for(sequence, path.unwrap_or(SITE_SETTINGS_PATH)).await?;
        let now = Utc::now();
        // If the item was shown at the first check already, it may have been for a long time. The clocks
        // of two servers may differ, hence the lower bound of zero.
        let milliseconds =
            (appeared || checked_immediately).then(|| (now - hinted_at).num_milliseconds().max(0));
        Some(seen(now, milliseconds))
    }

    fn row(&self, item: &PendingItem, shown: Option<&Snapshot>, path: Option<&str>) -> Row {
        Row {
            id: id_of(&item.collection, &item.key),
            item_collection: item.collection.clone(),
            item_key: item.key.clone(),
            item_name: shown
                .and_then(name_of)
                .map(|name| name.chars().take(MAX_NAME_LENGTH).collect()),
            state: State::NotLive,
            live_since: shown.and(item.newest.as_ref()).map(|newest| newest.captured_at),
            milliseconds: None,
            addresses: path.map(|path| addresses(&self.public, path)).unwrap_or_default(),
            reasons: Vec::new(),
            noted_at: Utc::now(),
            seen_at: None,
        }
    }

    /// Waits until the site answers `path` from `sequence` or later, and returns whether its last answer
    /// before that was seen to be older; none if the wait timed out.
    async fn wait_for(&self, sequence: u64, path: &str) -> Option<bool> {
        let (began, mut was_older) = (Instant::now(), false);
        while began.elapsed() < VISIBLE_TIMEOUT {
            was_older = match self.query_site(path).await {
                SiteAnswer::BuiltFrom(shown) if shown >= sequence => return Some(was_older),
                SiteAnswer::BuiltFrom(_) | SiteAnswer::Missing => true,
                SiteAnswer::Unknown => false,
            };
            let pause = (began.elapsed() / 8).clamp(MIN_CHECK_PAUSE, MAX_CHECK_PAUSE);
            tokio::time::sleep(pause).await;
        }
        None
    }

    async fn query_site(&self, path: &str) -> SiteAnswer {
        let response = self.client.get(format!("{}{path}", self.site)).send().await;
        let Ok(answer) = response else { return SiteAnswer::Unknown };
        let built_from =
            answer.headers().get(SEQUENCE_HEADER).and_then(|value| value.to_str().ok());
        match answer.status() {
            StatusCode::OK => built_from
                .and_then(|value| value.parse().ok())
                .map_or(SiteAnswer::Unknown, SiteAnswer::BuiltFrom),
            StatusCode::NOT_FOUND | StatusCode::GONE => SiteAnswer::Missing,
            _ => SiteAnswer::Unknown,
        }
    }

    /// Writes `row` for editors, and replaces an existing one.
    async fn write(&self, row: &Row) -> Result<(), Error> {
        let Some(rows) = &self.rows else { return Ok(()) };
        let written = match rows.create(row).await {
            // The row exists already. It is created first, since the content service answers an update of
            // a row that does not exist as if it had succeeded.
            Err(error) if is_bad_request(&error) => rows.update(row.id, row).await,
            created => created,
        };
        written.map_err(Error::LiveStatus)
    }
}

fn is_bad_request(error: &content_client::Error) -> bool {
    error.refusal().is_some_and(|refusal| refusal.status == StatusCode::BAD_REQUEST)
}
