//! Follows the log and tells what happened to homes from what was told before, not from versions: a
//! replay, a rebuild and another epoch differ in nothing, so they tell nothing.

use std::{
    convert::Infallible,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{TimeDelta, Utc};
use contracts::{
    Change, Checkpoint, Collection, Event, LedgerId, Offer, Sequence, asked_prices,
    content::{Property, Snapshot},
};
use event_log::{Delivered, EventLog, Lag};
use runtime::postgres::answered;
use search_index::PercolatedProperty;
use search_parameters::today;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    change::{Difference, Happened},
    home_state::{keep, known, withdraw},
    known_searches::KnownSearches,
    place_names::PlaceNames,
    tell::{Hit, News, mark_lost, tell, tell_favourites, tell_left_out},
};
use crate::Error;

/// How many messages are read at a time.
const BATCH: usize = 256;
/// How many of them are taken in one transaction: thousands may hear of each, and what is not done
/// within the limit is begun again.
const PART: usize = 16;
/// How long one wait for messages lasts.
const WAIT: Duration = Duration::from_secs(1);
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// Pages have the machine to themselves for so long after a publish: whoever is told of it finds it.
const PAGES_FIRST: TimeDelta = TimeDelta::seconds(1);
/// What is older is history and not news: a house that was shut for a day does not tell it all.
const NEWS: TimeDelta = TimeDelta::hours(24);

/// Who looks which searches a home fits.
struct Matcher {
    pool: PgPool,
    /// How long a mail at once waits for more.
    pause: Duration,
    searches: KnownSearches,
    /// What places were called when the searches were read.
    places: PlaceNames,
    /// Up to where the log was matched; none before that was first read.
    position: watch::Sender<Option<Sequence>>,
}

/// The searches that find a home, in order.
struct Found {
    now: Vec<Uuid>,
    before: Vec<Uuid>,
}

