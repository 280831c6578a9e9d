//! The outbox relay to the stream `VISITOR`, and the wake-ups that the stream sends to workers.

use std::{convert::Infallible, sync::Arc, time::Duration};

use event_log::{EventLog, VisitorEvent};
use runtime::{error_text, postgres::with_answer_timeout};
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Error, VisitorDeletion};

/// How often the outbox is polled without a notification.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of events in one round.
const BATCH: i64 = 100;
/// How long events of deletions and withdrawals stay in the outbox after they were published. NATS 2.9
/// may write an acknowledged message to disk only some minutes later, so a power cut until then loses
/// it.
const RETAINED_FOR: Duration = Duration::from_hours(1);

/// A kind of event. Its subject is the row with which it happened.
#[derive(Clone, Copy, Debug)]
pub enum EventKind {
    /// An enquiry was stored.
    EnquiryReceived,
    /// The office changed the state of an enquiry.
    EnquiryState,
    /// A search without an account was saved, and its owner is asked to confirm it.
    SearchAsked,
    /// Somebody asked to be signed in.
    SignInAsked,
    /// A visitor ended or deleted something.
    Deletion(VisitorDeletion),
}

impl EventKind {
    /// Returns the name on the stream.
    const fn name(self) -> &'static str {
        match self {
            Self::EnquiryReceived => "enquiry.received",
            Self::EnquiryState => "enquiry.state",
            Self::SearchAsked => "search.asked",
            Self::SignInAsked => "sign_in.asked",
            Self::Deletion(deletion) => deletion.kind(),
        }
    }
}

impl From<VisitorDeletion> for EventKind {
    fn from(deletion: VisitorDeletion) -> Self {
        Self::Deletion(deletion)
    }
}

/// Records an event in the outbox, in the transaction of the change.
pub async fn record(
    transaction: &mut Transaction<'_, Postgres>,
    kind: impl Into<EventKind>,
    subject: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into visitor.event (id, kind, subject, traceparent) values ($1, $2, $3, $4)",
        Uuid::now_v7(),
        kind.into().name(),
        subject,
        runtime::telemetry::traceparent(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Publishes the events in `visitor.event` until `shutdown`. Several processes may do so: the stream
/// deduplicates an event that is published twice by its id. Deletions and withdrawals are published a
/// second time after [`RETAINED_FOR`], because a restored backup must not bring the data back, and no
/// other copy of the event exists if the stream has lost it.
pub async fn relay(
    pool: PgPool,
    log: EventLog,
    unpublished: Arc<Notify>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let mut has_failed = false;
    let mut has_stream = false;
    let relaying = async {
        loop {
            let pause =
                match with_answer_timeout(publish_waiting(&pool, &log, &mut has_stream)).await {
                    Ok(true) => {
                        has_failed = false;
                        continue;
                    }
                    Ok(false) => {
                        has_failed = false;
                        POLL_INTERVAL
                    }
                    Err(error) => {
                        if !has_failed {
                            tracing::warn!(
                                error = error_text(&error),
                                "events can't be published; retrying"
                            );
                        }
                        has_failed = true;
                        has_stream = false;
                        FAILURE_PAUSE
                    }
                };
            tokio::select! {
                () = unpublished.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    };
    shutdown.run_until_cancelled(Box::pin(relaying)).await;
    Ok(())
}

/// Publishes a batch. Returns whether there may be more.
async fn publish_waiting(
    pool: &PgPool,
    log: &EventLog,
    has_stream: &mut bool,
) -> Result<bool, Error> {
    if !*has_stream {
        log.ensure_visitor_stream().await?;
        *has_stream = true;
    }
    let waiting = sqlx::query!(
        r#"select id, kind, subject, traceparent, published_at is null as "is_new!"
           from visitor.event
           where published_at is null or published_at < now() - make_interval(secs => $2)
           order by created_at limit $1"#,
        BATCH,
        RETAINED_FOR.as_secs_f64(),
    )
    .fetch_all(pool)
    .await?;
    if waiting.is_empty() {
        return Ok(false);
    }
    for row in waiting {
        let is_retained =
            row.is_new && VisitorDeletion::ALL.iter().any(|ending| ending.kind() == row.kind);
        let event = VisitorEvent {
            id: row.id,
            kind: row.kind,
            subject: row.subject,
            traceparent: row.traceparent,
        };
        log.publish_visitor_event(&event).await?;
        runtime::failpoint("command.publish").map_err(sqlx::Error::Io)?;
        let recorded = if is_retained {
            sqlx::query!("update visitor.event set published_at = now() where id = $1", event.id)
        } else {
            sqlx::query!("delete from visitor.event where id = $1", event.id)
        };
        recorded.execute(pool).await?;
    }
    Ok(true)
}

/// Wakes the workers whenever an event arrives, until `shutdown`. Without it they poll.
pub async fn wake(
    log: EventLog,
    due: Arc<Notify>,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let waking = async {
        loop {
            match log.visitor_events().await {
                Ok(mut events) => {
                    while events.next().await.is_some() {
                        due.notify_one();
                    }
                }
                Err(error) => {
                    tracing::debug!(error = error_text(&error), "wake-ups can't be received");
                }
            }
            tokio::time::sleep(FAILURE_PAUSE).await;
        }
    };
    shutdown.run_until_cancelled(waking).await;
    Ok(())
}
