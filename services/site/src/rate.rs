//! How much one address may ask for of what costs work.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
};

use axum::extract::ConnectInfo;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{Extensions, HeaderMap};

/// How many requests may come at once, in seconds of the steady rate.
const BURST: u32 = 4;

/// Requests a second by address.
#[derive(Debug)]
pub struct Rate {
    limiter: Option<DefaultKeyedRateLimiter<IpAddr>>,
    trusted_proxies: usize,
}

impl Rate {
    /// At most `per_second`; 0 is no limit.
    pub fn new(per_second: u32, trusted_proxies: usize) -> Self {
        let limiter = NonZeroU32::new(per_second).map(|rate| {
            let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
            RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))
        });
        Self { limiter, trusted_proxies }
    }

    /// Whether the visitor at `address` may have one more.
    pub fn allows(&self, address: Option<IpAddr>) -> bool {
        match (&self.limiter, address) {
            (Some(limiter), Some(address)) => limiter.check_key(&address).is_ok(),
            _ => true,
        }
    }

    /// Forgets the addresses that have been quiet, so that memory follows the visitors of the last
    /// seconds and not of all time.
    pub fn forget_quiet(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    /// Whom a request is counted to: the peer; or behind proxies of the operator's own what the
    /// outermost of them saw. What stands further left in the header was written by the visitor.
    pub fn address_of(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
        let peer = || extensions.get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
        let forwarded = || {
            let chain: Vec<_> = headers
                .get_all("x-forwarded-for")
                .iter()
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(','))
                .collect();
            let index = chain.len().checked_sub(self.trusted_proxies)?;
            chain.get(index)?.trim().parse().ok()
        };
        let address = if self.trusted_proxies == 0 { None } else { forwarded() };
        address.or_else(peer).map(network)
    }
}

/// A visitor has a whole /64 of IPv6 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn address(trusted_proxies: usize, forwarded: &'static str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static(forwarded));
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 1], 1))));
        Rate::new(1, trusted_proxies).address_of(&headers, &extensions).map(|ip| ip.to_string())
    }

    #[test]
    fn only_what_a_proxy_of_ours_wrote_is_believed() {
        assert_eq!(address(0, "192.0.2.9").as_deref(), Some("10.0.0.1"));
        assert_eq!(address(1, "6.6.6.6, 192.0.2.9").as_deref(), Some("192.0.2.9"));
        assert_eq!(address(2, "6.6.6.6, 192.0.2.9, 10.0.0.2").as_deref(), Some("192.0.2.9"));
        assert_eq!(address(1, "nonsense").as_deref(), Some("10.0.0.1"));
        assert_eq!(address(1, "2001:db8::1:2:3:4").as_deref(), Some("2001:db8::"));
    }

    #[test]
    fn one_address_is_limited_and_others_are_not() {
        let rate = Rate::new(1, 0);
        let busy = Some(IpAddr::from([192, 0, 2, 1]));
        let allowed = (0..20).filter(|_| rate.allows(busy)).count();
        assert!((4..20).contains(&allowed), "{allowed}");
        assert!(rate.allows(Some(IpAddr::from([192, 0, 2, 2]))));
        assert!((0..20).all(|_| Rate::new(0, 0).allows(busy)));
    }
}
