//! Upgrades and roll-backs between builds. A build that needs another form of the read models starts
//! beside the live ones, and waits until its own are filled.

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

use crate::stack::Stack;

pub async fn a_query_node_is_ready_when_the_read_models_have_its_form(stack: &Stack) -> Result<()> {
    let before = stack.api("/api/team").await?;

    // Simulates what a new build finds: the live read models are of the build before.
    stack.signal("almijara projections", Signal::STOP)?;
    let environment = stack.operator_environment()?;
    let address = environment.get("PROJECTIONS_DATABASE_URL").context("an address")?;
    let mut database = PgConnection::connect(address).await?;
    sqlx::query("update read.checkpoint set model_version = model_version - 1 where live")
        .execute(&mut database)
        .await?;
    stack.wait_for_readiness_with("query", 503, "read models have version").await?;

    stack.kill("almijara projections")?;
    stack.wait_for_readiness("query", 200).await?;
    let generations: i32 = sqlx::query_scalar("select max(generation) from read.checkpoint")
        .fetch_one(&mut database)
        .await?;
    ensure!(generations > 1, "no new generation was filled");
    stack.verify().await?;
    let after = stack.api("/api/team").await?;
    ensure!(before["items"] == after["items"], "it was {before} and is {after}");
    Ok(())
}

#[tokio::test]
async fn a_build_runs_on_the_tables_of_a_later_build() -> Result<()> {
    let database = testkit::postgres().await.database("roll_back").await;
    let pool = PgPool::connect(database.plain_url()).await?;
    let migrate = async || -> Result<()> {
        sync::migrate(&pool).await?;
        command::migrate(&pool).await?;
        console::migrate(&pool).await?;
        Ok(projections::migrate(&pool).await?)
    };
    migrate().await?;
    for schema in ["ledger", "visitor", "operator", "read"] {
        let later = format!(
            "insert into {schema}.migration select 9999, 'of a later build', now(), true, '', 1"
        );
        sqlx::query(AssertSqlSafe(later)).execute(&pool).await?;
    }
    migrate().await
}
