//! A circuit breaker around the content service.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// After how many failures in a row the service is left alone.
const TOLERATED: u32 = 5;
/// The first rest; it doubles while the service goes on failing.
const FIRST_REST: Duration = Duration::from_millis(500);
/// The longest rest.
const MAX_REST: Duration = Duration::from_secs(10);

/// Counts failures in a row, and opens after too many, for a rest that doubles. Whoever asks after it is
/// let through.
#[derive(Debug, Default)]
pub struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    rest: Duration,
    /// Why the last one failed.
    reason: Option<String>,
    open_until: Option<Instant>,
}

impl Breaker {
    /// How long to wait before the next call; none when it may be made now.
    pub fn wait(&self) -> Option<Duration> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.open_until?.checked_duration_since(Instant::now()).filter(|wait| !wait.is_zero())
    }

    /// A call went well.
    pub fn succeeded(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = State::default();
    }

    /// Whether the service is left alone, but for whoever asks after a rest.
    pub fn is_open(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).open_until.is_some()
    }

    /// Why the last call failed; none where it went well.
    pub fn reason(&self) -> Option<String> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).reason.clone()
    }

    /// A call was refused, because of `reason`: leaving the service alone would mend nothing.
    pub fn refused(&self, reason: String) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).reason = Some(reason);
    }

    /// A call failed in a way that is the service's, because of `reason`. One that fails during a rest began
    /// before it, and is no sign that the rest was too short.
    pub fn failed(&self, reason: String) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reason = Some(reason);
        let now = Instant::now();
        if state.open_until.is_some_and(|until| until > now) {
            return;
        }
        state.failures += 1;
        if state.failures >= TOLERATED {
            state.rest = (state.rest * 2).clamp(FIRST_REST, MAX_REST);
            state.open_until = Some(now + state.rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_too_many_failures_and_closes_on_success() {
        let breaker = Breaker::default();
        for _ in 1..TOLERATED {
            breaker.failed("no answer".to_owned());
        }
        assert_eq!(breaker.wait(), None);
        assert!(!breaker.is_open());
        // Of calls that began together many may fail.
        for _ in 0..2 * TOLERATED {
            breaker.failed("no answer".to_owned());
        }
        assert!(breaker.wait().is_some_and(|wait| wait <= FIRST_REST));
        breaker.state.lock().expect("nobody panicked").open_until = Some(Instant::now());
        breaker.failed("500".to_owned());
        assert_eq!((breaker.is_open(), breaker.reason().as_deref()), (true, Some("500")));
        assert!(breaker.wait().is_some_and(|wait| wait > FIRST_REST));
        breaker.succeeded();
        assert_eq!((breaker.wait(), breaker.is_open(), breaker.reason()), (None, false, None));
        breaker.refused("401".to_owned());
        assert_eq!((breaker.is_open(), breaker.reason().as_deref()), (false, Some("401")));
    }
}
