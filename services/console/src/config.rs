//! What the operator sets.

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
    /// Where operators' browsers find the console. Cookies are for https alone where this is https.
    #[arg(long, env = "CONSOLE_URL", default_value = "http://localhost:8087", value_parser = runtime::site_url)]
    pub console_url: Url,
    /// The console's build for browsers (`frontend/build/console`).
    #[arg(long, env = "CONSOLE_ASSETS")]
    pub console_assets: PathBuf,
    /// The roles that it watches over.
    #[command(flatten)]
    pub roles: RoleSettings,
    /// Where a trace is shown: an address with `{traceId}` in it. Without one traces are not linked to.
    #[arg(long, env = "TRACE_URL", value_parser = trace_url)]
    pub trace_url: Option<String>,
    /// The content service, in which redirects are made.
    #[arg(long, env = "CONTENT_URL", value_parser = runtime::service_url)]
    pub content_url: Option<Url>,
    /// A token of it that may create redirects and nothing else; without one none are made here.
    #[arg(long, env = "CONSOLE_CONTENT_TOKEN", hide_env_values = true, requires = "content_url")]
    pub content_token: Option<SecretString>,
    /// The addresses of a proxy of the operator's own, separated by commas: it says from where somebody
    /// asks (`X-Forwarded-For`), and with `TRUSTED_HEADER` also who.
    #[arg(long, env = "TRUSTED_PROXY", value_delimiter = ',')]
    pub trusted_proxy: Vec<IpAddr>,
    /// The header in which it names an operator. It is looked at from those addresses alone, and the
    /// proxy has to take it out of what others send.
    #[arg(long, env = "TRUSTED_HEADER", requires = "trusted_proxy")]
    pub trusted_header: Option<HeaderName>,
    /// The address to listen on.
    #[arg(long, env = "HOST", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Its port.
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
    /// The same of projections.
    #[arg(long, env = "PROJECTIONS_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub projections_admin_url: Vec<Url>,
    /// Its token.
    #[arg(long, env = "PROJECTIONS_ADMIN_TOKEN", hide_env_values = true)]
    pub projections_admin_token: SecretString,
    /// The same of query.
    #[arg(long, env = "QUERY_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub query_admin_url: Vec<Url>,
    /// Its token.
    #[arg(long, env = "QUERY_ADMIN_TOKEN", hide_env_values = true)]
    pub query_admin_token: SecretString,
    /// The same of command.
    #[arg(long, env = "COMMAND_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub command_admin_url: Vec<Url>,
    /// Its token.
    #[arg(long, env = "COMMAND_ADMIN_TOKEN", hide_env_values = true)]
    pub command_admin_token: SecretString,
    /// The same of site.
    #[arg(long, env = "SITE_ADMIN_URL", value_delimiter = ',', required = true, value_parser = runtime::service_url)]
    pub site_admin_url: Vec<Url>,
    /// Its token.
    #[arg(long, env = "SITE_ADMIN_TOKEN", hide_env_values = true)]
    pub site_admin_token: SecretString,
    /// Preview's health port. It takes no calls, so there is no token; without it preview is not shown.
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
        .map_err(|error| format!("{error}; http://host:port/trace/{TRACE_ID} is wanted"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("it has to begin with http:// or https://".to_owned());
    }
    if !text.contains(TRACE_ID) {
        return Err(format!("it has to hold {TRACE_ID}, where a trace's id goes"));
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
            ("127.0.0.1/{traceId}", "is wanted"),
            ("ftp://traces/{traceId}", "http://"),
            ("http://traces/", "{traceId}"),
        ] {
            let refused = trace_url(wrong).expect_err(wrong);
            assert!(refused.contains(message), "{refused}");
        }
    }
}
