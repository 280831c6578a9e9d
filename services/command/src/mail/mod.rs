//! Mails: written from templates in both languages, handed to the mail server.

mod homes;
mod moment;
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

use self::templates::{templates, words};
use crate::{
    Config, Error,
    account::{SignInMail, VALID_FOR},
    bounces, enhanced_status,
    letter::Letter,
    reason::{MAIL_SERVER, NO_ADDRESS},
};

/// The longest that the mail server may take to connect, and then to greet and say that it is there.
const COMMAND_LIMIT: Duration = Duration::from_secs(20);

/// What became of something that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Done,
    /// There was nothing to do: who was to be asked has answered, or there is nothing left to tell.
    Needless,
    /// It is not, and may go well later.
    Retry(String),
    /// It may be done: nothing was heard after it was handed over.
    Uncertain(String),
    /// It never goes well.
    Refused(String),
}

/// The way to the mail server, and the templates.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    templates: Arc<Environment<'static>>,
    words: Arc<HashMap<Locale, Value>>,
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
    /// As `config` says.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let url = config.smtp_url.expose_secret();
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(Error::SmtpUrl)?
            .timeout(Some(COMMAND_LIMIT))
            .build();
        let content_url = config.content_url.as_ref();
        let studio_url = content_url.map(|url| config.studio_url.as_ref().unwrap_or(url));
        // Without items there is nothing to open.
        let studio_url = studio_url.filter(|_| config.enquiries_token.is_some());
        Ok(Self {
            transport,
            templates: Arc::new(templates()),
            words: Arc::new(words()),
            from: config.mail_from.clone(),
            office: config.office_email.clone(),
            office_locale: config.office_locale,
            public_url: config.public_url.as_str().trim_end_matches('/').to_owned(),
            studio_url: studio_url.map(|url| url.as_str().trim_end_matches('/').to_owned()),
            bounce_address: config.bounce_address.clone(),
        })
    }

    /// Tells the office of an enquiry, with its `pictures` (JPEG), so that an answer goes to its
    /// sender.
    pub async fn tell_office(&self, letter: &Letter, pictures: Vec<Vec<u8>>, id: Uuid) -> Outcome {
        let answer_to = letter.email.as_deref().and_then(|email| email.parse::<Address>().ok());
        let answer_to = answer_to.map(|address| Mailbox::new(Some(letter.name.clone()), address));
        let mail = Mail {
            template: "office",
            locale: self.office_locale,
            to: self.office.clone(),
            reply_to: answer_to,
            automatic: "auto-generated",
            unsubscribe: None,
            pictures,
        };
        self.send(&mail, &self.values_of_letter(&mail, letter), id).await
    }

    /// Tells the sender that the enquiry has arrived, in words of ours alone: anybody can write any address
    /// into the form.
    pub async fn thank(&self, letter: &Letter, id: Uuid) -> Outcome {
        let Some(address) = letter.email.as_deref().and_then(|email| email.parse().ok()) else {
            return Outcome::Refused(NO_ADDRESS.to_owned());
        };
        let mail = Mail {
            template: "visitor",
            locale: letter.locale,
            to: Mailbox::new(None, address),
            reply_to: Some(self.office.clone()),
            automatic: "auto-replied",
            unsubscribe: None,
            pictures: Vec::new(),
        };
        self.send(&mail, &self.values_of_letter(&mail, letter), id).await
    }

    /// Mails a link and a code to whoever wants to be signed in.
    pub async fn sign_in(&self, sign_in: &SignInMail, id: Uuid) -> Outcome {
        let Ok(address) = sign_in.email.parse() else {
            return Outcome::Refused(NO_ADDRESS.to_owned());
        };
        let mail = Mail {
            template: "sign_in",
            locale: sign_in.locale,
            to: Mailbox::new(sign_in.name.clone(), address),
            reply_to: None,
            automatic: "auto-generated",
            unsubscribe: None,
            pictures: Vec::new(),
        };
        self.send(&mail, &self.values_of_sign_in(&mail, sign_in), id).await
    }

    async fn send(&self, mail: &Mail, values: &minijinja::Value, id: Uuid) -> Outcome {
        let message = match self.write(mail, values, id) {
            Ok(message) => message,
            Err(reason) => return Outcome::Refused(reason),
        };
        // Whatever fails up to here has sent nothing. The transport's own limit ends with the connection.
        match timeout(COMMAND_LIMIT, self.transport.test_connection()).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) | Err(_) => {
                return Outcome::Retry(format!("{MAIL_SERVER} does not answer"));
            }
            Ok(Err(error)) => return Outcome::Retry(failure(&error)),
        }
        match self.transport.send(message).await {
            Ok(_) => Outcome::Done,
            Err(error) if is_refused_by_mailbox(&error) => Outcome::Refused(failure(&error)),
            // What is refused because of us can be mended meanwhile; what the server can't do shows
            // before it is given anything.
            Err(error) if error.status().is_some() || error.is_client() => {
                Outcome::Retry(failure(&error))
            }
            Err(error) => Outcome::Uncertain(failure(&error)),
        }
    }

    /// The whole mail. The same job gives the same `Message-ID`, by which whoever gets it twice knows.
    fn write(&self, mail: &Mail, values: &minijinja::Value, id: Uuid) -> Result<Message, String> {
        let [subject, text, html] = self.texts(mail, values).map_err(|error| error.to_string())?;
        let mut builder = Message::builder()
            .from(self.from.clone())
            .to(mail.to.clone())
            .subject(subject.trim())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .date_now()
            .raw_header(header("Auto-Submitted", mail.automatic))
            .raw_header(header("Content-Language", mail.locale.language_tag()));
        // Each with a sender of its own: what comes back says which it was.
        if let Some(sender) = self.bounce_address.as_ref().and_then(|at| bounces::sender(at, id)) {
            let envelope = Envelope::new(Some(sender), vec![mail.to.email.clone()]);
            builder = builder.envelope(envelope.map_err(|error| error.to_string())?);
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
            return builder.multipart(words).map_err(|error| error.to_string());
        }
        let jpeg = ContentType::parse("image/jpeg").map_err(|error| error.to_string())?;
        let whole = mail.pictures.iter().zip(1..).fold(
            MultiPart::mixed().multipart(words),
            |whole, (picture, number)| {
                let name = format!("{number}.jpg");
                whole.singlepart(Attachment::new(name).body(picture.clone(), jpeg.clone()))
            },
        );
        builder.multipart(whole).map_err(|error| error.to_string())
    }

    /// The subject, the plain text and the HTML of `mail`.
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

    /// What every mail may name.
    fn values(&self, mail: &Mail) -> minijinja::Value {
        context! {
            t => self.words.get(&mail.locale).map(Serde),
            lang => mail.locale.language_tag(),
            agency => self.from.name.clone().unwrap_or_else(|| self.from.email.to_string()),
            site_url => self.page(localized(mail.locale, "/").as_ref()),
        }
    }

    fn page(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    fn values_of_sign_in(&self, mail: &Mail, sign_in: &SignInMail) -> minijinja::Value {
        let path = localized(mail.locale, "/login/link");
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

    fn values_of_letter(&self, mail: &Mail, letter: &Letter) -> minijinja::Value {
        let locale = mail.locale;
        let times: Vec<String> =
            letter.times.iter().map(|time| time.format("%d/%m/%Y %H:%M").to_string()).collect();
        let received = letter.received_at.with_timezone(&Madrid).format("%d/%m/%Y %H:%M");
        context! {
            kind => letter.kind.as_str(),
            reference => letter.reference.as_str(),
            name => letter.name.as_str(),
            email => letter.email.as_deref(),
            mailto => letter.email.as_deref().map(mailto),
            phone => letter.phone.as_deref(),
            mobile => letter.mobile.as_deref(),
            message => letter.message.as_deref(),
            home => letter.home_reference.as_deref(),
            home_title => letter.home_title.as_deref(),
            home_price => letter.home_price.map(|price| locale.euros(price)),
            home_url => letter.home_path.as_deref().map(|path| self.page(path)),
            times => times,
            address => letter.address.as_deref(),
            property_kind => letter.property_kind.map(|kind| &*vocabulary::kind(kind, locale).name),
            built_area => letter.built_area.map(|area| {
                format!("{}\u{a0}m²", locale.number(area.into()))
            }),
            pictures => letter.pictures,
            language => letter.locale.language_tag(),
            suspect => letter.suspect.as_deref(),
            received_at => received.to_string(),
            item_url => self.studio_url.as_ref().map(|studio| {
                format!("{studio}/admin/content/enquiries/{}", letter.id)
            }),
            ..self.values(mail)
        }
    }
}

/// `path` in the pages of `locale`.
fn localized(locale: Locale, path: &str) -> String {
    match (locale, path) {
        (Locale::En, path) => path.to_owned(),
        (Locale::Es, "/") => "/es".to_owned(),
        (Locale::Es, path) => format!("/es{path}"),
    }
}

/// A link that writes to `email`. What may stand before the @ (`?cc=…`) means something else in a link.
fn mailto(email: &str) -> String {
    let (user, domain) = email.rsplit_once('@').unwrap_or((email, ""));
    let user: String = byte_serialize(user.as_bytes()).collect();
    format!("mailto:{}@{domain}", user.replace('+', "%20"))
}

/// What a mail is, but for its words.
struct Mail {
    template: &'static str,
    locale: Locale,
    to: Mailbox,
    reply_to: Option<Mailbox>,
    /// Whether a person wrote it (RFC 3834): no machine answers one that says so.
    automatic: &'static str,
    /// Where one press ends such mails (RFC 8058).
    unsubscribe: Option<String>,
    /// Attached, as JPEG.
    pictures: Vec<Vec<u8>>,
}

fn header(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// Whether the mail server takes no mail to this mailbox, ever.
fn is_refused_by_mailbox(error: &lettre::transport::smtp::Error) -> bool {
    error.is_permanent() && enhanced_status::is_of_mailbox(status(error).as_deref())
}

/// The enhanced status code with which the mail server refused, if it told one.
fn status(error: &lettre::transport::smtp::Error) -> Option<String> {
    let said = error.source()?.to_string();
    enhanced_status::read(&said).map(str::to_owned)
}

/// What the mail server said, without the addresses that it may repeat.
fn failure(error: &lettre::transport::smtp::Error) -> String {
    match error.status() {
        Some(code) => {
            let status = status(error).map(|status| format!(" {status}")).unwrap_or_default();
            format!("{MAIL_SERVER} answers {code}{status}")
        }
        None if error.is_timeout() => format!("{MAIL_SERVER} does not answer in time"),
        None => {
            // A client's error is of what the server can't do, such as signing in.
            let what = if error.is_client() { "can't take it" } else { "is away" };
            // A reply that can't be read may be repeated there; all else names no person.
            let why = error.source().filter(|_| !error.is_response());
            let why = why.map(|why| format!(": {}", error_text(why))).unwrap_or_default();
            format!("{MAIL_SERVER} {what}{why}")
        }
    }
}

#[cfg(test)]
mod tests;
