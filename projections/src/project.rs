//! What a batch of the log does to the read models, and what is put aside of it.

use std::time::Duration;

use contracts::{Checkpoint, Sequence};
use event_log::Delivered;
use runtime::{Disposition, postgres::answered, telemetry};
use sqlx::PgPool;
use tracing::Span;

use crate::{
    apply::{Applied, Message, apply},
    dead_letter::{DeadLetter, put_aside},
    error::Error,
    generation::Generation,
};

/// How many messages one transaction takes at most.
pub(crate) const BATCH: usize = 128;
/// How long a reading of the log waits for the first of them.
pub(crate) const WAIT: Duration = Duration::from_secs(1);
/// How often a message is tried before it is put aside, and the pause between.
const TRIES: i32 = 3;
const PAUSE: Duration = Duration::from_millis(50);

/// Applies `batch`, which ends at `to`, to `generation`, which stands at `from`: all at once, or one
/// by one where the whole can't be applied, so that only what is at fault is put aside.
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
        match answered(apply(pool, generation, from, to, &messages)).await {
            Err(error) if error.disposition() == Disposition::Park => {}
            other => return other,
        }
    }
    let mut from = from;
    for (delivered, span) in batch.iter().zip(&spans) {
        let to = Checkpoint { sequence: delivered.sequence, ..to };
        if one(pool, generation, from, to, delivered, span).await? == Applied::Elsewhere {
            return Ok(Applied::Elsewhere);
        }
        from = delivered.sequence;
    }
    Ok(Applied::Done)
}

/// Applies one message, or puts it aside.
async fn one(
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
            break delivered.event.as_ref().err().map(ToString::to_string).unwrap_or_default();
        };
        let applied = answered(apply(pool, generation, from, to, &[message])).await;
        tries += 1;
        match applied {
            Err(error) if error.disposition() == Disposition::Park => {
                if tries == TRIES {
                    break error.to_string();
                }
                tokio::time::sleep(PAUSE).await;
            }
            other => return other,
        }
    };
    let letter = DeadLetter::of(delivered, error, tries);
    // In its span, which an error marks as failed.
    span.in_scope(|| {
        tracing::error!(subject = %letter.subject, sequence = %letter.sequence,
            error = %letter.error, "a message can't be applied and is put aside");
    });
    metrics::counter!("almijara_projection_dead_letters_total").increment(1);
    answered(put_aside(pool, generation, from, to, &letter)).await
}

/// The span of a message's projection, as part of the trace that it came with.
fn span(delivered: &Delivered) -> Span {
    let sequence = delivered.sequence;
    let span = tracing::info_span!("project", %sequence, aggregate = tracing::field::Empty,
        version = tracing::field::Empty);
    if let Ok(event) = &delivered.event {
        span.record("aggregate", tracing::field::display(&event.aggregate));
        span.record("version", tracing::field::display(event.version));
    }
    telemetry::link_parent(&span, delivered.traceparent.as_deref());
    span
}

fn message<'a>(delivered: &'a Delivered, span: &Span) -> Option<Message<'a>> {
    Some(Message {
        sequence: delivered.sequence,
        event: delivered.event.as_ref().ok()?,
        traceparent: span
            .in_scope(telemetry::traceparent)
            .or_else(|| delivered.traceparent.clone()),
    })
}
