//! Makes placeholders.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use contracts::PictureFault;
use futures::{StreamExt, stream};
use http::StatusCode;
use pictures::ScaleError;
use runtime::postgres::with_answer_timeout;
use sqlx::PgPool;
use tokio::{sync::Semaphore, task::spawn_blocking};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{FileVersion, recapture_showing};
use crate::{Error, Sync};

/// How many pictures are made at once: one is fetched while another is decoded.
const MAX_CONCURRENT: usize = 2;
/// The number of pictures in a round. An item that shows several of them is captured again only once;
/// and even a round of large pictures, of a second each, ends before another process may claim them.
const BATCH: i64 = 16;
/// The attempt from which a file without bytes is omitted, ten minutes after the first. Until then it may
/// be being uploaded, or its storage may be away.
const OMITTING_ATTEMPT: i32 = 4;
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
        .map(|(file, attempts)| async move {
            let attempt = make(sync, &file, attempts).await;
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

/// Claims pictures that are due, each with the number of its attempts, and postpones their next attempt:
/// in case this one fails, and so that no other process claims them now. The pause grows up to a day, or
/// to an hour for files without bytes, which take nothing to ask for.
async fn claim(sync: &Sync) -> Result<Vec<(FileVersion, i32)>, Error> {
    let due = sqlx::query!(
        "with due as (
            select file, version from ledger.placeholder
            where webp is null and due_at <= now()
            order by due_at limit $1
            for update skip locked
         )
         update ledger.placeholder as p set
            attempts = p.attempts + 1,
            due_at = now() + least(case p.unreadable when $2 then interval '1 hour'
                                                     else interval '1 day' end,
                                   interval '30 seconds' * power(4, least(p.attempts, 10)))
         from due where p.file = due.file and p.version = due.version
         returning p.file, p.version, p.attempts",
        BATCH,
        PictureFault::Missing.name(),
    )
    .map(|due| ((due.file, due.version), due.attempts));
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

async fn make(sync: &Sync, (file, version): &FileVersion, attempts: i32) -> Attempt {
    let began = Instant::now();
    let tried = tokio::time::timeout(TIMEOUT, try_make(sync, *file, version)).await;
    let (outcome, attempt) = match tried {
        Ok(Ok(webp)) => {
            metrics::histogram!("sync_placeholder_seconds").record(began.elapsed().as_secs_f64());
            tracing::debug!(%file, bytes = webp.len(), took = ?began.elapsed(), "placeholder made");
            ("made", Attempt::Placeholder(webp))
        }
        Ok(Err(error)) => {
            let reason = runtime::error_text(&error);
            if let Some(fault) = fault_of(&error, attempts) {
                tracing::warn!(%file, %reason, "a file can't be shown as a picture and is omitted");
                ("unreadable", Attempt::Unreadable(fault))
            } else {
                tracing::info!(%file, %reason, "no placeholder for this picture yet");
                ("failed", Attempt::Failed)
            }
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
    decode(original, sync.decoding.clone()).await
}

/// Makes the placeholder of `original` as soon as there is a permit of `decoding`. The work goes on after
/// a timeout, so the permit is released with the work.
async fn decode(
    original: impl AsRef<[u8]> + Send + 'static,
    decoding: Arc<Semaphore>,
) -> Result<Vec<u8>, Error> {
    // The semaphore is never closed.
    let permit = decoding.acquire_owned().await.ok();
    let made = spawn_blocking(move || {
        let _permit = permit;
        pictures::placeholder(original.as_ref())
    });
    Ok(made.await.unwrap_or(Err(ScaleError::Unreadable))?.to_vec())
}

/// Returns what is wrong with a file whose placeholder could not be made at the given attempt; none if
/// the attempt only failed.
fn fault_of(error: &Error, attempt: i32) -> Option<PictureFault> {
    match error {
        Error::Picture(error) => Some(match error {
            ScaleError::Kind => PictureFault::Kind,
            ScaleError::Truncated => PictureFault::Cut,
            ScaleError::TooLarge => PictureFault::TooLarge,
            ScaleError::Broken(_) | ScaleError::Unreadable | ScaleError::Encoding(_) => {
                PictureFault::Broken
            }
        }),
        Error::Content(content_client::Error::TooLarge { .. }) => Some(PictureFault::TooHeavy),
        Error::Content(error) if is_missing(error) && attempt >= OMITTING_ATTEMPT => {
            Some(PictureFault::Missing)
        }
        _ => None,
    }
}

/// Returns whether the content service has no such file. Directus answers 403.
fn is_missing(error: &content_client::Error) -> bool {
    match error {
        content_client::Error::NotFoundOrForbidden(_) => true,
        content_client::Error::Refused(refusal) => refusal.status == StatusCode::NOT_FOUND,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use contracts::rules::{MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE};
    use tokio::{runtime::Builder, time::timeout};

    use super::*;

    #[test]
    fn capture_and_decoding_have_the_same_limits() {
        let of_decoding = (pictures::MAX_PIXELS, pictures::MAX_SIDE);
        assert_eq!((MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE), of_decoding);
    }

    #[test]
    fn pictures_are_decoded_one_at_a_time_even_after_a_timeout() {
        let runtime = Builder::new_current_thread().enable_time().max_blocking_threads(1).build();
        runtime.expect("a runtime").block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let before = spawn_blocking(move || held.recv());
            let decoding = Arc::new(Semaphore::new(1));
            for _ in 0..3 {
                let made = decode(b"a picture", decoding.clone());
                timeout(Duration::ZERO, made).await.expect_err("it is not made yet");
                assert_eq!(decoding.available_permits(), 0, "the first is still to be decoded");
            }
            release.send(()).expect("the work before it goes on");
            before.await.expect("it ends").expect("it was let go on");
            let made = decode(b"a picture", decoding).await;
            assert!(matches!(made, Err(Error::Picture(ScaleError::Kind))), "the next has its turn");
        });
    }
}
