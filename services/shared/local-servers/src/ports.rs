//! Ports of this machine.

use std::{
    fs,
    hash::{BuildHasher, RandomState},
    io,
    net::{Ipv4Addr, TcpListener},
};

/// The lowest port that is looked at: those below are often taken by name.
const LOWEST: u16 = 10_000;
/// Where Linux begins to take ports for outgoing connections, unless it is told otherwise.
const OUTGOING: u16 = 32_768;
/// How many ports are looked at.
const TRIES: usize = 100;

/// A port of 127.0.0.1 that nobody listens on now. It is none of those that Linux takes for outgoing
/// connections: such a one could be taken again before its server listens.
pub fn free_port() -> io::Result<u16> {
    let end = first_outgoing_port().filter(|end| *end > LOWEST).unwrap_or(OUTGOING);
    (0..TRIES)
        .map(|_| {
            let random = RandomState::new().hash_one(()) % u64::from(end - LOWEST);
            LOWEST + u16::try_from(random).unwrap_or_default()
        })
        .find(|port| is_free(*port))
        .ok_or_else(|| io::Error::from(io::ErrorKind::AddrInUse))
}

/// Whether `port` of 127.0.0.1 can be listened on now.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

fn first_outgoing_port() -> Option<u16> {
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    range.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_outgoing_connection_takes_a_port_before_its_server_does() {
        let outgoing = first_outgoing_port().unwrap_or(OUTGOING);
        for _ in 0..50 {
            let port = free_port().expect("a port");
            assert!(port < outgoing, "{port} is not below {outgoing}");
            assert!(is_free(port), "{port} is taken");
        }
    }
}
