//! The operators' console: how everything is, what is parked and why, and the calls by which it is
//! mended, for who has an account.
//!
//! Promises: nobody who is not signed in learns anything; who may only look changes nothing; nothing is
//! done without a line of the audit trail before it and one after. It knows no store but its own (the
//! schema `operator`): all that it shows it asks of the roles, by the calls that they give beside their
//! health, and it hands on only those that it lists.
//!
//! Its one invariant: what was done, and by whom, is only added to.

mod account;
mod assets;
mod audit;
mod calls;
mod config;
mod console;
mod deed;
mod endpoints;
mod error;
mod events;
mod overview;
mod redirects;
mod security;

use std::{convert::Infallible, time::Duration};

use runtime::{
    Check, Process,
    metrics::Metric,
    migrations::{self, until_migrated},
    postgres::{WriteProbe, answered, lacks_tables},
};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub use account::{Listed, Made, add, allow, list, remove, reset};
pub use config::{Config, RoleSettings};
pub use error::Error;

use crate::{calls::Roles, console::Console, overview::Overview};

/// What this role measures, beside what all do: nothing.
pub const METRICS: &[Metric] = &[];

/// Connections to Postgres: operators are few.
const CONNECTIONS: u32 = 8;
/// How often Postgres is asked whether it answers and takes writes, and how often ended sessions are erased.
const CHECK_EVERY: Duration = Duration::from_secs(2);
const ERASE_EVERY: Duration = Duration::from_mins(10);

/// Brings the schema `operator` up to date.
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

    // Answered from the first moment, if only with a 503.
    let served = runtime::http::serve(config.address(), console.router(), shutdown.clone());
    process.spawn("console", served);
    process.spawn("overview", overview::watch(overview, roles, shutdown.clone()));
    if !until_migrated(|| migrate(&pool), Error::is_transient, &database, &shutdown).await? {
        return Ok(());
    }
    process.spawn("sessions", erase_sessions(pool.clone(), shutdown.clone()));
    process.spawn("database", check(pool, probe, database, shutdown));
    Ok(())
}

/// Says of Postgres whether it answers and takes writes, until `shutdown` or until the tables are gone.
async fn check(
    pool: PgPool,
    probe: WriteProbe,
    database: Check,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut ticks = tokio::time::interval(CHECK_EVERY);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        let asked = answered(async {
            let accounts = sqlx::query_scalar!("select exists(select from operator.account)");
            accounts.fetch_one(&pool).await?;
            probe.check(&pool).await
        });
        match shutdown.run_until_cancelled(Box::pin(asked)).await {
            Some(Ok(())) => database.ready(),
            Some(Err(error)) if lacks_tables(&error) => return Err(Error::NoTables(error)),
            Some(Err(error)) => database.not_ready(error.to_string()),
            None => break,
        }
    }
    Ok(())
}

/// Erases sessions that have ended.
async fn erase_sessions(pool: PgPool, shutdown: CancellationToken) -> Result<(), Infallible> {
    let mut ticks = tokio::time::interval(ERASE_EVERY);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Some(Err(error)) =
            shutdown.run_until_cancelled(answered(account::erase_expired(&pool))).await
        {
            tracing::warn!(%error, "ended sessions could not be erased");
        }
    }
    Ok(())
}
