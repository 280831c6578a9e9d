//! An axum server with a constant body, which shows the maximum that this machine can do. It runs as a
//! process of its own, from this same program.

use std::{net::Ipv4Addr, process::Stdio, time::Duration};

use anyhow::{Context, Result};
use axum::{Router, body::Bytes, http::header, routing::get};
use local_servers::{Child, StopSignal, bound_command};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
};

const ARGUMENT: &str = "--constant-body-of";
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// A running server of a constant body.
pub struct Constant {
    child: Child,
    pub port: u16,
}

impl Constant {
    /// Starts a server whose body has `bytes` bytes.
    pub async fn start(bytes: usize) -> Result<Self> {
        let mut command = bound_command(std::env::current_exe()?, StopSignal::Terminate);
        command.args([ARGUMENT, &bytes.to_string()]).stdout(Stdio::piped());
        let mut child = Child::spawn(command, StopSignal::Terminate)?;
        let output = child.process().stdout.take().context("the output is piped")?;
        let port =
            BufReader::new(output).lines().next_line().await?.context("it tells its port")?;
        Ok(Self { child, port: port.trim().parse()? })
    }

    pub async fn stop(mut self) -> Result<()> {
        self.child.stop(STOP_LIMIT).await?;
        Ok(())
    }
}

/// Returns the size of the body to serve, if this process was started as that server.
pub fn requested_size() -> Option<usize> {
    let mut arguments = std::env::args().skip_while(|argument| argument != ARGUMENT);
    arguments.nth(1)?.parse().ok()
}

/// Serves a body of `bytes` bytes until the process is ended.
pub async fn serve(bytes: usize) -> Result<()> {
    let body = Bytes::from("Sol y mar. ".repeat(bytes / 11 + 1)).slice(..bytes);
    let kind = [(header::CONTENT_TYPE, "application/json")];
    let router = Router::new().route("/", get(async move || (kind, body.clone())));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?.port());
    Ok(axum::serve(listener, router).await?)
}
