//! The clock that decides what day it is, and whether it is night.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

/// The machine's clock with an offset that a test can set for its own process.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The offset from the machine's clock, in milliseconds.
    offset_ms: Arc<AtomicI64>,
}

impl Clock {
    /// Returns the current time.
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now() + TimeDelta::milliseconds(self.offset_ms.load(Ordering::Relaxed))
    }

    /// Sets the current time to `now`; the clock runs on from there.
    pub fn set(&self, now: DateTime<Utc>) {
        self.offset_ms.store((now - Utc::now()).num_milliseconds(), Ordering::Relaxed);
    }
}
