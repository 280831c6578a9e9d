//! A circuit breaker around the content service.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// After how many consecutive failures the breaker opens.
const FAILURE_THRESHOLD: u32 = 5;
/// How long the breaker stays open first; it doubles while the service keeps failing.
const MIN_OPEN_TIME: Duration = Duration::from_millis(500);
/// The longest time the breaker stays open.
const MAX_OPEN_TIME: Duration = Duration::from_secs(10);

/// A circuit breaker that counts consecutive failures and opens after too many, for a time that doubles.
/// Once that time has elapsed, every call is let through.
#[derive(Debug, Default)]
pub struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    open_time: Duration,
    /// Why the last read of items failed.
    reason: Option<String>,
    /// Why the service could not be asked for its activity log.
    unreachable: Option<String>,
    open_until: Option<Instant>,
}

impl Breaker {
    /// Returns how long to wait before the next call, or none if it may be made now.
    pub fn retry_after(&self) -> Option<Duration> {
        self.state()
            .open_until?
            .checked_duration_since(Instant::now())
            .filter(|wait| !wait.is_zero())
    }

    /// Records that items were read, which closes the breaker.
    pub fn succeeded(&self) {
        *self.state() = State::default();
    }

    /// Records that all items were read, perhaps by another process, which closes the breaker.
    pub fn nothing_left_to_read(&self) {
        let mut state = self.state();
        *state = State { unreachable: state.unreachable.take(), ..State::default() };
    }

    /// Records whether the service could be asked for its activity log, and if not, why. It does not count
    /// towards opening: the log is asked for at intervals anyway.
    pub fn asked_for_activity(&self, unreachable: Option<String>) {
        self.state().unreachable = unreachable;
    }

    /// Returns whether the breaker is open, also when its time has elapsed and calls are let through on
    /// trial.
    pub fn is_open(&self) -> bool {
        self.state().open_until.is_some()
    }

    /// Returns why the service can't be used, or none if it can.
    pub fn reason(&self) -> Option<String> {
        let state = self.state();
        state.reason.clone().or_else(|| state.unreachable.clone())
    }

    /// Records that a call was refused because of `reason`. It does not count towards opening: pausing
    /// the calls would not help.
    pub fn refused(&self, reason: String) {
        self.state().reason = Some(reason);
    }

    /// Records that a call failed because of `reason`, through a fault of the service. A call that fails
    /// while the breaker is open was started before that, and does not show that the wait was too short.
    pub fn failed(&self, reason: String) {
        let mut state = self.state();
        state.reason = Some(reason);
        let now = Instant::now();
        if state.open_until.is_some_and(|until| until > now) {
            return;
        }
        state.failures += 1;
        if state.failures >= FAILURE_THRESHOLD {
            state.open_time = (state.open_time * 2).clamp(MIN_OPEN_TIME, MAX_OPEN_TIME);
            state.open_until = Some(now + state.open_time);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_too_many_failures_and_closes_on_success() {
        let breaker = Breaker::default();
        for _ in 1..FAILURE_THRESHOLD {
            breaker.failed("no answer".to_owned());
        }
        assert_eq!(breaker.retry_after(), None);
        assert!(!breaker.is_open());
        // Many calls that were started together may fail.
        for _ in 0..2 * FAILURE_THRESHOLD {
            breaker.failed("no answer".to_owned());
        }
        assert!(breaker.retry_after().is_some_and(|wait| wait <= MIN_OPEN_TIME));
        breaker.state.lock().expect("nobody panicked").open_until = Some(Instant::now());
        breaker.failed("500".to_owned());
        assert_eq!((breaker.is_open(), breaker.reason().as_deref()), (true, Some("500")));
        assert!(breaker.retry_after().is_some_and(|wait| wait > MIN_OPEN_TIME));
        breaker.succeeded();
        assert_eq!(
            (breaker.retry_after(), breaker.is_open(), breaker.reason()),
            (None, false, None)
        );
        breaker.refused("401".to_owned());
        assert_eq!((breaker.is_open(), breaker.reason().as_deref()), (false, Some("401")));
    }

    #[test]
    fn items_that_another_process_read_do_not_show_that_the_service_can_be_reached() {
        let breaker = Breaker::default();
        for _ in 0..FAILURE_THRESHOLD {
            breaker.failed("500".to_owned());
        }
        breaker.asked_for_activity(Some("no answer".to_owned()));
        breaker.nothing_left_to_read();
        assert_eq!((breaker.is_open(), breaker.reason().as_deref()), (false, Some("no answer")));
        breaker.asked_for_activity(None);
        assert_eq!(breaker.reason(), None);
    }
}
