//! Hints about parts, or about a whole collection, into hints about aggregates.

use std::time::Duration;

use contracts::{AggregateId, PartCollection};
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Sync,
    ledger::Unresolved,
    reconcile::{self, Scope},
};

/// How many hints one round takes.
const BATCH: i64 = 100;
/// How often hints are looked for that a crash left behind or that are to be tried again.
const POLL: Duration = Duration::from_secs(1);
/// The longest that a hint is put off when the content service or Postgres was away.
const AWAY: Duration = Duration::from_secs(30);
/// The longest that one is put off for any other reason.
const REFUSED: Duration = Duration::from_mins(10);

/// Resolves hints until `shutdown`.
pub async fn run(sync: Sync, shutdown: CancellationToken) -> Result<(), Error> {
    loop {
        if let Err(error) = round(&sync).await {
            tracing::warn!(%error, "hints wait to be resolved");
        }
        tokio::select! {
            () = shutdown.cancelled() => return Ok(()),
            () = sync.unresolved.notified() => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Resolves every hint that is due. One that fails is put off, and keeps no other waiting.
async fn round(sync: &Sync) -> Result<(), Error> {
    loop {
        let hints = sync.ledger.unresolved(BATCH).await?;
        if hints.is_empty() {
            return Ok(());
        }
        for hint in &hints {
            match resolve(sync, hint).await {
                // What was refused waits for an operator, not for this hint.
                Ok(()) | Err(Error::MassRemoval { .. }) => sync.ledger.resolved(hint.id).await?,
                Err(error) => put_off(sync, hint, &error).await?,
            }
        }
    }
}

async fn put_off(sync: &Sync, hint: &Unresolved, error: &Error) -> Result<(), Error> {
    if hint.attempts == 0 {
        let (collection, keys) = (&hint.collection, &hint.keys);
        tracing::warn!(%collection, ?keys, %error, "a hint can't be resolved yet");
    }
    let longest = if error.is_transient() { AWAY } else { REFUSED };
    sync.ledger.put_off(hint.id, &error.to_string(), longest).await
}

async fn resolve(sync: &Sync, hint: &Unresolved) -> Result<(), Error> {
    if let Ok(part) = hint.collection.parse::<PartCollection>() {
        // What is known to show a part was marked with the hint; the others name their parent.
        let unknown = sync.ledger.unknown_parts(&hint.collection, &hint.keys).await?;
        let parents = parents(sync, part, &unknown).await?;
        if !parents.is_empty() {
            sync.ledger.mark_dirty(&parents, hint.traceparent.as_deref()).await?;
            sync.dirty.notify_one();
        }
        return Ok(());
    }
    let collection = hint.collection.parse()?;
    reconcile::once(sync, Scope::Collection(collection), false).await?;
    Ok(())
}

async fn parents(
    sync: &Sync,
    part: PartCollection,
    keys: &[String],
) -> Result<Vec<AggregateId>, Error> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    Ok(sync.content.parents(part, keys).await?)
}
