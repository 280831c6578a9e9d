//! Making placeholders.

use std::time::{Duration, Instant};

use contracts::PictureFault;
use futures::{StreamExt, stream};
use pictures::ScaleError;
use runtime::postgres::answered;
use sqlx::PgPool;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{File, show};
use crate::{Error, Sync};

/// How many pictures are fetched and decoded at once.
const AT_ONCE: usize = 2;
/// How many make a round. What shows several of them is captured again once for all; so few that a round of large
/// ones, of some seconds each, ends before another process may take them too.
const BATCH: i64 = 16;
/// The longest that one may take.
const LIMIT: Duration = Duration::from_secs(20);
/// How often second tries are looked for.
const POLL: Duration = Duration::from_secs(5);

/// Makes what is wanted, until `shutdown`.
pub async fn run(sync: Sync, shutdown: CancellationToken) -> Result<(), Error> {
    loop {
        let rest = match shutdown.run_until_cancelled(Box::pin(round(&sync))).await {
            None => return Ok(()),
            Some(Ok(tried)) => tried == 0,
            Some(Err(error)) => {
                tracing::debug!(%error, "placeholders wait");
                true
            }
        };
        if rest {
            tokio::select! {
                () = shutdown.cancelled() => return Ok(()),
                () = sync.unmade.notified() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }
}

/// Tries what is due; gives how many that was.
async fn round(sync: &Sync) -> Result<usize, Error> {
    let due = claim(sync).await?;
    let count = due.len();
    let mut tries = stream::iter(due)
        .map(|file| async move {
            let made = make(sync, &file).await;
            (file, made)
        })
        .buffer_unordered(AT_ONCE);
    let mut outcome = Outcome::default();
    while let Some(((file, version), made)) = tries.next().await {
        let (webp, fault) = match made {
            Made::Placeholder(webp) => (Some(webp), None),
            Made::Unreadable(fault) => (None, Some(fault.name().to_owned())),
            Made::NotYet => continue,
        };
        outcome.files.push(file);
        outcome.versions.push(version);
        outcome.webps.push(webp);
        outcome.faults.push(fault);
    }
    drop(tries);
    answered(keep(sync.ledger.pool(), &outcome)).await?;
    sync.dirty.notify_one();
    Ok(count)
}

/// What came of the tries of one round, a list a column.
#[derive(Default)]
struct Outcome {
    files: Vec<Uuid>,
    versions: Vec<String>,
    webps: Vec<Option<Vec<u8>>>,
    faults: Vec<Option<String>>,
}

/// Keeps the `outcome` of a round and has captured again what shows it, together: what is made and not shown
/// would never be looked at again.
async fn keep(ledger: &PgPool, outcome: &Outcome) -> Result<(), Error> {
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
        &outcome.files,
        &outcome.versions,
        &outcome.webps as &[Option<Vec<u8>>],
        &outcome.faults as &[Option<String>],
    )
    .execute(&mut *transaction)
    .await?;
    show(&mut transaction, &outcome.files).await?;
    transaction.commit().await?;
    Ok(())
}

/// Takes some that are due and puts their next try off, ever longer up to a day: for the case that
/// this one fails, and so that nobody else takes them now.
async fn claim(sync: &Sync) -> Result<Vec<File>, Error> {
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
    Ok(answered(due.fetch_all(sync.ledger.pool())).await?)
}

/// What came of a try.
enum Made {
    /// A WebP.
    Placeholder(Vec<u8>),
    /// No picture can be made of the file.
    Unreadable(PictureFault),
    /// The file could not be had.
    NotYet,
}

async fn make(sync: &Sync, (file, version): &File) -> Made {
    let began = Instant::now();
    let tried = tokio::time::timeout(LIMIT, try_make(sync, *file, version)).await;
    let (outcome, made) = match tried {
        Ok(Ok(webp)) => {
            metrics::histogram!("sync_placeholder_seconds").record(began.elapsed().as_secs_f64());
            tracing::debug!(%file, bytes = webp.len(), took = ?began.elapsed(), "placeholder made");
            ("made", Made::Placeholder(webp))
        }
        Ok(Err(Error::Picture(error))) => {
            let reason = runtime::error_text(&error);
            tracing::warn!(%file, %reason, "a file can't be shown as a picture and is left out");
            ("unreadable", Made::Unreadable(fault_of(&error)))
        }
        Ok(Err(error)) => {
            tracing::info!(%file, %error, "no placeholder for this picture yet");
            ("failed", Made::NotYet)
        }
        Err(_) => {
            tracing::info!(%file, "no placeholder for this picture yet: it took too long");
            ("failed", Made::NotYet)
        }
    };
    metrics::counter!("sync_placeholders_total", "outcome" => outcome).increment(1);
    made
}

async fn try_make(sync: &Sync, file: Uuid, version: &str) -> Result<Vec<u8>, Error> {
    let original = sync.content.original(file, version).await?;
    let made = spawn_blocking(move || pictures::placeholder(&original)).await;
    Ok(made.unwrap_or(Err(ScaleError::Unreadable))?.to_vec())
}

const fn fault_of(error: &ScaleError) -> PictureFault {
    match error {
        ScaleError::Kind => PictureFault::Kind,
        ScaleError::Cut => PictureFault::Cut,
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
    fn an_editor_reads_how_large_a_picture_may_be() {
        let most = format!(" {} mega", pictures::MAX_PIXELS / 1_000_000);
        let words = Locale::ALL.map(|locale| fault_of(&ScaleError::TooLarge).words_in(locale));
        assert!(words.iter().all(|words| words.contains(&most)), "{words:?}");
    }
}
