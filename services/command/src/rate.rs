//! How much one address may send, or of one thing is taken.

use std::{
    hash::Hash,
    net::IpAddr,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, StatusCode};
use runtime::problem::Problem;

/// How long it takes until an address may send one more.
pub const EVERY: Duration = Duration::from_mins(1);
/// Keys that have been quiet are forgotten once there are more than so many, and so often at the most, for
/// that looks at each.
const REMEMBERED: usize = 10_000;
const FORGET_EVERY: Duration = Duration::from_mins(1);
/// A larger burst counts as so many: the limiter's times, in nanoseconds, run over with very many.
const MAX_AT_ONCE: u32 = 1_000_000;

/// A limit for each key; none where it is off.
#[derive(Debug)]
pub struct Rate<Key: Clone + Eq + Hash = IpAddr> {
    limit: Option<DefaultKeyedRateLimiter<Key>>,
    /// When those that had been quiet were last forgotten.
    forgotten_at: Mutex<Option<Instant>>,
}

impl<Key: Clone + Eq + Hash> Rate<Key> {
    /// `burst` at once, and one more `every` so often; a burst of 0 for no limit.
    pub fn new(burst: u32, every: Duration) -> Self {
        let quota = NonZeroU32::new(burst.min(MAX_AT_ONCE))
            .and_then(|burst| Some(Quota::with_period(every)?.allow_burst(burst)));
        Self { limit: quota.map(RateLimiter::keyed), forgotten_at: Mutex::default() }
    }

    /// Counts one to `key`; whether there was room for it.
    pub fn allows(&self, key: &Key) -> bool {
        let Some(limit) = &self.limit else { return true };
        if limit.len() > REMEMBERED && self.may_forget(Instant::now()) {
            limit.retain_recent();
        }
        limit.check_key(key).is_ok()
    }

    /// Whether it is time, `now`, to forget those that have been quiet; who asks then does so.
    fn may_forget(&self, now: Instant) -> bool {
        let mut forgotten_at = self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_time =
            forgotten_at.is_none_or(|at| now.saturating_duration_since(at) >= FORGET_EVERY);
        if is_time {
            *forgotten_at = Some(now);
        }
        is_time
    }
}

impl Rate {
    /// Counts one to whoever sent `headers`.
    ///
    /// # Errors
    /// They sent too much lately.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(address) = address(headers) else { return Ok(()) };
        if self.allows(&address) { Ok(()) } else { Err(too_many()) }
    }
}

/// Somebody sent too much lately.
pub fn too_many() -> Problem {
    let status = StatusCode::TOO_MANY_REQUESTS;
    Problem::new(status, "too-many-requests", "Too many of these lately").with_retry_after(EVERY)
}

/// Whom the door saw. Nobody but the door and the renderer reach this role.
pub fn address(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get("x-forwarded-for")?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_burst_is_a_limit_that_lets_many_through() {
        let rate = Rate::<usize>::new(u32::MAX, EVERY);
        assert!((0..100).all(|_| rate.allows(&1)));
    }

    #[test]
    fn however_many_come_those_that_were_quiet_are_looked_for_once_a_minute() {
        let rate = Rate::<usize>::new(1, Duration::from_hours(1));
        for key in 0..=REMEMBERED {
            assert!(rate.allows(&key));
        }
        assert_eq!(*rate.forgotten_at.lock().expect("nobody panicked"), None);
        assert!(rate.allows(&(REMEMBERED + 1)));
        let at = rate.forgotten_at.lock().expect("nobody panicked").expect("all were looked at");
        assert!(!rate.may_forget(at + FORGET_EVERY / 2));
        assert!(rate.may_forget(at + FORGET_EVERY));
    }
}
