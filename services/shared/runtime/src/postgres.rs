//! A role's connections to Postgres, with a timeout for every wait.

mod write_probe;

use std::{error::Error, future::Future, io, str::FromStr, time::Duration};

use secrecy::{ExposeSecret, SecretString};
use sqlx::{
    Connection as _, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

pub use write_probe::WriteProbe;

/// The maximum duration of a statement, in Postgres's notation.
const STATEMENT_TIMEOUT: &str = "15s";
/// The maximum time that a statement waits for a lock.
const LOCK_TIMEOUT: &str = "5s";
/// The maximum time that a transaction may be idle before Postgres ends it.
const IDLE_IN_TRANSACTION_TIMEOUT: &str = "10s";
/// TCP keepalive of the server: how long a connection is silent before Postgres probes the client's
/// host, how often it repeats an unanswered probe, and how long it waits for sent data to be
/// acknowledged. A host that loses power does not close its connections, and by default Postgres would
/// keep their locks for over two hours.
const TCP_KEEPALIVE: [(&str, &str); 4] = [
    ("tcp_keepalives_idle", "10s"),
    ("tcp_keepalives_interval", "5s"),
    ("tcp_keepalives_count", "3"),
    ("tcp_user_timeout", "20s"),
];
/// The maximum time that a task waits for a connection of the pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// The timeout of a connection's test, which leaves time to connect anew within [`ACQUIRE_TIMEOUT`].
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// After how long without use a connection is tested before it is used again.
const TESTED_AFTER: Duration = Duration::from_secs(5);

/// The client's timeout for a statement or a transaction of normal size. It is longer than
/// `statement_timeout`, so it expires only if the server does not answer at all.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The address of the database is invalid.
#[derive(Debug, thiserror::Error)]
#[error("DATABASE_URL is not a Postgres address")]
pub struct InvalidUrl(#[source] Box<dyn Error + Send + Sync>);

/// Creates a pool of at most `max_connections` to `url`, with `application` as its name in Postgres.
///
/// It connects on first use, and reconnects after Postgres was unavailable, so roles can start in any
/// order.
pub fn connect(
    url: &SecretString,
    application: &str,
    max_connections: u32,
) -> Result<PgPool, InvalidUrl> {
    let pool = pool(max_connections, TESTED_AFTER);
    Ok(pool.connect_lazy_with(options(url, application)?))
}

/// Creates a pool for a role that only reads. There, `url` may point to a replica and, while that is
/// unavailable, to another server. So each connection is tested before use, and a connection to a server
/// that is gone fails no request.
pub fn connect_to_read(
    url: &SecretString,
    application: &str,
    max_connections: u32,
) -> Result<PgPool, InvalidUrl> {
    let pool = pool(max_connections, Duration::ZERO);
    Ok(pool.connect_lazy_with(options(url, application)?))
}

/// Returns a pool that tests its connections: one that was idle for `tested_after` before it is used, and
/// each before it is kept for the next use. sqlx's own tests have no timeout, and the connections of a host
/// that vanished without closing them would occupy the pool until the kernel gives up, after a quarter of
/// an hour.
fn pool(max_connections: u32, tested_after: Duration) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(max_connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(move |connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= tested_after {
                    ping(connection).await?;
                }
                Ok(true)
            })
        })
        .after_release(|connection, _| {
            Box::pin(async move { ping(connection).await.map(|()| true) })
        })
}

/// Waits for an answer of the server, and for the end of a statement that was abandoned.
async fn ping(connection: &mut PgConnection) -> sqlx::Result<()> {
    let answered = tokio::time::timeout(PING_TIMEOUT, connection.ping()).await;
    answered.unwrap_or_else(|_| Err(no_answer(PING_TIMEOUT)))
}

fn options(url: &SecretString, application: &str) -> Result<PgConnectOptions, InvalidUrl> {
    let url = url.expose_secret();
    // The driver ignores the scheme.
    if !["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme)) {
        return Err(InvalidUrl("it has to begin with postgres://".into()));
    }
    let options = PgConnectOptions::from_str(url).map_err(|error| InvalidUrl(error.into()))?;
    let options = options.application_name(application).options([
        ("statement_timeout", STATEMENT_TIMEOUT),
        ("lock_timeout", LOCK_TIMEOUT),
        ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_TIMEOUT),
    ]);
    Ok(options.options(TCP_KEEPALIVE))
}

/// Whether Postgres was unavailable, starting, stopping or busy, rather than refusing the statement: a
/// retry may succeed.
pub fn is_transient(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => true,
        // Connection exceptions (08), operator intervention (57), insufficient resources (53),
        // transaction rollbacks (40), and locks held by others (55P03).
        sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| {
            ["08", "57", "53", "40", "55P03"].iter().any(|class| code.starts_with(class))
        }),
        _ => false,
    }
}

/// Whether the tables of a statement do not exist: the database was recreated, or restored from before
/// they existed. The role that owns them creates them at startup, so on this error it ends to be
/// restarted.
pub fn is_missing_tables(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(refusal) = error else { return false };
    // undefined_table and invalid_schema_name.
    refusal.code().is_some_and(|code| ["42P01", "3F000"].contains(&&*code))
}

/// Runs `work` with Postgres, with a timeout of [`ANSWER_TIMEOUT`]. A frozen server keeps its connections
/// open, and cannot enforce the timeouts that were set on it.
///
/// # Errors
/// Returns the error of `work`, or a timeout of the connection if there was no answer.
pub async fn with_answer_timeout<T, E: From<sqlx::Error>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let done = tokio::time::timeout(ANSWER_TIMEOUT, work).await;
    done.unwrap_or_else(|_| Err(no_answer(ANSWER_TIMEOUT).into()))
}

fn no_answer(limit: Duration) -> sqlx::Error {
    let silence = format!("no answer within {} s", limit.as_secs());
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, silence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_postgres_urls_are_accepted_and_errors_hide_the_password() {
        assert!(connect(&"postgres://sync:word@db/almijara".into(), "test", 1).is_ok());
        for wrong in ["", "almijara", "mysql://sync:word@db/almijara", "postgres://sync:word@:port"]
        {
            let refusal = connect(&wrong.into(), "test", 1).map(drop).expect_err(wrong);
            let refusal = crate::error_text(&refusal);
            assert!(refusal.starts_with("DATABASE_URL is not a Postgres address: "), "{refusal}");
            assert!(!refusal.contains("word"), "{refusal}");
        }
    }
}
