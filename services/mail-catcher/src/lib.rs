//! A mail server for development and tests. It accepts all mail, forwards none, and shows it on a page.
//!
//! Guarantee: a mail that was answered with 250 is shown until `store::MAX_MAILS` newer ones, or
//! attachments of too large a total size, have displaced it. It stores nothing on disk, and does not run
//! in production.

mod page;
mod smtp;
mod store;

use std::net::{Ipv4Addr, SocketAddr};

use runtime::Process;
use tokio::net::TcpListener;

pub use page::router;
pub use store::{Answer, Attachment, Mail, Mails, Stage};

/// Accepts mail on `smtp_port` and shows it on `port`, both of 127.0.0.1, until `process` ends.
///
/// # Errors
/// The SMTP port is in use.
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
