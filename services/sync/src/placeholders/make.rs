//! Makes placeholders.

use std::time::{Duration, Instant};

use contracts::PictureFault;
use futures::{StreamExt, stream};
use pictures::ScaleError;
use runtime::postgres::with_answer_timeout;
use sqlx::PgPool;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{FileVersion, recapture_showing};
use crate::{Error, Sync};

/// How many pictures are fetched and decoded at once.
const MAX_CONCURRENT: usize = 2;
/// The number of pictures in a round. An item that shows several of them is captured again only once;
/// and even a round of large pictures, of some seconds each, ends before another process may claim them.
const BATCH: i64 = 16;
/// The timeout for one picture.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often retries are polled for.
const POLL: Duration = Duration::from_secs(5);

/// Makes the requested placeholders until `shutdown`.
pub async fn run(sync: Sync, shutdown: CancellationToken) -> Result<(), Error> {
    loop {
        let is_idle = match shutdown.run_until_cancelled(Box::pin(round(&sync))).await {
            None => return Ok(()),
            Some(Ok(tried)) => tried == 0,
            Some(Err(error)) => {
                tracing::debug!(%error, "placeholders can't be made; retrying");
                true
            }
        };
        if is_idle {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = sync.placeholder_due.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Tries the pictures that are due, and returns how many there were.
async fn round(sync: &Sync) -> Result<usize, Error> {
    let due = claim(sync).await?;
    let count = due.len();
    let mut tries = stream::iter(due)
        .map(|file| async move {
            let attempt = make(sync, &file).await;
            (file, attempt)
        })
        .buffer_unordered(MAX_CONCURRENT);
    let mut results = RoundResults::default();
    while let Some(((file, version), attempt)) = tries.next().await {
        let (webp, fault) = match attempt {
            Attempt::Placeholder(webp) => (Some(webp), None),
            Attempt::Unreadable(fault) => (None, Some(fault.name().to_owned())),
            Attempt::Failed => continue,
        };
        results.files.push(file);
        results.versions.push(version);
        results.webps.push(webp);
        results.faults.push(fault);
    }
    drop(tries);
    with_answer_timeout(store(sync.ledger.pool(), &results)).await?;
    sync.dirty.notify_one();
    Ok(count)
}

/// The results of one round, a list per column.
#[derive(Default)]
struct RoundResults {
    files: Vec<Uuid>,
    versions: Vec<String>,
    webps: Vec<Option<Vec<u8>>>,
    faults: Vec<Option<String>>,
}

/// Stores the `results` of a round and has everything captured again that shows the pictures, in one
/// transaction: otherwise a placeholder could be made and never be shown.
async fn store(ledger: &PgPool, results: &RoundResults) -> Result<(), Error> {
    let mut transaction = ledger.begin().await?;
    sqlx::query!(
        "with made as (
            select m.* from ledger.placeholder as p
            join unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[])
                as m(file, version, webp, unreadable) using (file, version)
            order by p.file, p.version
            for update of p
         )
         update ledger.placeholder as p set webp = made.webp, unreadable = made.unreadable
         from made where p.file = made.file and p.version = made.version",
        &results.files,
        &results.versions,
        &results.webps as &[Option<Vec<u8>>],
        &results.faults as &[Option<String>],
    )
    .execute(&mut *transaction)
    .await?;
    recapture_showing(&mut transaction, &results.files).await?;
    transaction.commit().await?;
    Ok(())
}

/// Claims pictures that are due and postpones their next attempt, by a pause that grows up to a day: in
/// case this attempt fails, and so that no other process claims them now.
async fn claim(sync: &Sync) -> Result<Vec<FileVersion>, Error> {
    let due = sqlx::query!(
        "with due as (
            select file, version from ledger.placeholder
            where webp is null and due_at <= now()
            order by due_at limit $1
            for update skip locked
         )
         update ledger.placeholder as p set
            attempts = p.attempts + 1,
            due_at = now() + least(interval '1 day',
                                   interval '30 seconds' * power(4, least(p.attempts, 10)))
         from due where p.file = due.file and p.version = due.version
         returning p.file, p.version",
        BATCH,
    )
    .map(|due| (due.file, due.version));
    Ok(with_answer_timeout(due.fetch_all(sync.ledger.pool())).await?)
}

/// The result of an attempt.
enum Attempt {
    /// A WebP.
    Placeholder(Vec<u8>),
    /// No picture can be made of the file.
    Unreadable(PictureFault),
    /// The attempt failed; it is repeated later.
    Failed,
}

async fn make(sync: &Sync, (file, version): &FileVersion) -> Attempt {
    let began = Instant::now();
    let tried = tokio::time::timeout(TIMEOUT, try_make(sync, *file, version)).await;
    let (outcome, attempt) = match tried {
        Ok(Ok(webp)) => {
            metrics::histogram!("sync_placeholder_seconds").record(began.elapsed().as_secs_f64());
            tracing::debug!(%file, bytes = webp.len(), took = ?began.elapsed(), "placeholder made");
            ("made", Attempt::Placeholder(webp))
        }
        Ok(Err(Error::Picture(error))) => {
            let reason = runtime::error_text(&error);
            tracing::warn!(%file, %reason, "a file can't be shown as a picture and is omitted");
            ("unreadable", Attempt::Unreadable(fault_of(&error)))
        }
        Ok(Err(error)) => {
            tracing::info!(%file, %error, "no placeholder for this picture yet");
            ("failed", Attempt::Failed)
        }
        Err(_) => {
            tracing::info!(%file, "no placeholder for this picture yet: it took too long");
            ("failed", Attempt::Failed)
        }
    };
    metrics::counter!("sync_placeholders_total", "outcome" => outcome).increment(1);
    attempt
}

async fn try_make(sync: &Sync, file: Uuid, version: &str) -> Result<Vec<u8>, Error> {
    let original = sync.content.original(file, version).await?;
    let made = spawn_blocking(move || pictures::placeholder(&original)).await;
    Ok(made.unwrap_or(Err(ScaleError::Unreadable))?.to_vec())
}

const fn fault_of(error: &ScaleError) -> PictureFault {
    match error {
        ScaleError::Kind => PictureFault::Kind,
        ScaleError::Truncated => PictureFault::Cut,
        ScaleError::TooLarge => PictureFault::TooLarge,
        ScaleError::Broken(_) | ScaleError::Unreadable | ScaleError::Encoding(_) => {
            PictureFault::Broken
        }
    }
}

#[cfg(test)]
mod tests {
    use contracts::Locale;

    use super::*;

    #[test]
    fn the_fault_of_a_large_picture_states_the_size_limit() {
        let limit = format!(" {} mega", pictures::MAX_PIXELS / 1_000_000);
        let words = Locale::ALL.map(|locale| fault_of(&ScaleError::TooLarge).words_in(locale));
        assert!(words.iter().all(|words| words.contains(&limit)), "{words:?}");
    }
}
