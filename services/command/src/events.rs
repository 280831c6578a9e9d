//! Events on their way to the stream `VISITOR`, and the wake-ups that come back.

use std::{convert::Infallible, sync::Arc, time::Duration};

use event_log::{EventLog, VisitorEvent};
use runtime::postgres::answered;
use sqlx::{PgPool, Postgres, Transaction};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{Ending, Error};

/// How often the outbox is looked at without a notice.
const POLL: Duration = Duration::from_secs(2);
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// The most events of one round.
const BATCH: i64 = 100;
/// For how long that something was ended stays after it was published. What the stream acknowledged may
/// reach its disk only some minutes later (NATS 2.9), and is lost with a power cut until then.
const KEPT: Duration = Duration::from_hours(1);

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
/// published twice in a row is one to the stream, by its id. That something was ended is published once
/// more later: it must not come back with a copy of before, and if the stream has lost it, nobody else
/// remembers.
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
        r#"select id, kind, subject, traceparent, published_at is null as "is_new!"
           from visitor.event
           where published_at is null or published_at < now() - make_interval(secs => $2)
           order by created_at limit $1"#,
        BATCH,
        KEPT.as_secs_f64(),
    )
    .fetch_all(pool)
    .await?;
    if waiting.is_empty() {
        return Ok(false);
    }
    for row in waiting {
        let stays = row.is_new && Ending::ALL.iter().any(|ending| ending.kind() == row.kind);
        let event = VisitorEvent {
            id: row.id,
            kind: row.kind,
            subject: row.subject,
            traceparent: row.traceparent,
        };
        log.publish_visitor_event(&event).await?;
        runtime::failpoint("command.publish").map_err(sqlx::Error::Io)?;
        let noted = if stays {
            sqlx::query!("update visitor.event set published_at = now() where id = $1", event.id)
        } else {
            sqlx::query!("delete from visitor.event where id = $1", event.id)
        };
        noted.execute(pool).await?;
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
