//! Fills a generation beside the live one: a new one, or the one that was live before.

use std::time::Duration;

use contracts::Checkpoint;
use event_log::EventLog;
use runtime::{Disposition, error_text, postgres::with_answer_timeout};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{
    apply::Applied,
    error::Error,
    fill_jobs::{FillJob, FillJobs, Kind},
    generation::{Generation, migrate},
    pause,
    project::{BATCH, WAIT, project},
};

/// The pause after a transient failure. Long queries may keep a swap waiting; during the pause, other
/// queries get through.
const PAUSE: Duration = Duration::from_secs(2);

/// Fills a new generation from the start of the log, and swaps it in as soon as it has caught up with the
/// live one, which is shown and updated meanwhile. Returns the new live generation.
///
/// The generation that was live before is retained until the next rebuild ends, so that operators can swap
/// back. A generation with more dead letters than a live one of the same model version is not swapped in.
///
/// # Errors
/// [`Error::Paused`] if an operator has paused following. If following is paused later, only the swap waits
/// until it is resumed.
pub async fn rebuild(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
) -> Result<Generation, Error> {
    let mut job = FillJobs::default().begin(Kind::Rebuild).await;
    rebuild_with_progress(pool, log, shutdown, &mut job).await
}

/// Does the same as [`rebuild`], and reports its progress to `job`.
pub(crate) async fn rebuild_with_progress(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
    job: &mut FillJob,
) -> Result<Generation, Error> {
    with_answer_timeout(migrate(pool)).await?;
    if with_answer_timeout(pause::since(pool)).await?.is_some() {
        return Err(Error::Paused);
    }
    drop_others(pool, &[]).await;
    let live = with_answer_timeout(Generation::live(pool)).await?;
    let mut replaced = with_answer_timeout(Generation::former_numbers(pool)).await?;
    replaced.push(live.number);
    let mut generation = with_answer_timeout(Generation::create(pool)).await?;
    tracing::info!(generation = generation.number, "filling a new generation of read models");
    let filled =
        shutdown.run_until_cancelled(Box::pin(fill(pool, log, &mut generation, job))).await;
    match filled {
        Some(Ok(())) => {}
        failed => {
            let error = failed.and_then(Result::err).unwrap_or(Error::Interrupted);
            // If it is gone, another process may have created the next generation with the same number.
            if !matches!(error, Error::Gone) {
                drop_others(pool, &[generation.number]).await;
            }
            return Err(error);
        }
    }
    generation.live = true;
    tracing::info!(generation = generation.number, position = %generation.checkpoint.sequence,
        "the new generation of read models is shown");
    drop_others(pool, &replaced).await;
    Ok(generation)
}

/// Drops abandoned generations and those in `also`, unless they are live or retained as the former one. On
/// an error, such as a lock that a long query holds, leaves them to the next call.
pub(crate) async fn drop_others(pool: &PgPool, also: &[i32]) {
    if let Err(error) = with_answer_timeout(Generation::drop_others(pool, also)).await {
        tracing::warn!(
            error = error_text(&error),
            "unused generations of read models are not dropped yet"
        );
    }
}

/// Brings the former generation up to date, and swaps it in as soon as it has caught up with the live one.
/// The previously live one is retained as the former generation. Returns the new live generation.
///
/// A generation with more dead letters than the live one is not swapped in.
///
/// # Errors
/// [`Error::NoFormer`] if there is no former generation of this build's model version. If following is
/// paused meanwhile, the swap waits until it is resumed.
pub(crate) async fn swap_back(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
    job: &mut FillJob,
) -> Result<Generation, Error> {
    let mut former = with_answer_timeout(Generation::former(pool)).await?.ok_or(Error::NoFormer)?;
    tracing::info!(generation = former.number, "the former read models are brought up to date");
    let filled = shutdown.run_until_cancelled(Box::pin(fill(pool, log, &mut former, job))).await;
    filled.unwrap_or(Err(Error::Interrupted))?;
    former.live = true;
    tracing::info!(generation = former.number, position = %former.checkpoint.sequence,
        "the former generation of read models is shown again");
    Ok(former)
}

