//! The mail catcher as a program. `almijara up` starts it if it has been built.

use anyhow::Result;
use clap::Parser;
use mail_catcher::{Mails, start};
use runtime::Process;

/// Receives mails and shows them in a browser, both on 127.0.0.1.
#[derive(Debug, Parser)]
struct Ports {
    /// The port that receives mail (SMTP).
    #[arg(long, env = "SMTP_PORT")]
    smtp_port: u16,
    /// The port of the web page that shows it.
    #[arg(long, env = "PORT")]
    port: u16,
}

#[tokio::main]
async fn main() -> Result<()> {
    let ports = Ports::parse();
    let process = Process::new();
    start(Mails::default(), ports.smtp_port, ports.port, &process).await?;
    Ok(process.wait().await?)
}
