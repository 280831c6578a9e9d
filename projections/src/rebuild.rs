//! Filling a new generation beside the live one.

use std::time::{Duration, Instant};

use contracts::Checkpoint;
use event_log::{EventLog, Reader, Standing};
use runtime::postgres::answered;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{
    apply::Applied,
    error::Error,
    generation::{Generation, migrate},
    project::{BATCH, WAIT, project},
};

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(2);

/// Fills a new generation from the start of the log while the live one goes on being shown and
/// followed, shows it in one step as soon as it stands where the live one does, and drops what is
/// not shown any more. Gives the generation that is live then.
///
/// It refuses to show a generation that put more messages aside than the live one did.
pub async fn rebuild(
    pool: &PgPool,
    log: &EventLog,
    shutdown: &CancellationToken,
) -> Result<Generation, Error> {
    answered(migrate(pool)).await?;
    answered(Generation::drop_others(pool, &[])).await?;
    let former = answered(Generation::live(pool)).await?;
    let mut generation = answered(Generation::create(pool)).await?;
    tracing::info!(generation = generation.number, "filling a new generation of read models");
    let filled =
        shutdown.run_until_cancelled(Box::pin(fill(pool, log, &former, &mut generation))).await;
    match filled {
        Some(Ok(())) => {}
        failed => {
            Generation::drop_others(pool, &[generation.number]).await?;
            return Err(failed.and_then(Result::err).unwrap_or(Error::Interrupted));
        }
    }
    generation.live = true;
    tracing::info!(generation = generation.number, position = %generation.checkpoint.sequence,
        "the new generation of read models is shown");
    Generation::drop_others(pool, &[former.number]).await?;
    Ok(generation)
}

/// Reads the log into `generation` until it could be shown: all of the log, and a log that is
/// complete.
async fn fill(
    pool: &PgPool,
    log: &EventLog,
    former: &Generation,
    generation: &mut Generation,
) -> Result<(), Error> {
    let mut reader = log.reader(Checkpoint::START);
    let mut progress = Progress::new();
    let mut analyzed = false;
    loop {
        let batch = reader.next_batch(BATCH, WAIT).await?;
        let left = reader.behind().ok_or(Error::NoLog)?;
        if !batch.is_empty() {
            progress.done += batch.len() as u64;
            let (from, to) = (generation.checkpoint.sequence, reader.checkpoint());
            match project(pool, generation, from, to, batch).await? {
                Applied::Changed(_) => generation.checkpoint = to,
                // Somebody dropped it as abandoned, which only a very slow fill can meet.
                Applied::Elsewhere => return Err(Error::Interrupted),
            }
        }
        progress.tell(left);
        if reader.is_caught_up() {
            if !analyzed {
                answered(generation.analyze(pool)).await?;
                analyzed = true;
            }
            let is_lost = is_lost(&reader, former);
            if answered(generation.swap_in(pool, is_lost)).await? {
                return Ok(());
            }
        }
    }
}

/// Whether what `former` was made of is part of the log no more.
fn is_lost(reader: &Reader, former: &Generation) -> bool {
    let lineage = reader.last_seen().and_then(|state| state.lineage.as_ref());
    lineage.is_some_and(|lineage| lineage.standing(former.checkpoint) == Standing::Diverged)
}

struct Progress {
    started: Instant,
    told: Instant,
    done: u64,
}

impl Progress {
    fn new() -> Self {
        let now = Instant::now();
        Self { started: now, told: now, done: 0 }
    }

    /// Says how far it is and how long it will take, every few seconds.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn tell(&mut self, left: u64) {
        if self.told.elapsed() < TELL_EVERY {
            return;
        }
        self.told = Instant::now();
        let rate = self.done as f64 / self.started.elapsed().as_secs_f64();
        let seconds_left = (left as f64 / rate.max(1.0)).ceil();
        tracing::info!(done = self.done, left, seconds_left, "filling read models");
    }
}
