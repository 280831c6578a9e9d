//! Browser tests that need a stack with a special configuration: the frontend's own tests for it, in
//! Chromium.

use std::{collections::BTreeMap, fs};

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};

use crate::stack::{Options, Stack, journeys};

#[tokio::test(flavor = "multi_thread")]
async fn streets_come_from_the_sites_own_door_and_injected_scripts_are_refused() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("coast.pmtiles").display().to_string();
    fs::write(&file, "")?;
    let stack = Stack::start_with_sample(Options::default().with("MAP_BASEMAP", &file)).await?;
    stack.wait_until_idle().await?;
    a_skipped_journey_is_an_error(&stack).await?;
    the_maps_streets_come_from_the_sites_own_door(&stack, file).await?;
    an_injected_script_is_refused(&stack).await?;
    stack.stop().await?;
    Ok(())
}

/// The journey is skipped because its variable is not set, as would happen if one side renamed it.
async fn a_skipped_journey_is_an_error(stack: &Stack) -> Result<()> {
    let result =
        journeys::run(stack, journeys::CHROMIUM, "injected-script", &BTreeMap::new()).await;
    let error = result.err().context("a skipped journey is no error")?;
    ensure!(error.to_string().contains("all were skipped"), "{error}");
    Ok(())
}

async fn the_maps_streets_come_from_the_sites_own_door(stack: &Stack, file: String) -> Result<()> {
    // The journey writes its own file, under the name of the one with which the site started.
    let environment = BTreeMap::from([("MAP_BASEMAP", file)]);
    journeys::run(stack, journeys::CHROMIUM, "basemap", &environment).await
}

async fn an_injected_script_is_refused(stack: &Stack) -> Result<()> {
    let url = stack.operator_environment()?.remove("PROJECTIONS_DATABASE_URL");
    let mut database = PgConnection::connect(&url.context("the read models' database")?).await?;
    // Writes to the row directly, bypassing the projection that sanitizes editors' HTML.
    let path: String = sqlx::query_scalar(
        "update read.doc set body = body || $1
         where locale = 'en' and slug = (select max(slug) from read.doc)
         returning '/docs/' || slug",
    )
    .bind("<script>document.documentElement.dataset.injected=\"yes\"</script>")
    .fetch_one(&mut database)
    .await?;
    let environment = BTreeMap::from([("INJECTED_PAGE", path)]);
    journeys::run(stack, journeys::CHROMIUM, "injected-script", &environment).await
}
