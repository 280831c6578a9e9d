//! How much one address may ask for of what costs work, and hold of what there is only so much of.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
};

use axum::extract::ConnectInfo;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{Extensions, HeaderMap};

use crate::shares::{Share, Shares};

/// How many requests may come at once, in seconds of the steady rate.
const BURST: u32 = 4;

/// The most of each at a time for one address, behind which many people may be: a hundredth of all
/// connections and change streams, and of what waits to be rendered or scaled no more than leaves
/// room for others.
const MAX_CONNECTIONS: usize = 200;
const MAX_STREAMS: usize = 50;
const MAX_RENDERS: usize = 32;
const MAX_PICTURES: usize = 48;
/// Pictures on their way to an enquiry, which a page sends one after the other.
const MAX_UPLOADS: usize = 2;

/// Requests a second by address, and what each address holds.
#[derive(Debug)]
pub struct Rate {
    limits: Option<Limits>,
    trusted_proxies: usize,
}

#[derive(Debug)]
struct Limits {
    requests: DefaultKeyedRateLimiter<IpAddr>,
    connections: Shares,
    streams: Shares,
    renders: Shares,
    pictures: Shares,
    uploads: Shares,
}

impl Rate {
    /// At most `per_second` requests; 0 is no limit of any kind.
    pub fn new(per_second: u32, trusted_proxies: usize) -> Self {
        let limits = NonZeroU32::new(per_second).map(|rate| {
            let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
            Limits {
                requests: RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)),
                connections: Shares::new(MAX_CONNECTIONS),
                streams: Shares::new(MAX_STREAMS),
                renders: Shares::new(MAX_RENDERS),
                pictures: Shares::new(MAX_PICTURES),
                uploads: Shares::new(MAX_UPLOADS),
            }
        });
        Self { limits, trusted_proxies }
    }

    /// Whether the visitor at `address` may make one more request.
    pub fn allows(&self, address: Option<IpAddr>) -> bool {
        match (&self.limits, address) {
            (Some(limits), Some(address)) => limits.requests.check_key(&address).is_ok(),
            _ => true,
        }
    }

    /// A connection of `peer`'s share. A proxy of the operator's own brings everybody, so it has no
    /// share.
    pub fn connection(&self, peer: SocketAddr) -> Option<Share> {
        let address = (self.trusted_proxies == 0).then(|| network(peer.ip()));
        self.share(address, |limits| &limits.connections)
    }

    /// A change stream of the share of `address`.
    pub fn stream(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.streams)
    }

    /// A render of the share of `address`, which may make one more request.
    pub fn render(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.renders).filter(|_| self.allows(address))
    }

    /// The making of a picture, of the share of `address`.
    pub fn picture(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.pictures)
    }

    /// The taking of a picture, of the share of `address`.
    pub fn upload(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.uploads)
    }

    fn share(&self, address: Option<IpAddr>, of: impl Fn(&Limits) -> &Shares) -> Option<Share> {
        match &self.limits {
            Some(limits) => of(limits).take(address),
            None => Some(Share::uncounted()),
        }
    }

    /// Forgets the addresses that have been quiet, so that memory follows the visitors of the last
    /// seconds and not of all time.
    pub fn forget_quiet(&self) {
        if let Some(limits) = &self.limits {
            limits.requests.retain_recent();
            limits.requests.shrink_to_fit();
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

    #[test]
    fn one_address_holds_no_more_than_its_share() {
        let rate = Rate::new(1_000, 0);
        let greedy: SocketAddr = ([192, 0, 2, 1], 1).into();
        let connections: Vec<_> = (0..1_000).filter_map(|_| rate.connection(greedy)).collect();
        assert_eq!(connections.len(), MAX_CONNECTIONS);
        assert!(rate.connection(([192, 0, 2, 2], 1).into()).is_some());
        let streams: Vec<_> = (0..1_000).filter_map(|_| rate.stream(Some(greedy.ip()))).collect();
        assert_eq!(streams.len(), MAX_STREAMS);
        let renders: Vec<_> = (0..1_000).filter_map(|_| rate.render(Some(greedy.ip()))).collect();
        assert_eq!(renders.len(), MAX_RENDERS);
        assert!(rate.render(Some([192, 0, 2, 2].into())).is_some());
        let uploads: Vec<_> = (0..1_000).filter_map(|_| rate.upload(Some(greedy.ip()))).collect();
        assert_eq!(uploads.len(), MAX_UPLOADS);
        assert!(rate.upload(Some([192, 0, 2, 2].into())).is_some());
        drop(streams);
        assert!(rate.stream(Some(greedy.ip())).is_some());

        let proxied = Rate::new(1_000, 1);
        let everybody: Vec<_> = (0..1_000).filter_map(|_| proxied.connection(greedy)).collect();
        assert_eq!(everybody.len(), 1_000, "a proxy of the operator's own brings everybody");
    }
}
