//! A proxy of the operator's own that has found out who asks, and says so in a header.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName};

/// Which proxies are believed, and in which header.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxy {
    addresses: Vec<IpAddr>,
    header: Option<HeaderName>,
}

/// What a request says of who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing that is believed.
    Nothing,
    /// A proxy names somebody.
    Name(String),
    /// A proxy says something that is no name: nobody is let in by it.
    Nonsense,
}

impl TrustedProxy {
    /// Proxies at `addresses` are believed, in `header`.
    pub fn new(addresses: &[IpAddr], header: Option<HeaderName>) -> Self {
        let addresses = addresses.iter().map(IpAddr::to_canonical).collect();
        Self { addresses, header }
    }

    /// Whom the request names, where it comes from a proxy that is believed.
    pub fn said(&self, headers: &HeaderMap, extensions: &Extensions) -> Said {
        let Some(header) = self.header.as_ref().filter(|_| self.is_from_it(extensions)) else {
            return Said::Nothing;
        };
        let mut values = headers.get_all(header).iter();
        match (values.next(), values.next()) {
            (None, _) => Said::Nothing,
            (Some(value), None) => match value.to_str().map(str::trim) {
                Ok(name) if !name.is_empty() => Said::Name(name.to_owned()),
                _ => Said::Nonsense,
            },
            // One of them was brought by who asks.
            (Some(_), Some(_)) => Said::Nonsense,
        }
    }

    /// From where the request comes: the peer, or what a proxy that is believed saw last.
    pub fn address_of(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
        let peer = peer(extensions)?;
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
        };
        let seen = if self.is_from_it(extensions) { forwarded() } else { None };
        Some(network(seen.unwrap_or(peer)))
    }

    fn is_from_it(&self, extensions: &Extensions) -> bool {
        peer(extensions).is_some_and(|peer| self.addresses.contains(&peer))
    }
}

fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(peer.0.ip().to_canonical())
}

/// Whoever has one IPv6 address has a whole /64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(Ipv6Addr::LOCALHOST) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from(u128::from(address) >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn said(peer: [u8; 4], values: &[&'static str]) -> (Said, Option<String>) {
        let header = HeaderName::from_static("x-user");
        let proxy = TrustedProxy::new(&[[10, 0, 0, 1].into()], Some(header.clone()));
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header.clone(), HeaderValue::from_static(value));
        }
        headers.append("x-forwarded-for", HeaderValue::from_static("6.6.6.6, 192.0.2.9"));
        let mut extensions = Extensions::new();
        extensions.insert(ConnectInfo(SocketAddr::from((peer, 1))));
        let address = proxy.address_of(&headers, &extensions);
        (proxy.said(&headers, &extensions), address.map(|address| address.to_string()))
    }

    #[test]
    fn only_a_proxy_of_ours_is_believed_and_only_where_it_says_one_thing() {
        let (believed, address) = said([10, 0, 0, 1], &["ann"]);
        assert_eq!(believed, Said::Name("ann".to_owned()));
        assert_eq!(address.as_deref(), Some("192.0.2.9"));
        let (other, address) = said([10, 0, 0, 2], &["ann"]);
        assert_eq!((other, address.as_deref()), (Said::Nothing, Some("10.0.0.2")));
        assert_eq!(said([10, 0, 0, 1], &[]).0, Said::Nothing);
        assert_eq!(said([10, 0, 0, 1], &["ann", "bea"]).0, Said::Nonsense);
        assert_eq!(said([10, 0, 0, 1], &[" "]).0, Said::Nonsense);
    }

    #[test]
    fn one_ipv6_address_stands_for_its_network_but_for_this_machine() {
        let told = |address: &str| network(address.parse().expect("an address")).to_string();
        assert_eq!(told("2001:db8::7"), "2001:db8::");
        assert_eq!(told("::1"), "::1");
        assert_eq!(told("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
