//! Rate limits by client address or by another key.

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

/// The time until an address may send one more request.
pub const REFILL_INTERVAL: Duration = Duration::from_mins(1);
/// Idle keys are pruned once there are more than this many, and at most once in the interval below,
/// because pruning visits every key.
const MAX_KEYS: usize = 10_000;
const PRUNE_INTERVAL: Duration = Duration::from_mins(1);
/// Larger bursts are capped here: the limiter's nanosecond arithmetic overflows with very large ones.
const MAX_BURST: u32 = 1_000_000;

/// A rate limit for each key, or no limit if it is off.
#[derive(Debug)]
pub struct RateLimit<Key: Clone + Eq + Hash = IpAddr> {
    limit: Option<DefaultKeyedRateLimiter<Key>>,
    /// When idle keys were last pruned.
    pruned_at: Mutex<Option<Instant>>,
}

impl<Key: Clone + Eq + Hash> RateLimit<Key> {
    /// Allows `burst` at once, and one more in each interval `every`. A burst of 0 means no limit.
    pub fn new(burst: u32, every: Duration) -> Self {
        let quota = NonZeroU32::new(burst.min(MAX_BURST))
            .and_then(|burst| Some(Quota::with_period(every)?.allow_burst(burst)));
        Self { limit: quota.map(RateLimiter::keyed), pruned_at: Mutex::default() }
    }

    /// Counts one request for `key`. Returns whether it is within the limit.
    pub fn allows(&self, key: &Key) -> bool {
        let Some(limit) = &self.limit else { return true };
        if limit.len() > MAX_KEYS && self.is_prune_due(Instant::now()) {
            limit.retain_recent();
        }
        limit.check_key(key).is_ok()
    }

    /// Returns whether idle keys should be pruned at `now`. The caller then has to prune them.
    fn is_prune_due(&self, now: Instant) -> bool {
        let mut pruned_at = self.pruned_at.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = pruned_at.is_none_or(|at| now.saturating_duration_since(at) >= PRUNE_INTERVAL);
        if is_due {
            *pruned_at = Some(now);
        }
        is_due
    }
}

impl RateLimit {
    /// Counts one request for the client that sent `headers`.
    ///
    /// # Errors
    /// The client exceeded the limit.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let Some(address) = client_address(headers) else { return Ok(()) };
        if self.allows(&address) { Ok(()) } else { Err(too_many_requests()) }
    }
}

/// Returns a 429 for a client that exceeded a limit.
pub fn too_many_requests() -> Problem {
    let status = StatusCode::TOO_MANY_REQUESTS;
    Problem::new(status, "too-many-requests", "Too many of these lately")
        .with_retry_after(REFILL_INTERVAL)
}

/// Returns the client's address, as the door forwarded it. Only the door and the renderer can reach this
/// role.
pub fn client_address(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get("x-forwarded-for")?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_burst_does_not_overflow() {
        let rate = RateLimit::<usize>::new(u32::MAX, REFILL_INTERVAL);
        assert!((0..100).all(|_| rate.allows(&1)));
    }

    #[test]
    fn idle_keys_are_pruned_at_most_once_a_minute() {
        let rate = RateLimit::<usize>::new(1, Duration::from_hours(1));
        for key in 0..=MAX_KEYS {
            assert!(rate.allows(&key));
        }
        assert_eq!(*rate.pruned_at.lock().expect("nobody panicked"), None);
        assert!(rate.allows(&(MAX_KEYS + 1)));
        let at = rate.pruned_at.lock().expect("nobody panicked").expect("all were looked at");
        assert!(!rate.is_prune_due(at + PRUNE_INTERVAL / 2));
        assert!(rate.is_prune_due(at + PRUNE_INTERVAL));
    }
}
