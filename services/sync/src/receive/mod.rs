//! Receives webhooks: each is authenticated, parsed and stored before it is answered.

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
use runtime::{error_text, problem::Problem, telemetry};
use std::{sync::Arc, time::Duration};
use tracing::Instrument;

pub use authenticate::Secrets;
pub use hint::{Hint, Subject};

use crate::{Context, Error, capture};

/// The maximum size of a body, in bytes.
const BODY_LIMIT: usize = 1 << 20;
/// How long a sender should wait at least before a retry, if the failure was ours.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// After how long an item is read again after its webhook: Directus sends some webhooks before it
/// commits.
const RECHECK: Duration = Duration::from_millis(1500);

#[derive(Clone)]
struct ReceiverState {
    context: Context,
    secrets: Secrets,
}

/// The route `POST /webhooks/content`.
pub fn router(context: Context, secrets: Secrets) -> Router {
    Router::new()
        .route("/webhooks/content", post(receive))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .with_state(ReceiverState { context, secrets })
}

async fn receive(
    State(state): State<ReceiverState>,
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
    if let Err(refusal) = state.secrets.check(&headers, &body, Utc::now()) {
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
    // In a separate task, since the handler is dropped when the sender closes the connection.
    let span = tracing::info_span!(
        "webhook",
        otel.kind = "server",
        event = %hint.event,
        collection = hint.subject.name(),
    );
    let accepted = async move {
        let traceparent = telemetry::traceparent();
        accept(&state.context, &hint, traceparent.as_deref(), Some(RECHECK)).await
    };
    let accepted = tokio::spawn(accepted.instrument(span.clone())).await;
    match accepted {
        Ok(Ok(())) => {
            metrics::counter!("sync_webhooks_total", "outcome" => "kept").increment(1);
            StatusCode::NO_CONTENT.into_response()
        }
        Ok(Err(error)) => {
            let reason = error_text(&error);
            tracing::warn!(error = reason, "a webhook could not be stored");
            telemetry::mark_failed(&span, &reason);
            metrics::counter!("sync_webhooks_total", "outcome" => "failed").increment(1);
            Problem::unavailable("the hint could not be kept", RETRY_AFTER).into_response()
        }
        Err(panic) => {
            tracing::error!(error = error_text(&panic), "storing a webhook panicked");
            Problem::internal().into_response()
        }
    }
}

/// Stores the hint, and has the aggregates that it is about captured: immediately while few hints do so,
/// and otherwise by the capture loop, which reads in batches what many hints would read one by one.
pub async fn accept(
    context: &Context,
    hint: &Hint,
    traceparent: Option<&str>,
    recheck: Option<Duration>,
) -> Result<(), Error> {
    let permit = Arc::clone(&context.hint_reads).try_acquire_owned().ok();
    let try_store = || context.ledger.store_hint(hint, traceparent, recheck, permit.is_some());
    let stored = match try_store().await {
        // There is no other retry: Directus sends each webhook only once.
        Err(error) if error.is_transaction_rollback() => try_store().await?,
        result => result?,
    };
    if !stored.resolved {
        context.wakeups.resolve.notify_one();
    }
    match permit {
        Some(permit) if !stored.claimed.is_empty() => {
            capture::spawn(context.clone(), stored.claimed, permit);
        }
        _ => context.wakeups.capture.notify_one(),
    }
    Ok(())
}
