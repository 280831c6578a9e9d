//! The role's configuration.

use std::net::{IpAddr, SocketAddr};

use clap::Args;
use secrecy::SecretString;
use url::Url;

/// What previews need from their environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Signs tickets; the Studio's extension and the site have the same.
    #[arg(long, env = "PREVIEW_SECRET", hide_env_values = true)]
    pub preview_secret: SecretString,
    /// The content service.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Url,
    /// A token for it that may read content, files and versions, and nothing more.
    #[arg(long, env = "PREVIEW_TOKEN", hide_env_values = true)]
    pub preview_token: SecretString,
    /// The query service, which says what is published.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// Where editors' browsers find the Studio.
    #[arg(long, env = "STUDIO_URL", value_parser = runtime::site_url)]
    pub studio_url: Url,
    /// The address to listen on.
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
