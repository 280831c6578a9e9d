//! The operators' console: shows the state of all roles and what is parked, and offers the admin calls
//! to repair it, for operators with an account.
//!
//! Guarantees: clients that are not signed in get no information; read-only operators can change
//! nothing; every action has an audit line before it and one after it. The console uses no store but its
//! own (the schema `operator`). Everything else that it shows comes from the roles' admin calls on their
//! health ports, and it forwards only the calls that it lists.
//!
//! Invariant: the audit trail is append-only.

mod account;
mod assets;
mod audit;
mod audited;
mod calls;
mod config;
mod console;
mod endpoints;
mod error;
mod events;
mod openapi;
mod overview;
mod redirects;
mod security;

use std::{convert::Infallible, time::Duration};

use runtime::{
    Check, Process, error_text,
    metrics::Metric,
    migrations::{self, migrate_with_retries},
    postgres::{WriteProbe, is_missing_tables, with_answer_timeout},
};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub use account::commands as operators;
pub use config::{Config, RoleSettings};
pub use error::Error;
pub use openapi::openapi;

use crate::{calls::Roles, console::Console, overview::Overview};

/// The metrics of this role, in addition to those of every role: none.
pub const METRICS: &[Metric] = &[];

/// The maximum number of connections to Postgres. There are few operators.
const CONNECTIONS: u32 = 8;
/// How often to check that Postgres answers and accepts writes.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// How often to delete expired sessions.
const CLEANUP_INTERVAL: Duration = Duration::from_mins(10);

/// Migrates the schema `operator`.
pub async fn migrate(pool: &PgPool) -> Result<(), Error> {
    Ok(migrations::migrate(sqlx::migrate!(), "operator", pool).await?)
}

/// Runs the role until `process` shuts down.
pub async fn run(config: Config, process: &Process) -> Result<(), Error> {
    assets::check(&config.console_assets)?;
    let pool = runtime::postgres::connect(&config.database_url, "console", CONNECTIONS)?;
    let probe = WriteProbe::new("operator");
    let database = process.health().renewed_check("database");
    let shutdown = process.shutdown();
    let roles = Roles::new(&config.roles)?;
    let overview = Overview::new(config.trace_url.clone());
    let console = Console::new(
        &config,
        pool.clone(),
        probe.clone(),
        overview.clone(),
        roles.clone(),
        process.clone(),
    )?;

    // Serves from the start, even if only with a 503 until the schema is migrated.
    let served = runtime::http::serve(config.address(), console.router(), shutdown.clone());
    process.spawn("console", served);
    process.spawn("overview", overview::watch(overview, roles, shutdown.clone()));
    if !migrate_with_retries(|| migrate(&pool), Error::is_transient, &database, &shutdown).await? {
        return Ok(());
    }
    process.spawn("sessions", delete_expired_sessions(pool.clone(), shutdown.clone()));
    process.spawn("database", check_database(pool, probe, database, shutdown));
    Ok(())
}

/// Reports to `database` whether Postgres answers and accepts writes, until `shutdown`. Fails if the
/// tables no longer exist.
async fn check_database(
    pool: PgPool,
    probe: WriteProbe,
    database: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut ticks = tokio::time::interval(CHECK_INTERVAL);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        let checked = with_answer_timeout(async {
            let accounts = sqlx::query_scalar!("select exists(select from operator.account)");
            accounts.fetch_one(&pool).await?;
            probe.check(&pool).await
        });
        match shutdown.run_until_cancelled(Box::pin(checked)).await {
            Some(Ok(())) => database.ready(),
            Some(Err(error)) if is_missing_tables(&error) => return Err(Error::NoTables(error)),
            Some(Err(error)) => database.not_ready(error_text(&error)),
            None => break,
        }
    }
    Ok(())
}

/// Deletes expired sessions periodically.
async fn delete_expired_sessions(
    pool: PgPool,
    shutdown: CancellationToken,
) -> Result<(), Infallible> {
    let mut ticks = tokio::time::interval(CLEANUP_INTERVAL);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Some(Err(error)) =
            shutdown.run_until_cancelled(with_answer_timeout(account::delete_expired(&pool))).await
        {
            tracing::warn!(error = error_text(&error), "ended sessions could not be erased");
        }
    }
    Ok(())
}
