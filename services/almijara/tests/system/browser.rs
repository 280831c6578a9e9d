//! What browsers make of the pages where the stack is not as it usually is: the frontend's own tests of it,
//! in Chromium.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};

use crate::stack::{Options, Stack, journeys};

#[tokio::test(flavor = "multi_thread")]
async fn streets_come_from_the_sites_own_door_and_a_script_of_nobody_is_refused() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("coast.pmtiles").display().to_string();
    let stack = Stack::start_with_sample(Options::default().with("MAP_BASEMAP", &file)).await?;
    stack.wait_at_rest().await?;
    a_journey_that_was_skipped_was_not_made(&stack).await?;
    the_maps_streets_come_from_the_sites_own_door(&stack, file).await?;
    a_script_behind_the_sanitisers_back_is_refused(&stack).await?;
    stack.stop().await?;
    Ok(())
}

/// What it asks for is not told, as when one side calls it by another name.
async fn a_journey_that_was_skipped_was_not_made(stack: &Stack) -> Result<()> {
    let made = journeys::make(stack, journeys::CHROMIUM, "injected-script", &BTreeMap::new()).await;
    let why = made.err().context("nothing was looked at, and nobody was told")?;
    ensure!(why.to_string().contains("all were skipped"), "{why}");
    Ok(())
}

async fn the_maps_streets_come_from_the_sites_own_door(stack: &Stack, file: String) -> Result<()> {
    // The journey itself makes the file, of which nothing is there when the site starts.
    ensure!(stack.said(&file) > 0, "nobody was told that the basemap is missing");
    let environment = BTreeMap::from([("MAP_BASEMAP", file)]);
    journeys::make(stack, journeys::CHROMIUM, "basemap", &environment).await
}

async fn a_script_behind_the_sanitisers_back_is_refused(stack: &Stack) -> Result<()> {
    let url = stack.operators_environment()?.remove("PROJECTIONS_DATABASE_URL");
    let mut database = PgConnection::connect(&url.context("the read models' database")?).await?;
    // Into the row itself, past the projection that cleans what editors write.
    let path: String = sqlx::query_scalar(
        "update read.doc set body = body || $1
         where locale = 'en' and slug = (select max(slug) from read.doc)
         returning '/docs/' || slug",
    )
    .bind("<script>document.documentElement.dataset.injected=\"yes\"</script>")
    .fetch_one(&mut database)
    .await?;
    let environment = BTreeMap::from([("INJECTED_PAGE", path)]);
    journeys::make(stack, journeys::CHROMIUM, "injected-script", &environment).await
}
