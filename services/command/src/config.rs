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
    /// NATS, as the user that may write the stream `VISITOR`.
    #[arg(long, env = "NATS_URL", hide_env_values = true)]
    pub nats_url: SecretString,
    /// The number of servers of a NATS cluster that store the stream `VISITOR`: 1, 3 or 5.
    #[arg(long, env = "STREAM_REPLICAS", default_value_t = 1, value_parser = event_log::stream_replicas)]
    pub stream_replicas: u8,
    /// The address of the query service, from which the homes that visitors ask about are read.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// The public address of the site; links in mails begin with it.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
    /// The mail server: `smtps://user:password@host`, or `smtp://host:port?tls=required`. Plain
    /// `smtp://` is for a server on this machine, and with `?tls=none` on a private network.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    pub smtp_url: SecretString,
    /// The sender of the site's mails.
    #[arg(long, env = "MAIL_FROM")]
    pub mail_from: Mailbox,
    /// The mailbox that receives mails that could not be delivered: `bounce@mail.example` receives them
    /// as `bounce+<job>@mail.example`. Without it they return to `MAIL_FROM`.
    #[arg(long, env = "BOUNCE_ADDRESS")]
    pub bounce_address: Option<Address>,
    /// The bearer secret of `/webhooks/bounces`, to which the mail server reports these mails: at least
    /// 16 characters. To rotate it, give the new and the old one, separated by a comma. Without it no
    /// bounces are accepted.
    #[arg(long, env = "BOUNCES_SECRET", hide_env_values = true)]
    pub bounces_secret: Option<SecretString>,
    /// The office's mail address.
    #[arg(long, env = "OFFICE_EMAIL")]
    pub office_email: Mailbox,
    /// The language of the mails to the office.
    #[arg(long, env = "OFFICE_LOCALE", default_value = "es")]
    pub office_locale: Locale,
    /// The address of the content service, in which enquiries are created as items for the office.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Option<Url>,
    /// The address at which the office opens the content service in a browser; links in its mails lead
    /// there. Defaults to `CONTENT_URL`.
    #[arg(long, env = "STUDIO_URL", value_parser = runtime::service_url)]
    pub studio_url: Option<Url>,
    /// A token for the content service that may create enquiries and nothing else. Without it no items
    /// are created, and the office only receives mails.
    #[arg(long, env = "ENQUIRIES_TOKEN", hide_env_values = true, requires = "content_url")]
    pub enquiries_token: Option<SecretString>,
    /// A token for the content service that may read and delete enquiries. It is used to delete those
    /// whose retention period is over, and to read states whose webhook was missed. Without it the
    /// office has to delete them.
    #[arg(long, env = "ENQUIRIES_ERASE_TOKEN", hide_env_values = true, requires = "content_url")]
    pub enquiries_erase_token: Option<SecretString>,
    /// The bearer secret of `/webhooks/enquiries`, to which the content service reports changes of
    /// enquiries: at least 16 characters. To rotate it, give the new and the old one, separated by a
    /// comma. Without it these webhooks are refused, and visitors don't see the state of their
    /// enquiries.
    #[arg(long, env = "ENQUIRIES_SECRET", hide_env_values = true)]
    pub enquiries_secret: Option<SecretString>,
    /// How many enquiries one IP address may send at once; it may send one more for each minute. 0
    /// turns the limit off.
    #[arg(long, env = "ENQUIRY_BURST", default_value_t = 10)]
    pub enquiry_burst: u32,
    /// How long an immediate alert waits for further changes before it is sent, in seconds, a week at
    /// most. With 0, which is for tests, it waits neither for changes nor for the end of the night.
    #[arg(long, env = "ALERT_PAUSE", default_value_t = 120, value_parser = clap::value_parser!(u64).range(0..=604_800))]
    pub alert_pause: u64,
    /// By what clock it is today, and night.
    #[arg(skip)]
    pub clock: Clock,
    /// Address to listen on.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on.
    #[arg(long, env = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
}

impl Config {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }
}
