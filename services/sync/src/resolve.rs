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
/// How often hints are looked for that a crash left behind.
const POLL: Duration = Duration::from_secs(1);

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

/// Resolves every hint that waits.
async fn round(sync: &Sync) -> Result<(), Error> {
    loop {
        let hints = sync.ledger.unresolved(BATCH).await?;
        if hints.is_empty() {
            return Ok(());
        }
        let mut failure = None;
        for hint in &hints {
            match resolve(sync, hint).await {
                // What was refused waits for an operator, not for this hint.
                Ok(()) | Err(Error::MassRemoval { .. }) => sync.ledger.resolved(hint.id).await?,
                // One that fails keeps no other from being resolved.
                Err(error) => failure = Some(error),
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
    }
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
