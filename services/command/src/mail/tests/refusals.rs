//! How refusals by the mail server are classified.

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use super::*;

/// Starts a mail server that gives this answer to every recipient. Returns its address.
async fn server(to_recipients: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, to_recipients));
        }
    });
    format!("smtp://{address}")
}

async fn converse(stream: TcpStream, to_recipients: &'static str) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    stream.write_all(b"220 relay\r\n").await?;
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 0 {
        let answer = if line.starts_with("RCPT") { to_recipients } else { "250 relay" };
        stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

#[tokio::test]
async fn only_refusals_that_are_not_the_mailboxs_are_retried() {
    let retry = |said: &str| Outcome::Retry(format!("the mail server answers {said}"));
    let refused = |said: &str, status: Option<&str>| {
        let reason = format!("the mail server answers {said}");
        Outcome::Refused { status: status.map(str::to_owned), reason }
    };
    for (answer, outcome) in [
        ("554 5.7.1 <ann@x.example>: Relay access denied", retry("554 5.7.1")),
        ("550-5.4.5 Daily limit exceeded.\r\n550 5.4.5 Come back tomorrow", retry("550 5.4.5")),
        ("553 5.1.8 <homes@almijara.example>: no such domain", retry("553 5.1.8")),
        ("451 4.7.1 Later", retry("451 4.7.1")),
        ("550 5.1.1 <ann@x.example>: unknown", refused("550 5.1.1", Some("5.1.1"))),
        ("552 5.2.2 It is full", refused("552 5.2.2", Some("5.2.2"))),
        ("550 ann@x.example is unknown", refused("550", None)),
    ] {
        let mut config = config(&[]);
        config.smtp_url = server(answer).await.into();
        let mailer = Mailer::new(&config).expect("a mailer");
        assert_eq!(mailer.send_thanks(&enquiry(), Uuid::nil()).await, outcome, "{answer}");
    }
}

#[tokio::test]
async fn the_reason_why_the_mail_server_is_away_is_stored() {
    // The mailer's port is closed.
    let outcome = mailer().send_thanks(&enquiry(), Uuid::nil()).await;
    let Outcome::Retry(why) = outcome else { panic!("{outcome:?}") };
    assert!(why.starts_with("the mail server is unavailable: Connection refused"), "{why}");
}
