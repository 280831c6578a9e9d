//! Bringing a role's schema up to date when the role starts.

use std::{fmt::Display, time::Duration};

use sqlx::{
    PgPool,
    migrate::{MigrateError, Migrator},
};
use tokio_util::sync::CancellationToken;

use crate::{
    Check,
    postgres::{answered, is_transient},
};

/// How long a start waits for Postgres before it says so and tries again.
const PAUSE: Duration = Duration::from_millis(500);

/// Brings `schema` up to date by the migrations of `migrator`, and makes it where there is none.
pub async fn migrate(
    mut migrator: Migrator,
    schema: &'static str,
    pool: &PgPool,
) -> Result<(), MigrateError> {
    // Those of a later build leave this one able to run, so that it can be gone back to.
    migrator.set_ignore_missing(true);
    migrator.create_schema(schema);
    migrator.dangerous_set_table_name(format!("{schema}.migration"));
    // A connection of its own: sqlx keeps its lock on the database with the connection of a run that fails
    // or is given up, and everybody else who migrates would wait for that.
    let mut connection = pool.acquire().await?.detach();
    // What `run` does; that is not proved `Send` for one connection.
    let run = migrator.run_direct(None, &mut connection, false).await;
    run.map_err(|error| match error {
        // Whether it passes, each role asks of the one form only.
        MigrateError::ExecuteMigration(error, _) if is_transient(&error) => {
            MigrateError::Execute(error)
        }
        refused => refused,
    })
}

/// Tries `migrate` until it goes well, while what keeps it from that `is_transient`, and tells `database`
/// of it; whether it went well before `shutdown`. A Postgres that does not answer is not waited for: the
/// next try has another connection.
///
/// # Errors
/// What `migrate` fails with, where that does not pass by itself.
pub async fn until_migrated<E, F>(
    migrate: impl Fn() -> F,
    is_transient: impl Fn(&E) -> bool,
    database: &Check,
    shutdown: &CancellationToken,
) -> Result<bool, E>
where
    E: Display + From<sqlx::Error>,
    F: Future<Output = Result<(), E>>,
{
    while let Err(error) = answered(migrate()).await {
        if !is_transient(&error) {
            return Err(error);
        }
        database.not_ready(error.to_string());
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

    /// A failure of the role's own.
    #[derive(Debug, thiserror::Error)]
    #[error("postgres: {0}")]
    struct Failed(#[from] sqlx::Error);

    fn is_transient(failed: &Failed) -> bool {
        crate::postgres::is_transient(&failed.0)
    }

    #[tokio::test]
    async fn a_postgres_that_refuses_is_told_of_and_asked_again() {
        let (health, tries) = (Health::default(), AtomicUsize::new(0));
        let (database, shutdown) = (health.check("database"), CancellationToken::new());
        let migrate = || async {
            if tries.fetch_add(1, Ordering::Relaxed) == 0 {
                return Err(Failed(sqlx::Error::Io(io::Error::other("refused"))));
            }
            let told = health.failing()["database"].clone();
            assert!(told.contains("refused"), "{told}");
            Ok(())
        };
        let migrated = until_migrated(migrate, is_transient, &database, &shutdown).await;
        assert!(migrated.expect("it goes well in the end"));
        assert_eq!(tries.load(Ordering::Relaxed), 2);
    }

    #[tokio::test]
    async fn what_does_not_pass_ends_the_start_and_so_does_the_end_of_the_process() {
        let (health, shutdown) = (Health::default(), CancellationToken::new());
        let database = health.check("database");
        let refused = || async { Err(Failed(sqlx::Error::RowNotFound)) };
        let failed = until_migrated(refused, is_transient, &database, &shutdown).await;
        assert!(failed.is_err());
        shutdown.cancel();
        let away = || async { Err(Failed(sqlx::Error::PoolTimedOut)) };
        let ended = until_migrated(away, is_transient, &database, &shutdown).await;
        assert!(!ended.expect("it is no failure"));
    }
}
