//! Telling editors what became of what they published: whether the site shows it, since when, after
//! how many milliseconds and where, and without which of its pictures; or which rule keeps it from
//! being shown.
//!
//! It is kept in the ledger too, for operators, and for them alone where no editor is to be told.
//!
//! It is told in a collection of the content service's own, `live_status`, a row an item. A field of
//! the item would make every open draft of it outdated. Nothing waits for it: where the content
//! service or the site is away, it is told later.

mod row;
mod untold;

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use clap::Args;
use contracts::{Change, SEQUENCE_HEADER, Violation, content::Snapshot, rules::ItemFault};
use futures::{StreamExt, stream};
use http::StatusCode;
use runtime::health::Details;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

use self::{
    row::{Row, State, addresses, id_of, name_of, path_of, reason},
    untold::{Newest, Untold},
};
use crate::{Error, Sync};

/// How many items are told of at once.
const AT_ONCE: usize = 8;
/// How many are claimed together, what was noted last first; and the pause after so many: of a whole
/// catalogue editors are told by and by.
const BATCH: usize = 20;
const BATCH_PAUSE: Duration = Duration::from_secs(1);
/// How often it is looked without a notice.
const POLL: Duration = Duration::from_millis(500);
/// The pause after a failure.
const FAILURE_PAUSE: Duration = Duration::from_secs(5);
/// How long the site may take to show what was published before it is asked later: what is claimed
/// together waits for the slowest. It is asked ever less often: it takes each address for a visitor,
/// and a visitor's share is limited.
const VISIBLE_LIMIT: Duration = Duration::from_secs(2);
/// As long as that after it was noted an item's own page is asked for. Of many that were published at
/// once the last are older when it is their turn, and it is enough that the site has read of them.
const PAGE_LIMIT: Duration = Duration::from_secs(30);
/// Who asks no later than that is not the one that was waited for.
const AT_ONCE_LIMIT: Duration = Duration::from_millis(100);
const FIRST_PAUSE: Duration = Duration::from_millis(8);
const MAX_PAUSE: Duration = Duration::from_millis(500);
const ANSWER_LIMIT: Duration = Duration::from_secs(5);
/// As much of an item's name as there is room for, in characters.
const MAX_NAME_LENGTH: usize = 255;
/// What is asked where an item has no page of its own: it tells how far the site has read.
const SETTINGS: &str = "/api/site";

/// Where editors are told, and where it is looked whether something is shown.
#[derive(Clone, Debug, Args)]
pub struct LiveStatusConfig {
    /// A token that may write `live_status` in the content service and nothing else. Without one
    /// no editor is told.
    #[arg(long, env = "LIVE_STATUS_TOKEN", hide_env_values = true, requires = "site_url")]
    pub live_status_token: Option<SecretString>,
    /// The site's door, asked whether it shows what was published. Without it nobody knows.
    #[arg(long, env = "SITE_URL", value_parser = runtime::service_url)]
    pub site_url: Option<Url>,
    /// The site as visitors know it.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// How long the site and the content service may take to answer.
    #[arg(skip = ANSWER_LIMIT)]
    pub answer_limit: Duration,
}

/// Finds out, and tells editors.
#[derive(Debug)]
pub struct LiveStatus {
    client: reqwest::Client,
    site: String,
    public: Url,
    /// None where no editor is to be told.
    editors: Option<Editors>,
}

/// Where editors are told.
#[derive(Debug)]
struct Editors {
    rows: String,
    token: SecretString,
}

/// What the site answers.
enum Answer {
    /// A page or data, made from this position in the log.
    MadeFrom(u64),
    NotThere,
    /// Nobody can say now.
    Unknown,
}

impl LiveStatus {
    /// By the content service at `content_url`; none where there is no site to ask.
    pub fn new(config: &LiveStatusConfig, content_url: &Url) -> Result<Option<Self>, Error> {
        let Some(site) = &config.site_url else { return Ok(None) };
        let client = runtime::content_service()
            // By this the site knows that no visitor asks.
            .user_agent(concat!("almijara/", env!("CARGO_PKG_VERSION")))
            .timeout(config.answer_limit)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(Error::LiveStatus)?;
        let without_slash = |url: &Url| url.as_str().trim_end_matches('/').to_owned();
        let editors = config.live_status_token.as_ref().map(|token| Editors {
            rows: format!("{}/items/live_status", without_slash(content_url)),
            token: token.clone(),
        });
        let public = config.public_url.clone();
        Ok(Some(Self { client, site: without_slash(site), public, editors }))
    }

