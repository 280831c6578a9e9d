//! Follows the log with the live generation, and replaces that generation when necessary.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use contracts::Sequence;
use event_log::{EventLog, Lag, PROJECTED, Reader};
use read_models::READ_MODEL_VERSION;
use runtime::{
    Check, Disposition, Process, error_text, health::Details, postgres::with_answer_timeout,
};
use serde_json::json;
use sqlx::{Connection, PgConnection, PgPool, query_scalar};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    admin,
    apply::Applied,
    config::Config,
    error::Error,
    fill_jobs::{FillJobs, Kind},
    generation::{Generation, migrate},
    pause,
    project::{BATCH, WAIT, project},
    rebuild::{drop_others, rebuild_with_progress},
};

/// The pause after a transient failure; it doubles up to [`MAX_PAUSE`].
const PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// How often the role checks, while following is paused or the disk is full, whether it may continue.
const RESUME_POLL: Duration = Duration::from_secs(1);
/// How long a process waits after it ran out of disk space before it fills a generation again: each attempt
/// uses up the space that is left for others on the disk.
const DISK_FULL_PAUSE: Duration = Duration::from_mins(30);
/// The advisory lock of the one process that fills a new generation without an operator; the letters
/// `readmods` as a number.
const FILL_LOCK: i64 = 0x7265_6164_6d6f_6473;
/// How often a process tries to acquire [`FILL_LOCK`] while another process holds it.
const FILL_LOCK_POLL: Duration = Duration::from_millis(500);
/// How long a process waits for [`FILL_LOCK`]. A frozen process keeps the lock, and filling twice is only a
/// waste.
const FILL_LOCK_TIMEOUT: Duration = Duration::from_mins(2);
/// How often an idle role drops abandoned generations. A killed fill job, also one of another process, may
/// have left one.
const ABANDONED_POLL: Duration = Duration::from_mins(1);
const CONNECTIONS: u32 = 4;

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect(&config.database_url, "projections", CONNECTIONS)?;
    let log = EventLog::connect(&config.nats_url, "projections").await?;
    let check = process.health().renewed_check(admin_answers::checks::READ_MODELS);
    let paused = process.health().detail("paused");
    let shutdown = process.shutdown();
    let (fill_jobs, resumed) = (FillJobs::default(), Arc::new(Notify::new()));
    process.serve_admin_calls(admin::router(admin::Calls {
        pool: pool.clone(),
        log: log.clone(),
        fill_jobs: fill_jobs.clone(),
        resumed: resumed.clone(),
        shutdown: shutdown.clone(),
    }));
    process.spawn("projections", async move {
        let (position, follows) = watch::channel(None);
        let measuring = Lag::measure(log.clone(), follows, report_lag);
        let ended = shutdown.clone();
        let follower =
            Follower { pool, log, check, position, paused, resumed, fill_jobs, shutdown: ended };
        let following = async {
            tokio::select! {
                ended = follower.run() => ended,
                () = measuring => Ok(()),
            }
        };
        shutdown.run_until_cancelled(Box::pin(following)).await.unwrap_or(Ok(()))
    });
    Ok(())
}

struct Follower {
    pool: PgPool,
    log: EventLog,
    check: Check,
    /// The position of the live generation; `None` before it was first read.
    position: watch::Sender<Option<Sequence>>,
    /// Reports in the health details that an operator has paused following.
    paused: Details,
    /// Notified when an operator resumes following.
    resumed: Arc<Notify>,
    fill_jobs: FillJobs,
    shutdown: CancellationToken,
}

