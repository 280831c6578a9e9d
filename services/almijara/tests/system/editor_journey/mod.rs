//! An editor's work in a real Directus becomes visible: on the page, in the list, in the search.

mod told;
mod visitors;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::stack::{
    self, Options, Stack,
    editor::{ADMINISTRATOR, Editor, house},
    personal,
    spans::Spans,
};

const REFERENCE: &str = "AH-9001";
const PAGE: &str = "/property-for-sale/nerja/AH-9001";
const SPANISH_PAGE: &str = "/es/property-for-sale/nerja/AH-9001";

#[tokio::test(flavor = "multi_thread")]
async fn an_editors_work_is_shown_on_the_site() -> Result<()> {
    let options =
        Options::default().with("CONTENT", "directus").with("DIRECTUS_ADMIN_TOKEN", ADMINISTRATOR);
    let (spans, endpoint) = Spans::listen()?;
    // Alerts are mailed at once, instead of being collected.
    let options = options.with("ALERT_PAUSE", "0").with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start_with_sample(options).await?;
    let editor = Editor::new(stack.port_of("directus")?, ADMINISTRATOR)?;

    draft_stays_hidden(&stack, &editor).await?;
    let key = publish(&stack, &editor).await?;
    told::an_item_is_live(&stack, &editor, &key).await?;
    told::the_time_is_measured(&stack, &editor, &key).await?;
    change_price(&stack, &editor, &key).await?;
    change_translation(&stack, &editor, &key).await?;
    let picture = add_picture(&stack, &editor, &key).await?;
    rename_location(&stack, &editor).await?;
    told::an_invalid_item_is_reported(&stack, &editor, &key).await?;
    unpublish(&stack, &editor, &key, &picture).await?;
    delete(&stack, &editor, &key).await?;
    visitors::answer_an_enquiry(&stack, &editor).await?;
    visitors::tell_of_a_home(&stack, &editor).await?;

    stack.verify().await?;
    let personal = personal::words_in(&stack, &visitors::PERSONAL).await?;
    personal.ensure_not_in_log(&stack)?;
    let data = stack.stop().await?;
    ensure!(!spans.all().is_empty(), "no spans came");
    personal.ensure_not_in_spans(&spans)?;
    personal.ensure_not_in_streams(data.path())
}

/// Returns how many properties the search finds for `query`.
async fn search_total(stack: &Stack, query: &str) -> Result<u64> {
    let list = stack.api(&format!("/api/properties?{query}")).await?;
    list["total"].as_u64().context("a list has a total")
}

/// Waits until the search finds `total` homes for `query`. A page rendered while a change is in flight
/// may show it a moment before the index has it.
async fn wait_for_total(stack: &Stack, query: &str, total: u64) -> Result<()> {
    let path = format!("/api/properties?{query}");
    let expected = format!("\"total\":{total},");
    stack.wait_for_page(&path, &expected, |_, answer| answer.contains(&expected)).await?;
    Ok(())
}

async fn draft_stays_hidden(stack: &Stack, editor: &Editor) -> Result<()> {
    let mut draft = house("AH-9000", 1_234_567);
    draft["status"] = json!("draft");
    draft["translations"][0]["title"] = json!("Zanzibarian secret");
    let created = editor.create("properties", draft).await?;
    // Once this is visible, which is published after it, the draft would be visible too.
    let marker = editor.create("properties", house("AH-9002", 100_000)).await?;
    stack
        .wait_for_page("/property-for-sale/nerja/AH-9002", "the marker", |status, _| status == 200)
        .await?;
    let (status, _) = stack.page_with_retry("/property-for-sale/nerja/AH-9000").await?;
    ensure!(status == 404, "a draft has a page: {status}");
    ensure!(search_total(stack, "q=Zanzibarian").await? == 0, "a draft's word is in the index");
    editor.delete("properties", &created["id"]).await?;
    editor.delete("properties", &marker["id"]).await?;
    Ok(())
}

async fn publish(stack: &Stack, editor: &Editor) -> Result<Value> {
    let created = editor.create("properties", house(REFERENCE, 895_000)).await?;
    stack
        .wait_for_page(PAGE, "the new house", |status, html| {
            status == 200 && html.contains("A bright house AH-9001") && html.contains("895,000")
        })
        .await?;
    stack
        .wait_for_page(SPANISH_PAGE, "the new house in Spanish", |status, html| {
            status == 200
                && html.contains("Una casa luminosa AH-9001")
                && html.contains("lang=\"es")
        })
        .await?;
    stack
        .wait_for_page("/property-for-sale", "the house first", |_, html| html.contains(PAGE))
        .await?;
    wait_for_total(stack, "q=AH-9001", 1).await?;
    ensure!(search_total(stack, "location=nerja&minPrice=890000&maxPrice=900000").await? >= 1);
    Ok(created["id"].clone())
}

async fn change_price(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    // The log knows that the price is reduced, and the price before.
    let change = json!({ "price": 845_000 });
    editor.update("properties", key, change).await?;
    stack
        .wait_for_page(PAGE, "the new price", |_, html| {
            html.contains("845,000") && html.contains("895,0")
        })
        .await?;
    wait_for_total(stack, "q=AH-9001&reduced=true", 1).await?;
    wait_for_total(stack, "q=AH-9001&minPrice=850000", 0).await?;
    Ok(())
}

