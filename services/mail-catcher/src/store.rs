//! The mails that came, and what the next ones are answered.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders};
use serde::{Deserialize, Serialize};

/// The oldest go first.
pub const MAX_MAILS: usize = 3_000;
/// The most of their attachments, in bytes.
const MAX_ATTACHED_BYTES: usize = 64 << 20;

/// A mail as it came.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// Its number.
    pub id: u64,
    /// When it came.
    pub received_at: DateTime<Utc>,
    /// Of the envelope.
    pub from: String,
    /// Of the envelope.
    pub to: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The `Message-ID`, without its brackets.
    pub message_id: String,
    /// The head, line by line, as it came.
    pub head: String,
    /// Where an answer goes, if that is said.
    pub reply_to: Option<String>,
    /// The plain part.
    pub text: String,
    /// The part for those who like it better.
    pub html: String,
    /// What came with it.
    pub attachments: Vec<Attachment>,
}

/// A file that came with a mail.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type, as the mail says.
    pub media_type: String,
    /// The file itself.
    #[serde(skip)]
    pub content: Bytes,
}

/// At which point of a conversation something is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Whoever connects is told nothing, as by a server that hangs.
    Connect,
    /// To the sender's address.
    Sender,
    /// To a recipient's.
    Recipient,
    /// To the whole mail.
    Data,
    /// The mail is kept, and then nothing is said any more.
    Drop,
}

/// What the next mails are answered instead of being taken.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Answer {
    /// At which point.
    pub stage: Stage,
    /// The code: 421, 451, 550 …; of no use where nothing is said.
    #[serde(default)]
    pub code: u16,
    /// How often.
    pub times: u32,
}

/// All of it. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Mails(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    last_id: u64,
    mails: VecDeque<Mail>,
    answer: Option<Answer>,
}

impl Mails {
    /// Every mail, the newest first.
    pub fn all(&self) -> Vec<Mail> {
        self.lock().mails.iter().rev().cloned().collect()
    }

    /// The mail `id`.
    pub fn get(&self, id: u64) -> Option<Mail> {
        self.lock().mails.iter().find(|mail| mail.id == id).cloned()
    }

    /// Forgets every mail.
    pub fn clear(&self) {
        self.lock().mails.clear();
    }

    /// Answers the next mails as `answer` says; none takes them again.
    pub fn answer(&self, answer: Option<Answer>) {
        self.lock().answer = answer;
    }

    /// What is to be answered at `stage` now, counted down.
    pub(crate) fn answer_at(&self, stage: Stage) -> Option<u16> {
        let mut kept = self.lock();
        let answer = kept.answer.as_mut().filter(|it| it.stage == stage && it.times > 0)?;
        answer.times -= 1;
        Some(answer.code)
    }

    pub(crate) fn keep(&self, from: String, to: Vec<String>, raw: &[u8]) {
        let parsed = MessageParser::default().parse(raw);
        let part = |part: Option<std::borrow::Cow<'_, str>>| {
            part.map(std::borrow::Cow::into_owned).unwrap_or_default()
        };
        let source = String::from_utf8_lossy(raw);
        let mut kept = self.lock();
        kept.last_id += 1;
        let parsed = parsed.as_ref();
        let mail = Mail {
            id: kept.last_id,
            received_at: Utc::now(),
            from,
            to,
            subject: parsed.and_then(|it| it.subject()).unwrap_or_default().to_owned(),
            message_id: parsed.and_then(|it| it.message_id()).unwrap_or_default().to_owned(),
            head: source.split_once("\r\n\r\n").map_or(&*source, |(head, _)| head).to_owned(),
            reply_to: parsed.and_then(|it| {
                let header = it.header(HeaderName::ReplyTo)?;
                header.as_address()?.first()?.address().map(str::to_owned)
            }),
            text: part(parsed.and_then(|it| it.body_text(0))),
            html: part(parsed.and_then(|it| it.body_html(0))),
            attachments: parsed.map(attachments).unwrap_or_default(),
        };
        kept.mails.push_back(mail);
        while kept.mails.len() > MAX_MAILS || attached(&kept.mails) > MAX_ATTACHED_BYTES {
            kept.mails.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn attachments(mail: &Message<'_>) -> Vec<Attachment> {
    let attachment = |part: &MessagePart<'_>| Attachment {
        name: part.attachment_name().unwrap_or_default().to_owned(),
        media_type: part
            .content_type()
            .map(|kind| format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default()))
            .unwrap_or_default(),
        content: Bytes::copy_from_slice(part.contents()),
    };
    mail.attachments().map(attachment).collect()
}

fn attached(mails: &VecDeque<Mail>) -> usize {
    mails.iter().flat_map(|mail| &mail.attachments).map(|file| file.content.len()).sum()
}
