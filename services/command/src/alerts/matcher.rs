//! Follows the log and reports changes of homes. They are computed from the last reported states and not
//! from versions, so a replay, a rebuild or another epoch causes no reports.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{TimeDelta, Utc};
use contracts::{
    Change, Checkpoint, Collection, Event, LedgerId, Offer, Sequence, advertised_prices,
    content::{Property, Snapshot},
};
use event_log::{Delivered, EventLog, Lag};
use runtime::{error_text, postgres::with_answer_timeout};
use search_index::PercolatedProperty;
use search_parameters::today;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    change::{ChangeKind, Difference},
    home_state::{last_state, mark_withdrawn, store_state},
    place_names::PlaceNames,
    queue_alerts::{
        Hit, HomeUpdate, mark_lost, queue_alerts, queue_favourite_alerts, requeue_left_out,
    },
    watched_searches::WatchedSearches,
};
use crate::Error;

/// The number of messages that are read at a time.
const BATCH_SIZE: usize = 256;
/// The number of messages that are processed in one transaction. Each may cause thousands of alerts, and
/// a transaction that exceeds the time limit is repeated.
const CHUNK_SIZE: usize = 16;
/// The time limit of one wait for messages.
const BATCH_WAIT: Duration = Duration::from_secs(1);
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// How long matching waits after a publish, so that pages are rendered first and a recipient of an alert
/// finds the new page.
const PAGES_HEAD_START: TimeDelta = TimeDelta::seconds(1);
/// Older events are not reported, so that an outage of a day does not cause a flood of mails.
const MAX_NEWS_AGE: TimeDelta = TimeDelta::hours(24);

/// Matches homes with searches.
struct Matcher {
    pool: PgPool,
    /// How long an immediate alert waits for more changes.
    pause: Duration,
    searches: WatchedSearches,
    /// The names of places when the searches were loaded.
    places: PlaceNames,
    /// The last matched position in the log; `None` before it was read.
    position: watch::Sender<Option<Sequence>>,
}

/// The searches that match a home now and those that matched it before, sorted.
struct Matches {
    now: Vec<Uuid>,
    before: Vec<Uuid>,
}

/// Matches homes with searches until `shutdown`, and wakes the workers through `due`. Several processes
/// may do so: each message is processed by one of them.
pub async fn run(
    pool: PgPool,
    log: EventLog,
    pause: Duration,
    due: Arc<Notify>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let (position, follows) = watch::channel(None);
    let measuring = Lag::measure(log.clone(), follows, report_lag);
    let mut matcher = Matcher {
        pool,
        pause,
        searches: WatchedSearches::default(),
        places: PlaceNames::default(),
        position,
    };
    let following = async {
        let mut has_failed = false;
        loop {
            // Enquiries are accepted all the same, so this does not make the process unready.
            if let Err(error) = matcher.follow(&log, &due, &mut has_failed).await
                && !std::mem::replace(&mut has_failed, true)
            {
                tracing::warn!(error = error_text(&error), "alerts can't follow the log; retrying");
            }
            tokio::time::sleep(FAILURE_PAUSE).await;
        }
    };
    let working = async { tokio::join!(following, measuring) };
    shutdown.run_until_cancelled(Box::pin(working)).await;
    Ok(())
}

fn report_lag(lag: Lag) {
    metrics::gauge!("command_alerts_lag_messages")
        .set(f64::from(u32::try_from(lag.messages).unwrap_or(u32::MAX)));
}

