//! From one build to the next, and back. One that reads another form of the read models comes beside
//! them, and waits until they are filled.

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use sqlx::{AssertSqlSafe, Connection, PgConnection, PgPool};

use crate::stack::{self, Options, Stack};

#[tokio::test(flavor = "multi_thread")]
async fn a_query_node_is_ready_when_the_read_models_have_its_form() -> Result<()> {
    let stack = Stack::start_with_sample(Options::default()).await?;
    stack.wait_at_rest().await?;
    let before = stack.api("/api/team").await?;

    // As a new build finds it: what is live was filled by the build before.
    stack.signal("almijara projections", Signal::STOP)?;
    let environment = stack.operators_environment()?;
    let address = environment.get("PROJECTIONS_DATABASE_URL").context("an address")?;
    let mut database = PgConnection::connect(address).await?;
    sqlx::query("update read.checkpoint set model_version = model_version - 1 where live")
        .execute(&mut database)
        .await?;
    let refusal = wait_for_readiness(&stack, 503).await?;
    ensure!(refusal.contains("read models have form"), "{refusal}");

    stack.kill("almijara projections")?;
    wait_for_readiness(&stack, 200).await?;
    let generations: i32 = sqlx::query_scalar("select max(generation) from read.checkpoint")
        .fetch_one(&mut database)
        .await?;
    ensure!(generations > 1, "no new generation was filled");
    stack.verify().await?;
    let after = stack.api("/api/team").await?;
    ensure!(before["items"] == after["items"], "it was {before} and is {after}");
    stack.stop().await?;
    Ok(())
}

#[tokio::test]
async fn a_build_runs_on_the_tables_of_the_one_after_it() -> Result<()> {
    let database = testkit::postgres().await.database("roll_back").await;
    let pool = PgPool::connect(database.plain_url()).await?;
    let migrate = async || -> Result<()> {
        sync::migrate(&pool).await?;
        command::migrate(&pool).await?;
        Ok(projections::migrate(&pool).await?)
    };
    migrate().await?;
    for schema in ["ledger", "visitor", "read"] {
        let later = format!(
            "insert into {schema}.migration select 9999, 'of a later build', now(), true, '', 1"
        );
        sqlx::query(AssertSqlSafe(later)).execute(&pool).await?;
    }
    migrate().await
}

/// Waits until the query node says `status` of its readiness; gives its words.
async fn wait_for_readiness(stack: &Stack, status: u16) -> Result<String> {
    let url = format!("http://127.0.0.1:{}/readyz", stack.port_of("query health")?);
    let began = std::time::Instant::now();
    loop {
        let response = stack.client.get(&url).send().await?;
        let found = response.status().as_u16();
        let words = response.text().await?;
        if found == status {
            return Ok(words);
        }
        ensure!(began.elapsed() < stack::SEEN_LIMIT, "{found} after {words}, not {status}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
