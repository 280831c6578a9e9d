//! Prevents requests to private addresses. A feed is untrusted, and must not make this machine send
//! requests into its own network. So the resolved address is checked when connecting, and again after
//! each redirect.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::FetchLimits;

/// Returns why `url` must not be requested, as far as the URL itself shows it.
pub fn refusal(url: &Url, limits: FetchLimits) -> Option<String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Some(format!("{}: is neither http nor https", url.scheme()));
    }
    let address = match url.host()? {
        Host::Ipv4(address) => IpAddr::V4(address),
        Host::Ipv6(address) => IpAddr::V6(address),
        Host::Domain(_) => return None,
    };
    (!limits.allow_private && !is_public(address)).then(|| not_public(&address.to_string()))
}

fn not_public(what: &str) -> String {
    format!("{what} is not a public address (--allow-private-addresses allows it)")
}

/// Resolves names only to public addresses.
pub struct PublicOnly {
    pub limits: FetchLimits,
}

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let limits = self.limits;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let found: Vec<SocketAddr> =
                found.filter(|address| limits.allow_private || is_public(address.ip())).collect();
            if found.is_empty() {
                return Err(not_public(name.as_str()).into());
            }
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

/// Returns whether the address is globally reachable.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && matches!(b, 18 | 19));
    !is_special
}

/// Accepts only allocated unicast addresses of IPv6, without tunnels to IPv4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let [first, second, ..] = address.segments();
    let is_allocated = first & 0xe000 == 0x2000;
    let is_tunnel = first == 0x2002 || (first == 0x2001 && second < 0x0200);
    let is_documentation = (first == 0x2001 && second == 0x0db8) || first == 0x3fff;
    is_allocated && !is_tunnel && !is_documentation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_globally_reachable_addresses_are_public() {
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
        for other in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "192.0.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
        ] {
            assert!(!is_public(other.parse().expect("an address")), "{other}");
        }
    }

    #[test]
    fn a_private_address_is_refused_in_any_notation() {
        let check = |url: &str| refusal(&url.parse().expect("a URL"), FetchLimits::default());
        for private in [
            "http://127.0.0.1/a.jpg",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://[::1]:8055/",
            "http://[::ffff:127.0.0.1]/",
            "file:///etc/passwd",
            "ftp://a.example/",
        ] {
            assert!(check(private).is_some(), "{private}");
        }
        assert_eq!(check("https://a.example/1.jpg"), None);
    }
}