impl Matcher {
    async fn follow(
        &mut self,
        log: &EventLog,
        due: &Notify,
        has_failed: &mut bool,
    ) -> Result<(), Error> {
        let (checkpoint, mut is_filled) = with_answer_timeout(self.checkpoint()).await?;
        let mut reader = log.reader(checkpoint);
        self.position.send_replace(Some(checkpoint.sequence));
        loop {
            let batch = match reader.next_batch(BATCH_SIZE, BATCH_WAIT).await {
                Ok(batch) => batch,
                Err(event_log::Error::Diverged(_)) => {
                    // The last reported states are still known, so the log is replayed without reports.
                    reader = log.reader(Checkpoint::START);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            *has_failed = false;
            if !batch.is_empty() {
                tokio::time::sleep(self.remaining_head_start(&batch)).await;
                with_answer_timeout(self.searches.refresh(&self.pool)).await?;
                let ledger = reader.checkpoint().ledger;
                for chunk in batch.chunks(CHUNK_SIZE) {
                    with_answer_timeout(self.apply_batch(chunk, ledger, is_filled)).await?;
                }
                self.position.send_replace(Some(reader.checkpoint().sequence));
                due.notify_one();
            }
            if !is_filled && reader.is_caught_up() {
                with_answer_timeout(self.mark_filled()).await?;
                is_filled = true;
            }
        }
    }

    /// Returns how long to wait until the pages of `batch` are rendered; zero if immediate alerts have
    /// no pause.
    fn remaining_head_start(&self, batch: &[Delivered]) -> Duration {
        let events = batch.iter().filter_map(|delivered| delivered.event.as_ref().ok());
        let youngest = events.map(|event| event.captured_at).max();
        let left = youngest.map_or(TimeDelta::zero(), |at| PAGES_HEAD_START - (Utc::now() - at));
        left.min(PAGES_HEAD_START).to_std().unwrap_or_default().min(self.pause)
    }

    async fn checkpoint(&self) -> Result<(Checkpoint, bool), Error> {
        let row = sqlx::query!(
            "insert into visitor.alert_checkpoint as c (sequence) values (0)
             on conflict (is_only) do update set sequence = c.sequence
             returning sequence, ledger, is_filled"
        )
        .fetch_one(&self.pool)
        .await?;
        let checkpoint = Checkpoint {
            sequence: Sequence::from_i64(row.sequence),
            ledger: row.ledger.map(LedgerId),
        };
        Ok((checkpoint, row.is_filled))
    }

    async fn mark_filled(&self) -> Result<(), Error> {
        sqlx::query!("update visitor.alert_checkpoint set is_filled = true")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Reloads all searches if `places` differ from those when they were loaded. When a place is
    /// renamed, by this process or another, the addresses of its searches change without a new
    /// `changed_at`.
    async fn reload_if_renamed(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        places: &PlaceNames,
    ) -> Result<(), Error> {
        if self.places != *places {
            self.searches.load(transaction, None).await?;
            self.places = places.clone();
        }
        Ok(())
    }

    /// Processes `batch` of the log of `ledger` in one transaction, together with the alerts that it
    /// causes.
    async fn apply_batch(
        &mut self,
        batch: &[Delivered],
        ledger: Option<LedgerId>,
        is_filled: bool,
    ) -> Result<(), Error> {
        let mut transaction = self.pool.begin().await?;
        let stored = sqlx::query!(
            r#"select sequence, ledger, now() as "now!"
               from visitor.alert_checkpoint for update"#
        )
        .fetch_one(&mut *transaction)
        .await?;
        let mut places = PlaceNames::read(&mut transaction).await?;
        self.reload_if_renamed(&mut transaction, &places).await?;
        let is_same = stored.ledger == ledger.map(|ledger| ledger.0);
        for delivered in batch {
            let sequence = delivered.sequence.to_i64();
            // Another process has already processed it.
            if is_same && sequence <= stored.sequence {
                continue;
            }
            let Ok(event) = &delivered.event else { continue };
            if event.aggregate.collection == Collection::Properties {
                let is_news = is_filled && stored.now - event.captured_at < MAX_NEWS_AGE;
                self.apply(&mut transaction, event, &places, is_news).await?;
            } else if let Change::Upserted { snapshot } = &event.change
                && let Snapshot::Locations(place) = &**snapshot
            {
                places.record(&mut transaction, &event.aggregate.key, &place.slug).await?;
                self.reload_if_renamed(&mut transaction, &places).await?;
            }
        }
        runtime::failpoint("command.match").map_err(sqlx::Error::Io)?;
        let last = batch.last().map_or(0, |delivered| delivered.sequence.to_i64());
        if !is_same || last > stored.sequence {
            sqlx::query!(
                "update visitor.alert_checkpoint set sequence = $1, ledger = $2",
                last,
                ledger.map(|ledger| ledger.0),
            )
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn apply(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        event: &Event,
        places: &PlaceNames,
        is_news: bool,
    ) -> Result<(), Error> {
        let key = event.aggregate.key.as_str();
        let snapshot = match &event.change {
            Change::Upserted { snapshot } => snapshot,
            Change::Removed => {
                if let Some(gone) = mark_withdrawn(transaction, key).await?
                    && is_news
                {
                    let update = self.update(event, &gone.reference, gone.number, gone.price);
                    queue_favourite_alerts(transaction, update, &[ChangeKind::Withdrawn]).await?;
                }
                return Ok(());
            }
        };
        let Snapshot::Properties(now) = &**snapshot else { return Ok(()) };
        let before = last_state(transaction, key, &now.reference).await?;
        let difference = before.as_ref().map(|state| Difference {
            before: &state.snapshot,
            was_listed: state.is_listed,
            now,
        });
        if difference.is_some_and(Difference::is_unchanged) {
            return Ok(());
        }
        let number = store_state(transaction, key, now).await?;
        // There are no pending alerts about a new home.
        if !is_news && difference.is_none() {
            return Ok(());
        }
        // Searches compare with the advertised price, which leaves out mistyped prices. Favourites
        // compare with the last reported price: who was told of the mistyped price is told of the
        // correction.
        let advertised =
            before.as_ref().map(|state| at_advertised_price(&state.snapshot, &event.offers));
        let changed = difference.zip(advertised.as_ref());
        let changed =
            changed.map(|(difference, advertised)| Difference { before: advertised, ..difference });
        let differs_in_price = |advertised: &&Property| {
            difference.is_some_and(|it| it.before.price != advertised.price)
        };
        let was: Vec<_> = difference
            .map(|it| it.before)
            .into_iter()
            .chain(advertised.as_ref().filter(differs_in_price))
            .collect();
        let found = self.find_matches(now, &was, &event.offers, places);
        if difference.is_some() {
            let is_lost = |search: Uuid| {
                let is_known = self.searches.percolator.contains(&search);
                is_known.then(|| found.now.binary_search(&search).is_err())
            };
            mark_lost(transaction, key, is_lost).await?;
        }
        if !is_news {
            return Ok(());
        }
        let update = |price_before| self.update(event, &now.reference, number, price_before);
        let hits = found.hits(changed);
        queue_alerts(transaction, update(changed.and_then(Difference::price_before)), &hits)
            .await?;
        if let Some(difference) = difference {
            let update = update(difference.price_before());
            requeue_left_out(transaction, update, &found.now).await?;
            queue_favourite_alerts(transaction, update, &difference.for_favourite()).await?;
        }
        Ok(())
    }

    const fn update<'a>(
        &self,
        event: &'a Event,
        reference: &'a str,
        number: i64,
        price_before: Option<i64>,
    ) -> HomeUpdate<'a> {
        let key = event.aggregate.key.as_str();
        HomeUpdate {
            key,
            reference,
            number,
            price_before,
            at: event.captured_at,
            pause: self.pause,
        }
    }

    /// Returns the searches that match the home as it is `now`, and those that matched one of the forms
    /// that it `was` in.
    fn find_matches(
        &self,
        now: &Property,
        was: &[&Property],
        offers: &[Offer],
        places: &PlaceNames,
    ) -> Matches {
        if self.searches.percolator.is_empty() {
            return Matches { now: Vec::new(), before: Vec::new() };
        }
        let begun = Instant::now();
        let today = today();
        let find = |property: &Property| {
            let seen = PercolatedProperty::of(&places.with_all_names(property), offers);
            let mut found = self.searches.percolator.matching(&seen, today);
            found.sort_unstable();
            found
        };
        let mut before: Vec<Uuid> = was.iter().copied().flat_map(find).collect();
        before.sort_unstable();
        let found = Matches { now: find(now), before };
        metrics::histogram!("command_match_seconds").record(begun.elapsed().as_secs_f64());
        found
    }
}

/// Returns `before` with the price that was advertised at the time, computed from its `offers` as its
/// page does. A mistyped price was never advertised.
fn at_advertised_price(before: &Property, offers: &[Offer]) -> Property {
    let its = || offers.iter().filter(|offer| offer.reference == before.reference);
    let last = its().rfind(|offer| offer.price.is_some() && offer.price == before.price);
    let asked = advertised_prices(its().filter_map(|offer| Some((offer.price?, offer.at))));
    let advertised = last.and_then(|last| asked.into_iter().rfind(|(_, since)| *since <= last.at));
    Property { price: advertised.map(|(price, _)| price).or(before.price), ..before.clone() }
}

impl Matches {
    /// Returns the searches to alert, each with the change to report.
    fn hits(&self, difference: Option<Difference<'_>>) -> Vec<Hit> {
        let hits = self.now.iter().filter_map(|&search| {
            let found_before = self.before.binary_search(&search).is_ok();
            let happened = match difference {
                Some(difference) => difference.for_search(found_before)?,
                None => ChangeKind::New,
            };
            Some(Hit { search, happened })
        });
        hits.collect()
    }
}
