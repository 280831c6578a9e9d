//! An editor's invalid value is reported, and removes nothing from the site.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::stack::{Options, Stack, content};

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_value_is_reported_and_the_home_stays_unchanged() -> Result<()> {
    let content = content::copy()?;
    let options = Options::default().with("CONTENT_DIR", content.path().display().to_string());
    let stack = Stack::start_with_sample(options).await?;
    stack.verify().await?;
    let list = stack.api("/api/properties?location=nerja&status=for_sale").await?;
    let home = list["items"].get(0).context("a home in Nerja")?;
    let reference = home["ref"].as_str().context("a reference")?;
    let path = home["url"].as_str().context("a path")?;

    // An address in lower case redirects to the right one.
    let typed = stack.client.get(stack.url(&path.to_lowercase())).send().await?;
    let leads_to = typed.headers().get("location").and_then(|value| value.to_str().ok());
    ensure!(typed.status() == 301 && leads_to == Some(path), "{}: {leads_to:?}", typed.status());

    // A home's page and its sharing picture have its reference in their addresses.
    let renamed = "AH_1042x";
    content::edit_property(content.path(), reference, &json!({ "ref": renamed }))?;
    let path = path.replace(reference, renamed);
    stack.wait_for_page(&path, "the home", |status, _| status == 200).await?;
    stack.wait_for_page("/property-for-sale", "its link", |_, html| html.contains(&path)).await?;
    let shared = format!("/share/en/{renamed}.jpg");
    ensure!(stack.get_with_retry(&shared).await?.status() == 200, "{shared}");

    let properties = std::fs::read(content.path().join("properties.json"))?;
    let (_, good_page) = stack.page(&path).await?;
    let title = title_of(&properties, renamed)?;
    ensure!(good_page.contains(&title), "{path} does not show {title}");
    for (change, field) in [
        (json!({ "price": -5 }), "price"),
        (json!({ "lat": "999.0" }), "lat"),
        (json!({ "bedrooms": "many" }), "bedrooms"),
        (json!({ "location": null }), "location"),
        (json!({ "translations": [] }), "translations.title"),
        (json!({ "floor": "1\0" }), "floor"),
        (json!({ "listing_status": "banana" }), "listing_status"),
    ] {
        content::edit_property(content.path(), renamed, &change)?;
        let report = stack.wait_for_parked(field).await?;
        ensure!(report.contains("1 items can't be recorded"), "{report}");
        let (status, html) = stack.page(&path).await?;
        ensure!(status == 200 && html.contains(&title), "{change}: the home has changed");
        let verified = stack.verify().await?;
        ensure!(
            verified.contains(&format!(": {field} must")),
            "verify does not name it: {verified}"
        );
        if field == "price" {
            ensure_parked_items_are_compared(&stack, renamed).await?;
        }
        std::fs::write(content.path().join("properties.json"), &properties)?;
        stack.wait_for_parked("0 items can't be recorded").await?;
    }
    stack.verify().await?;
    stack.stop().await?;
    Ok(())
}

/// Checks that verify also compares parked items, with their last good version.
async fn ensure_parked_items_are_compared(stack: &Stack, reference: &str) -> Result<()> {
    let environment = stack.operator_environment()?;
    let address = environment.get("PROJECTIONS_DATABASE_URL").context("an address")?;
    let mut read_models = PgConnection::connect(address).await?;
    let mut raise_price = async |euros: i64| {
        sqlx::query("update read.property set price = price + $1 where reference = $2")
            .bind(euros)
            .bind(reference)
            .execute(&mut read_models)
            .await
    };
    raise_price(1).await?;
    // It waits, because a first comparison may fail for other reasons, such as lag.
    let output = stack.operator(&["verify", "--wait", "5"]).await?;
    raise_price(-1).await?;
    let report = String::from_utf8_lossy(&output.stdout);
    ensure!(!output.status.success() && report.contains("price: should be"), "{report}");
    Ok(())
}

/// Returns the English title of the home `reference` in `properties`.
fn title_of(properties: &[u8], reference: &str) -> Result<String> {
    let properties: Vec<Value> = serde_json::from_slice(properties)?;
    let home = properties.iter().find(|home| home["ref"] == reference).context("the home")?;
    let texts = home["translations"].as_array().context("texts")?;
    let english = texts.iter().find(|text| text["languages_code"] == "en-GB").context("English")?;
    Ok(english["title"].as_str().context("a title")?.to_owned())
}
