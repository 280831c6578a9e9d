//! The history of a home in the log: its earlier prices, that it was offered once, and its earlier
//! references.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stack::{Options, Stack, content};

#[tokio::test(flavor = "multi_thread")]
async fn the_history_of_a_home_survives_changes_and_removal() -> Result<()> {
    let content = content::copy()?;
    let options = Options::default().with("CONTENT_DIR", content.path().display().to_string());
    let stack = Stack::start_with_sample(options).await?;
    // Before all homes are there, the first one in the list may be any, even one without a price.
    stack.wait_until_idle().await?;
    let list =
        stack.api("/api/properties?location=nerja&status=for_sale&propertyType=House").await?;
    let home = list["items"].get(0).context("a home in Nerja")?;
    let reference = home["ref"].as_str().context("a reference")?;
    let first = home["price"].as_i64().context("a price")?;
    let path = home["url"].as_str().context("a path")?;

    content::edit_property(content.path(), reference, &json!({"price": 7_654_321}))?;
    stack.wait_for_page(path, "the new price", |_, html| html.contains("7,654,321")).await?;
    let detail = stack.api(&format!("/api/properties/{reference}")).await?;
    let prices: Vec<_> = detail["history"]
        .as_array()
        .context("a history")?
        .iter()
        .map(|offer| offer["price"].as_i64())
        .collect();
    ensure!(prices == [Some(first), Some(7_654_321)], "the history is {prices:?}");

    let renamed = "AH-9001";
    content::edit_property(content.path(), reference, &json!({"ref": renamed}))?;
    stack.wait_for_page(path, "where it went", |status, _| status == 301).await?;
    let response = stack.client.get(stack.url(path)).send().await?;
    let location = response.headers().get("location").context("a location")?.to_str()?;
    ensure!(location == path.replace(reference, renamed), "it leads to {location}");
    let path = path.replace(reference, renamed);

    content::edit_property(content.path(), renamed, &json!({"status": "archived"}))?;
    let gone = |status, html: &str| status == 410 && html.contains("/property-for-sale/nerja/AH-");
    stack.wait_for_page(&path, "homes like the one that is gone", gone).await?;
    let problem: Value = stack
        .client
        .get(stack.url(&format!("/api/properties/{renamed}")))
        .send()
        .await?
        .json()
        .await?;
    ensure!(problem["status"] == 410 && problem["location"]["slug"] == "nerja", "{problem}");
    ensure!(problem["similar"].as_array().is_some_and(|homes| !homes.is_empty()), "{problem}");

    content::edit_property(content.path(), renamed, &json!({"status": "published"}))?;
    stack.wait_for_page(&path, "that it is back", |status, _| status == 200).await?;

    // A rebuild restores the history from the log alone.
    let before = stack.api(&format!("/api/properties/{renamed}")).await?["history"].clone();
    let output = stack.operator(&["rebuild"]).await?;
    ensure!(output.status.success(), "rebuild: {}", String::from_utf8_lossy(&output.stderr));
    let after = stack.api(&format!("/api/properties/{renamed}")).await?["history"].clone();
    ensure!(before == after, "the history was {before} and is {after}");
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

pub async fn the_api_has_the_team_all_addresses_and_redirects(stack: &Stack) -> Result<()> {
    let team = stack.api("/api/team?locale=es").await?;
    ensure!(team["items"].as_array().is_some_and(|people| people.len() > 2), "{team}");
    let moved = stack.api("/api/moved?path=/properties").await?;
    ensure!(moved["to"] == "/property-for-sale" && moved["code"] == 308, "{moved}");

    let sitemap = stack.api("/api/sitemap").await?;
    let addresses = sitemap["items"].as_array().context("addresses")?;
    let listed = stack.api("/api/properties").await?["total"].as_u64().context("a total")?;
    let homes = addresses
        .iter()
        .filter(|address| address["path"].as_str().is_some_and(|path| path.contains("/AH-")))
        .count();
    ensure!(homes as u64 == listed, "{homes} homes in the sitemap, {listed} in the list");
    let picture = addresses.iter().find_map(|address| address["images"][0].as_str());
    let picture = picture.context("a home with a picture")?;
    let status = stack.get_with_retry(&format!("/media/{picture}/640.jpg")).await?.status();
    ensure!(status == 200, "{picture}: {status}");
    for path in ["/", "/docs", "/docs/buying", "/buying-a-property", "/property-for-sale/nerja"] {
        ensure!(addresses.iter().any(|address| address["path"] == path), "{path} is missing");
    }
    Ok(())
}