async fn change_translation(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    let path =
        format!("/items/properties/{key}?fields=translations.id,translations.languages_code");
    let item = editor.read(&path).await?;
    let spanish = item["translations"]
        .as_array()
        .and_then(|all| all.iter().find(|text| text["languages_code"] == "es-ES"))
        .context("it has a Spanish text")?;
    // Updated directly, so that the webhook names only the translation and not the house.
    let change = json!({ "title": "Una casa con luz de poniente" });
    editor.update("properties_translations", &spanish["id"], change).await?;
    stack
        .wait_for_page(SPANISH_PAGE, "the new title", |_, html| {
            html.contains("Una casa con luz de poniente")
        })
        .await?;
    Ok(())
}

/// Returns the address of the picture.
async fn add_picture(stack: &Stack, editor: &Editor, key: &Value) -> Result<String> {
    let picture = std::fs::read(stack::root().join("deploy/content/media/view-sunset-01.jpg"))?;
    let file = editor.upload("sunset.jpg", picture).await?;
    let change = json!({ "images": { "create": [{ "directus_files_id": file, "sort": 1 }],
                                     "update": [], "delete": [] } });
    editor.update("properties", key, change).await?;
    let source = format!("/media/{file}/");
    let html = stack.page_when(PAGE, "the picture", |_, html| html.contains(&source)).await?;
    let at = html.find(&source).context("the picture is on the page")?;
    let address: String =
        html[at..].chars().take_while(|letter| !matches!(letter, '"' | ' ' | ',')).collect();
    let response = stack.get_with_retry(&address).await?.error_for_status()?;
    let kind = response.headers()["content-type"].to_str()?.to_owned();
    ensure!(kind.starts_with("image/"), "{address} is {kind}");

    // Checked in the API, because similar homes on the page have placeholders already.
    let home = format!("/api/properties/{REFERENCE}");
    stack
        .wait_for_page(&home, "its placeholder", |_, home| {
            serde_json::from_str::<Value>(home)
                .is_ok_and(|home| home["images"][0]["placeholder"].is_string())
        })
        .await?;
    let shared = format!("/share/en/{REFERENCE}.jpg");
    let (_, html) = stack.page_with_retry(PAGE).await?;
    ensure!(html.contains(&shared), "the page does not name {shared}");
    let response = stack.get_with_retry(&shared).await?.error_for_status()?;
    ensure!(response.headers()["content-type"] == "image/jpeg", "{shared} is no JPEG");
    Ok(address)
}

/// The name of a place is shown on every house there.
async fn rename_location(stack: &Stack, editor: &Editor) -> Result<()> {
    let item = editor.read("/items/locations/4?fields=translations.*").await?;
    let english = item["translations"]
        .as_array()
        .and_then(|all| all.iter().find(|text| text["languages_code"] == "en-GB"))
        .context("Nerja has an English text")?
        .clone();
    let change = json!({ "name": "Nerja by the Sea" });
    editor.update("locations_translations", &english["id"], change).await?;
    stack
        .wait_for_page(PAGE, "the new name of the place", |_, html| {
            html.contains("Nerja by the Sea")
        })
        .await?;
    editor
        .update("locations_translations", &english["id"], json!({ "name": english["name"] }))
        .await?;
    stack
        .wait_for_page(PAGE, "the old name again", |status, html| {
            status == 200 && !html.contains("Nerja by the Sea")
        })
        .await?;
    Ok(())
}

async fn unpublish(stack: &Stack, editor: &Editor, key: &Value, picture: &str) -> Result<()> {
    let status = async || stack.get_with_retry(picture).await.map(|answer| answer.status());
    ensure!(status().await? == 200, "{picture} is not there");
    editor.update("properties", key, json!({ "status": "draft" })).await?;
    stack.wait_for_page(PAGE, "that it is gone", |status, _| matches!(status, 404 | 410)).await?;
    wait_for_total(stack, "q=AH-9001", 0).await?;
    told::wait_for_live_status(editor, key, "that it is off the site", |row| row["state"] == "off")
        .await?;
    // The same event purges its page and its pictures, one after the other.
    let started = Instant::now();
    while status().await? != 404 {
        ensure!(
            started.elapsed() < stack::seen_limit(),
            "{picture} is still served, although nothing shows it"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    editor.update("properties", key, json!({ "status": "published" })).await?;
    stack.wait_for_page(PAGE, "that it is back", |status, _| status == 200).await?;
    ensure!(status().await? == 200, "{picture} did not come back");
    Ok(())
}

async fn delete(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    editor.delete("properties", key).await?;
    stack.wait_for_page(PAGE, "that it is gone", |status, _| matches!(status, 404 | 410)).await?;
    stack
        .wait_for_page("/property-for-sale", "a list without it", |status, html| {
            status == 200 && !html.contains(PAGE)
        })
        .await?;
    Ok(())
}
