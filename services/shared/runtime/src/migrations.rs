//! Migrates a role's schema when the role starts.

use std::{error::Error, time::Duration};

use sqlx::{
    PgPool,
    migrate::{MigrateError, Migrator},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Check, error_text,
    postgres::{is_transient, with_answer_timeout},
};

/// The pause between attempts to migrate at startup.
const PAUSE: Duration = Duration::from_millis(500);

/// Runs the migrations of `migrator` in `schema`, and creates the schema if it does not exist.
pub async fn migrate(
    mut migrator: Migrator,
    schema: &'static str,
    pool: &PgPool,
) -> Result<(), MigrateError> {
    // Migrations of later builds are backward compatible, so this build ignores those that it does not
    // know. That allows a rollback to it.
    migrator.set_ignore_missing(true);
    migrator.create_schema(schema);
    migrator.dangerous_set_table_name(format!("{schema}.migration"));
    // Uses a connection outside the pool: after a run that fails or is cancelled, sqlx's advisory lock
    // stays held by the connection, and every other process that migrates would wait for it.
    let mut connection = pool.acquire().await?.detach();
    // Does the same as `run`, whose future the compiler cannot prove `Send` for a single connection.
    let run = migrator.run_direct(None, &mut connection, false).await;
    run.map_err(|error| match error {
        // Roles check only `Execute` for transient errors.
        MigrateError::ExecuteMigration(error, _) if is_transient(&error) => {
            MigrateError::Execute(error)
        }
        refused => refused,
    })
}

/// Retries `migrate` until it succeeds, for as long as its errors are transient (`is_transient`), and
/// reports them to `database`. Returns false if `shutdown` came first. Each attempt has a timeout, so
/// that a Postgres that does not answer is tried again on another connection.
///
/// # Errors
/// Returns the first error of `migrate` that is not transient.
pub async fn migrate_with_retries<E, F>(
    migrate: impl Fn() -> F,
    is_transient: impl Fn(&E) -> bool,
    database: &Check,
    shutdown: &CancellationToken,
) -> Result<bool, E>
where
    E: Error + From<sqlx::Error>,
    F: Future<Output = Result<(), E>>,
{
    while let Err(error) = with_answer_timeout(migrate()).await {
        if !is_transient(&error) {
            return Err(error);
        }
        database.not_ready(error_text(&error));
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = shutdown.cancelled() => return Ok(false),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::Health;

    /// The error type of a role.
    #[derive(Debug, thiserror::Error)]
    #[error("postgres failed")]
    struct Failed(#[from] sqlx::Error);

    fn is_transient(failed: &Failed) -> bool {
        crate::postgres::is_transient(&failed.0)
    }

    #[tokio::test]
    async fn a_transient_failure_is_reported_and_retried() {
        let (health, tries) = (Health::default(), AtomicUsize::new(0));
        let (database, shutdown) = (health.check("database"), CancellationToken::new());
        let migrate = || async {
            if tries.fetch_add(1, Ordering::Relaxed) == 0 {
                return Err(Failed(sqlx::Error::Io(io::Error::other("refused"))));
            }
            let reason = health.failing()["database"].clone();
            assert!(reason.contains("refused"), "{reason}");
            Ok(())
        };
        let migrated = migrate_with_retries(migrate, is_transient, &database, &shutdown).await;
        assert!(migrated.expect("it goes well in the end"));
        assert_eq!(tries.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn a_permanent_error_and_a_shutdown_both_end_the_retries() {
        let (health, shutdown) = (Health::default(), CancellationToken::new());
        let database = health.check("database");
        let refused = || async { Err(Failed(sqlx::Error::RowNotFound)) };
        let failed = migrate_with_retries(refused, is_transient, &database, &shutdown).await;
        assert!(failed.is_err());
        shutdown.cancel();
        let unavailable = || async { Err(Failed(sqlx::Error::PoolTimedOut)) };
        let ended = migrate_with_retries(unavailable, is_transient, &database, &shutdown).await;
        assert!(!ended.expect("it is no failure"));
    }
}
