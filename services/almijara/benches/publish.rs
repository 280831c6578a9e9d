//! From an editor's answer to the new page in the HTML, with a real Directus.
//!
//! Each publish changes a price and then asks for the page until it shows it. Beside it, in the
//! same run, stands what a site without a cache must wait for: reading the same house, nested,
//! from Directus. `PUBLISHES=200 cargo bench --bench publish`.

#[path = "../tests/system/stack/mod.rs"]
mod stack;

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;
use stack::{
    Options, Stack,
    editor::{Editor, house},
};

const TOKEN: &str = "an-administrator-for-the-bench";
const PAGE: &str = "/property-for-sale/nerja/AH-9700";

#[tokio::main]
async fn main() -> Result<()> {
    let publishes = std::env::var("PUBLISHES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let options =
        Options::default().with("CONTENT", "directus").with("DIRECTUS_ADMIN_TOKEN", TOKEN);
    let stack = Stack::start(options).await?;
    let editor = Editor::new(stack.port_of("directus")?, TOKEN)?;
    let created = editor.create("properties", house("AH-9700", 200_000)).await?;
    stack.wait_for_page(PAGE, "the house", |status, _| status == 200).await?;

    let (mut seen, mut saved, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for number in 1..=publishes {
        let price = 200_000 + number;
        let began = Instant::now();
        editor.update("properties", &created["id"], json!({ "price": price })).await?;
        saved.push(began.elapsed());
        let shown = format!("{},{:03}", price / 1000, price % 1000);
        seen.push(stack.wait_for_page(PAGE, &shown, |_, html| html.contains(&shown)).await?);
        let began = Instant::now();
        let path = format!(
            "/items/properties/{}?fields=*,translations.*,images.directus_files_id.*,location.*",
            created["id"]
        );
        editor.read(&path).await?;
        read.push(began.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("| {publishes} publishes | median | p95 | p99 | max |\n|---|---|---|---|---|");
    row("editor's answer → new page in the HTML", &mut seen);
    row("Directus: one nested read of the house", &mut read);
    row("Directus: the editor's save", &mut saved);
    stack.stop().await?;
    Ok(())
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |permille: usize| {
        let index = (times.len() - 1) * permille / 1000;
        format!("{:.1} ms", times[index].as_secs_f64() * 1000.0)
    };
    println!("| {name} | {} | {} | {} | {} |", at(500), at(950), at(990), at(1000));
}
