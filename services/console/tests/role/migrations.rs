//! Tests of failing migrations.

use runtime::migrations::migrate;
use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_migration_does_not_block_the_next_attempt() {
    const FAILS: &str = "select 1 / 0";
    let database = testkit::postgres().await.database("migrations").await;
    // Like two processes: each pool has its own connections.
    for pool in [&database.pool(), &database.pool()] {
        let fails =
            Migration::new(1, "fails".into(), MigrationType::Simple, FAILS.into_sql_str(), false);
        let migrator = Migrator::with_migrations(vec![fails]);
        let failure = migrate(migrator, "test", pool).await.expect_err("it fails").to_string();
        assert!(failure.contains("division by zero"), "{failure}");
    }
}
