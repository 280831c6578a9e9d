//! Ports of this machine.
//!
//! Between the choice of a port and the moment its server listens on it, it looks free to everybody
//! else. So a process that chooses one takes a name of the abstract socket namespace for it, which the
//! kernel gives to one process at a time and takes back when that one ends, however it ends.

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

/// The lowest port that is looked at: those below are often taken by name.
const LOWEST: u16 = 10_000;
/// Where Linux begins to take ports for outgoing connections, unless it is told otherwise.
const OUTGOING: u16 = 32_768;
/// How many ports are looked at.
const TRIES: usize = 100;

/// The ports that this process took, each with the name that keeps it from the others.
static TAKEN: Mutex<BTreeMap<u16, UnixListener>> = Mutex::new(BTreeMap::new());

/// A port of 127.0.0.1 that nobody listens on, and that nobody else is given by this function or by
/// [`take_port`] while this process runs. It is none of those that Linux takes for outgoing
/// connections: such a one could be taken again before its server listens.
///
/// # Errors
///
/// `AddrInUse` where none of those looked at is free.
pub fn free_port() -> io::Result<u16> {
    let end = first_outgoing_port().filter(|end| *end > LOWEST).unwrap_or(OUTGOING);
    (0..TRIES)
        .map(|_| {
            let random = RandomState::new().hash_one(()) % u64::from(end - LOWEST);
            LOWEST + u16::try_from(random).unwrap_or_default()
        })
        .find(|port| take_name(*port) == Some(Taken::Now) && is_free(*port))
        .ok_or_else(|| io::Error::from(io::ErrorKind::AddrInUse))
}

/// Takes `port` of 127.0.0.1 for this process, which may have it already; gives whether it has it and
/// can listen on it now.
pub fn take_port(port: u16) -> bool {
    take_name(port).is_some() && is_free(port)
}

/// Whether `port` of 127.0.0.1 can be listened on now.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[derive(PartialEq, Eq)]
enum Taken {
    Now,
    Before,
}

/// Takes the name of `port`; `None` where another process has it.
fn take_name(port: u16) -> Option<Taken> {
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    if taken.contains_key(&port) {
        return Some(Taken::Before);
    }
    let name = SocketAddr::from_abstract_name(format!("almijara-port-{port}")).ok()?;
    taken.insert(port, UnixListener::bind_addr(&name).ok()?);
    Some(Taken::Now)
}

fn first_outgoing_port() -> Option<u16> {
    let range = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").ok()?;
    range.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, process::Command};

    use super::*;

    /// Tells the test that this process was started to be the other one.
    const OTHER: &str = "TEST_TAKES_PORT";

    #[test]
    fn no_outgoing_connection_takes_a_port_before_its_server_does() {
        let outgoing = first_outgoing_port().unwrap_or(OUTGOING);
        for _ in 0..50 {
            let port = free_port().expect("a port");
            assert!(port < outgoing, "{port} is not below {outgoing}");
        }
    }

    #[test]
    fn a_port_is_given_once() {
        let ports: BTreeSet<u16> = (0..500).map(|_| free_port().expect("a port")).collect();
        assert_eq!(ports.len(), 500);
    }

    #[test]
    fn what_a_process_took_another_can_not_take() {
        if let Ok(port) = std::env::var(OTHER) {
            assert!(!take_port(port.parse().expect("a port")), "{port} was taken twice");
            return;
        }
        let port = free_port().expect("a port");
        assert!(take_port(port), "{port} is not its own any more");
        let other = Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "ports::tests::what_a_process_took_another_can_not_take"])
            .env(OTHER, port.to_string())
            .output()
            .expect("it starts");
        assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stdout));
    }
}