impl Follower {
    /// Runs until an error requires an operator to act. Retries after transient errors.
    async fn run(self) -> Result<(), Error> {
        self.drop_abandoned().await;
        let mut pause = PAUSE;
        let mut last_logged = String::new();
        loop {
            let before = tokio::time::Instant::now();
            let Err(error) = Box::pin(self.follow()).await;
            // A rebuild may notice the shutdown before the caller of this does.
            if matches!(error, Error::Interrupted) {
                return Ok(());
            }
            if error.disposition() == Disposition::Halt {
                return Err(error);
            }
            let reason = error_text(&error);
            self.check.not_ready(reason.clone());
            if before.elapsed() > MAX_PAUSE {
                pause = PAUSE;
            }
            // A repeated error is logged once. If the role was ready in between, the check logs the same
            // reason again.
            if last_logged != reason {
                tracing::warn!(error = reason, "the read models can't follow the log; retrying");
                last_logged = reason;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Drops what killed processes had filled, which may be a complete catalogue. This is not done after each
    /// failure: a running fill job may be waiting for Postgres too, and its generation looks abandoned then.
    async fn drop_abandoned(&self) {
        // `follow` reports errors of the migration.
        if with_answer_timeout(migrate(&self.pool)).await.is_ok() {
            drop_others(&self.pool, &[]).await;
        }
    }

    /// Follows the log with the current live generation.
    async fn follow(&self) -> Result<std::convert::Infallible, Error> {
        with_answer_timeout(migrate(&self.pool)).await?;
        loop {
            self.wait_while_paused().await?;
            let generation = with_answer_timeout(Generation::live(&self.pool)).await?;
            let (live, ours) = (generation.model_version, READ_MODEL_VERSION);
            if live > ours {
                return Err(Error::NewerModels { live, ours });
            }
            if live < ours {
                self.check.not_ready("filling a new generation of read models");
                self.replace_generation(&generation).await?;
                continue;
            }
            match self.follow_with(&generation).await {
                Err(Error::Log(error @ event_log::Error::Diverged(_))) => {
                    tracing::warn!(
                        error = error_text(&error),
                        "rebuilding the read models beside the live ones"
                    );
                    self.check
                        .not_ready("rebuilding the read models: they have diverged from the log");
                    self.replace_generation(&generation).await?;
                }
                followed => followed?,
            }
        }
    }

    /// Waits while an operator has paused following.
    async fn wait_while_paused(&self) -> Result<(), Error> {
        while let Some(since) = with_answer_timeout(pause::since(&self.pool)).await? {
            self.report_pause(Some(since));
            self.check.ready();
            let live = with_answer_timeout(Generation::live(&self.pool)).await?;
            self.position.send_replace(Some(live.checkpoint.sequence));
            tokio::select! {
                () = self.resumed.notified() => {}
                () = tokio::time::sleep(RESUME_POLL) => {}
            }
        }
        self.report_pause(None);
        Ok(())
    }

    /// Reports that an operator has paused following `since`, or has not.
    fn report_pause(&self, since: Option<DateTime<Utc>>) {
        self.paused.set(since.map(|since| json!({ "following": since })));
        let seconds = since.map_or(0, |since| (Utc::now() - since).num_seconds());
        gauge("almijara_projection_paused_seconds", u64::try_from(seconds).unwrap_or_default());
    }

    /// Fills a new generation and swaps it in for the `live` one, unless another process has done that
    /// meanwhile: all processes detect the same reasons to do so. If the disk is full, it waits before it
    /// returns.
    async fn replace_generation(&self, live: &Generation) -> Result<(), Error> {
        let lock = self.acquire_fill_lock().await?;
        // An operator's fill job in this process does not take that lock, and may swap in a generation.
        let permit = self.fill_jobs.acquire().await;
        if with_answer_timeout(Generation::live(&self.pool)).await?.number != live.number {
            return Ok(());
        }
        let mut job = self.fill_jobs.begin_with(permit, Kind::Rebuild);
        let rebuilt =
            Box::pin(rebuild_with_progress(&self.pool, &self.log, &self.shutdown, &mut job)).await;
        if let Err(error) = &rebuilt {
            job.failed(error);
        }
        drop(lock);
        match rebuilt {
            Err(error) if error.is_out_of_disk() => {
                self.wait_for_disk_space(live, &error).await;
                Ok(())
            }
            rebuilt => rebuilt.map(drop),
        }
    }

    /// Waits after a fill job that ran out of disk space: for [`DISK_FULL_PAUSE`], until another generation
    /// than `live` is live, or until an operator resumes following.
    async fn wait_for_disk_space(&self, live: &Generation, error: &Error) {
        let error = error_text(error);
        tracing::warn!(
            error,
            "no room to fill new read models; it is retried later: after freeing the disk, rebuild to retry at once"
        );
        let began = tokio::time::Instant::now();
        while began.elapsed() < DISK_FULL_PAUSE {
            self.check.not_ready(format!("no room to fill new read models: {error}"));
            tokio::select! {
                () = self.resumed.notified() => return,
                () = tokio::time::sleep(RESUME_POLL) => {}
            }
            // A generation that could not be dropped so far takes up disk space.
            let _dropped = with_answer_timeout(Generation::drop_others(&self.pool, &[])).await;
            let shown = with_answer_timeout(Generation::live(&self.pool)).await;
            if shown.is_ok_and(|shown| shown.number != live.number) {
                return;
            }
        }
    }

    /// Waits until this process holds [`FILL_LOCK`], or until [`FILL_LOCK_TIMEOUT`] has passed. The lock is
    /// released when the returned connection is closed.
    async fn acquire_fill_lock(&self) -> Result<PgConnection, Error> {
        let options = self.pool.connect_options();
        let mut connection = with_answer_timeout(PgConnection::connect_with(&options)).await?;
        let began = tokio::time::Instant::now();
        loop {
            let acquired =
                query_scalar!(r#"select pg_try_advisory_lock($1) as "leads!""#, FILL_LOCK);
            if with_answer_timeout(acquired.fetch_one(&mut connection)).await?
                || began.elapsed() > FILL_LOCK_TIMEOUT
            {
                return Ok(connection);
            }
            tokio::time::sleep(FILL_LOCK_POLL).await;
        }
    }

    /// Follows the log with `generation` until that is no longer live at the expected position, or following
    /// is paused.
    async fn follow_with(&self, generation: &Generation) -> Result<(), Error> {
        let mut reader = self.log.reader(generation.checkpoint);
        let mut position = generation.checkpoint.sequence;
        self.position.send_replace(Some(position));
        let mut last_cleanup = tokio::time::Instant::now();
        loop {
            runtime::failpoint("projections.read").map_err(sqlx::Error::from)?;
            let batch = match reader.next_batch(BATCH, WAIT).await {
                Err(error @ (event_log::Error::NoStream | event_log::Error::OlderStream(_))) => {
                    self.check.not_ready(error_text(&error));
                    continue;
                }
                other => other?,
            };
            if batch.is_empty() {
                // With nothing to write, only this query shows whether the database answers, and whether
                // the generation is unchanged.
                let live = with_answer_timeout(Generation::live(&self.pool)).await?;
                let is_paused = with_answer_timeout(pause::since(&self.pool)).await?.is_some();
                let has_changed =
                    live.number != generation.number || live.checkpoint.sequence != position;
                if has_changed || is_paused {
                    return Ok(());
                }
                if last_cleanup.elapsed() >= ABANDONED_POLL {
                    drop_others(&self.pool, &[]).await;
                    last_cleanup = tokio::time::Instant::now();
                }
            } else {
                let to = reader.checkpoint();
                match project(&self.pool, generation, position, to, batch).await? {
                    Applied::Conflict => return Ok(()),
                    Applied::Done => position = to.sequence,
                }
                if let Err(error) = self.log.hint(PROJECTED, position).await {
                    tracing::debug!(
                        error = error_text(&error),
                        "the hint was not sent; readers poll anyway"
                    );
                }
            }
            self.report(&reader, position);
        }
    }

    fn report(&self, reader: &Reader, position: Sequence) {
        self.position.send_replace(Some(position));
        gauge("almijara_projection_position", position.get());
        let lag = reader.behind();
        if lag <= BATCH as u64 {
            self.check.ready();
        } else {
            self.check.not_ready(format!("{lag} messages behind the log"));
        }
    }
}

fn report_lag(lag: Lag) {
    gauge("almijara_projection_lag_messages", lag.messages);
    gauge("almijara_projection_log_answered_timestamp_seconds", lag.measured_at);
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
fn gauge(name: &'static str, value: u64) {
    metrics::gauge!(name).set(value as f64);
}
