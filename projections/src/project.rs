//! Applies a batch of the log to the read models, and stores what can't be applied as dead letters.

use std::time::Duration;

use contracts::{Checkpoint, Sequence};
use event_log::{Delivered, STREAM};
use runtime::{Disposition, error_text, postgres::with_answer_timeout, telemetry};
use sqlx::PgPool;
use tracing::{
    Span,
    field::{Empty, display},
};

use crate::{
    apply::{Applied, Message, apply},
    dead_letters::{DeadLetter, store_dead_letter},
    error::Error,
    generation::Generation,
};

/// The maximum number of messages in one transaction.
pub(crate) const BATCH: usize = 128;
/// How long a read of the log waits for the first message of a batch.
pub(crate) const WAIT: Duration = Duration::from_secs(1);
/// How often a message is tried before it becomes a dead letter, and the pause between two tries.
const TRIES: i32 = 3;
const PAUSE: Duration = Duration::from_millis(50);

/// Applies `batch`, which ends at `to`, to `generation` at position `from`. If the batch can't be applied at
/// once, applies its messages one by one, so that only the faulty ones become dead letters.
pub(crate) async fn project(
    pool: &PgPool,
    generation: &Generation,
    from: Sequence,
    to: Checkpoint,
    batch: Vec<Delivered>,
) -> Result<Applied, Error> {
    let spans: Vec<Span> = batch.iter().map(span).collect();
    if batch.iter().all(|delivered| delivered.event.is_ok()) {
        let messages: Vec<Message<'_>> = batch
            .iter()
            .zip(&spans)
            .filter_map(|(delivered, span)| message(delivered, span))
            .collect();
        match with_answer_timeout(apply(pool, generation, from, to, &messages)).await {
            Err(error) if error.disposition() == Disposition::Park => {}
            other => return other,
        }
    }
    let mut from = from;
    for (delivered, span) in batch.iter().zip(&spans) {
        let to = Checkpoint { sequence: delivered.sequence, ..to };
        if project_one(pool, generation, from, to, delivered, span).await? == Applied::Conflict {
            return Ok(Applied::Conflict);
        }
        from = delivered.sequence;
    }
    Ok(Applied::Done)
}

/// Applies one message, or stores it as a dead letter.
async fn project_one(
    pool: &PgPool,
    generation: &Generation,
    from: Sequence,
    to: Checkpoint,
    delivered: &Delivered,
    span: &Span,
) -> Result<Applied, Error> {
    let mut tries = 0;
    let error = loop {
        let Some(message) = message(delivered, span) else {
            let poison = delivered.event.as_ref().err();
            break poison.map(|poison| error_text(poison)).unwrap_or_default();
        };
        let applied = with_answer_timeout(apply(pool, generation, from, to, &[message])).await;
        tries += 1;
        match applied {
            Err(error) if error.disposition() == Disposition::Park => {
                if tries == TRIES {
                    break error_text(&error);
                }
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    };
    let letter = DeadLetter::of(delivered, error, tries);
    // Logged within the message's span, because an error event marks its span as failed.
    span.in_scope(|| {
        tracing::error!(subject = %letter.subject, sequence = %letter.sequence,
            error = letter.error, "a message can't be applied and is put aside");
    });
    metrics::counter!("almijara_projection_dead_letters_total").increment(1);
    with_answer_timeout(store_dead_letter(pool, generation, from, to, &letter)).await
}

/// Returns the span of a message's projection, as part of the message's trace.
fn span(delivered: &Delivered) -> Span {
    let sequence = delivered.sequence;
    let span = tracing::info_span!(
        "project",
        otel.kind = "consumer",
        %sequence,
        aggregate = Empty,
        version = Empty,
        messaging.system = "nats",
        messaging.destination.name = STREAM,
        messaging.operation.name = "process",
        messaging.operation.type = "process",
    );
    if let Ok(event) = &delivered.event {
        span.record("aggregate", display(&event.aggregate));
        span.record("version", display(event.version));
    }
    telemetry::link_parent(&span, delivered.traceparent.as_deref());
    span
}

fn message<'a>(delivered: &'a Delivered, span: &Span) -> Option<Message<'a>> {
    Some(Message {
        sequence: delivered.sequence,
        event: delivered.event.as_ref().ok()?,
        traceparent: telemetry::traceparent_of(span).or_else(|| delivered.traceparent.clone()),
    })
}
