//! Configuration.

use std::{net::IpAddr, path::PathBuf};

use clap::Args;
use secrecy::SecretString;
use url::Url;

/// The content pack's configuration.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on.
    #[arg(long, env = "PORT", default_value_t = 8055, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// The content folder, with a JSON file for each collection, and pictures in `media`.
    #[arg(long, env = "CONTENT_DIR", default_value = "deploy/content")]
    pub content_dir: PathBuf,
    /// The bearer token with which clients may read everything.
    #[arg(long, env = "CONTENT_TOKEN", hide_env_values = true)]
    pub content_token: SecretString,
    /// The address to which changes are posted as webhooks. Without it none are sent.
    #[arg(long, env = "WEBHOOK_URL", requires = "webhook_secret", value_parser = runtime::service_url)]
    pub webhook_url: Option<Url>,
    /// The bearer token that is sent with webhooks.
    #[arg(long, env = "WEBHOOK_SECRET", hide_env_values = true, default_value = "")]
    pub webhook_secret: SecretString,
}
