//! What the editor is told of an item, in Directus, beside it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::{
    PAGE, REFERENCE, SPANISH_PAGE,
    stack::{self, Stack, editor::Editor},
};

/// Waits until the editor is told of the property `key` what `condition` holds of, and gives it.
pub async fn told(
    editor: &Editor,
    key: &Value,
    what: &str,
    condition: impl Fn(&Value) -> bool,
) -> Result<Value> {
    let path = format!(
        "/items/live_status?filter[item_collection][_eq]=properties&filter[item_key][_eq]={key}"
    );
    let began = Instant::now();
    loop {
        let rows = editor.read(&path).await?;
        let rows = rows.as_array().context("a list")?;
        ensure!(rows.len() <= 1, "there are several: {rows:?}");
        if let Some(row) = rows.first().filter(|row| condition(row)) {
            return Ok(row.clone());
        }
        if began.elapsed() > stack::seen_limit() {
            bail!("the editor is not told {what}: {rows:?}");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// That it is live, since when, in how many milliseconds and where.
pub async fn it_is_live(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    let row = told(editor, key, "that it is live", |row| row["state"] == "live").await?;
    ensure!(row["item_name"] == REFERENCE, "{row}");
    ensure!(row["live_since"].is_string() && row["reasons"] == json!([]), "{row}");
    let addresses: Vec<_> = [PAGE, SPANISH_PAGE].map(|page| stack.public_url() + page).into();
    ensure!(row["addresses"] == json!(addresses), "{row}");
    Ok(())
}

/// How long it took, soon: where the machine is busy, it may be too late to see. Of what is published while
/// editors are still told of all the sample, it always is.
pub async fn how_long_it_took(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    stack.wait_until_editors_are_told().await?;
    for price in 895_001..895_050 {
        let before = told(editor, key, "anything", |_| true).await?["noted_at"].take();
        editor.update("properties", key, json!({ "price": price })).await?;
        let row = told(editor, key, "that it is live again", |row| {
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

/// A slip that Directus takes: texts are deleted, and then there again.
pub async fn a_slip(stack: &Stack, editor: &Editor, key: &Value) -> Result<()> {
    let path = format!("/items/properties/{key}?fields=translations.*");
    let texts = editor.read(&path).await?["translations"].take();
    let texts = texts.as_array().context("it has texts")?;
    // The picture's placeholder is a version of its own.
    stack.wait_at_rest().await?;
    stack.wait_until_editors_are_told().await?;
    let before = told(editor, key, "that it is live", |row| row["state"] == "live").await?;
    let ids: Vec<&Value> = texts.iter().map(|text| &text["id"]).collect();
    let none = json!({ "translations": { "create": [], "update": [], "delete": ids } });
    editor.update("properties", key, none).await?;
    let row = told(editor, key, "what is wrong", |row| row["state"] == "not_live").await?;
    let reason = &row["reasons"][0];
    ensure!(reason["field"] == "translations.title", "{row}");
    let words = |language| reason["rule"][language].as_str().unwrap_or_default().to_owned();
    ensure!(words("en").starts_with("must be"), "{row}");
    ensure!(words("es").starts_with("debe ser"), "{row}");
    let (status, html) = stack.page(PAGE).await?;
    ensure!(status == 200 && html.contains("A bright house"), "the last good version is gone");
    let again: Vec<Value> = texts
        .iter()
        .map(|text| {
            let fields = ["languages_code", "title", "summary", "description"];
            fields.map(|field| (field.to_owned(), text[field].clone())).into_iter().collect()
        })
        .collect();
    editor.update("properties", key, json!({ "translations": again })).await?;
    let row = told(editor, key, "that it is live again", |row| {
        row["state"] == "live" && row["reasons"] == json!([])
    })
    .await?;
    // The same version as before the slip: nothing was published that could be measured anew.
    for field in ["live_since", "milliseconds"] {
        ensure!(row[field] == before[field], "{row} after {before}");
    }
    Ok(())
}
