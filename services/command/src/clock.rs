//! What time it is.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

/// The machine's clock; a test may set it, for itself alone.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// How far it is ahead of the machine's, in milliseconds.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// What it says.
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::milliseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// Has it say `now`, and go on from there.
    pub fn set(&self, now: DateTime<Utc>) {
        self.ahead.store((now - Utc::now()).num_milliseconds(), Ordering::Relaxed);
    }
}
