//! Reserves ports of this machine.
//!
//! Between the choice of a port and the start of its server, the port looks free to other processes. So
//! a process reserves a port by binding a name in the abstract socket namespace. The kernel allows one
//! process per name, and releases the name when that process ends, for whatever reason.

use std::{
    collections::BTreeMap,
    fs,
    hash::{BuildHasher, RandomState},
    io,
    net::{Ipv4Addr, TcpListener},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixListener},
    },
    sync::{Mutex, PoisonError},
};

/// The lowest port to be chosen: those below are often assigned to services.
const MIN_PORT: u16 = 10_000;
/// The default start of the port range that Linux uses for outgoing connections.
const DEFAULT_FIRST_OUTGOING: u16 = 32_768;
/// The maximum number of ports tried.
const MAX_TRIES: usize = 100;

/// The ports that this process has reserved, each with the socket that holds its name.
static RESERVED: Mutex<BTreeMap<u16, UnixListener>> = Mutex::new(BTreeMap::new());

/// Reserves a free port of 127.0.0.1. While this process runs, no other call of this function or of
/// [`reserve_port`] returns it. It is below the range for outgoing connections: Linux could otherwise use
/// it before its server listens.
///
/// # Errors
///
/// `AddrInUse` if none of the tried ports is free.
pub fn free_port() -> io::Result<u16> {
    let end = first_outgoing_port().filter(|end| *end > MIN_PORT).unwrap_or(DEFAULT_FIRST_OUTGOING);
    (0..MAX_TRIES)
        .map(|_| {
            let random = RandomState::new().hash_one(()) % u64::from(end - MIN_PORT);
            MIN_PORT + u16::try_from(random).unwrap_or_default()
        })
        .find(|port| reserve(*port) == Some(Reservation::New) && is_free(*port))
        .ok_or_else(|| io::Error::from(io::ErrorKind::AddrInUse))
}

/// Reserves `port` of 127.0.0.1 for this process, which may have reserved it before. Returns whether the
/// port is reserved and free.
pub fn reserve_port(port: u16) -> bool {
    reserve(port).is_some() && is_free(port)
}

/// Whether a server could listen on `port` of 127.0.0.1 now.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[derive(PartialEq, Eq)]
enum Reservation {
    New,
    Existing,
}

/// Reserves `port`; returns `None` if another process has reserved it.
fn reserve(port: u16) -> Option<Reservation> {
    let mut reserved = RESERVED.lock().unwrap_or_else(PoisonError::into_inner);
    if reserved.contains_key(&port) {
        return Some(Reservation::Existing);
    }
    let name = SocketAddr::from_abstract_name(format!("almijara-port-{port}")).ok()?;
    reserved.insert(port, UnixListener::bind_addr(&name).ok()?);
    Some(Reservation::New)
}

fn first_outgoing_port() -> Option<u16> {
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    range.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, process::Command};

    use super::*;

    /// The variable that marks the second process of the test, with the reserved port.
    const SECOND_PROCESS: &str = "TEST_TAKES_PORT";

    #[test]
    fn free_ports_are_below_the_range_for_outgoing_connections() {
        let outgoing = first_outgoing_port().unwrap_or(DEFAULT_FIRST_OUTGOING);
        for _ in 0..50 {
            let port = free_port().expect("a port");
            assert!(port < outgoing, "{port} is not below {outgoing}");
        }
    }

    #[test]
    fn a_port_is_returned_only_once() {
        let ports: BTreeSet<u16> = (0..500).map(|_| free_port().expect("a port")).collect();
        assert_eq!(ports.len(), 500);
    }

    #[test]
    fn a_port_can_be_reserved_by_only_one_process() {
        if let Ok(port) = std::env::var(SECOND_PROCESS) {
            assert!(!reserve_port(port.parse().expect("a port")), "{port} was taken twice");
            return;
        }
        let port = free_port().expect("a port");
        assert!(reserve_port(port), "{port} is not its own any more");
        let other = Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "ports::tests::a_port_can_be_reserved_by_only_one_process"])
            .env(SECOND_PROCESS, port.to_string())
            .output()
            .expect("it starts");
        assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stdout));
    }
}
