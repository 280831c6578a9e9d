//! A role's connections to Postgres, with a limit on every wait.

mod write_probe;

use std::{future::Future, io, str::FromStr, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

pub use write_probe::WriteProbe;

/// The longest that one statement may run, in Postgres's own notation.
const STATEMENT_TIMEOUT: &str = "15s";
/// The longest that a statement may wait for a lock.
const LOCK_TIMEOUT: &str = "5s";
/// The longest that a transaction may stand idle before Postgres ends it.
const IDLE_IN_TRANSACTION_TIMEOUT: &str = "10s";
/// After how long Postgres asks whether the host of a silent connection is still there, how often it
/// asks again without an answer, and how long it waits for what it has sent to arrive. A host that lost
/// its power says no goodbye, and would keep what its connections hold for over two hours.
const HOST_CHECKS: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "10s"),
    ("tcp_keepalives_interval", "5s"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "20s"),
];
/// The longest that a task waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);

/// The longest that is waited for a statement or a transaction of an everyday size: longer than
/// Postgres itself lets one run, so that only a server that does not answer at all meets it.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// The database's address could not be read.
#[derive(Debug, thiserror::Error)]
#[error("DATABASE_URL is not a Postgres address: {0}")]
pub struct InvalidUrl(String);

/// A pool of at most `max_connections` to `url`, named `application` in Postgres's own lists.
///
/// It connects when first used, and again after Postgres was away; so a role starts in any order.
pub fn connect(
    url: &SecretString,
    application: &str,
    max_connections: u32,
) -> Result<PgPool, InvalidUrl> {
    let pool = pool(max_connections).test_before_acquire(false);
    Ok(pool.connect_lazy_with(options(url, application)?))
}

/// The same for who only reads, where `url` may lead to a replica and, while that is away, to another
/// server: a connection is tried before it is used, so that those to the one that has ended cost no
/// answer.
pub fn connect_to_read(
    url: &SecretString,
    application: &str,
    max_connections: u32,
) -> Result<PgPool, InvalidUrl> {
    let pool = pool(max_connections).test_before_acquire(true);
    Ok(pool.connect_lazy_with(options(url, application)?))
}

fn pool(max_connections: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(max_connections).acquire_timeout(ACQUIRE_TIMEOUT)
}

fn options(url: &SecretString, application: &str) -> Result<PgConnectOptions, InvalidUrl> {
    let url = url.expose_secret();
    // The driver passes over what stands before `://`.
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(InvalidUrl("it has to begin with postgres://".to_owned()));
    }
    let options = PgConnectOptions::from_str(url).map_err(|error| InvalidUrl(error.to_string()))?;
    let options = options.application_name(application).options([
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("lock_timeout", LOCK_TIMEOUT),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_TIMEOUT),
    ]);
    Ok(options.options(HOST_CHECKS))
}

/// Whether Postgres was away, starting, ending or busy, rather than refusing: the same may go well a little
/// later.
pub fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions, operator intervention, lost races, and locks that others keep.
        sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| {
            ["08", "57", "53", "40", "55P03"].iter().any(|class| code.starts_with(class))
        }),
        _ => false,
    }
}

/// Whether the tables that a statement names are not there: the database was dropped and made anew, or
/// is a copy of before they were made. A role that owns them makes them when it starts, so it ends.
pub fn lacks_tables(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    // A table that is not known, and a schema.
    refusal.code().is_some_and(|code| ["42P01", "3F000"].contains(&&*code))
}

/// Waits for `work` with Postgres for [`ANSWER_LIMIT`] at the most. A server that is frozen keeps its
/// connections open, and the limits that it was given are its own to keep.
///
/// # Errors
/// What `work` fails with, and a timeout of the connection where there was no answer.
pub async fn answered<T, E: From<sqlx::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    tokio::time::timeout(ANSWER_LIMIT, work).await.unwrap_or_else(|_| {
        let silence = format!("no answer within {} s", ANSWER_LIMIT.as_secs());
        Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, silence)).into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_an_address_of_postgres_is_connected_to() {
        assert!(connect(&"postgres://sync:word@db/almijara".into(), "test", 1).is_ok());
        for wrong in ["", "almijara", "mysql://sync:word@db/almijara", "postgres://sync:word@:port"]
        {
            let refusal = connect(&wrong.into(), "test", 1).map(drop).expect_err(wrong).to_string();
            assert!(refusal.starts_with("DATABASE_URL is not a Postgres address: "), "{refusal}");
            assert!(!refusal.contains("word"), "{refusal}");
        }
    }
}
