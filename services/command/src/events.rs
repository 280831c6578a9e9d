//! Events on their way to the stream `VISITOR`, and the wake-ups that come back.

use std::{convert::Infallible, sync::Arc, time::Duration};

use event_log::{EventLog, VisitorEvent};
use runtime::postgres::answered;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::Error;

/// How often the outbox is looked at without a notice.
const POLL: Duration = Duration::from_secs(2);
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// The most events of one round.
const BATCH: i64 = 100;

/// Notes that something happened, in the transaction that it happens in.
pub async fn record(
    transaction: &mut Transaction<'_, Postgres>,
    kind: &str,
    subject: Uuid,
) -> Result<(), Error> {
    sqlx::query!(
        "insert into visitor.event (id, kind, subject, traceparent) values ($1, $2, $3, $4)",
        Uuid::now_v7(),
        kind,
        subject,
        runtime::telemetry::traceparent(),
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Publishes what waits in `visitor.event` until `shutdown`. Several may do so: an event that is
/// published twice is one to the stream, by its id.
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
            let pause = match answered(publish_waiting(&pool, &log, &mut has_stream)).await {
                Ok(true) => {
                    has_failed = false;
                    continue;
                }
                Ok(false) => {
                    has_failed = false;
                    POLL
                }
                Err(error) => {
                    if !has_failed {
                        tracing::warn!(%error, "events wait to be published");
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

/// Publishes a batch; whether there may be more.
async fn publish_waiting(
    pool: &PgPool,
    log: &EventLog,
    has_stream: &mut bool,
) -> Result<bool, Error> {
    if !*has_stream {
        log.make_visitor_stream().await?;
        *has_stream = true;
    }
    let waiting = sqlx::query!(
        "select id, kind, subject, traceparent from visitor.event order by created_at limit $1",
        BATCH,
    )
    .fetch_all(pool)
    .await?;
    if waiting.is_empty() {
        return Ok(false);
    }
    for event in &waiting {
        let event = VisitorEvent {
            id: event.id,
            kind: event.kind.clone(),
            subject: event.subject,
            traceparent: event.traceparent.clone(),
        };
        log.publish_visitor_event(&event).await?;
        runtime::failpoint("command.publish").map_err(sqlx::Error::Io)?;
        sqlx::query!("delete from visitor.event where id = $1", event.id).execute(pool).await?;
    }
    Ok(true)
}

/// Wakes the workers whenever an event arrives, until `shutdown`. Without it they look by themselves.
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
                Err(error) => tracing::debug!(%error, "no wake-ups"),
            }
            tokio::time::sleep(FAILURE_PAUSE).await;
        }
    };
    shutdown.run_until_cancelled(waking).await;
    Ok(())
}
