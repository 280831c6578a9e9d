//! The role's configuration.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use clap::Args;
use secrecy::SecretString;
use url::Url;

/// What a query node needs from its environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Postgres, as a user that may select from the schema `read`, and counts of searches from
    /// `visitor`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// NATS, as a user that may read the stream.
    #[arg(long, env = "NATS_URL", hide_env_values = true)]
    pub nats_url: SecretString,
    /// The folder of this node's search index.
    #[arg(long, env = "DATA_DIR")]
    pub data_dir: PathBuf,
    /// The public address of the site. Links in feeds for portals begin with it.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8080", value_parser = runtime::site_url)]
    pub public_url: Url,
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
