//! The addresses of databases that commands take. A command that needs several flattens several of these.

use clap::Args;
use secrecy::SecretString;

/// The database of the ledger.
#[derive(Clone, Debug, Args)]
pub struct LedgerUrl {
    /// Postgres, as the owner of the schema `ledger`.
    #[arg(
        long,
        env = "SYNC_DATABASE_URL",
        value_name = "SYNC_DATABASE_URL",
        hide_env_values = true
    )]
    pub ledger_url: SecretString,
}

/// The database of the read models.
#[derive(Clone, Debug, Args)]
pub struct ReadModelsUrl {
    /// Postgres, as the owner of the schema `read`; for `verify`, a user that may read it is enough.
    #[arg(
        long,
        env = "PROJECTIONS_DATABASE_URL",
        value_name = "PROJECTIONS_DATABASE_URL",
        hide_env_values = true
    )]
    pub read_models_url: SecretString,
}

/// The database of what visitors sent.
#[derive(Clone, Debug, Args)]
pub struct VisitorsUrl {
    /// Postgres, as the owner of the schema `visitor`.
    #[arg(
        long,
        env = "COMMAND_DATABASE_URL",
        value_name = "COMMAND_DATABASE_URL",
        hide_env_values = true
    )]
    pub visitors_url: SecretString,
}

/// The database of the console's operators.
#[derive(Clone, Debug, Args)]
pub struct OperatorsUrl {
    /// Postgres, as the owner of the schema `operator`.
    #[arg(
        long,
        env = "CONSOLE_DATABASE_URL",
        value_name = "CONSOLE_DATABASE_URL",
        hide_env_values = true
    )]
    pub operators_url: SecretString,
}
