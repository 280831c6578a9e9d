//! Filling a generation beside the live one: a new one, or the one that was live before.

use std::time::Duration;

use contracts::Checkpoint;
use event_log::EventLog;
use runtime::{Disposition, postgres::answered};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{
    apply::Applied,
    error::Error,
    fillings::{Filling, Fillings, Kind},
    generation::{Generation, migrate},
    pause,
    project::{BATCH, WAIT, project},
};

/// The pause after a failure that may pass: where somebody reads what is shown for long, others get through.
const PAUSE: Duration = Duration::from_secs(2);

/// Fills a new generation from the start of the log while the live one goes on being shown and
/// followed, and shows it in one step as soon as it stands where the live one does. Gives the
/// generation that is live then.
///
/// The one that was live before is kept until the next rebuild ends, so that it can be gone back to.
/// It refuses to show a generation that put more messages aside than a live one of the same form did.
///
/// # Errors
/// [`Error::Paused`] where an operator has paused what is shown. One who does so later has it wait with
/// the last step.
pub async fn rebuild(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
) -> Result<Generation, Error> {
    let mut filling = Fillings::default().begin(Kind::Rebuild).await;
    rebuild_told(pool, log, shutdown, &mut filling).await
}

/// The same, which tells how far it is.
pub(crate) async fn rebuild_told(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
    filling: &mut Filling,
) -> Result<Generation, Error> {
    answered(migrate(pool)).await?;
    if answered(pause::since(pool)).await?.is_some() {
        return Err(Error::Paused);
    }
    drop_others(pool, &[]).await;
    let live = answered(Generation::live(pool)).await?;
    let mut replaced = answered(Generation::formers(pool)).await?;
    replaced.push(live.number);
    let mut generation = answered(Generation::create(pool)).await?;
    tracing::info!(generation = generation.number, "filling a new generation of read models");
    let filled =
        shutdown.run_until_cancelled(Box::pin(fill(pool, log, &mut generation, filling))).await;
    match filled {
        Some(Ok(())) => {}
        failed => {
            let error = failed.and_then(Result::err).unwrap_or(Error::Interrupted);
            // Where it is gone, the next one of that number may be another process's.
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

/// Drops what is neither shown nor kept, those of `also` among it. Where somebody reads there for
/// long, it is left to the next time.
pub(crate) async fn drop_others(pool: &PgPool, also: &[i32]) {
    if let Err(error) = answered(Generation::drop_others(pool, also)).await {
        tracing::warn!(%error, "read models that nobody is shown are not dropped yet");
    }
}

/// Brings the generation that was live before the live one up to date, and shows it again in one step
/// as soon as it stands where that does; the one that was live till then is kept in its place. Gives
/// the generation that is live then.
///
/// It refuses to show one that put more messages aside than the live one did.
///
/// # Errors
/// [`Error::NoFormer`] where there is none of this build's form. Where following is paused meanwhile, the
/// last step waits until it is resumed.
pub(crate) async fn swap_back(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
    filling: &mut Filling,
) -> Result<Generation, Error> {
    let mut former = answered(Generation::former(pool)).await?.ok_or(Error::NoFormer)?;
    tracing::info!(generation = former.number, "the former read models are brought up to date");
    let filled =
        shutdown.run_until_cancelled(Box::pin(fill(pool, log, &mut former, filling))).await;
    filled.unwrap_or(Err(Error::Interrupted))?;
    former.live = true;
    tracing::info!(generation = former.number, position = %former.checkpoint.sequence,
        "the former generation of read models is shown again");
    Ok(former)
}

/// Reads the log into `generation` until it is shown in the place of the live one: all of the log,
/// and a log that is complete. What passes is waited for: to fill it anew takes longer.
async fn fill(
    pool: &PgPool,
    log: &EventLog,
    generation: &mut Generation,
    filling: &mut Filling,
) -> Result<(), Error> {
    let mut analyzed = generation.checkpoint != Checkpoint::START;
    loop {
        match go_on(pool, log, generation, filling, &mut analyzed).await {
            // Where nothing stands yet, nothing is lost.
            Err(error) if generation.checkpoint != Checkpoint::START && passes(&error) => {
                tracing::warn!(%error, "the filling of read models waits");
                filling.waits(&error);
                tokio::time::sleep(PAUSE).await;
            }
            Ok(()) => {
                filling.succeeded();
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
}

/// Whether a filling can go on after `error` from where it stands.
fn passes(error: &Error) -> bool {
    // Of what is part of no log any more nothing is kept, and of what is gone nothing is left.
    let is_lost = matches!(error, Error::Gone | Error::Log(event_log::Error::Diverged(_)));
    // What is filled so far takes room too: without it there may be some again.
    error.disposition() == Disposition::Retry && !is_lost && !error.is_out_of_room()
}

/// Goes on with that from where `generation` stands, until something fails.
async fn go_on(
    pool: &PgPool,
    log: &EventLog,
    generation: &mut Generation,
    filling: &mut Filling,
    analyzed: &mut bool,
) -> Result<(), Error> {
    if answered(generation.resume(pool)).await? {
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
                // Somebody dropped it as abandoned, which only a very slow fill can meet.
                Applied::Elsewhere => return Err(Error::Gone),
            }
        }
        filling.advance(applied, left);
        // Where there is nothing to apply, for as long as the log takes to be complete, this alone
        // says that somebody is filling it.
        if applied == 0 && answered(generation.resume(pool)).await? {
            return Ok(());
        }
        if reader.is_caught_up() {
            if !*analyzed {
                answered(generation.analyze(pool)).await?;
                *analyzed = true;
            }
            match answered(generation.swap_in(pool, reader.lineage())).await {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // It is kept up to date until an operator resumes following.
                Err(error @ Error::Paused) => filling.waits(&error),
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

    /// What Postgres refuses with this code.
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
    fn a_filling_waits_for_what_passes_by_itself_and_for_no_room() {
        for (code, waits) in
            [("53100", false), ("53200", false), ("53300", true), ("57P01", true), ("23505", false)]
        {
            let refusal = Error::Database(sqlx::Error::Database(Box::new(Refusal(code))));
            assert_eq!(passes(&refusal), waits, "{code}");
            assert_eq!(refusal.is_out_of_disk(), code == "53100", "memory is there again sooner");
        }
        assert!(passes(&Error::Log(event_log::Error::NoStream)));
        assert!(!passes(&Error::Interrupted));
        assert!(!passes(&Error::Gone));
    }
}
