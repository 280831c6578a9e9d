//! Receives mail by SMTP.

use std::{convert::Infallible, io, net::IpAddr, sync::Arc, time::Duration};

use mailin::{Action, Handler, Response, SessionBuilder};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::store::{Mails, Stage};

/// The timeout for a line from a sender.
const LINE_LIMIT: Duration = Duration::from_mins(1);
/// The maximum length of a line and of a mail, in bytes.
const MAX_LINE: u64 = 64 << 10;
const MAX_BYTES: usize = 10 << 20;
/// The maximum number of concurrent connections.
const MAX_CONNECTIONS: usize = 100;

/// Accepts mail from `listener` until `shutdown`.
pub async fn listen(
    listener: TcpListener,
    mails: Mails,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let accepting = async {
        loop {
            let Ok(permit) = permits.clone().acquire_owned().await else { return };
            let Ok((stream, peer)) = listener.accept().await else { continue };
            let (mails, shutdown) = (mails.clone(), shutdown.clone());
            tokio::spawn(async move {
                // An error means only that the sender disconnected before its mail was complete.
                let connection = handle_connection(stream, peer.ip(), mails);
                let _disconnected = shutdown.run_until_cancelled(connection).await;
                drop(permit);
            });
        }
    };
    shutdown.run_until_cancelled(accepting).await;
    Ok(())
}

async fn handle_connection(stream: TcpStream, peer: IpAddr, mails: Mails) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    if mails.answer_at(Stage::Connect).is_some() {
        timeout(LINE_LIMIT, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await??;
        return Ok(());
    }
    let handler = MailHandler { mails, from: String::new(), to: Vec::new(), data: Vec::new() };
    let mut session = SessionBuilder::new("mail-catcher").build(peer, handler);
    reply(&mut stream, &session.greeting()).await?;
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut stream).take(MAX_LINE);
        let read = timeout(LINE_LIMIT, bounded.read_until(b'\n', &mut line)).await??;
        if read == 0 {
            return Ok(());
        }
        let answer = session.process(&line);
        // This connection is to be closed without an answer.
        if answer.code == DROPPED {
            return Ok(());
        }
        match answer.action {
            Action::NoReply => {}
            Action::Close => return reply(&mut stream, &answer).await,
            // After a refused mail, the state machine of `mailin` stays in the data phase, so the
            // connection is closed.
            Action::Reply if answer.is_error && line == b".\r\n" => {
                return reply(&mut stream, &answer).await;
            }
            Action::Reply | Action::UpgradeTls => reply(&mut stream, &answer).await?,
        }
    }
}

async fn reply(stream: &mut BufReader<TcpStream>, answer: &Response) -> io::Result<()> {
    let mut text = Vec::new();
    answer.write_to(&mut text)?;
    stream.get_mut().write_all(&text).await
}

/// The internal code for a connection that is to be closed without an answer. It is never sent.
const DROPPED: u16 = 599;

struct MailHandler {
    mails: Mails,
    from: String,
    to: Vec<String>,
    data: Vec<u8>,
}

impl MailHandler {
    /// Returns the answer at `stage`: a scripted one, or OK.
    fn answer_at(&self, stage: Stage) -> Response {
        match (stage, self.mails.answer_at(stage)) {
            // With the enhanced status for a mailbox that does not exist (RFC 3463).
            (Stage::Recipient, Some(code @ 550)) => {
                Response::custom(code, "5.1.1 as it was told".to_owned())
            }
            (_, Some(code)) => Response::custom(code, "as it was told".to_owned()),
            (_, None) => mailin::response::OK,
        }
    }
}

impl Handler for MailHandler {
    fn mail(&mut self, _: IpAddr, _: &str, from: &str) -> Response {
        from.clone_into(&mut self.from);
        self.to.clear();
        self.answer_at(Stage::Sender)
    }

    fn rcpt(&mut self, to: &str) -> Response {
        let answer = self.answer_at(Stage::Recipient);
        if !answer.is_error {
            self.to.push(to.to_owned());
        }
        answer
    }

    fn data(&mut self, part: &[u8]) -> io::Result<()> {
        if self.data.len() + part.len() > MAX_BYTES {
            return Err(io::Error::other("too long"));
        }
        self.data.extend_from_slice(part);
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        let data = std::mem::take(&mut self.data);
        let answer = self.answer_at(Stage::Data);
        if answer.is_error {
            return answer;
        }
        self.mails.add(self.from.clone(), self.to.clone(), &data);
        match self.mails.answer_at(Stage::Drop) {
            Some(_) => Response::custom(DROPPED, String::new()),
            None => mailin::response::OK,
        }
    }
}
