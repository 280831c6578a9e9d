//! Following the log: the role, and what it waits for.

use std::{sync::Arc, time::Duration};

use contracts::{READ_MODEL_VERSION, Sequence};
use event_log::{EventLog, Lag, PROJECTED, Reader};
use runtime::{Check, Disposition, Process, health::Details, postgres::answered};
use serde_json::json;
use sqlx::{Connection, PgConnection, PgPool, query_scalar};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::{
    admin,
    apply::Applied,
    config::Config,
    error::Error,
    fillings::{Fillings, Kind},
    generation::{Generation, migrate},
    pause,
    project::{BATCH, WAIT, project},
    rebuild::{drop_others, rebuild_told},
};

/// The pause after a failure that may pass; it doubles up to the longest.
const PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// How often it is looked, while following is paused or there is no room, whether it may go on.
const RESUMED_POLL: Duration = Duration::from_secs(1);
/// How long after a filling that met no room the same process begins the next one: each takes from those
/// that share the disk what is left of it.
const ROOM_PAUSE: Duration = Duration::from_mins(30);
/// The advisory lock of the one process that fills a new generation by itself; the letters `readmods`
/// as a number.
const FILLING_LOCK: i64 = 0x7265_6164_6d6f_6473;
/// How often a process asks for that while another has it.
const FILLING_POLL: Duration = Duration::from_millis(500);
/// For how long it waits for that: a process that froze keeps the lock, and filling twice only costs.
const FILLING_LIMIT: Duration = Duration::from_mins(2);
/// How often, in quiet times, it is looked whether a filling that was killed has left anything: another
/// process may have been at it.
const LEFT_OVER_POLL: Duration = Duration::from_mins(1);
const CONNECTIONS: u32 = 4;

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    let pool = runtime::postgres::connect(&config.database_url, "projections", CONNECTIONS)?;
    let log = EventLog::connect(&config.nats_url, "projections").await?;
    let check = process.health().renewed_check("read models");
    let paused = process.health().details("paused");
    let shutdown = process.shutdown();
    let (fillings, resumed) = (Fillings::default(), Arc::new(Notify::new()));
    process.answer_operators(admin::router(admin::Calls {
        pool: pool.clone(),
        log: log.clone(),
        fillings: fillings.clone(),
        resumed: resumed.clone(),
        shutdown: shutdown.clone(),
    }));
    process.spawn("projections", async move {
        let (position, follows) = watch::channel(None);
        let measuring = Lag::measure(log.clone(), follows, report_lag);
        let ended = shutdown.clone();
        let follower =
            Follower { pool, log, check, position, paused, resumed, fillings, shutdown: ended };
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
    /// Up to where the live generation has the log; none before it was first read.
    position: watch::Sender<Option<Sequence>>,
    /// Tells that an operator has paused following.
    paused: Details,
    /// They may have resumed it.
    resumed: Arc<Notify>,
    fillings: Fillings,
    shutdown: CancellationToken,
}

impl Follower {
    /// Goes on until an operator has to act. Whatever may pass is waited for.
    async fn run(self) -> Result<(), Error> {
        self.drop_left_over().await;
        let mut pause = PAUSE;
        let mut told = String::new();
        loop {
            let before = tokio::time::Instant::now();
            let Err(error) = Box::pin(self.follow()).await;
            if error.disposition() == Disposition::Halt {
                return Err(error);
            }
            self.check.not_ready(error.to_string());
            if before.elapsed() > MAX_PAUSE {
                pause = PAUSE;
            }
            // Not at each try. Where all went well meanwhile, the check tells the same reason again.
            if told != error.to_string() {
                tracing::warn!(%error, "read models wait");
                told = error.to_string();
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }

    /// Drops as much as a killed process had filled, up to a whole catalogue. Not after each failure: what
    /// is being filled waits for Postgres as well, and looks as if nobody were at it.
    async fn drop_left_over(&self) {
        // What is wrong with the tables is told by who follows.
        if answered(migrate(&self.pool)).await.is_ok() {
            drop_others(&self.pool, &[]).await;
        }
    }

    /// Follows the log with the live generation, whichever that is.
    async fn follow(&self) -> Result<std::convert::Infallible, Error> {
        answered(migrate(&self.pool)).await?;
        loop {
            self.wait_while_paused().await?;
            let generation = answered(Generation::live(&self.pool)).await?;
            let (live, ours) = (generation.model_version, READ_MODEL_VERSION);
            if live > ours {
                return Err(Error::NewerModels { live, ours });
            }
            if live < ours {
                self.check.not_ready("filling a new generation of read models");
                self.replace(&generation).await?;
                continue;
            }
            match self.follow_with(&generation).await {
                Err(Error::Log(error @ event_log::Error::Diverged(_))) => {
                    tracing::warn!(%error, "the read models are filled anew beside the live ones");
                    self.check.not_ready("filling the read models anew: the log is another one");
                    self.replace(&generation).await?;
                }
                followed => followed?,
            }
        }
    }

    /// Waits for as long as an operator has paused following.
    async fn wait_while_paused(&self) -> Result<(), Error> {
        while let Some(since) = answered(pause::since(&self.pool)).await? {
            self.paused.set(Some(json!({ "following": since })));
            self.check.ready();
            let live = answered(Generation::live(&self.pool)).await?;
            self.position.send_replace(Some(live.checkpoint.sequence));
            tokio::select! {
                () = self.resumed.notified() => {}
                () = tokio::time::sleep(RESUMED_POLL) => {}
            }
        }
        self.paused.set(None);
        Ok(())
    }

    /// Fills a new generation and shows it in place of the `live` one, unless another process has done
    /// that meanwhile: whatever tells one of them to, tells all of them. Where the disk has no room for
    /// it, it is not tried again at once.
    async fn replace(&self, live: &Generation) -> Result<(), Error> {
        let turn = self.turn_to_fill().await?;
        // An operator's filling in this process has no such turn, and may be what shows another one.
        let ours = self.fillings.wait_for_turn().await;
        if answered(Generation::live(&self.pool)).await?.number != live.number {
            return Ok(());
        }
        let mut filling = self.fillings.begin_in(ours, Kind::Rebuild);
        let rebuilt =
            Box::pin(rebuild_told(&self.pool, &self.log, &self.shutdown, &mut filling)).await;
        if let Err(error) = &rebuilt {
            filling.failed(error);
        }
        drop(turn);
        match rebuilt {
            Err(error) if error.is_out_of_disk() => {
                self.wait_for_room(live, &error).await;
                Ok(())
            }
            rebuilt => rebuilt.map(drop),
        }
    }

    /// Waits after a filling that met no room, until that has been a while, another generation than
    /// `live` is shown, or an operator has following resumed.
    async fn wait_for_room(&self, live: &Generation, error: &Error) {
        tracing::warn!(%error,
            "no room to fill new read models; tried again later; a rebuild does not wait");
        let began = tokio::time::Instant::now();
        while began.elapsed() < ROOM_PAUSE {
            self.check.not_ready(format!("no room to fill new read models: {error}"));
            tokio::select! {
                () = self.resumed.notified() => return,
                () = tokio::time::sleep(RESUMED_POLL) => {}
            }
            // What could not be dropped takes room for as long as it stands.
            let _dropped = answered(Generation::drop_others(&self.pool, &[])).await;
            let shown = answered(Generation::live(&self.pool)).await;
            if shown.is_ok_and(|shown| shown.number != live.number) {
                return;
            }
        }
    }

    /// Waits until no other process fills a new generation by itself, or has for too long. The turn ends
    /// with the connection.
    async fn turn_to_fill(&self) -> Result<PgConnection, Error> {
        let options = self.pool.connect_options();
        let mut connection = answered(PgConnection::connect_with(&options)).await?;
        let began = tokio::time::Instant::now();
        loop {
            let leads =
                query_scalar!(r#"select pg_try_advisory_lock($1) as "leads!""#, FILLING_LOCK);
            if answered(leads.fetch_one(&mut connection)).await? || began.elapsed() > FILLING_LIMIT
            {
                return Ok(connection);
            }
            tokio::time::sleep(FILLING_POLL).await;
        }
    }

    /// Follows the log with `generation` until it is no more where we take it to be.
    async fn follow_with(&self, generation: &Generation) -> Result<(), Error> {
        let mut reader = self.log.reader(generation.checkpoint);
        let mut position = generation.checkpoint.sequence;
        self.position.send_replace(Some(position));
        let mut looked = tokio::time::Instant::now();
        loop {
            runtime::failpoint("projections.read").map_err(sqlx::Error::from)?;
            let batch = match reader.next_batch(BATCH, WAIT).await {
                Err(error @ (event_log::Error::NoStream | event_log::Error::OlderStream(_))) => {
                    self.check.not_ready(error.to_string());
                    continue;
                }
                other => other?,
            };
            if batch.is_empty() {
                // Nobody else asks the database while there is nothing to write: whether it answers,
                // and whether it is the one that it was.
                let live = answered(Generation::live(&self.pool)).await?;
                let is_paused = answered(pause::since(&self.pool)).await?.is_some();
                let is_elsewhere =
                    live.number != generation.number || live.checkpoint.sequence != position;
                if is_elsewhere || is_paused {
                    return Ok(());
                }
                if looked.elapsed() >= LEFT_OVER_POLL {
                    drop_others(&self.pool, &[]).await;
                    looked = tokio::time::Instant::now();
                }
            } else {
                let to = reader.checkpoint();
                match project(&self.pool, generation, position, to, batch).await? {
                    Applied::Elsewhere => return Ok(()),
                    Applied::Done => position = to.sequence,
                }
                if let Err(error) = self.log.hint(PROJECTED, position).await {
                    tracing::debug!(%error, "the hint was not sent; readers look by themselves");
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
