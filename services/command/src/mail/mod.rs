//! Renders mails from templates in both languages and hands them to the mail server.

mod homes;
mod moment;
mod server_url;
mod templates;

use std::{collections::HashMap, error::Error as _, sync::Arc, time::Duration};

use chrono_tz::Europe::Madrid;
use contracts::{Locale, vocabulary};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    address::Envelope,
    message::{
        Attachment, Mailbox, MultiPart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};
use minijinja::{Environment, context, value::Serde};
use runtime::error_text;
use secrecy::ExposeSecret;
use serde_json::Value;
use tokio::time::timeout;
use url::form_urlencoded::byte_serialize;
use uuid::Uuid;

use self::{
    server_url::server_url,
    templates::{templates, words},
};
use crate::{
    Config, Error,
    account::{SignInMail, VALID_FOR},
    bounces, enhanced_status,
    reason::{MAIL_SERVER, NO_ADDRESS},
    stored_enquiry::StoredEnquiry,
};

/// The time limit for connecting to the mail server, and for its greeting.
const COMMAND_LIMIT: Duration = Duration::from_secs(20);

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Done,
    /// There was nothing to do: the question has been answered, or there is nothing left to report.
    NothingToDo,
    /// It failed and may succeed later.
    Retry(String),
    /// It may have succeeded: there was no answer after the handover.
    Uncertain(String),
    /// It will never succeed.
    Refused {
        /// The enhanced status code with which the mail server refused the mail, if it did.
        status: Option<String>,
        reason: String,
    },
}

impl Outcome {
    /// Returns the outcome of a job that can't be done, for this `reason`.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::Refused { status: None, reason: reason.into() }
    }
}

/// A client of the mail server, with the templates.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    templates: Arc<Environment<'static>>,
    words: &'static HashMap<Locale, Value>,
    from: Mailbox,
    office: Mailbox,
    office_locale: Locale,
    public_url: String,
    studio_url: Option<String>,
    bounce_address: Option<Address>,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).finish_non_exhaustive()
    }
}

