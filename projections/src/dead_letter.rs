//! Messages that could not be applied.
//!
//! One is kept for each aggregate. A newer snapshot of the aggregate heals it by itself; until
//! then an operator can look at it, have it applied again, or drop it.

use chrono::{DateTime, Utc};
use contracts::{Checkpoint, Event, Sequence, Version};
use event_log::{Delivered, Poison};
use sqlx::{PgConnection, PgPool, query};

use crate::{
    apply::{Applied, Message, apply_late},
    error::Error,
    generation::Generation,
};

/// A message that was put aside.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// Its subject, which names the aggregate.
    pub subject: String,
    /// Its position.
    pub sequence: Sequence,
    /// The aggregate's version; none where the message can't be read at all.
    pub version: Option<Version>,
    /// Why it could not be applied.
    pub error: String,
    /// How often that was tried.
    pub tries: i32,
    /// When it was tried last.
    pub at: DateTime<Utc>,
    body: Vec<u8>,
    traceparent: Option<String>,
}

impl DeadLetter {
    /// The message as a dead letter, given up for `error` after so many `tries`.
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

    /// What the message says; none where it can't be read.
    pub(crate) fn event(&self) -> Option<Event> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The trace that the message is part of.
    pub(crate) fn trace_id(&self) -> Option<&str> {
        runtime::telemetry::trace_id(self.traceparent.as_deref()?)
    }
}

/// Keeps `letter` and moves `generation` past it, from `from` to `to`, in one transaction. It takes the place
/// of one before it of the same aggregate: this one is the newer, also where its version can't be read.
pub(crate) async fn put_aside(
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
        return Ok(Applied::Elsewhere);
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

/// The dead letters of the live generation, oldest first.
pub async fn list(pool: &PgPool) -> Result<Vec<DeadLetter>, Error> {
    chosen(pool, None, None, None).await
}

/// At most `most` of those of `subjects`, or of all, up to the position `up_to`; oldest first.
pub(crate) async fn chosen(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
    most: Option<i64>,
) -> Result<Vec<DeadLetter>, Error> {
    let rows = query!(
        "select d.subject, d.sequence, d.version, d.error, d.tries, d.at, d.body, d.traceparent
         from read.dead_letter d join read.checkpoint c using (generation)
         where c.live and ($1::text[] is null or d.subject = any($1))
             and ($2::bigint is null or d.sequence <= $2)
         order by d.sequence limit $3",
        subjects,
        up_to.map(Sequence::to_i64),
        most,
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

/// Applies the dead letters of `subjects`, or all of them, once more; gives how many went through.
/// One that still can't be applied stays, with why not now, and so does one that stands after `up_to`:
/// who was shown those up to there means no other.
///
/// # Errors
/// [`Error::Paused`] while an operator has paused what is shown, and [`Error::Gone`] where another
/// generation, with letters of its own, is shown meanwhile.
pub async fn replay(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
) -> Result<usize, Error> {
    let generation = Generation::live(pool).await?;
    let mut healed = 0;
    for letter in chosen(pool, subjects, up_to, None).await? {
        let Some(event) = letter.event() else {
            // It says already why it can't be read.
            note_try(pool, &generation, &letter, &letter.error).await?;
            continue;
        };
        match apply_again(pool, &generation, &letter, &event).await {
            Ok(()) => healed += 1,
            Err(error @ (Error::Paused | Error::Gone)) => return Err(error),
            Err(error) => {
                tracing::warn!(subject = %letter.subject, %error, "still can't be applied");
                note_try(pool, &generation, &letter, &error.to_string()).await?;
            }
        }
    }
    Ok(healed)
}

/// Applies what `letter` says, which is `event`, and deletes it, in one transaction.
async fn apply_again(
    pool: &PgPool,
    generation: &Generation,
    letter: &DeadLetter,
    event: &Event,
) -> Result<(), Error> {
    let traceparent = letter.traceparent.clone();
    let message = Message { sequence: letter.sequence, event, traceparent };
    let mut transaction = generation.begin(pool).await?;
    apply_late(&mut transaction, generation, &message).await?;
    delete(&mut transaction, generation, letter).await?;
    Ok(transaction.commit().await?)
}

/// Notes that `letter` was tried once more and still can't be applied, for `error`, unless another has
/// taken its place.
async fn note_try(
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

/// Drops the dead letters of `subjects`, or all of them, up to the position `up_to`; gives how many
/// there were.
pub async fn discard(
    pool: &PgPool,
    subjects: Option<&[String]>,
    up_to: Option<Sequence>,
) -> Result<usize, Error> {
    let generation = Generation::live(pool).await?;
    let letters = chosen(pool, subjects, up_to, None).await?;
    let mut dropped = 0;
    let mut transaction = pool.begin().await?;
    for letter in &letters {
        dropped += delete(&mut transaction, &generation, letter).await?;
    }
    transaction.commit().await?;
    Ok(dropped)
}

/// Deletes `letter`, unless another has taken its place; gives how many that are.
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
