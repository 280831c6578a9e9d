//! A breaker around the content service: when it fails again and again it is left alone for a
//! while, and then asked by one reading only.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// After how many failures in a row the service is left alone.
const FAILURES: u32 = 5;
/// How long at first, and how long at most.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Counts failures and says whether to ask.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    last_error: Option<String>,
    /// Until when nobody asks.
    open_until: Option<Instant>,
}

impl Breaker {
    /// Whether the service may be asked now. When it was left alone long enough, the first who asks
    /// this is let through and the rest go on waiting for what becomes of that.
    pub fn permits(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.open_until {
            None => true,
            Some(until) if until > Instant::now() => false,
            Some(_) => {
                state.open_until = Some(Instant::now() + pause(state.failures));
                true
            }
        }
    }

    /// The service answered.
    pub fn succeeded(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.open_until.is_some() {
            tracing::info!("the content service answers again");
        }
        *state = State::default();
    }

    /// The service did not answer, or refused what it must not refuse.
    pub fn failed(&self, error: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures = state.failures.saturating_add(1);
        state.last_error = Some(error.to_owned());
        if state.failures < FAILURES {
            return;
        }
        if state.open_until.is_none() {
            tracing::warn!(error, "the content service fails again and again; leaving it alone");
        }
        state.open_until = Some(Instant::now() + pause(state.failures));
    }

    /// Why the service is left alone, if it is.
    pub fn open_because(&self) -> Option<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open_until.and(state.last_error.clone())
    }
}

/// Doubles with each failure beyond the first few.
fn pause(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(FAILURES).min(10);
    (FIRST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_closes_at_a_success() {
        let breaker = Breaker::default();
        for _ in 1..FAILURES {
            breaker.failed("timeout");
        }
        assert!(breaker.permits());
        breaker.failed("timeout");
        assert!(!breaker.permits());
        assert_eq!(breaker.open_because().as_deref(), Some("timeout"));
        breaker.succeeded();
        assert!(breaker.permits());
        assert_eq!(breaker.open_because(), None);
    }

    #[test]
    fn when_the_pause_is_over_one_is_let_through() {
        let breaker = Breaker::default();
        for _ in 0..FAILURES {
            breaker.failed("timeout");
        }
        breaker.state.lock().expect("no panic").open_until = Some(Instant::now());
        assert!(breaker.permits());
        assert!(!breaker.permits());
    }

    #[test]
    fn the_pause_grows_to_a_limit() {
        assert_eq!(pause(FAILURES), FIRST_PAUSE);
        assert_eq!(pause(FAILURES + 1), FIRST_PAUSE * 2);
        assert_eq!(pause(u32::MAX), LONGEST_PAUSE);
    }
}
