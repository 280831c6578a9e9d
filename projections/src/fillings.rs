//! The filling of a generation beside the live one: one at a time in a process, told as it goes on.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use serde::Serialize;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::Error;

/// How often progress is told in the log.
const TELL_EVERY: Duration = Duration::from_secs(2);

/// The last filling of this process, or the one under way.
#[derive(Clone, Debug, Default)]
pub struct Fillings {
    turn: Arc<Turn<()>>,
    told: Arc<Mutex<Told>>,
}

/// Why a generation is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A new one is filled from the start of the log.
    Rebuild,
    /// The former one is brought up to date, to be shown again.
    SwapBack,
}

/// How far a filling has come.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    pub running: bool,
    pub kind: Option<Kind>,
    /// Messages that were applied.
    pub done: u64,
    /// Messages that are left, as far as the log was known.
    pub left: u64,
    /// How long that will take; none before anything was applied.
    pub seconds_left: Option<u64>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Why it failed, or what it waits for while it is running.
    pub error: Option<String>,
}

impl Fillings {
    /// How far the last one has come.
    pub fn told(&self) -> Told {
        self.lock().clone()
    }

    /// Begins one as soon as no other is under way.
    pub async fn begin(&self, kind: Kind) -> Filling {
        let turn = self.wait_for_turn().await;
        self.begin_in(turn, kind)
    }

    /// Waits until no other is under way; none begins before the turn is over.
    pub async fn wait_for_turn(&self) -> OwnedMutexGuard<()> {
        self.turn.clone().lock_owned().await
    }

    /// Begins one in that `turn`.
    pub fn begin_in(&self, turn: OwnedMutexGuard<()>, kind: Kind) -> Filling {
        Filling::new(self, turn, kind)
    }

    /// Begins one; none where another is under way.
    pub fn try_begin(&self, kind: Kind) -> Option<Filling> {
        Some(Filling::new(self, self.turn.clone().try_lock_owned().ok()?, kind))
    }

    fn lock(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One filling, under way until it is dropped.
#[derive(Debug)]
pub struct Filling {
    fillings: Fillings,
    began: Instant,
    logged: Instant,
    done: u64,
    _turn: OwnedMutexGuard<()>,
}

impl Filling {
    fn new(fillings: &Fillings, turn: OwnedMutexGuard<()>, kind: Kind) -> Self {
        let begun = Told {
            running: true,
            kind: Some(kind),
            started_at: Some(Utc::now()),
            ..Told::default()
        };
        *fillings.lock() = begun;
        let now = Instant::now();
        Self { fillings: fillings.clone(), began: now, logged: now, done: 0, _turn: turn }
    }

    /// So many more messages are `applied`, and so many are `left`.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub fn advance(&mut self, applied: usize, left: u64) {
        self.done += applied as u64;
        let rate = self.done as f64 / self.began.elapsed().as_secs_f64();
        let seconds_left = (self.done > 0).then(|| (left as f64 / rate.max(1.0)).ceil() as u64);
        let mut told = self.fillings.lock();
        (told.done, told.left, told.seconds_left) = (self.done, left, seconds_left);
        told.error = None;
        drop(told);
        if self.logged.elapsed() >= TELL_EVERY {
            self.logged = Instant::now();
            tracing::info!(done = self.done, left, seconds_left, "filling read models");
        }
    }

    /// It waits until `error` is over.
    pub fn waits(&self, error: &Error) {
        self.fillings.lock().error = Some(error.to_string());
    }

    /// It ends well, whatever it had to wait for.
    pub fn succeeded(&self) {
        self.fillings.lock().error = None;
    }

    /// It ends with `error`.
    pub fn failed(self, error: &Error) {
        self.fillings.lock().error = Some(error.to_string());
    }
}

impl Drop for Filling {
    fn drop(&mut self) {
        let mut told = self.fillings.lock();
        told.running = false;
        told.ended_at = Some(Utc::now());
    }
}
