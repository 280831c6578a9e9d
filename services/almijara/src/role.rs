//! Running one role as a process.

use std::net::{IpAddr, SocketAddr};

use anyhow::{Context, Result};
use clap::Args;
use runtime::{Process, admin::AdminToken, metrics::Metric};
use secrecy::SecretString;

/// What every role takes beside its own configuration.
#[derive(Clone, Debug, Args)]
pub struct RoleArgs<C: Args> {
    #[command(flatten)]
    config: C,
    /// The port of `/healthz`, `/readyz`, `/metrics` and `/admin`.
    #[arg(long, env = "HEALTH_PORT", value_parser = clap::value_parser!(u16).range(1..))]
    health_port: u16,
    /// The address to listen on for the health port.
    #[arg(long, env = "HEALTH_HOST", default_value = "127.0.0.1")]
    health_host: IpAddr,
    /// The bearer token of the operators' calls under `/admin` of the health port. To rotate it, give
    /// the new and the old one, separated by a comma. Without it these calls are off.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    admin_token: Option<SecretString>,
}

/// Runs `role`, which records `metrics`, until a signal or a failure.
pub async fn run_role<C, R, E>(
    name: &'static str,
    metrics: &[Metric],
    args: RoleArgs<C>,
    role: R,
) -> Result<()>
where
    C: Args,
    R: AsyncFnOnce(C, &Process) -> Result<(), E>,
    E: std::error::Error + Send + Sync + 'static,
{
    let _telemetry = runtime::telemetry::init(name, metrics)?;
    runtime::raise_open_file_limit();
    let admin = args.admin_token.as_ref().map(AdminToken::parse).transpose()?;
    let process = Process::new().with_admin(admin);
    // The process is not ready before the role has registered its own checks.
    let started = process.health().check("start");
    let address = SocketAddr::new(args.health_host, args.health_port);
    let health = runtime::http::serve(address, process.router(), process.shutdown());
    process.spawn("health", health);
    // Signals are handled from the start: the first process of a container gets no signal at all that it
    // has no handler for.
    let mut end = Box::pin(process.clone().wait());
    let result = tokio::select! {
        run = Box::pin(role(args.config, &process)) => {
            run.with_context(|| format!("{name} could not start"))?;
            started.ready();
            end.await
        }
        result = &mut end => result,
    };
    result.with_context(|| format!("{name} failed"))
}
