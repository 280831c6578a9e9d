//! Recovers from the stream what an older copy of the ledger does not know, before the stream is deleted:
//! the offers of properties. Everything else is read again from the content service, which knows only the
//! present.

use std::{collections::BTreeMap, time::Duration};

use contracts::{Checkpoint, Collection};
use event_log::EventLog;
use runtime::error_text;

use crate::{Error, ledger::RecoveredOffers};

/// The number of messages that are read at once.
const BATCH: usize = 256;
/// How long one request may wait for messages.
const BATCH_TIMEOUT: Duration = Duration::from_secs(5);
/// The timeout of the whole reading. The offers of a stream that can't be read in time are given up, since
/// the site waits for the new one.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Returns the offers of every property in the stream, by key. If it can't be read to its end, these are the
/// offers up to there.
pub(super) async fn offers(log: &EventLog) -> BTreeMap<String, RecoveredOffers> {
    let mut offers = BTreeMap::new();
    let read = tokio::time::timeout(TIMEOUT, read(log, &mut offers)).await;
    let failure = match read {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(error_text(&error)),
        Err(_) => Some(format!("it took more than {} s", TIMEOUT.as_secs())),
    };
    let homes = offers.len();
    match failure {
        None => tracing::info!(homes, "recovered the offers of homes from the log"),
        Some(error) => tracing::error!(
            homes,
            error,
            "the log can't be read to its end: the other homes lose the prices that an older ledger lacks"
        ),
    }
    offers
}

async fn read(log: &EventLog, offers: &mut BTreeMap<String, RecoveredOffers>) -> Result<(), Error> {
    let mut reader = log.reader(Checkpoint::default());
    loop {
        let delivered = reader.next_batch(BATCH, BATCH_TIMEOUT).await?;
        // A message that can't be parsed is of a later build, or of no build at all.
        for event in delivered.into_iter().filter_map(|delivered| delivered.event.ok()) {
            if event.aggregate.collection == Collection::Properties && !event.offers.is_empty() {
                let recovered = RecoveredOffers { until: event.captured_at, offers: event.offers };
                offers.insert(event.aggregate.key, recovered);
            }
        }
        if reader.behind() == 0 {
            return Ok(());
        }
    }
}
