//! Sends mail by SMTP, and reads it back.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor, message::MultiPart,
    transport::smtp::Error,
};
use local_servers::free_port;
use mail_catcher::{Answer, Mails, Stage, start};
use runtime::Process;
use serde_json::Value;

struct Catcher {
    mails: Mails,
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    page: String,
    _process: Process,
}

async fn catcher() -> Catcher {
    runtime::install_crypto_provider();
    let port = || free_port().expect("a free port");
    let (mails, process, smtp_port, port) = (Mails::default(), Process::new(), port(), port());
    start(mails.clone(), smtp_port, port, &process).await.expect("it starts");
    let smtp = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous("127.0.0.1")
        .port(smtp_port)
        .build();
    Catcher { mails, smtp, page: format!("http://127.0.0.1:{port}"), _process: process }
}

impl Catcher {
    async fn send(&self) -> Result<(), Error> {
        let mail = Message::builder()
            .from("Homes <homes@almijara.example>".parse().expect("a mailbox"))
            .reply_to("ann@x.example".parse().expect("a mailbox"))
            .to("office@almijara.example".parse().expect("a mailbox"))
            .subject("Visita <b>ñ</b>")
            .message_id(Some("<1@almijara.example>".to_owned()))
            .multipart(MultiPart::alternative_plain_html(
                "One\n.\nTwo ñ".to_owned(),
                "<p>One</p><script>alert(1)</script>".to_owned(),
            ))
            .expect("a mail");
        self.smtp.send(mail).await.map(drop)
    }

    fn script_answer(&self, stage: Stage, code: u16) {
        self.mails.answer(Some(Answer { stage, code, times: 1 }));
    }
}

#[tokio::test]
async fn a_sent_mail_is_shown() {
    let catcher = catcher().await;
    catcher.send().await.expect("it is taken");
    let url = format!("{}/api/messages", catcher.page);
    let messages: Value =
        reqwest::get(url).await.expect("an answer").json().await.expect("it is JSON");
    let mail = &messages[0];
    assert_eq!(mail["to"][0], "office@almijara.example");
    assert_eq!(mail["subject"], "Visita <b>ñ</b>");
    assert_eq!(mail["replyTo"], "ann@x.example");
    assert_eq!(mail["messageId"], "1@almijara.example");
    assert_eq!(mail["text"].as_str().expect("text").trim().replace('\r', ""), "One\n.\nTwo ñ");
    let page = reqwest::get(format!("{}/mails/1", catcher.page)).await.expect("an answer");
    let page = page.text().await.expect("a page");
    assert!(page.contains("Visita &lt;b&gt;") && !page.contains("<b>ñ"), "{page}");
}

#[tokio::test]
async fn scripted_answers_are_given() {
    let catcher = catcher().await;
    catcher.script_answer(Stage::Sender, 451);
    assert!(catcher.send().await.expect_err("a refusal").is_transient());
    catcher.script_answer(Stage::Recipient, 550);
    assert!(catcher.send().await.expect_err("a refusal").is_permanent());
    catcher.script_answer(Stage::Data, 552);
    assert!(catcher.send().await.expect_err("a refusal").is_permanent());
    assert_eq!(catcher.mails.all().len(), 0);
    catcher.script_answer(Stage::Drop, 0);
    let unanswered = catcher.send().await.expect_err("silence");
    assert!(unanswered.status().is_none(), "{unanswered}");
    assert_eq!(catcher.mails.all().len(), 1, "it was stored anyway");
    catcher.send().await.expect("it is taken again");
}
