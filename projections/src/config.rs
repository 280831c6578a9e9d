//! The configuration of the role.

use clap::Args;
use secrecy::SecretString;

/// What projections need from their environment.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Postgres, as the owner of the schema `read`.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// NATS, as a user that may read the stream.
    #[arg(long, env = "NATS_URL", hide_env_values = true)]
    pub nats_url: SecretString,
}
