//! Dead letters: messages that could not be applied.
//!
//! At most one is stored for each aggregate. A newer snapshot of the aggregate removes it; until then
//! an operator can view it, replay it, or drop it.

use chrono::{DateTime, Utc};
use contracts::{Checkpoint, Event, Sequence, Version};
use event_log::{Delivered, Poison};
use runtime::{error_text, postgres::with_answer_timeout};
use sqlx::{PgConnection, PgPool, query};

use crate::{
    apply::{Applied, Message, apply_out_of_order},
    error::Error,
    generation::Generation,
};

/// A message that could not be applied.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// Its subject, which names the aggregate.
    pub subject: String,
    /// Its position.
    pub sequence: Sequence,
    /// The aggregate's version; `None` if the message can't be parsed.
    pub version: Option<Version>,
    /// Why it could not be applied.
    pub error: String,
    /// How often it was tried.
    pub tries: i32,
    /// When it was last tried.
    pub at: DateTime<Utc>,
    body: Vec<u8>,
    traceparent: Option<String>,
}

impl DeadLetter {
    /// Returns `delivered` as a dead letter that failed with `error` after `tries` attempts.
    pub(crate) fn of(delivered: &Delivered, error: String, tries: i32) -> Self {
        let (subject, version, body) = match &delivered.event {
            Ok(event) => {
                let body = serde_json::to_vec(event).unwrap_or_default();
                (event.aggregate.subject(), Some(event.version), body)
            }
            Err(Poison { subject, body, .. }) => (subject.clone(), None, body.clone()),
        };
        Self {
            subject,
            sequence: delivered.sequence,
            version,
            error,
            tries,
            at: Utc::now(),
            body,
            traceparent: delivered.traceparent.clone(),
        }
    }

    /// Returns the message's event; `None` if it can't be parsed.
    pub(crate) fn event(&self) -> Option<Event> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Returns the id of the trace that the message belongs to.
    pub(crate) fn trace_id(&self) -> Option<&str> {
        runtime::telemetry::trace_id(self.traceparent.as_deref()?)
    }
}