    /// Tells until `shutdown`.
    pub async fn run(
        self,
        sync: Sync,
        told: Details,
        shutdown: CancellationToken,
    ) -> Result<(), Error> {
        let mut failing = false;
        loop {
            let pause = match self.round(&sync).await {
                Ok(count) => {
                    if std::mem::take(&mut failing) {
                        tracing::info!("editors are told again what is live");
                        told.set(None);
                    }
                    match count {
                        0 => POLL,
                        1..BATCH => Duration::ZERO,
                        _ => BATCH_PAUSE,
                    }
                }
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::warn!(%error, "editors can't be told what is live");
                        let why = error.to_string();
                        told.set(Some(json!({ "nobodyIsToldSince": Utc::now(), "why": why })));
                    }
                    FAILURE_PAUSE
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = tokio::time::sleep(pause) => {}
                () = sync.untold.notified(), if !failing => {}
            }
        }
    }

    /// Tells of what there is to tell; gives of how many items.
    async fn round(&self, sync: &Sync) -> Result<usize, Error> {
        let pool = sync.ledger.pool();
        let untold = untold::claim(pool, i64::try_from(BATCH).unwrap_or(i64::MAX)).await?;
        let count = untold.len();
        // Once for all that nobody waits for.
        let read_to = match count {
            0 => None,
            _ => match self.ask(SETTINGS).await {
                Answer::MadeFrom(sequence) => Some(sequence),
                Answer::NotThere | Answer::Unknown => None,
            },
        };
        let mut telling = stream::iter(untold)
            .map(|untold| async move {
                let Some(row) = self.judge(&untold, read_to).await else {
                    return untold::later(pool, &untold).await;
                };
                if let (Some(since), Some(newest)) = (row.seen_at, &untold.newest) {
                    let Row { milliseconds, addresses, .. } = &row;
                    untold::seen(pool, newest.entry, since, *milliseconds, addresses).await?;
                }
                match self.write(&row).await {
                    // Of this item alone: the others are told of, and it is claimed again.
                    Err(Error::LiveStatus(error))
                        if error.status() == Some(StatusCode::BAD_REQUEST) =>
                    {
                        let item = format!("{}/{}", untold.collection, untold.key);
                        tracing::warn!(%item, %error, "editors can't be told of an item");
                        Ok(())
                    }
                    written => {
                        written?;
                        untold::told(pool, &untold).await
                    }
                }
            })
            .buffer_unordered(AT_ONCE);
        while let Some(told) = telling.next().await {
            told?;
        }
        Ok(count)
    }

    /// Where an item stands, by a site that has read up to `read_to`; none as long as it does not show
    /// the item, or still may show what was taken off it.
    async fn judge(&self, untold: &Untold, read_to: Option<u64>) -> Option<Row> {
        let newest = untold.newest.as_ref();
        let shown = newest.and_then(|newest| match &newest.change {
            Change::Upserted { snapshot } => Some(snapshot.as_ref()),
            Change::Removed => None,
        });
        let refused = newest.and_then(|newest| newest.refused.as_ref());
        let refused = refused.map(|why| Violation::of_the_item(ItemFault::Unpublishable, why));
        let broken = match &untold.violations[..] {
            [] => refused.as_slice(),
            violations => violations,
        };
        let path = shown.and_then(path_of);
        let row = self.row(untold, shown, path.as_deref());
        let told = |state, reasons: &[Violation]| {
            let reasons = reasons.iter().map(reason).collect();
            Row { state, reasons, ..row }
        };
        match newest {
            Some(newest) if shown.is_none() && refused.is_none() => {
                let state = if broken.is_empty() { State::Off } else { State::NotLive };
                self.off(told(state, broken), untold, newest, read_to).await
            }
            _ if !broken.is_empty() => Some(told(State::NotLive, broken)),
            None => Some(told(State::Off, broken)),
            Some(newest) => {
                let whole = untold.left_out.is_empty();
                let state = if whole { State::Live } else { State::LiveInPart };
                let row = told(state, &untold.left_out);
                self.live(row, untold, newest, path.as_deref(), read_to).await
            }
        }
    }

    /// `row` of an item that was taken off the site by the version `newest`; none as long as the site may
    /// still show the one before.
    async fn off(
        &self,
        row: Row,
        untold: &Untold,
        newest: &Newest,
        read_to: Option<u64>,
    ) -> Option<Row> {
        if newest.seen_before().is_some() {
            return Some(row);
        }
        let sequence = newest.sequence?;
        if read_to.is_none_or(|read_to| read_to < sequence) {
            if untold.age() >= PAGE_LIMIT {
                return None;
            }
            self.wait_for(sequence, SETTINGS).await?;
        }
        Some(Row { seen_at: Some(Utc::now()), ..row })
    }

    /// `live`, of an item of which the site shows the version `newest`; none as long as it does not.
    async fn live(
        &self,
        live: Row,
        untold: &Untold,
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
        let Some(hinted_at) = newest.hinted_at.filter(|_| untold.age() < PAGE_LIMIT) else {
            return (read_to? >= sequence).then(|| seen(newest.captured_at, None));
        };
        let asked_at_once = untold.age() < AT_ONCE_LIMIT;
        let appeared = self.wait_for(sequence, path.unwrap_or(SETTINGS)).await?;
        let now = Utc::now();
        // Shown before it was asked for the first time, it may have been for long. Two servers' clocks
        // may differ.
        let milliseconds =
            (appeared || asked_at_once).then(|| (now - hinted_at).num_milliseconds().max(0));
        Some(seen(now, milliseconds))
    }

    fn row(&self, untold: &Untold, shown: Option<&Snapshot>, path: Option<&str>) -> Row {
        Row {
            id: id_of(&untold.collection, &untold.key),
            item_collection: untold.collection.clone(),
            item_key: untold.key.clone(),
            item_name: shown
                .and_then(name_of)
                .map(|name| name.chars().take(MAX_NAME_LENGTH).collect()),
            state: State::NotLive,
            live_since: shown.and(untold.newest.as_ref()).map(|newest| newest.captured_at),
            milliseconds: None,
            addresses: path.map(|path| addresses(&self.public, path)).unwrap_or_default(),
            reasons: Vec::new(),
            noted_at: Utc::now(),
            seen_at: None,
        }
    }

    /// Waits until what the site shows at `path` is made from `sequence` or later, and says whether it
    /// was seen to be older until then; none where it is not in time.
    async fn wait_for(&self, sequence: u64, path: &str) -> Option<bool> {
        let (began, mut was_older) = (Instant::now(), false);
        while began.elapsed() < VISIBLE_LIMIT {
            was_older = match self.ask(path).await {
                Answer::MadeFrom(shown) if shown >= sequence => return Some(was_older),
                Answer::MadeFrom(_) | Answer::NotThere => true,
                Answer::Unknown => false,
            };
            let pause = (began.elapsed() / 8).clamp(FIRST_PAUSE, MAX_PAUSE);
            tokio::time::sleep(pause).await;
        }
        None
    }

    async fn ask(&self, path: &str) -> Answer {
        let asked = self.client.get(format!("{}{path}", self.site)).send().await;
        let Ok(answer) = asked else { return Answer::Unknown };
        let made_from = answer.headers().get(SEQUENCE_HEADER).and_then(|made| made.to_str().ok());
        match answer.status() {
            StatusCode::OK => made_from
                .and_then(|made| made.parse().ok())
                .map_or(Answer::Unknown, Answer::MadeFrom),
            StatusCode::NOT_FOUND | StatusCode::GONE => Answer::NotThere,
            _ => Answer::Unknown,
        }
    }

    /// Writes `row`, in place of the one that there may be.
    async fn write(&self, row: &Row) -> Result<(), Error> {
        let Some(Editors { rows, token }) = &self.editors else { return Ok(()) };
        let send = async |request: reqwest::RequestBuilder| {
            let request = request.bearer_auth(token.expose_secret()).json(row);
            request.send().await.map_err(|error| Error::LiveStatus(error.without_url()))
        };
        let made = send(self.client.post(rows)).await?;
        // There is one already. A change of what there is not would be answered as if it were done.
        let answer = match made.status() {
            StatusCode::BAD_REQUEST => {
                send(self.client.patch(format!("{rows}/{}", row.id))).await?
            }
            _ => made,
        };
        answer.error_for_status().map(drop).map_err(|error| Error::LiveStatus(error.without_url()))
    }
}
