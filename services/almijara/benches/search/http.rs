//! A lightweight HTTP/1.1 client, because it shares the machine with the servers that it measures.

use std::{fmt::Write as _, net::SocketAddr};

use anyhow::{Context, Result, bail};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LAST_CHUNK: &[u8] = b"\r\n0\r\n\r\n";
const READ_SIZE: usize = 64 * 1024;

/// A request, as the bytes that are sent.
#[derive(Clone, Debug)]
pub struct Request(Vec<u8>);

impl Request {
    /// Creates a GET request for `path` on this machine, with additional `headers`.
    pub fn get(path: &str, headers: &[(&str, &str)]) -> Self {
        let mut text = format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n");
        for (name, value) in headers {
            let _infallible = write!(text, "{name}: {value}\r\n");
        }
        text.push_str("\r\n");
        Self(text.into_bytes())
    }
}

/// A keep-alive connection, which is opened again if the server has closed it.
#[derive(Debug)]
pub struct Connection {
    address: SocketAddr,
    stream: Option<TcpStream>,
    received: Vec<u8>,
}

impl Connection {
    pub fn to(port: u16) -> Self {
        Self { address: ([127, 0, 0, 1], port).into(), stream: None, received: Vec::new() }
    }

    /// Sends `request` and reads the complete answer; any status but 200 is an error. Returns the body,
    /// including the chunk headers if it is chunked.
    pub async fn ask(&mut self, request: &Request) -> Result<&[u8]> {
        let reused = self.stream.is_some();
        let body = match self.exchange(request).await {
            Ok(body) => body,
            // The server may have closed an idle connection.
            Err(_) if reused => {
                self.stream = None;
                self.exchange(request).await?
            }
            Err(error) => return Err(error),
        };
        if !self.received.starts_with(b"HTTP/1.1 200") {
            let start = &self.received[..self.received.len().min(600)];
            bail!("answered {}", String::from_utf8_lossy(start));
        }
        Ok(&self.received[body..])
    }

    /// Sends the request and receives the answer. Returns the offset of the body.
    async fn exchange(&mut self, Request(bytes): &Request) -> Result<usize> {
        if self.stream.is_none() {
            let stream = TcpStream::connect(self.address).await?;
            stream.set_nodelay(true)?;
            self.stream = Some(stream);
        }
        let stream = self.stream.as_mut().context("it has just been made")?;
        stream.write_all(bytes).await?;
        self.received.clear();
        let mut head: Option<(usize, Length)> = None;
        loop {
            if let Some((body, length)) = &head
                && length.is_complete(&self.received[*body..])
            {
                return Ok(*body);
            }
            self.received.reserve(READ_SIZE);
            if stream.read_buf(&mut self.received).await? == 0 {
                self.stream = None;
                bail!("the connection ended within an answer");
            }
            if head.is_none()
                && let Some(end) = find(&self.received, END_OF_HEAD)
            {
                head = Some((end + END_OF_HEAD.len(), Length::of(&self.received[..end])?));
            }
        }
    }
}

/// How a body is delimited.
#[derive(Debug)]
enum Length {
    Bytes(usize),
    Chunks,
}

impl Length {
    fn of(head: &[u8]) -> Result<Self> {
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
        match length {
            Some(length) => Ok(Self::Bytes(length.trim().parse()?)),
            None if head.contains("transfer-encoding: chunked") => Ok(Self::Chunks),
            None => bail!("an answer without a length: {head}"),
        }
    }

    fn is_complete(&self, body: &[u8]) -> bool {
        match self {
            Self::Bytes(length) => body.len() >= *length,
            Self::Chunks => body.ends_with(LAST_CHUNK) || body == &LAST_CHUNK[2..],
        }
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}
