//! Taking mail.

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

/// How long a sender may take for one line.
const LINE_LIMIT: Duration = Duration::from_mins(1);
/// The longest line, and the longest mail, in bytes.
const MAX_LINE: u64 = 64 << 10;
const MAX_BYTES: usize = 10 << 20;
/// Senders at a time.
const MAX_SENDERS: usize = 100;

/// Takes mail from `listener` until `shutdown`.
pub async fn listen(
    listener: TcpListener,
    mails: Mails,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let places = Arc::new(Semaphore::new(MAX_SENDERS));
    let accepting = async {
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            let Ok((stream, peer)) = listener.accept().await else { continue };
            let (mails, shutdown) = (mails.clone(), shutdown.clone());
            tokio::spawn(async move {
                // Who breaks off has sent nothing.
                let talking = converse(stream, peer.ip(), mails);
                let _broken_off = shutdown.run_until_cancelled(talking).await;
                drop(place);
            });
        }
    };
    shutdown.run_until_cancelled(accepting).await;
    Ok(())
}

async fn converse(stream: TcpStream, peer: IpAddr, mails: Mails) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    if mails.answer_at(Stage::Connect).is_some() {
        timeout(LINE_LIMIT, tokio::io::copy(&mut stream, &mut tokio::io::sink())).await??;
        return Ok(());
    }
    let taking = Taking { mails, from: String::new(), to: Vec::new(), data: Vec::new() };
    let mut session = SessionBuilder::new("mail-catcher").build(peer, taking);
    say(&mut stream, &session.greeting()).await?;
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut bounded = (&mut stream).take(MAX_LINE);
        let read = timeout(LINE_LIMIT, bounded.read_until(b'\n', &mut line)).await??;
        if read == 0 {
            return Ok(());
        }
        let answer = session.process(&line);
        // The code of a conversation that is to end without a word.
        if answer.code == DROPPED {
            return Ok(());
        }
        match answer.action {
            Action::NoReply => {}
            Action::Close => return say(&mut stream, &answer).await,
            // The protocol's machine stays within a mail that it refused.
            Action::Reply if answer.is_error && line == b".\r\n" => {
                return say(&mut stream, &answer).await;
            }
            Action::Reply | Action::UpgradeTls => say(&mut stream, &answer).await?,
        }
    }
}

async fn say(stream: &mut BufReader<TcpStream>, answer: &Response) -> io::Result<()> {
    let mut text = Vec::new();
    answer.write_to(&mut text)?;
    stream.get_mut().write_all(&text).await
}

const DROPPED: u16 = 599;

struct Taking {
    mails: Mails,
    from: String,
    to: Vec<String>,
    data: Vec<u8>,
}

impl Taking {
    fn at(&self, stage: Stage) -> Response {
        match (stage, self.mails.answer_at(stage)) {
            // With a status, as servers say of a mailbox that there is none (RFC 3463).
            (Stage::Recipient, Some(code @ 550)) => {
                Response::custom(code, "5.1.1 as it was told".to_owned())
            }
            (_, Some(code)) => Response::custom(code, "as it was told".to_owned()),
            (_, None) => mailin::response::OK,
        }
    }
}

impl Handler for Taking {
    fn mail(&mut self, _: IpAddr, _: &str, from: &str) -> Response {
        from.clone_into(&mut self.from);
        self.to.clear();
        self.at(Stage::Sender)
    }

    fn rcpt(&mut self, to: &str) -> Response {
        let answer = self.at(Stage::Recipient);
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
        let answer = self.at(Stage::Data);
        if answer.is_error {
            return answer;
        }
        self.mails.keep(self.from.clone(), self.to.clone(), &data);
        match self.mails.answer_at(Stage::Drop) {
            Some(_) => Response::custom(DROPPED, String::new()),
            None => mailin::response::OK,
        }
    }
}
