//! The role's configuration.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use clap::Args;
use content_client::Client;
use secrecy::SecretString;
use url::Url;

use crate::{Error, LiveStatusConfig};

/// What sync needs from its environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Postgres, as the owner of the schema `ledger`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// NATS, as the user that may write the stream.
    #[arg(long, env = "NATS_URL", hide_env_values = true)]
    pub nats_url: SecretString,
    /// The number of servers of a NATS cluster that store the stream `CONTENT`: 1, 3 or 5.
    #[arg(long, env = "STREAM_REPLICAS", default_value_t = 1, value_parser = event_log::stream_replicas)]
    pub stream_replicas: u8,
    /// The content service.
    #[command(flatten)]
    pub content: ContentConfig,
    /// The secret of the webhooks, for bearer tokens and signatures. To rotate it, give the new and the
    /// old one, separated by a comma.
    #[arg(long, env = "WEBHOOK_SECRET", hide_env_values = true)]
    pub webhook_secret: SecretString,
    /// The report of the live status to editors.
    #[command(flatten)]
    pub live_status: LiveStatusConfig,
    /// Address to listen on for `/webhooks/content`.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on.
    #[arg(long, env = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// How often the content service is reconciled.
    #[command(flatten)]
    pub intervals: Intervals,
}

/// Where the content service is.
#[derive(Clone, Debug, Args)]
pub struct ContentConfig {
    /// The address of the content service.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Url,
    /// A token for the content service that may read every collection.
    #[arg(long, env = "CONTENT_TOKEN", hide_env_values = true)]
    pub content_token: SecretString,
}

/// The three depths of reconciling, each with the time between two rounds.
#[derive(Clone, Copy, Debug, Args)]
pub struct Intervals {
    /// The time between two reads of the content service's activity log, in seconds.
    #[arg(long, env = "RECONCILE_ACTIVITY_SECONDS", default_value = "3", value_parser = seconds)]
    pub activity: Duration,
    /// The time between two comparisons of which items exist and are published, in seconds.
    #[arg(long, env = "RECONCILE_SWEEP_SECONDS", default_value = "180", value_parser = seconds)]
    pub sweep: Duration,
    /// The time between two comparisons of the complete content, in seconds. One also runs at the
    /// start.
    #[arg(long, env = "RECONCILE_FULL_SECONDS", default_value = "3600", value_parser = seconds)]
    pub full: Duration,
}

impl Config {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }
}

impl ContentConfig {
    /// Creates a client of the content service.
    pub fn client(&self) -> Result<Client, Error> {
        Ok(Client::new(self.content_url.clone(), self.content_token.clone())?)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(number @ 1..=604_800) => Ok(Duration::from_secs(number)),
        _ => Err("seconds from 1 to 604800".to_owned()),
    }
}
