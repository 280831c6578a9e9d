//! Admits requests by the limits of the address that they come from, and counts those that are refused.

use std::{net::IpAddr, time::Duration};

use http::{StatusCode, request::Parts};
use runtime::problem::Problem;

use super::{rate::Rate, shares::Share};
use crate::door::Door;

const RETRY_AFTER: Duration = Duration::from_secs(2);

/// An address has sent too many requests, or holds all that one may.
#[derive(Clone, Copy, Debug)]
pub struct Limited;

impl From<Limited> for Problem {
    fn from(_: Limited) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
            .with_retry_after(RETRY_AFTER)
    }
}

impl Door {
    /// Returns the address that a request counts to.
    pub fn visitor(&self, request: &Parts) -> Option<IpAddr> {
        self.rate.client_address(&request.headers, &request.extensions)
    }

    /// Counts a request, and returns the address that it counts to.
    pub fn admit(&self, request: &Parts) -> Result<Option<IpAddr>, Limited> {
        let visitor = self.visitor(request);
        if self.rate.allows(visitor) { Ok(visitor) } else { Err(self.limited()) }
    }

    /// Takes what `share` selects from all that `visitor` may hold.
    pub fn take(
        &self,
        visitor: Option<IpAddr>,
        share: impl Fn(&Rate, Option<IpAddr>) -> Option<Share>,
    ) -> Result<Share, Limited> {
        share(&self.rate, visitor).ok_or_else(|| self.limited())
    }

    fn limited(&self) -> Limited {
        self.counters.limited.increment(1);
        Limited
    }
}