/// Stores `letter` and advances `generation` past it, from `from` to `to`, in one transaction. It replaces
/// an earlier letter of the same aggregate, even if its version can't be read: the log is in order, so it
/// is the newer one.
pub(crate) async fn store_dead_letter(
    pool: &PgPool,
    generation: &Generation,
    from: Sequence,
    to: Checkpoint,
    letter: &DeadLetter,
) -> Result<Applied, Error> {
    let mut transaction = pool.begin().await?;
    let moved = query!(
        "update read.checkpoint set
             sequence = $4, ledger = coalesce($5, ledger), updated_at = now()
         where generation = $1 and live = $2 and sequence = $3 and paused_since is null",
        generation.number,
        generation.live,
        from.to_i64(),
        to.sequence.to_i64(),
        to.ledger.map(|ledger| ledger.0),
    )
    .execute(&mut *transaction)
    .await?;
    if moved.rows_affected() == 0 {
        return Ok(Applied::Conflict);
    }
    query!(
        "insert into read.dead_letter
             (generation, subject, sequence, version, body, traceparent, error, tries)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (generation, subject) do update
             set sequence = excluded.sequence, version = excluded.version, body = excluded.body,
                 traceparent = excluded.traceparent, error = excluded.error,
                 tries = excluded.tries, at = excluded.at",
        generation.number,
        letter.subject,
        letter.sequence.to_i64(),
        letter.version.map(|version| version.0),
        letter.body,
        letter.traceparent,
        letter.error,
        letter.tries,
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(Applied::Done)
}

/// Returns the dead letters of the live generation, oldest first.
pub async fn list(pool: &PgPool) -> Result<Vec<DeadLetter>, Error> {
    with_answer_timeout(select_letters(pool, None, None, None)).await
}

/// Returns the dead letters of `subjects`, or of all subjects, up to the position `up_to`: at most `limit`,
/// oldest first.
pub(crate) async fn select_letters(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
    limit: Option<i64>,
) -> Result<Vec<DeadLetter>, Error> {
    let rows = query!(
        "select d.subject, d.sequence, d.version, d.error, d.tries, d.at, d.body, d.traceparent
         from read.dead_letter d join read.checkpoint c using (generation)
         where c.live and ($1::text[] is null or d.subject = any($1))
             and ($2::bigint is null or d.sequence <= $2)
         order by d.sequence limit $3",
        subjects,
        up_to.map(Sequence::to_i64),
        limit,
    )
    .fetch_all(pool)
    .await?;
    let letters = rows.into_iter().map(|row| DeadLetter {
        subject: row.subject,
        sequence: Sequence::from_i64(row.sequence),
        version: row.version.map(Version),
        error: row.error,
        tries: row.tries,
        at: row.at,
        body: row.body,
        traceparent: row.traceparent,
    });
    Ok(letters.collect())
}

/// Applies the dead letters of `subjects`, or all of them, again; returns how many succeeded. A letter that
/// still can't be applied stays, with its new error. A letter after the position `up_to` stays too: the
/// operator chose from a list that ended there, and did not mean later ones.
///
/// # Errors
/// [`Error::Paused`] while an operator has paused following, and [`Error::Gone`] if another generation,
/// with its own letters, became live meanwhile.
pub async fn replay(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
) -> Result<usize, Error> {
    let generation = Generation::live(pool).await?;
    let mut healed = 0;
    for letter in select_letters(pool, subjects, up_to, None).await? {
        let Some(event) = letter.event() else {
            // Its error already states why it can't be parsed.
            record_try(pool, &generation, &letter, &letter.error).await?;
            continue;
        };
        match apply_again(pool, &generation, &letter, &event).await {
            Ok(()) => healed += 1,
            Err(error @ (Error::Paused | Error::Gone)) => return Err(error),
            Err(error) => {
                let error = error_text(&error);
                tracing::warn!(subject = %letter.subject, error, "a dead letter still can't be applied");
                record_try(pool, &generation, &letter, &error).await?;
            }
        }
    }
    Ok(healed)
}

/// Applies `event`, the content of `letter`, and deletes the letter, in one transaction.
async fn apply_again(
    pool: &PgPool,
    generation: &Generation,
    letter: &DeadLetter,
    event: &Event,
) -> Result<(), Error> {
    let traceparent = letter.traceparent.clone();
    let message = Message { sequence: letter.sequence, event, traceparent };
    let mut transaction = generation.begin(pool).await?;
    apply_out_of_order(&mut transaction, generation, &message).await?;
    delete(&mut transaction, generation, letter).await?;
    Ok(transaction.commit().await?)
}

/// Records that another attempt to apply `letter` failed with `error`, unless a newer letter has replaced
/// it.
async fn record_try(
    pool: &PgPool,
    generation: &Generation,
    letter: &DeadLetter,
    error: &str,
) -> Result<(), Error> {
    query!(
        "update read.dead_letter set error = $4, tries = tries + 1, at = now()
         where generation = $1 and subject = $2 and sequence = $3",
        generation.number,
        letter.subject,
        letter.sequence.to_i64(),
        error,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Drops the dead letters of `subjects`, or all of them, up to the position `up_to`; returns how many it
/// dropped.
pub async fn discard(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
) -> Result<usize, Error> {
    let generation = Generation::live(pool).await?;
    let letters = select_letters(pool, subjects, up_to, None).await?;
    let mut dropped = 0;
    let mut transaction = pool.begin().await?;
    for letter in &letters {
        dropped += delete(&mut transaction, &generation, letter).await?;
    }
    transaction.commit().await?;
    Ok(dropped)
}

/// Deletes `letter`, unless a newer one has replaced it; returns how many were deleted.
async fn delete(
    connection: &mut PgConnection,
    generation: &Generation,
    letter: &DeadLetter,
) -> Result<usize, Error> {
    let deleted = query!(
        "delete from read.dead_letter where generation = $1 and subject = $2 and sequence = $3",
        generation.number,
        letter.subject,
        letter.sequence.to_i64(),
    )
    .execute(connection)
    .await?;
    Ok(usize::from(deleted.rows_affected() > 0))
}