impl Mailer {
    /// Creates a mailer from `config`.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let url = server_url(config.smtp_url.expose_secret())?;
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
            .map_err(Error::SmtpUrl)?
            .timeout(Some(COMMAND_LIMIT))
            .build();
        let content_url = config.content_url.as_ref();
        let studio_url = content_url.map(|url| config.studio_url.as_ref().unwrap_or(url));
        // Without items there is nothing to link to.
        let studio_url = studio_url.filter(|_| config.enquiries_token.is_some());
        Ok(Self {
            transport,
            templates: Arc::new(templates()?),
            words: words()?,
            from: config.mail_from.clone(),
            office: config.office_email.clone(),
            office_locale: config.office_locale,
            public_url: config.public_url.as_str().trim_end_matches('/').to_owned(),
            studio_url: studio_url.map(|url| url.as_str().trim_end_matches('/').to_owned()),
            bounce_address: config.bounce_address.clone(),
        })
    }

    /// Sends an enquiry to the office, with its `pictures` (JPEG). Replies go to the enquiry's sender.
    pub async fn send_to_office(
        &self,
        enquiry: &StoredEnquiry,
        pictures: Vec<Vec<u8>>,
        id: Uuid,
    ) -> Outcome {
        let answer_to = enquiry.email.as_deref().and_then(|email| email.parse::<Address>().ok());
        let answer_to = answer_to.map(|address| Mailbox::new(Some(enquiry.name.clone()), address));
        let mail = Mail {
            reply_to: answer_to,
            pictures,
            ..Mail::new("office", self.office_locale, self.office.clone())
        };
        self.send(&mail, &self.values_of_enquiry(&mail, enquiry), id).await
    }

    /// Confirms to the sender that the enquiry has arrived. The mail contains nothing that was typed,
    /// because anybody can write any address into the form.
    pub async fn send_thanks(&self, enquiry: &StoredEnquiry, id: Uuid) -> Outcome {
        let email = enquiry.email.as_deref().unwrap_or_default();
        let Some(to) = mailbox(None, email) else { return Outcome::refused(NO_ADDRESS) };
        let mail = Mail {
            reply_to: Some(self.office.clone()),
            auto_submitted: "auto-replied",
            ..Mail::new("visitor", enquiry.locale, to)
        };
        self.send(&mail, &self.values_of_enquiry(&mail, enquiry), id).await
    }

    /// Sends a sign-in link and code.
    pub async fn send_sign_in(&self, sign_in: &SignInMail, id: Uuid) -> Outcome {
        let to = mailbox(sign_in.name.as_deref(), &sign_in.email);
        let Some(to) = to else { return Outcome::refused(NO_ADDRESS) };
        let mail = Mail::new("sign_in", sign_in.locale, to);
        self.send(&mail, &self.values_of_sign_in(&mail, sign_in), id).await
    }

    async fn send(&self, mail: &Mail, values: &minijinja::Value, id: Uuid) -> Outcome {
        let message = match self.build_message(mail, values, id) {
            Ok(message) => message,
            Err(reason) => return Outcome::refused(reason),
        };
        // Nothing has been sent if this fails. The transport's own time limit covers only the
        // connection.
        match timeout(COMMAND_LIMIT, self.transport.test_connection()).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) | Err(_) => {
                return Outcome::Retry(format!("{MAIL_SERVER} does not answer"));
            }
            Ok(Err(error)) => return Outcome::Retry(failure(&error)),
        }
        match self.transport.send(message).await {
            Ok(_) => Outcome::Done,
            Err(error) if is_refused_by_mailbox(&error) => {
                Outcome::Refused { status: status(&error), reason: failure(&error) }
            }
            // A refusal that is not the mailbox's can be fixed on our side meanwhile. A client error
            // means that the server lacks a feature, which shows before any mail is handed over.
            Err(error) if error.status().is_some() || error.is_client() => {
                Outcome::Retry(failure(&error))
            }
            Err(error) => Outcome::Uncertain(failure(&error)),
        }
    }

    /// Builds the complete message. The same job has the same `Message-ID`, by which recipients
    /// recognize duplicates.
    fn build_message(
        &self,
        mail: &Mail,
        values: &minijinja::Value,
        id: Uuid,
    ) -> Result<Message, String> {
        let [subject, text, html] = self.texts(mail, values).map_err(|error| error_text(&error))?;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(mail.to.clone())
            .subject(subject.trim())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .date_now()
            .raw_header(header("Auto-Submitted", mail.auto_submitted))
            .raw_header(header("Content-Language", mail.locale.language_tag()));
        // Each mail has its own envelope sender, which identifies it when it bounces.
        if let Some(sender) =
            self.bounce_address.as_ref().and_then(|at| bounces::envelope_sender(at, id))
        {
            let envelope = Envelope::new(Some(sender), vec![mail.to.email.clone()]);
            builder = builder.envelope(envelope.map_err(|error| error_text(&error))?);
        }
        if let Some(reply_to) = &mail.reply_to {
            builder = builder.reply_to(reply_to.clone());
        }
        if let Some(unsubscribe) = &mail.unsubscribe {
            builder = builder
                .raw_header(header("List-Unsubscribe", &format!("<{unsubscribe}>")))
                .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"));
        }
        let words = MultiPart::alternative_plain_html(text, html);
        if mail.pictures.is_empty() {
            return builder.multipart(words).map_err(|error| error_text(&error));
        }
        let jpeg = ContentType::parse("image/jpeg").map_err(|error| error_text(&error))?;
        let body = mail.pictures.iter().zip(1..).fold(
            MultiPart::mixed().multipart(words),
            |body, (picture, number)| {
                let name = format!("{number}.jpg");
                body.singlepart(Attachment::new(name).body(picture.clone(), jpeg.clone()))
            },
        );
        builder.multipart(body).map_err(|error| error_text(&error))
    }

    /// Renders the subject, the plain text and the HTML of `mail`.
    fn texts(
        &self,
        mail: &Mail,
        values: &minijinja::Value,
    ) -> Result<[String; 3], minijinja::Error> {
        let render = |kind: &str| {
            self.templates.get_template(&format!("{}.{kind}", mail.template))?.render(values)
        };
        let subject = render("subject")?;
        let values = context! { subject => subject.trim(), ..values.clone() };
        let render = |kind: &str| {
            self.templates.get_template(&format!("{}.{kind}", mail.template))?.render(&values)
        };
        Ok([subject.trim().to_owned(), render("txt")?, render("html")?])
    }

    /// Returns the values that all templates may use.
    fn values(&self, mail: &Mail) -> minijinja::Value {
        context! {
            t => self.words.get(&mail.locale).map(Serde),
            lang => mail.locale.language_tag(),
            agency => self.from.name.clone().unwrap_or_else(|| self.from.email.to_string()),
            site_url => self.page(mail.locale.path_of("/").as_ref()),
        }
    }

    fn page(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    fn values_of_sign_in(&self, mail: &Mail, sign_in: &SignInMail) -> minijinja::Value {
        let path = mail.locale.path_of("/login/link");
        let (first, last) = sign_in.code.split_at(3);
        context! {
            name => sign_in.name.as_deref(),
            is_new => sign_in.is_new,
            link => format!("{}?token={}", self.page(&path), sign_in.link.as_str()),
            code => format!("{first} {last}"),
            minutes => VALID_FOR.as_secs() / 60,
            ..self.values(mail)
        }
    }

    fn values_of_enquiry(&self, mail: &Mail, enquiry: &StoredEnquiry) -> minijinja::Value {
        let locale = mail.locale;
        let times: Vec<String> =
            enquiry.times.iter().map(|time| time.format("%d/%m/%Y %H:%M").to_string()).collect();
        let received = enquiry.received_at.with_timezone(&Madrid).format("%d/%m/%Y %H:%M");
        context! {
            kind => enquiry.kind.name(),
            reference => enquiry.reference.as_str(),
            name => enquiry.name.as_str(),
            email => enquiry.email.as_deref(),
            mailto => enquiry.email.as_deref().map(mailto),
            phone => enquiry.phone.as_deref(),
            mobile => enquiry.mobile.as_deref(),
            message => enquiry.message.as_deref(),
            home => enquiry.home_reference.as_deref(),
            home_title => enquiry.home_title.as_deref(),
            home_price => enquiry.home_price.map(|price| locale.euros(price)),
            home_url => enquiry.home_path.as_deref().map(|path| self.page(path)),
            times => times,
            address => enquiry.address.as_deref(),
            property_kind => enquiry.property_kind.map(|kind| &*vocabulary::kind(kind, locale).name),
            built_area => enquiry.built_area.map(|area| {
                format!("{}\u{a0}m²", locale.number(area.into()))
            }),
            pictures => enquiry.pictures,
            language => enquiry.locale.language_tag(),
            suspect => enquiry.suspect.as_deref(),
            received_at => received.to_string(),
            item_url => self.studio_url.as_ref().map(|studio| {
                format!("{studio}/admin/content/enquiries/{}", enquiry.id)
            }),
            ..self.values(mail)
        }
    }
}

