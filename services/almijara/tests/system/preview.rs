//! An editor previews a draft on the site and publishes it; until then no draft's word is anywhere but in
//! the content service.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, ensure};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::{
    map_pin,
    stack::{
        Options, Stack,
        editor::{Editor, house},
        journeys,
    },
};

const TOKEN: &str = "an-administrator-for-tests";
const EDITOR: &str = "editor@example.com";
const PAGE: &str = "/property-for-sale/nerja/AH-9100";
const GUIDE: &str = "buying/nie-number";
/// What the editor writes. No other text has it.
const WORD: &str = "Zanzibarian";

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_previews_a_draft_and_publishes_it() -> Result<()> {
    let options =
        Options::default().with("CONTENT", "directus").with("DIRECTUS_ADMIN_TOKEN", TOKEN);
    let stack = Stack::start(options).await?;
    let port = stack.port_of("directus")?;
    let password = stack.secret("directus editor password")?;
    // The editor's own home: over another's, the Studio asks for a name that editors may not read.
    let account = json!({ "email": EDITOR, "password": password });
    let signed_in =
        Editor::new(port, TOKEN)?.send(Method::POST, "/auth/login", Some(account)).await?;
    let token = signed_in["access_token"].as_str().context("the editor signs in")?;
    let editor = Editor::new(port, token)?;
    let mut home = house("AH-9100", 895_000);
    home["property_type"] = json!("apartment");
    home["kind"] = json!("apartment");
    home["floor"] = json!("2");
    let item = editor.create("properties", home).await?["id"].clone();
    stack.wait_for_page(PAGE, "the home", |status, _| status == 200).await?;

    // The words of the first page, the first guide, and one of those under it.
    let home_page = draft(&editor, "pages", json!({ "slug": "home" }), "intro").await?;
    let first_guide =
        draft(&editor, "docs", json!({ "slug": { "_empty": true } }), "title").await?;
    let guide = draft(&editor, "docs", json!({ "slug": GUIDE }), "title").await?;
    let items = [home_page, first_guide, guide].join(",");

    journey(&stack, &item.to_string(), "draft").await?;
    journey(&stack, &items, "words").await?;
    for page in [PAGE, "/", "/docs", &format!("/docs/{GUIDE}")] {
        let (_, html) = stack.page(page).await?;
        ensure!(!html.contains(WORD), "a draft is on the public page {page}");
    }
    in_no_store(&stack).await?;

    journey(&stack, &item.to_string(), "publish").await?;
    stack.wait_for_page(PAGE, "what was published", |_, html| html.contains(WORD)).await?;
    map_pin::is_set_in_the_studio(&stack, &editor, EDITOR).await?;
    stack.stop().await?;
    Ok(())
}

/// Keeps a draft of the item that `filter` finds, with another `field` of its English text; gives where
/// the Studio has it.
async fn draft(editor: &Editor, collection: &str, filter: Value, field: &str) -> Result<String> {
    let fields = "id,translations.id,translations.languages_code";
    let found =
        editor.read(&format!("/items/{collection}?filter={filter}&fields={fields}")).await?;
    let item = &found[0];
    let key = item["id"].to_string();
    let texts = item["translations"].as_array().context("it has texts")?;
    let english = texts.iter().find(|text| text["languages_code"] == "en-GB");
    let english = &english.context("it has an English text")?["id"];
    let version = json!({ "key": "draft", "name": "draft", "collection": collection, "item": key });
    let version = editor.send(Method::POST, "/versions", Some(version)).await?;
    let version = version["id"].as_str().context("a draft")?;
    let changed = json!({ "id": english, field: WORD });
    let change = json!({ "translations": { "create": [], "update": [changed], "delete": [] } });
    editor.send(Method::POST, &format!("/versions/{version}/save"), Some(change)).await?;
    Ok(format!("{collection}/{key}"))
}

/// One step of the journey, in Chromium.
async fn journey(stack: &Stack, item: &str, step: &str) -> Result<()> {
    let environment = BTreeMap::from([
        ("STUDIO_URL", format!("http://127.0.0.1:{}", stack.port_of("directus")?)),
        ("EDITOR_EMAIL", EDITOR.to_owned()),
        ("EDITOR_PASSWORD", stack.secret("directus editor password")?),
        ("PREVIEW_STEP", step.to_owned()),
        ("PREVIEW_ITEM", item.to_owned()),
        ("PREVIEW_PAGE", PAGE.to_owned()),
        ("PREVIEW_WORD", WORD.to_owned()),
    ]);
    journeys::make(stack, journeys::CHROMIUM, "preview", &environment).await
}

/// That the word is in no table of ours, in no stream, index, cache or picture folder, and in no log line.
async fn in_no_store(stack: &Stack) -> Result<()> {
    let environment = stack.operators_environment()?;
    let mut tables = 0;
    for name in ["SYNC_DATABASE_URL", "PROJECTIONS_DATABASE_URL", "COMMAND_DATABASE_URL"] {
        let url = environment.get(name).with_context(|| format!("{name} is there"))?;
        let mut database = PgConnection::connect(url).await?;
        let readable: Vec<String> = sqlx::query_scalar(
            "select format('%I.%I', schemaname, tablename) from pg_tables
             where schemaname not in ('pg_catalog', 'information_schema')
                 and has_schema_privilege(schemaname, 'usage')
                 and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')",
        )
        .fetch_all(&mut database)
        .await?;
        for table in readable {
            let counted = format!("select count(*) from {table} as t where t::text like $1");
            let found: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(counted))
                .bind(format!("%{WORD}%"))
                .fetch_one(&mut database)
                .await?;
            ensure!(found == 0, "{table} has a draft's word");
            tables += 1;
        }
    }
    ensure!(tables > 20, "only {tables} tables were looked through");

    let mut files = 0;
    // All but the database's own files, whose tables were read, and the content service's.
    for folder in ["nats", "index", "media"] {
        look_through(&stack.data.path().join(folder), &mut files)?;
    }
    ensure!(files > 0, "no file was looked through");
    let found = stack.api(&format!("/api/properties?q={WORD}")).await?;
    ensure!(found["total"] == 0, "the index finds a draft's word");
    ensure!(stack.said(WORD) == 0, "a log line says a draft's word");
    Ok(())
}

fn look_through(folder: &Path, files: &mut usize) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            look_through(&path, files)?;
            continue;
        }
        // A file of the index or a picture may go meanwhile.
        let Ok(bytes) = fs::read(&path) else { continue };
        let has_it = bytes.windows(WORD.len()).any(|those| those == WORD.as_bytes());
        ensure!(!has_it, "{} has a draft's word", path.display());
        *files += 1;
    }
    Ok(())
}
