//! A schema that can't be brought up to date, and whoever starts next.

use runtime::migrations::migrate;
use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_fails_keeps_nobody_from_the_next_try() {
    const FAILS: &str = "select 1 / 0";
    let database = testkit::postgres().await.database("migrations").await;
    // As two processes: each has connections of its own.
    for pool in [&database.pool(), &database.pool()] {
        let fails =
            Migration::new(1, "fails".into(), MigrationType::Simple, FAILS.into_sql_str(), false);
        let migrator = Migrator::with_migrations(vec![fails]);
        let failure = migrate(migrator, "test", pool).await.expect_err("it fails").to_string();
        assert!(failure.contains("division by zero"), "{failure}");
    }
}