/// Matches homes with searches until `shutdown`; `due` hears that mails may wait. Several may do so:
/// each message is taken by one of them.
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
        searches: KnownSearches::default(),
        places: PlaceNames::default(),
        position,
    };
    let following = async {
        let mut waits = false;
        loop {
            // What visitors send is taken all the same, so this makes nothing unready.
            if let Err(error) = matcher.follow(&log, &due, &mut waits).await
                && !std::mem::replace(&mut waits, true)
            {
                tracing::warn!(%error, "alerts wait for the log");
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
        waits: &mut bool,
    ) -> Result<(), Error> {
        let (checkpoint, mut is_filled) = answered(self.checkpoint()).await?;
        let mut reader = log.reader(checkpoint);
        self.position.send_replace(Some(checkpoint.sequence));
        loop {
            let batch = match reader.next_batch(BATCH, WAIT).await {
                Ok(batch) => batch,
                Err(event_log::Error::Diverged(_)) => {
                    // What homes were told as is still known, so the log is read again in silence.
                    reader = log.reader(Checkpoint::START);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            *waits = false;
            if !batch.is_empty() {
                tokio::time::sleep(self.until_pages_are_made(&batch)).await;
                answered(self.searches.refresh(&self.pool)).await?;
                let ledger = reader.checkpoint().ledger;
                for part in batch.chunks(PART) {
                    answered(self.take(part, ledger, is_filled)).await?;
                }
                self.position.send_replace(Some(reader.checkpoint().sequence));
                due.notify_one();
            }
            if !is_filled && reader.is_caught_up() {
                answered(self.filled()).await?;
                is_filled = true;
            }
        }
    }

    /// How long to leave the machine to the pages of `batch`; not at all where no mail waits for more.
    fn until_pages_are_made(&self, batch: &[Delivered]) -> Duration {
        let events = batch.iter().filter_map(|delivered| delivered.event.as_ref().ok());
        let youngest = events.map(|event| event.captured_at).max();
        let left = youngest.map_or(TimeDelta::zero(), |at| PAGES_FIRST - (Utc::now() - at));
        left.min(PAGES_FIRST).to_std().unwrap_or_default().min(self.pause)
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

    async fn filled(&self) -> Result<(), Error> {
        sqlx::query!("update visitor.alert_checkpoint set is_filled = true")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Reads all searches anew where `places` are called otherwise than when they were read: those of a
    /// place that was renamed, by this process or by another, name it otherwise since, and that was no
    /// change of theirs.
    async fn follow_places(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        places: &PlaceNames,
    ) -> Result<(), Error> {
        if self.places != *places {
            self.searches.read(transaction, None).await?;
            self.places = places.clone();
        }
        Ok(())
    }

    /// Takes `batch`, of the log of `ledger`, in one transaction with all that it is told by.
    async fn take(
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
        self.follow_places(&mut transaction, &places).await?;
        let is_same = stored.ledger == ledger.map(|ledger| ledger.0);
        for delivered in batch {
            let sequence = delivered.sequence.to_i64();
            // Another process was here first.
            if is_same && sequence <= stored.sequence {
                continue;
            }
            let Ok(event) = &delivered.event else { continue };
            if event.aggregate.collection == Collection::Properties {
                let is_news = is_filled && stored.now - event.captured_at < NEWS;
                self.apply(&mut transaction, event, &places, is_news).await?;
            } else if let Change::Upserted { snapshot } = &event.change
                && let Snapshot::Locations(place) = &**snapshot
            {
                places.note(&mut transaction, &event.aggregate.key, &place.slug).await?;
                self.follow_places(&mut transaction, &places).await?;
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
                if let Some(gone) = withdraw(transaction, key).await?
                    && is_news
                {
                    let news = self.news(event, &gone.reference, gone.number, gone.price);
                    tell_favourites(transaction, news, &[Happened::Withdrawn]).await?;
                }
                return Ok(());
            }
        };
        let Snapshot::Properties(now) = &**snapshot else { return Ok(()) };
        let before = known(transaction, key, &now.reference).await?;
        let difference = before.as_ref().map(|state| Difference {
            before: &state.snapshot,
            was_listed: state.is_listed,
            now,
        });
        if difference.is_some_and(Difference::is_none) {
            return Ok(());
        }
        let number = keep(transaction, key, now).await?;
        // Nothing waits to be told of a home that nobody knew.
        if !is_news && difference.is_none() {
            return Ok(());
        }
        // Who searches hears of no slip. Who was told of the higher price hears of the lower one.
        let stood = before.as_ref().map(|state| without_slip(&state.snapshot, &event.offers));
        let told = difference.zip(stood.as_ref());
        let told = told.map(|(difference, stood)| Difference { before: stood, ..difference });
        let is_slip =
            |stood: &&Property| difference.is_some_and(|it| it.before.price != stood.price);
        let was: Vec<_> = difference
            .map(|it| it.before)
            .into_iter()
            .chain(stood.as_ref().filter(is_slip))
            .collect();
        let found = self.found(now, &was, &event.offers, places);
        if difference.is_some() {
            let is_lost = |search: Uuid| {
                let is_known = self.searches.percolator.knows(&search);
                is_known.then(|| found.now.binary_search(&search).is_err())
            };
            mark_lost(transaction, key, is_lost).await?;
        }
        if !is_news {
            return Ok(());
        }
        let news = |price_before| self.news(event, &now.reference, number, price_before);
        let hits = found.hits(told);
        tell(transaction, news(told.and_then(Difference::price_before)), &hits).await?;
        if let Some(difference) = difference {
            let news = news(difference.price_before());
            tell_left_out(transaction, news, &found.now).await?;
            tell_favourites(transaction, news, &difference.for_favourite()).await?;
        }
        Ok(())
    }

    const fn news<'a>(
        &self,
        event: &'a Event,
        reference: &'a str,
        number: i64,
        price_before: Option<i64>,
    ) -> News<'a> {
        let key = event.aggregate.key.as_str();
        News { key, reference, number, price_before, at: event.captured_at, pause: self.pause }
    }

    /// The searches that find the home as it is `now`, and those that found it in one of the forms that it
    /// `was` in.
    fn found(
        &self,
        now: &Property,
        was: &[&Property],
        offers: &[Offer],
        places: &PlaceNames,
    ) -> Found {
        if self.searches.percolator.is_empty() {
            return Found { now: Vec::new(), before: Vec::new() };
        }
        let begun = Instant::now();
        let today = today();
        let find = |property: &Property| {
            let seen = PercolatedProperty::of(&places.under_all(property), offers);
            let mut found = self.searches.percolator.matching(&seen, today);
            found.sort_unstable();
            found
        };
        let mut before: Vec<Uuid> = was.iter().copied().flat_map(find).collect();
        before.sort_unstable();
        let found = Found { now: find(now), before };
        metrics::histogram!("command_match_seconds").record(begun.elapsed().as_secs_f64());
        found
    }
}

/// `before` at what was asked when it cost that by its `offers`, as its page has it: a slip was never asked.
fn without_slip(before: &Property, offers: &[Offer]) -> Property {
    let its = || offers.iter().filter(|offer| offer.reference == before.reference);
    let told = its().rfind(|offer| offer.price.is_some() && offer.price == before.price);
    let asked = asked_prices(its().filter_map(|offer| Some((offer.price?, offer.at))));
    let stood = told.and_then(|told| asked.into_iter().rfind(|(_, since)| *since <= told.at));
    Property { price: stood.map(|(price, _)| price).or(before.price), ..before.clone() }
}

impl Found {
    /// The searches that have to be told, and what.
    fn hits(&self, difference: Option<Difference<'_>>) -> Vec<Hit> {
        let hits = self.now.iter().filter_map(|&search| {
            let found_before = self.before.binary_search(&search).is_ok();
            let happened = match difference {
                Some(difference) => difference.for_search(found_before)?,
                None => Happened::New,
            };
            Some(Hit { search, happened })
        });
        hits.collect()
    }
}
