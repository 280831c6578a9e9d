//! Ports of this machine.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
};

/// A port of 127.0.0.1 that nobody listens on now.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

/// Whether `port` of 127.0.0.1 can be listened on now.
pub fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}
