//! Stores the received mails, and the scripted answer to the next ones.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use mail_parser::{HeaderName, Message, MessageParser, MessagePart, MimeHeaders};
use serde::{Deserialize, Serialize};

/// The maximum number of stored mails; the oldest are removed first.
pub const MAX_MAILS: usize = 3_000;
/// The maximum total size of their attachments, in bytes.
const MAX_ATTACHMENT_BYTES: usize = 64 << 20;

/// A received mail.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// Its number.
    pub id: u64,
    /// When it was received.
    pub received_at: DateTime<Utc>,
    /// The sender in the envelope.
    pub from: String,
    /// The recipients in the envelope.
    pub to: Vec<String>,
    /// The subject.
    pub subject: String,
    /// The `Message-ID`, without its brackets.
    pub message_id: String,
    /// The header section, unchanged.
    pub head: String,
    /// The address in `Reply-To`, if there is one.
    pub reply_to: Option<String>,
    /// The plain text part.
    pub text: String,
    /// The HTML part.
    pub html: String,
    /// The attachments.
    pub attachments: Vec<Attachment>,
}

/// An attachment of a mail.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attachment {
    /// Its file name.
    pub name: String,
    /// Its media type, as declared in the mail.
    pub media_type: String,
    /// Its bytes.
    #[serde(skip)]
    pub content: Bytes,
}

/// The stage of an SMTP session at which an answer is scripted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// After the connection is accepted; nothing is sent, like a server that hangs.
    Connect,
    /// After the sender's address.
    Sender,
    /// After a recipient's address.
    Recipient,
    /// After the complete mail.
    Data,
    /// After the mail was stored; the connection is closed without an answer.
    Drop,
}

/// A scripted answer that replaces the normal one for the next mails.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Answer {
    /// The stage of the session.
    pub stage: Stage,
    /// The reply code: 421, 451, 550 …; unused at stages without a reply.
    #[serde(default)]
    pub code: u16,
    /// How many times.
    pub times: u32,
}

/// The stored mails and the scripted answer. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Mails(Arc<Mutex<Store>>);

#[derive(Debug, Default)]
struct Store {
    last_id: u64,
    mails: VecDeque<Mail>,
    answer: Option<Answer>,
}

impl Mails {
    /// Returns all mails, the newest first.
    pub fn all(&self) -> Vec<Mail> {
        self.lock().mails.iter().rev().cloned().collect()
    }

    /// Returns the mail `id`.
    pub fn get(&self, id: u64) -> Option<Mail> {
        self.lock().mails.iter().find(|mail| mail.id == id).cloned()
    }

    /// Deletes all mails.
    pub fn clear(&self) {
        self.lock().mails.clear();
    }

    /// Sets the answer to the next mails; `None` accepts them again.
    pub fn answer(&self, answer: Option<Answer>) {
        self.lock().answer = answer;
    }

    /// Returns the code of the scripted answer at `stage`, if there is one, and counts it down.
    pub(crate) fn answer_at(&self, stage: Stage) -> Option<u16> {
        let mut store = self.lock();
        let answer = store.answer.as_mut().filter(|it| it.stage == stage && it.times > 0)?;
        answer.times -= 1;
        Some(answer.code)
    }

    /// Parses and stores a mail.
    pub(crate) fn add(&self, from: String, to: Vec<String>, raw: &[u8]) {
        let parsed = MessageParser::default().parse(raw);
        let part = |part: Option<std::borrow::Cow<'_, str>>| {
            part.map(std::borrow::Cow::into_owned).unwrap_or_default()
        };
        let source = String::from_utf8_lossy(raw);
        let mut store = self.lock();
        store.last_id += 1;
        let parsed = parsed.as_ref();
        let mail = Mail {
            id: store.last_id,
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
        store.mails.push_back(mail);
        while store.mails.len() > MAX_MAILS || attachment_bytes(&store.mails) > MAX_ATTACHMENT_BYTES
        {
            store.mails.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Store> {
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

fn attachment_bytes(mails: &VecDeque<Mail>) -> usize {
    mails.iter().flat_map(|mail| &mail.attachments).map(|file| file.content.len()).sum()
}
