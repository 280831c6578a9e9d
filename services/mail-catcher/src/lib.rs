//! A mail server for development and tests: it takes every mail, gives none on, and shows them.
//!
//! Promises: what it answered with 250 is shown, until [`store::MAX_MAILS`] came after it. It keeps
//! nothing on disk, and is no part of what runs in production.

mod page;
mod smtp;
mod store;

use std::net::{Ipv4Addr, SocketAddr};

use runtime::Process;
use tokio::net::TcpListener;

pub use page::router;
pub use store::{Answer, Attachment, Mail, Mails, Stage};

/// Takes mail on `smtp_port` and shows it on `port`, both of 127.0.0.1, until `process` ends.
///
/// # Errors
/// A port is taken.
pub async fn start(
    mails: Mails,
    smtp_port: u16,
    port: u16,
    process: &Process,
) -> std::io::Result<()> {
    let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(local(smtp_port)).await?;
    process.spawn("smtp", smtp::listen(listener, mails.clone(), process.shutdown()));
    let page = runtime::http::serve(local(port), router(mails), process.shutdown());
    process.spawn("page", page);
    Ok(())
}
