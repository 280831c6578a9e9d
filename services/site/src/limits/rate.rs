//! Rate limits by client address, and limits on what one address may hold of scarce resources.

use std::{
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
};

use axum::extract::ConnectInfo;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::{Extensions, HeaderMap};

use crate::limits::shares::{Share, Shares};

/// The allowed burst, in seconds of the steady rate.
const BURST: u32 = 4;

/// The maximum number of each that one address may hold at a time. Many people may share one address.
/// The limits are a hundredth of all connections and change streams. Of the renders and pictures that
/// wait, AVIFs and others apart, one address may have no more than leaves capacity for others.
const MAX_CONNECTIONS: usize = 200;
const MAX_STREAMS: usize = 50;
const MAX_RENDERS: usize = 32;
const MAX_PICTURES: usize = 48;
/// Pictures being uploaded for an enquiry, which a page sends one after the other.
const MAX_UPLOADS: usize = 2;

/// Limits requests per second, and the resources held, by address.
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
    avifs: Shares,
    uploads: Shares,
}

impl Rate {
    /// Creates limits of `per_second` requests. 0 disables all limits.
    pub fn new(per_second: u32, trusted_proxies: usize) -> Self {
        let limits = NonZeroU32::new(per_second).map(|rate| {
            let burst = rate.saturating_mul(NonZeroU32::MIN.saturating_add(BURST - 1));
            Limits {
                requests: RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)),
                connections: Shares::new(MAX_CONNECTIONS),
                streams: Shares::new(MAX_STREAMS),
                renders: Shares::new(MAX_RENDERS),
                pictures: Shares::new(MAX_PICTURES),
                avifs: Shares::new(MAX_PICTURES),
                uploads: Shares::new(MAX_UPLOADS),
            }
        });
        Self { limits, trusted_proxies }
    }

    /// Counts a request of the visitor at `address`, and returns whether it is allowed.
    pub fn allows(&self, address: Option<IpAddr>) -> bool {
        match (&self.limits, address) {
            (Some(limits), Some(address)) => limits.requests.check_key(&address).is_ok(),
            _ => true,
        }
    }

    /// Takes a connection from the share of `peer`. With a trusted proxy in front there is no limit,
    /// because all connections come from it.
    pub fn connection(&self, peer: SocketAddr) -> Option<Share> {
        let address = (self.trusted_proxies == 0).then(|| network(peer.ip()));
        self.share(address, |limits| &limits.connections)
    }

    /// Takes a change stream from the share of `address`, and counts a request.
    pub fn stream(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.streams).filter(|_| self.allows(address))
    }

    /// Takes a render from the share of `address`, and counts a request.
    pub fn render(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.renders).filter(|_| self.allows(address))
    }

    /// Takes the making of a picture from the share of `address`: of any picture but an AVIF, which
    /// other threads encode.
    pub fn picture(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.pictures)
    }

    /// Takes the making of an AVIF from the share of `address`.
    pub fn avif(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.avifs)
    }

    /// Takes the upload of a picture from the share of `address`.
    pub fn upload(&self, address: Option<IpAddr>) -> Option<Share> {
        self.share(address, |limits| &limits.uploads)
    }

    fn share(&self, address: Option<IpAddr>, of: impl Fn(&Limits) -> &Shares) -> Option<Share> {
        match &self.limits {
            Some(limits) => of(limits).take(address),
            None => Some(Share::uncounted()),
        }
    }

    /// Forgets idle addresses, so that memory depends on the visitors of the last seconds, and not of
    /// all time.
    pub fn forget_idle(&self) {
        if let Some(limits) = &self.limits {
            limits.requests.retain_recent();
            limits.requests.shrink_to_fit();
        }
    }

    /// Returns the client address that a request counts to: the peer, or behind trusted proxies the
    /// address that the outermost of them saw. Entries further left in `X-Forwarded-For` were written by
    /// the client and are not trusted.
    pub fn client_address(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
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

/// Reduces an IPv6 address to its /64 network, because one visitor has all of its addresses.
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
        Rate::new(1, trusted_proxies).client_address(&headers, &extensions).map(|ip| ip.to_string())
    }

    #[test]
    fn only_addresses_written_by_trusted_proxies_are_used() {
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
        let avifs: Vec<_> = (0..1_000).filter_map(|_| rate.avif(Some(greedy.ip()))).collect();
        assert_eq!(avifs.len(), MAX_PICTURES);
        let pictures: Vec<_> = (0..1_000).filter_map(|_| rate.picture(Some(greedy.ip()))).collect();
        assert_eq!(pictures.len(), MAX_PICTURES);
        assert!(rate.picture(Some([192, 0, 2, 2].into())).is_some());
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
