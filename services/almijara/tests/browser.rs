//! The pages as visitors' browsers show them: the frontend's own tests in Chromium and Firefox,
//! against the whole stack with the sample content.

mod stack;

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};
use stack::{Options, Stack};
use tokio::process::Command;

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_journeys_work_in_chromium_and_firefox() -> Result<()> {
    let folder = stack::copy_of_the_content()?;
    let content = folder.path().display().to_string();
    let stack = Stack::start(Options::default().with("CONTENT_DIR", &content)).await?;
    stack.verify().await?;
    for journeys in ["test:e2e", "test:e2e:firefox"] {
        let status = Command::new("npm")
            .args(["--prefix", "frontend", "run", journeys])
            .current_dir(stack::root())
            .env("BASE_URL", stack.url(""))
            .env("CONTENT_DIR", &content)
            .kill_on_drop(true)
            .status()
            .await?;
        ensure!(status.success(), "{journeys} failed");
    }
    stack.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_maps_streets_come_from_the_sites_own_door() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("coast.pmtiles").display().to_string();
    let stack = Stack::start(Options::default().with("MAP_BASEMAP", &file)).await?;
    stack.wait_at_rest().await?;
    // The journey itself makes the file.
    let status = Command::new("npm")
        .args(["--prefix", "frontend", "run", "test:e2e", "--", "basemap"])
        .current_dir(stack::root())
        .env("BASE_URL", stack.url(""))
        .env("MAP_BASEMAP", &file)
        .kill_on_drop(true)
        .status()
        .await?;
    ensure!(status.success(), "the map is not drawn from the basemap");
    stack.stop().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_behind_the_sanitisers_back_is_refused_by_the_browser() -> Result<()> {
    let stack = Stack::start(Options::default()).await?;
    stack.wait_at_rest().await?;
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
    let status = Command::new("npm")
        .args(["--prefix", "frontend", "run", "test:e2e", "--", "injected-script"])
        .current_dir(stack::root())
        .env("BASE_URL", stack.url(""))
        .env("INJECTED_PAGE", path)
        .kill_on_drop(true)
        .status()
        .await?;
    ensure!(status.success(), "an injected script is no news to the browser");
    stack.stop().await?;
    Ok(())
}