/// Fills `generation` from the log until it is swapped in, which requires that the log is complete and fully
/// read. Continues after transient errors, because starting over would take longer.
async fn fill(
    pool: &PgPool,
    log: &EventLog,
    generation: &mut Generation,
    job: &mut FillJob,
) -> Result<(), Error> {
    let mut analyzed = generation.checkpoint != Checkpoint::START;
    loop {
        match continue_filling(pool, log, generation, job, &mut analyzed).await {
            // With nothing filled yet, the error is returned: starting over loses nothing.
            Err(error) if generation.checkpoint != Checkpoint::START && is_transient(&error) => {
                tracing::warn!(
                    error = error_text(&error),
                    "filling the read models failed; retrying"
                );
                job.waiting_for(&error);
                tokio::time::sleep(PAUSE).await;
            }
            Ok(()) => {
                job.succeeded();
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns whether a fill job can continue after `error` from its position.
fn is_transient(error: &Error) -> bool {
    // A diverged generation can't be used further, and a dropped one no longer exists.
    let is_lost = matches!(error, Error::Gone | Error::Log(event_log::Error::Diverged(_)));
    // If the database is out of space, the job fails and drops its generation, which frees some.
    error.disposition() == Disposition::Retry && !is_lost && !error.is_out_of_resources()
}

/// Fills `generation` from its position until it is swapped in or something fails.
async fn continue_filling(
    pool: &PgPool,
    log: &EventLog,
    generation: &mut Generation,
    job: &mut FillJob,
    analyzed: &mut bool,
) -> Result<(), Error> {
    if with_answer_timeout(generation.reload(pool)).await? {
        return Ok(());
    }
    let mut reader = log.reader(generation.checkpoint);
    loop {
        let batch = reader.next_batch(BATCH, WAIT).await?;
        let left = reader.behind();
        let applied = batch.len();
        if applied > 0 {
            let (from, to) = (generation.checkpoint.sequence, reader.checkpoint());
            match project(pool, generation, from, to, batch).await? {
                Applied::Done => generation.checkpoint = to,
                // Another process dropped it as abandoned, which can only happen to a very slow fill job.
                Applied::Conflict => return Err(Error::Gone),
            }
        }
        job.advance(applied, left);
        // While there is nothing to apply and the log is not yet complete, only this marks the generation as
        // still being filled.
        if applied == 0 && with_answer_timeout(generation.reload(pool)).await? {
            return Ok(());
        }
        if reader.is_caught_up() {
            if !*analyzed {
                with_answer_timeout(generation.analyze(pool)).await?;
                *analyzed = true;
            }
            match with_answer_timeout(generation.swap_in(pool, reader.lineage())).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // The generation is kept up to date until an operator resumes following.
                Err(error @ Error::Paused) => job.waiting_for(&error),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use sqlx::error::{DatabaseError, ErrorKind};

    use super::*;

    /// A Postgres error with this code.
    #[derive(Debug, thiserror::Error)]
    #[error("refused with {0}")]
    struct Refusal(&'static str);

    impl DatabaseError for Refusal {
        fn message(&self) -> &str {
            self.0
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }

        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    #[test]
    fn a_fill_job_waits_after_transient_errors_but_not_for_disk_space() {
        for (code, waits) in
            [("53100", false), ("53200", false), ("53300", true), ("57P01", true), ("23505", false)]
        {
            let refusal = Error::Database(sqlx::Error::Database(Box::new(Refusal(code))));
            assert_eq!(is_transient(&refusal), waits, "{code}");
            assert_eq!(refusal.is_out_of_disk(), code == "53100", "{code}");
        }
        assert!(is_transient(&Error::Log(event_log::Error::NoStream)));
        assert!(!is_transient(&Error::Interrupted));
        assert!(!is_transient(&Error::Gone));
    }
}
