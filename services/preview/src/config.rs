//! The role's configuration.

use std::net::{IpAddr, SocketAddr};

use clap::Args;
use secrecy::SecretString;
use url::Url;

/// What previews need from their environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// The secret that signs tickets. It has to be the same for the Studio's extension and the site.
    #[arg(long, env = "PREVIEW_SECRET", hide_env_values = true)]
    pub preview_secret: SecretString,
    /// The address of the content service.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Url,
    /// A token for the content service that may read content, files and versions, and nothing else.
    #[arg(long, env = "PREVIEW_TOKEN", hide_env_values = true)]
    pub preview_token: SecretString,
    /// The address of the query service, from which published content is read.
    #[arg(long, env = "QUERY_URL", value_parser = runtime::service_url)]
    pub query_url: Url,
    /// The address at which editors open the Studio.
    #[arg(long, env = "STUDIO_URL", value_parser = runtime::site_url)]
    pub studio_url: Url,
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
