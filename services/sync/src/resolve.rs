//! Resolves hints about parts, or about a complete collection, into hints about aggregates.

use std::time::Duration;

use content_client::Client;
use contracts::{AggregateId, PartCollection};
use futures::{StreamExt, TryStreamExt, stream};
use runtime::error_text;
use tokio_util::sync::CancellationToken;

use crate::{
    Context, Error, Ledger,
    ledger::Unresolved,
    reconcile::{self, Depth, MassRemoval},
};

/// The number of hints per round.
const BATCH: i64 = 100;
/// How many hints are resolved concurrently, so that one whose request hangs delays no other.
const MAX_CONCURRENT: usize = 4;
/// How often hints are polled for that a crash left behind or that are to be retried.
const POLL: Duration = Duration::from_secs(1);
/// The maximum pause before a retry when the content service or Postgres was unreachable.
const MAX_BACKOFF_TRANSIENT: Duration = Duration::from_secs(30);
/// The maximum pause before a retry after any other failure.
const MAX_BACKOFF: Duration = Duration::from_mins(10);

/// Resolves hints until `shutdown`. One that is being resolved then stays unresolved.
pub async fn run(context: Context, shutdown: CancellationToken) -> Result<(), Error> {
    shutdown.run_until_cancelled(resolve_all(&context)).await;
    Ok(())
}

async fn resolve_all(context: &Context) {
    loop {
        if let Err(error) = round(context).await {
            tracing::warn!(error = error_text(&error), "hints can't be resolved; retrying");
        }
        tokio::select! {
            () = context.wakeups.resolve.notified() => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Resolves every hint that is due. One that fails is postponed, and delays no other. While the content
/// service is not called, they wait.
async fn round(context: &Context) -> Result<(), Error> {
    while context.breaker.retry_after().is_none() {
        let hints = context.ledger.unresolved(BATCH).await?;
        if hints.is_empty() {
            return Ok(());
        }
        stream::iter(hints)
            .map(|hint| resolve_or_postpone(context, hint))
            .buffer_unordered(MAX_CONCURRENT)
            .try_collect::<()>()
            .await?;
    }
    Ok(())
}

async fn resolve_or_postpone(context: &Context, hint: Unresolved) -> Result<(), Error> {
    if context.breaker.retry_after().is_some() {
        return Ok(());
    }
    match resolve(context, &hint).await {
        // A refused mass removal waits for an operator, not for this hint.
        Ok(()) | Err(Error::MassRemoval { .. }) => context.ledger.mark_resolved(hint.id).await,
        Err(error) => postpone(&context.ledger, &hint, &error).await,
    }
}

async fn postpone(ledger: &Ledger, hint: &Unresolved, error: &Error) -> Result<(), Error> {
    let reason = error_text(error);
    if hint.attempts == 0 {
        let (collection, keys) = (&hint.collection, &hint.keys);
        tracing::warn!(%collection, ?keys, error = reason, "a hint can't be resolved yet");
    }
    let max_backoff = if error.is_transient() { MAX_BACKOFF_TRANSIENT } else { MAX_BACKOFF };
    ledger.postpone(hint.id, &reason, max_backoff).await
}

async fn resolve(context: &Context, hint: &Unresolved) -> Result<(), Error> {
    if let Ok(part) = hint.collection.parse::<PartCollection>() {
        // The aggregates that are known to show a part were marked with the hint; for other parts, the
        // content service names the parent.
        let unknown = context.ledger.unknown_parts(&hint.collection, &hint.keys).await?;
        let parents = parents(&context.content, part, &unknown).await?;
        if !parents.is_empty() {
            context.ledger.mark_dirty(&parents, hint.traceparent.as_deref()).await?;
            context.wakeups.capture.notify_one();
        }
        return Ok(());
    }
    let collection = hint.collection.parse()?;
    reconcile::compare(context, collection, Depth::Contents, MassRemoval::Refuse).await?;
    Ok(())
}

async fn parents(
    content: &Client,
    part: PartCollection,
    keys: &[String],
) -> Result<Vec<AggregateId>, Error> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    Ok(content.parents(part, keys).await?)
}
