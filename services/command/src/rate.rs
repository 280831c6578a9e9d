//! How much one address may send.

use std::{net::IpAddr, num::NonZeroU32, time::Duration};

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{HeaderMap, StatusCode};
use runtime::problem::Problem;

/// How long it takes until an address may send one more.
const EVERY: Duration = Duration::from_mins(1);
/// Addresses are forgotten after so many of them: those that have been quiet.
const REMEMBERED: usize = 10_000;

/// A limit for each address; none where it is off.
#[derive(Debug)]
pub struct Rate(Option<DefaultKeyedRateLimiter<IpAddr>>);

impl Rate {
    /// `burst` at once, and one more each minute; 0 for no limit.
    pub fn new(burst: u32) -> Self {
        let quota = NonZeroU32::new(burst)
            .and_then(|burst| Some(Quota::with_period(EVERY)?.allow_burst(burst)));
        Self(quota.map(RateLimiter::keyed))
    }

    /// Counts one to whoever sent `headers`.
    ///
    /// # Errors
    /// They sent too much lately.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let (Some(rate), Some(address)) = (&self.0, address(headers)) else { return Ok(()) };
        if rate.len() > REMEMBERED {
            rate.retain_recent();
        }
        rate.check_key(&address).map_err(|_| too_many())
    }
}

/// Somebody sent too much lately.
pub fn too_many() -> Problem {
    let status = StatusCode::TOO_MANY_REQUESTS;
    Problem::new(status, "too-many-requests", "Too many of these lately").with_retry_after(EVERY)
}

/// Whom the door saw. Nobody but the door and the renderer reach this role.
fn address(headers: &HeaderMap) -> Option<IpAddr> {
    headers.get("x-forwarded-for")?.to_str().ok()?.trim().parse().ok()
}
