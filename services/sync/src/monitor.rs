//! Watching the database and what waits in it, whoever else is stuck.

use std::{convert::Infallible, time::Duration};

use runtime::Check;
use tokio_util::sync::CancellationToken;

use crate::{Error, Sync};

const EVERY: Duration = Duration::from_secs(2);
/// How long one look may take.
const ANSWER_LIMIT: Duration = Duration::from_secs(5);

/// Looks until `shutdown`.
pub async fn run(sync: Sync, check: Check, shutdown: CancellationToken) -> Result<(), Infallible> {
    loop {
        let backlog = tokio::time::timeout(ANSWER_LIMIT, sync.ledger.backlog()).await;
        match backlog.unwrap_or(Err(Error::Silent(ANSWER_LIMIT))) {
            Ok(backlog) => {
                check.ready();
                metrics::gauge!("sync_outbox_entries").set(backlog.entries);
                metrics::gauge!("sync_outbox_oldest_seconds").set(backlog.oldest);
                metrics::gauge!("sync_outbox_refill_entries").set(backlog.refill);
                metrics::gauge!("sync_outbox_refused_entries").set(backlog.refused);
                metrics::gauge!("sync_aggregates_due").set(backlog.due);
            }
            Err(error) => check.not_ready(error.to_string()),
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
