//! Configuration.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use clap::Args;
use http::HeaderName;
use secrecy::SecretString;
use url::Url;

/// What the console needs from its environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Postgres, as the owner of the schema `operator`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// The address at which operators open the console. If it is https, cookies are marked as Secure.
    #[arg(long, env = "CONSOLE_URL", default_value = "http://localhost:8087", value_parser = runtime::site_url)]
    pub console_url: Url,
    /// The folder of the console's build for browsers (`frontend/build/console`).
    #[arg(long, env = "CONSOLE_ASSETS")]
    pub console_assets: PathBuf,
    /// The roles that it watches over.
    #[command(flatten)]
    pub roles: RoleSettings,
    /// The address of a trace in your trace viewer, with `{traceId}` in it. Without it traces are not
    /// linked.
    #[arg(long, env = "TRACE_URL", value_parser = trace_url)]
    pub trace_url: Option<String>,
    /// The address of the content service, in which redirects are created.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Option<Url>,
    /// A token for the content service that may create redirects and nothing else. Without it the
    /// console can't create redirects.
    #[arg(long, env = "CONSOLE_CONTENT_TOKEN", hide_env_values = true, requires = "content_url")]
    pub content_token: Option<SecretString>,
    /// The IP addresses of your own reverse proxies, separated by commas. They are trusted to name the
    /// client's address (`X-Forwarded-For`) and, with `TRUSTED_HEADER`, the operator.
    #[arg(long, env = "TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxy: Vec<IpAddr>,
    /// The header in which the proxy names the signed-in operator. It is ignored unless the request
    /// comes from `TRUSTED_PROXY`. The proxy has to remove it from the requests of clients.
    #[arg(long, env = "TRUSTED_HEADER", requires = "trusted_proxy")]
    pub trusted_header: Option<HeaderName>,
    /// Address to listen on.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Port to listen on.
    #[arg(long, env = "PORT", default_value_t = 8087, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
}

/// Where each role tells its health and takes admin calls, and the token of each that takes any. Several
/// addresses are several instances, separated by commas; a name that leads to several addresses is as
/// many.
#[derive(Clone, Debug, Args)]
pub struct RoleSettings {
    /// Sync's health port: `http://host:port`.
    #[arg(long, env = "SYNC_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub sync_admin_url: Vec<Url>,
    /// Sync's `ADMIN_TOKEN`. Of two, separated by a comma, the first is used.
    #[arg(long, env = "SYNC_ADMIN_TOKEN", hide_env_values = true)]
    pub sync_admin_token: SecretString,
    /// Projections's health port: `http://host:port`.
    #[arg(long, env = "PROJECTIONS_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub projections_admin_url: Vec<Url>,
    /// Projections's `ADMIN_TOKEN`. Of two, separated by a comma, the first is used.
    #[arg(long, env = "PROJECTIONS_ADMIN_TOKEN", hide_env_values = true)]
    pub projections_admin_token: SecretString,
    /// Query's health port: `http://host:port`.
    #[arg(long, env = "QUERY_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub query_admin_url: Vec<Url>,
    /// Query's `ADMIN_TOKEN`. Of two, separated by a comma, the first is used.
    #[arg(long, env = "QUERY_ADMIN_TOKEN", hide_env_values = true)]
    pub query_admin_token: SecretString,
    /// Command's health port: `http://host:port`.
    #[arg(long, env = "COMMAND_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub command_admin_url: Vec<Url>,
    /// Command's `ADMIN_TOKEN`. Of two, separated by a comma, the first is used.
    #[arg(long, env = "COMMAND_ADMIN_TOKEN", hide_env_values = true)]
    pub command_admin_token: SecretString,
    /// Site's health port: `http://host:port`.
    #[arg(long, env = "SITE_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub site_admin_url: Vec<Url>,
    /// Site's `ADMIN_TOKEN`. Of two, separated by a comma, the first is used.
    #[arg(long, env = "SITE_ADMIN_TOKEN", hide_env_values = true)]
    pub site_admin_token: SecretString,
    /// Preview's health port. It has no admin calls and so no token. Without this address the console
    /// does not show preview.
    #[arg(long, env = "PREVIEW_HEALTH_URL", value_delimiter = ',', value_parser = runtime::service_url)]
    pub preview_health_url: Vec<Url>,
}

impl Config {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }
}

/// Parses the address template of traces.
fn trace_url(text: &str) -> Result<String, String> {
    let url: Url = text
        .replace(TRACE_ID, "0")
        .parse()
        .map_err(|error| format!("{error}; expected http://host:port/trace/{TRACE_ID}"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it has to begin with http:// or https://".to_owned());
    }
    if !text.contains(TRACE_ID) {
        return Err(format!("it has to contain {TRACE_ID} in place of a trace's id"));
    }
    Ok(text.to_owned())
}

/// The placeholder for the id of a trace.
const TRACE_ID: &str = "{traceId}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_url_needs_a_placeholder_for_the_id() {
        assert!(trace_url("http://127.0.0.1:16686/trace/{traceId}").is_ok());
        for (wrong, message) in [
            ("127.0.0.1/{traceId}", "expected http://"),
            ("ftp://traces/{traceId}", "http://"),
            ("http://traces/", "{traceId}"),
        ] {
            let refused = trace_url(wrong).expect_err(wrong);
            assert!(refused.contains(message), "{refused}");
        }
    }
}
