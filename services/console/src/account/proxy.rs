//! A trusted reverse proxy that authenticates operators, and passes their name in a header.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderMap, HeaderName};

/// The addresses of the trusted proxies, and the header with the name.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxy {
    addresses: Vec<IpAddr>,
    header: Option<HeaderName>,
}

/// The identity that a trusted proxy gives for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProxyIdentity {
    /// There is none: the request is not from a trusted proxy, or lacks the header.
    Absent,
    /// A name.
    Name(String),
    /// An invalid header; the request must be refused.
    Invalid,
}

impl TrustedProxy {
    /// Trusts `header` from proxies at `addresses`.
    pub fn new(addresses: &[IpAddr], header: Option<HeaderName>) -> Self {
        let addresses = addresses.iter().map(IpAddr::to_canonical).collect();
        Self { addresses, header }
    }

    /// Returns the identity of a request, if it comes from a trusted proxy.
    pub fn identity(&self, headers: &HeaderMap, extensions: &Extensions) -> ProxyIdentity {
        let Some(header) = self.header.as_ref().filter(|_| self.is_from_trusted_proxy(extensions))
        else {
            return ProxyIdentity::Absent;
        };
        let mut values = headers.get_all(header).iter();
        match (values.next(), values.next()) {
            (None, _) => ProxyIdentity::Absent,
            (Some(value), None) => match value.to_str().map(str::trim) {
                Ok(name) if !name.is_empty() => ProxyIdentity::Name(name.to_owned()),
                _ => ProxyIdentity::Invalid,
            },
            // The client sent one of them.
            (Some(_), Some(_)) => ProxyIdentity::Invalid,
        }
    }

    /// Returns the address of the client: the peer, or the last `X-Forwarded-For` entry of a trusted
    /// proxy.
    pub fn address_of(&self, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
        let peer = peer(extensions)?;
        let forwarded = || {
            let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
            last.rsplit(',').next()?.trim().parse::<IpAddr>().ok()
        };
        let forwarded_for = if self.is_from_trusted_proxy(extensions) { forwarded() } else { None };
        Some(network(forwarded_for.unwrap_or(peer)))
    }

    fn is_from_trusted_proxy(&self, extensions: &Extensions) -> bool {
        peer(extensions).is_some_and(|peer| self.addresses.contains(&peer))
    }
}

fn peer(extensions: &Extensions) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>()?;
    Some(peer.0.ip().to_canonical())
}

/// Returns the /64 network of an IPv6 address, since one client usually has all addresses of a /64.
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

    fn identify(peer: [u8; 4], values: &[&'static str]) -> (ProxyIdentity, Option<String>) {
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
        (proxy.identity(&headers, &extensions), address.map(|address| address.to_string()))
    }

    #[test]
    fn only_a_trusted_proxy_with_a_single_name_is_accepted() {
        let (trusted, address) = identify([10, 0, 0, 1], &["ann"]);
        assert_eq!(trusted, ProxyIdentity::Name("ann".to_owned()));
        assert_eq!(address.as_deref(), Some("192.0.2.9"));
        let (other, address) = identify([10, 0, 0, 2], &["ann"]);
        assert_eq!((other, address.as_deref()), (ProxyIdentity::Absent, Some("10.0.0.2")));
        assert_eq!(identify([10, 0, 0, 1], &[]).0, ProxyIdentity::Absent);
        assert_eq!(identify([10, 0, 0, 1], &["ann", "bea"]).0, ProxyIdentity::Invalid);
        assert_eq!(identify([10, 0, 0, 1], &[" "]).0, ProxyIdentity::Invalid);
    }

    #[test]
    fn an_ipv6_address_is_reduced_to_its_network_except_localhost() {
        let reduced = |address: &str| network(address.parse().expect("an address")).to_string();
        assert_eq!(reduced("2001:db8::7"), "2001:db8::");
        assert_eq!(reduced("::1"), "::1");
        assert_eq!(reduced("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
