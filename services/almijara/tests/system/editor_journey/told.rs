//! Tests of the live status of an item, which editors see beside it in Directus.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{
    PAGE, REFERENCE, SPANISH_PAGE,
    stack::{self, Stack, editor::Editor},
};

/// Waits until the live status of the property `key` satisfies `condition`, and returns it.
pub async fn wait_for_live_status(
    editor: &Editor,
    key: &Value,
    what: &str,
    condition: impl Fn(&Value) -> bool,
) -> Result<Value> {
    let path = format!(
        "/items/live_status?filter[item_collection][_eq]=properties&filter[item_key][_eq]={key}"
    );
    let started = Instant::now();
    loop {
        let rows = editor.read(&path).await?;
        let rows = rows.as_array().context("a list")?;
        ensure!(rows.len() <= 1, "there are several: {rows:?}");
        if let Some(row) = rows.first().filter(|row| condition(row)) {
            return Ok(row.clone());
        }
        if started.elapsed() > stack::seen_limit() {
            bail!("the editor is not told {what}: {rows:?}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The status says that the item is live, since when and at which addresses.
pub async fn an_item_is_live(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    let row =
        wait_for_live_status(editor, key, "that it is live", |row| row["state"] == "live").await?;
    ensure!(row["item_name"] == REFERENCE, "{row}");
    ensure!(row["live_since"].is_string() && row["reasons"] == json!([]), "{row}");
    let addresses: Vec<_> = [PAGE, SPANISH_PAGE].map(|page| stack.public_url() + page).into();
    ensure!(row["addresses"] == json!(addresses), "{row}");
    Ok(())
}

/// The status says how long the publish took. On a busy machine that may not be measured, so this tries
/// several times. It is never measured while the status of the sample content is still being written.
pub async fn the_time_is_measured(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    stack.wait_until_live_status_is_written().await?;
    for price in 895_001..895_050 {
        let before =
            wait_for_live_status(editor, key, "anything", |_| true).await?["noted_at"].take();
        editor.update("properties", key, json!({ "price": price })).await?;
        let row = wait_for_live_status(editor, key, "that it is live again", |row| {
            row["state"] == "live" && row["noted_at"] != before
        })
        .await?;
        if let Some(taken) = row["milliseconds"].as_i64() {
            ensure!((0..30_000).contains(&taken), "{row}");
            return Ok(());
        }
    }
    bail!("it was never measured")
}

/// The status says why an item that Directus accepts is invalid: it does not look into a list of rooms.
pub async fn an_invalid_item_is_reported(
    stack: &Stack,
    editor: &Editor,
    key: &Value,
) -> Result<()> {
    // The picture's placeholder leads to another version.
    stack.wait_until_idle().await?;
    stack.wait_until_live_status_is_written().await?;
    let before =
        wait_for_live_status(editor, key, "that it is live", |row| row["state"] == "live").await?;
    let rooms = json!([{ "kind": "hall", "m2": -4 }]);
    editor.update("properties", key, json!({ "rooms": rooms })).await?;
    let row = wait_for_live_status(editor, key, "what is wrong", |row| row["state"] == "not_live")
        .await?;
    let reason = &row["reasons"][0];
    ensure!(reason["field"] == "rooms[1].m2", "{row}");
    let words = |language| reason["rule"][language].as_str().unwrap_or_default().to_owned();
    ensure!(words("en").starts_with("must be"), "{row}");
    ensure!(words("es").starts_with("debe ser"), "{row}");
    let (status, html) = stack.page(PAGE).await?;
    ensure!(status == 200 && html.contains("A bright house"), "the last good version is gone");
    editor.update("properties", key, json!({ "rooms": null })).await?;
    let row = wait_for_live_status(editor, key, "that it is live again", |row| {
        row["state"] == "live" && row["reasons"] == json!([])
    })
    .await?;
    // It is the same version as before: nothing was published that could be measured again.
    for field in ["live_since", "milliseconds"] {
        ensure!(row[field] == before[field], "{row} after {before}");
    }
    Ok(())
}
