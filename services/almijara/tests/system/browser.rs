//! The pages as visitors' browsers show them: the frontend's own tests in Chromium and Firefox,
//! against the whole stack with the sample content.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use sqlx::{Connection, PgConnection};

use crate::stack::{self, Options, Stack, journeys, personal, spans::Spans};

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_journeys_work_in_chromium_and_firefox() -> Result<()> {
    let folder = stack::copy_of_the_content()?;
    let content = folder.path().display().to_string();
    // All journeys are made from one address.
    let options = Options::default()
        .with("CONTENT_DIR", &content)
        .with("RATE_LIMIT", "0")
        .with("ENQUIRY_BURST", "0")
        .with("ALERT_PAUSE", "0");
    let (spans, endpoint) = Spans::listen()?;
    let options = options.with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start(options).await?;
    stack.verify().await?;
    let mail = format!("http://127.0.0.1:{}", stack.port_of("mail")?);
    let environment = BTreeMap::from([("CONTENT_DIR", content), ("MAIL_URL", mail)]);
    for browser in [journeys::CHROMIUM, journeys::FIREFOX] {
        journeys::make(&stack, browser, "", &environment).await?;
    }
    let personal = personal::words_in(&stack, &PERSONAL).await?;
    ensure!(personal.len() > PERSONAL.len() + 10, "the journeys wrote little");
    personal.in_no_line(&stack)?;
    // The last spans are sent when the roles end; so are the last events.
    let data = stack.stop().await?;
    ensure!(spans.all().len() > 1_000, "only {} spans came", spans.all().len());
    personal.in_no_span(&spans)?;
    personal.in_no_event(data.path())
}

/// What visitors of the journeys write, as they write it, and what they delete in the end.
const PERSONAL: [&str; 12] = [
    "@example.com",
    "@b.example",
    "Ann Prior",
    "Ana Prior",
    "20 7946 0958",
    "+442079460958",
    "600 123 456",
    "a lift in the house",
    "From the phone",
    "Calle Real 1",
    "ganso-teja",
    "token=",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_maps_streets_come_from_the_sites_own_door() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("coast.pmtiles").display().to_string();
    let stack = Stack::start(Options::default().with("MAP_BASEMAP", &file)).await?;
    stack.wait_at_rest().await?;
    // The journey itself makes the file, of which nothing is there when the site starts.
    ensure!(stack.said(&file) > 0, "nobody was told that the basemap is missing");
    let environment = BTreeMap::from([("MAP_BASEMAP", file)]);
    journeys::make(&stack, journeys::CHROMIUM, "basemap", &environment).await?;
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
    let environment = BTreeMap::from([("INJECTED_PAGE", path)]);
    journeys::make(&stack, journeys::CHROMIUM, "injected-script", &environment).await?;
    stack.stop().await?;
    Ok(())
}