/// Returns a `mailto:` link to `email`. The part before the @ is encoded, because characters such as in
/// `?cc=…` have a meaning in a link.
fn mailto(email: &str) -> String {
    let (user, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let user: String = byte_serialize(user.as_bytes()).collect();
    format!("mailto:{}@{domain}", user.replace('+', "%20"))
}

/// A mail without its texts.
struct Mail {
    template: &'static str,
    locale: Locale,
    to: Mailbox,
    reply_to: Option<Mailbox>,
    /// The header `Auto-Submitted` (RFC 3834): no person wrote the mail, so machines should not reply.
    auto_submitted: &'static str,
    /// The one-click unsubscribe address (RFC 8058).
    unsubscribe: Option<String>,
    /// The attachments, as JPEG.
    pictures: Vec<Vec<u8>>,
}

impl Mail {
    /// Creates a mail that nobody can reply to or unsubscribe from, without attachments.
    fn new(template: &'static str, locale: Locale, to: Mailbox) -> Self {
        Self {
            template,
            locale,
            to,
            reply_to: None,
            auto_submitted: "auto-generated",
            unsubscribe: None,
            pictures: Vec::new(),
        }
    }
}

/// Returns the mailbox of `email` with the `name` of its owner, or `None` if it is no address.
fn mailbox(name: Option<&str>, email: &str) -> Option<Mailbox> {
    Some(Mailbox::new(name.map(str::to_owned), email.parse().ok()?))
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// Whether the mail server permanently refuses mails to this mailbox.
fn is_refused_by_mailbox(error: &lettre::transport::smtp::Error) -> bool {
    error.is_permanent() && enhanced_status::concerns_mailbox(status(error).as_deref())
}

/// Returns the enhanced status code of the mail server's refusal, if there is one.
fn status(error: &lettre::transport::smtp::Error) -> Option<String> {
    let reply = error.source()?.to_string();
    enhanced_status::parse(&reply).map(str::to_owned)
}

/// Describes the mail server's error, without addresses that its text may repeat.
fn failure(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => {
            let status = status(error).map(|status| format!(" {status}")).unwrap_or_default();
            format!("{MAIL_SERVER} answers {code}{status}")
        }
        None if error.is_timeout() => format!("{MAIL_SERVER} does not answer in time"),
        None => {
            // A client error is about a feature that the server lacks, such as authentication.
            let what = if error.is_client() { "can't accept mails" } else { "is unavailable" };
            // The source of a response error may repeat an unreadable reply; all other sources contain
            // no personal data.
            let why = error.source().filter(|_| !error.is_response());
            let why = why.map(|why| format!(": {}", error_text(why))).unwrap_or_default();
            format!("{MAIL_SERVER} {what}{why}")
        }
    }
}

#[cfg(test)]
mod tests;
