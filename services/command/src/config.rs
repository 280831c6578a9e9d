//! The role's configuration.

use std::net::{IpAddr, SocketAddr};

use clap::Args;
use contracts::Locale;
use lettre::{Address, message::Mailbox};
use secrecy::SecretString;
use url::Url;

use crate::Clock;

/// What the write side needs from its environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Postgres, as the owner of the schema `visitor`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// NATS, as the one that may write the stream `VISITOR`.
    #[arg(long, env = "NATS_URL", hide_env_values = true)]
    pub nats_url: SecretString,
    /// On how many servers of a NATS cluster the stream `VISITOR` is kept: 1, 3 or 5.
    #[arg(long, env = "STREAM_REPLICAS", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub stream_replicas: u8,
    /// The query service, which knows the homes that visitors ask about.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// Where visitors find the site; links in mails begin with it.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// The mail server: `smtps://user:password@host`, or `smtp://host:port?tls=required`. `smtp://`
    /// alone is for one on this machine.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    pub smtp_url: SecretString,
    /// Whom our mails are from.
    #[arg(long, env = "MAIL_FROM")]
    pub mail_from: Mailbox,
    /// Where mails that can't be delivered come back to: `bounce@mail.example` gets them as
    /// `bounce+<job>@mail.example`. Without one they come back to `MAIL_FROM`.
    #[arg(long, env = "BOUNCE_ADDRESS")]
    pub bounce_address: Option<Address>,
    /// What whoever takes those in says with them (`/webhooks/bounces`), 16 characters or more; two,
    /// separated by a comma, while one takes the other's place. Without one nobody does.
    #[arg(long, env = "BOUNCES_SECRET", hide_env_values = true)]
    pub bounces_secret: Option<SecretString>,
    /// Where the office reads its mail.
    #[arg(long, env = "OFFICE_EMAIL")]
    pub office_email: Mailbox,
    /// The office's language.
    #[arg(long, env = "OFFICE_LOCALE", default_value = "es")]
    pub office_locale: Locale,
    /// The content service, where enquiries become items for the office.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Option<Url>,
    /// Where the office opens it in a browser; links in its mails lead there. Where the program finds it
    /// unless told otherwise.
    #[arg(long, env = "STUDIO_URL")]
    pub studio_url: Option<Url>,
    /// A token of it that may create enquiries and nothing else; without one no items are made, and
    /// the office has its mail alone.
    #[arg(long, env = "ENQUIRIES_TOKEN", hide_env_values = true, requires = "content_url")]
    pub enquiries_token: Option<SecretString>,
    /// A token of it that may read and delete enquiries, for the job that erases those that were kept
    /// long enough, and learns of states whose webhook was missed; without one the office deletes them.
    #[arg(long, env = "ENQUIRIES_ERASE_TOKEN", hide_env_values = true, requires = "content_url")]
    pub enquiries_erase_token: Option<SecretString>,
    /// What the content service says with its webhooks about enquiries (`/webhooks/enquiries`), 16
    /// characters or more; two, separated by a comma, while one takes the other's place. Without one they
    /// are not taken, and visitors don't see what became of theirs.
    #[arg(long, env = "ENQUIRIES_SECRET", hide_env_values = true)]
    pub enquiries_secret: Option<SecretString>,
    /// Enquiries that one address may send at once; one more for each minute. 0: no limit.
    #[arg(long, env = "ENQUIRY_BURST", default_value_t = 10)]
    pub enquiry_burst: u32,
    /// How long a mail at once waits for more to tell, in seconds, a week at most. 0: not at all, nor for
    /// the night to end, as tests need it.
    #[arg(long, env = "ALERT_PAUSE", default_value_t = 120, value_parser = clap::value_parser!(u64).range(0..=604_800))]
    pub alert_pause: u64,
    /// By what clock it is night.
    #[arg(skip)]
    pub clock: Clock,
    /// The address of the calls.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Its port.
    #[arg(long, env = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
}

impl Config {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }
}
