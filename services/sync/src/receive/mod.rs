//! Webhooks in: checked, kept, and only then answered.

mod authenticate;
mod hint;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State, rejection::BytesRejection},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use chrono::Utc;
use runtime::problem::Problem;
use std::{sync::Arc, time::Duration};
use tracing::Instrument;

pub use authenticate::Secrets;
pub use hint::{Hint, Subject};

use crate::{Error, Sync, capture};

/// The largest body that is read, in bytes.
const BODY_LIMIT: usize = 1 << 20;
/// How long a sender who was refused because of us should wait, at least.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// When an item is read once more after its webhook: Directus sends some before it commits.
const RECHECK: Duration = Duration::from_millis(1500);

#[derive(Clone)]
struct Door {
    sync: Sync,
    secrets: Secrets,
}

/// The route `POST /webhooks/content`.
pub fn router(sync: Sync, secrets: Secrets) -> Router {
    Router::new()
        .route("/webhooks/content", post(receive))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(Door { sync, secrets })
}

async fn receive(
    State(door): State<Door>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) => {
            metrics::counter!("sync_webhooks_total", "outcome" => "malformed").increment(1);
            return Problem::new(
                rejection.status(),
                "unreadable-body",
                "The body could not be read, or is longer than a webhook may be",
            )
            .with_detail(format!("at most {BODY_LIMIT} bytes"))
            .into_response();
        }
    };
    if let Err(refusal) = door.secrets.check(&headers, &body, Utc::now()) {
        metrics::counter!("sync_webhooks_total", "outcome" => "unauthorized").increment(1);
        return Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "The webhook is not signed by a secret that is known here",
        )
        .with_detail(refusal)
        .into_response();
    }
    let hint = match Hint::parse(&body) {
        Ok(Some(hint)) => hint,
        Ok(None) => {
            metrics::counter!("sync_webhooks_total", "outcome" => "ignored").increment(1);
            return StatusCode::NO_CONTENT.into_response();
        }
        Err(errors) => {
            metrics::counter!("sync_webhooks_total", "outcome" => "malformed").increment(1);
            return Problem::invalid(errors).into_response();
        }
    };
    // In a task of its own, since a sender who hangs up takes the handler with it.
    let span =
        tracing::info_span!("webhook", event = %hint.event, collection = hint.subject.name());
    let kept = async move {
        let traceparent = runtime::telemetry::traceparent();
        keep(&door.sync, &hint, traceparent.as_deref(), Some(RECHECK)).await
    };
    let kept = tokio::spawn(kept.instrument(span.clone())).await;
    match kept {
        Ok(Ok(())) => {
            metrics::counter!("sync_webhooks_total", "outcome" => "kept").increment(1);
            StatusCode::NO_CONTENT.into_response()
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, "a webhook could not be kept");
            runtime::telemetry::failed(&span, &error);
            metrics::counter!("sync_webhooks_total", "outcome" => "failed").increment(1);
            Problem::unavailable("the hint could not be kept", RETRY_AFTER).into_response()
        }
        Err(panic) => {
            tracing::error!(%panic, "keeping a webhook panicked");
            Problem::internal().into_response()
        }
    }
}

/// Commits the hint, and has captured what it is about: at once as long as few do so, since of a crowd
/// each would read alone what the loop reads together.
pub async fn keep(
    sync: &Sync,
    hint: &Hint,
    traceparent: Option<&str>,
    recheck: Option<Duration>,
) -> Result<(), Error> {
    let permit = Arc::clone(&sync.readings).try_acquire_owned().ok();
    let try_keep = || sync.ledger.keep_hint(hint, traceparent, recheck, permit.is_some());
    let kept = match try_keep().await {
        // Nobody else would try it again: Directus sends no webhook twice.
        Err(error) if error.is_lost_race() => try_keep().await?,
        kept => kept?,
    };
    if !kept.resolved {
        sync.unresolved.notify_one();
    }
    match permit {
        Some(permit) if !kept.claimed.is_empty() => {
            capture::at_once(sync.clone(), kept.claimed, permit);
        }
        _ => sync.dirty.notify_one(),
    }
    Ok(())
}
