//! Makes placeholders.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use content_client::Client;
use contracts::PictureFault;
use futures::{StreamExt, stream};
use http::StatusCode;
use pictures::ScaleError;
use runtime::error_text;
use tokio::{sync::Semaphore, task::spawn_blocking};
use tokio_util::sync::CancellationToken;

use crate::{
    Context, Error,
    ledger::{FileVersion, MadePlaceholders},
};

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
pub async fn run(context: Context, shutdown: CancellationToken) -> Result<(), Error> {
    // One permit, for the picture that is being decoded, which may take 800 MB of memory.
    let decoding = Arc::new(Semaphore::new(1));
    loop {
        let work = Box::pin(round(&context, &decoding));
        let is_idle = match shutdown.run_until_cancelled(work).await {
            None => return Ok(()),
            Some(Ok(tried)) => tried == 0,
            Some(Err(error)) => {
                tracing::debug!(error = error_text(&error), "placeholders can't be made; retrying");
                true
            }
        };
        if is_idle {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = context.wakeups.placeholders.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Tries the pictures that are due, and returns how many there were.
async fn round(context: &Context, decoding: &Arc<Semaphore>) -> Result<usize, Error> {
    let Context { ledger, content, wakeups, .. } = context;
    let due = ledger.claim_placeholders(BATCH).await?;
    let count = due.len();
    let mut tries = stream::iter(due)
        .map(|(file, attempts)| async move {
            let attempt = make(content, decoding, &file, attempts).await;
            (file, attempt)
        })
        .buffer_unordered(MAX_CONCURRENT);
    let mut made = MadePlaceholders::default();
    while let Some(((file, version), attempt)) = tries.next().await {
        let (webp, fault) = match attempt {
            Attempt::Placeholder(webp) => (Some(webp), None),
            Attempt::Unreadable(fault) => (None, Some(fault.name().to_owned())),
            Attempt::Failed => continue,
        };
        made.files.push(file);
        made.versions.push(version);
        made.webps.push(webp);
        made.faults.push(fault);
    }
    drop(tries);
    ledger.store_placeholders(&made).await?;
    wakeups.capture.notify_one();
    Ok(count)
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

async fn make(
    content: &Client,
    decoding: &Arc<Semaphore>,
    (file, version): &FileVersion,
    attempts: i32,
) -> Attempt {
    let began = Instant::now();
    let tried = async {
        let original = content.original(*file, version).await?;
        decode(original, Arc::clone(decoding)).await
    };
    let tried = tokio::time::timeout(TIMEOUT, tried).await;
    let (outcome, attempt) = match tried {
        Ok(Ok(webp)) => {
            metrics::histogram!("sync_placeholder_seconds").record(began.elapsed().as_secs_f64());
            tracing::debug!(%file, bytes = webp.len(), took = ?began.elapsed(), "placeholder made");
            ("made", Attempt::Placeholder(webp))
        }
        Ok(Err(error)) => {
            let reason = error_text(&error);
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
