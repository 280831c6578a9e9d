//! How much one address may send, or of one thing is taken.

use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, StatusCode};
use runtime::problem::Problem;

/// How long it takes until an address may send one more.
pub const EVERY: Duration = Duration::from_mins(1);
/// Keys are forgotten after so many of them: those that have been quiet.
const REMEMBERED: usize = 10_000;

/// A limit for each key; none where it is off.
#[derive(Debug)]
pub struct Rate<Key: Clone + Eq + Hash = IpAddr>(Option<DefaultKeyedRateLimiter<Key>>);

impl<Key: Clone + Eq + Hash> Rate<Key> {
    /// `burst` at once, and one more `every` so often; a burst of 0 for no limit.
    pub fn new(burst: u32, every: Duration) -> Self {
        let quota = NonZeroU32::new(burst)
            .and_then(|burst| Some(Quota::with_period(every)?.allow_burst(burst)));
        Self(quota.map(RateLimiter::keyed))
    }

    /// Counts one to `key`; whether there was room for it.
    pub fn allows(&self, key: &Key) -> bool {
        let Some(rate) = &self.0 else { return true };
        if rate.len() > REMEMBERED {
            rate.retain_recent();
        }
        rate.check_key(key).is_ok()
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
