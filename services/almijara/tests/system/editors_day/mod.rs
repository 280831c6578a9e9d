//! An editor's day in the Studio of a real Directus, in Chromium. The editor writes a new home in both
//! languages, with pictures and an invalid value that is refused; previews it, and changes a text with a
//! click; publishes it, sees that it is live, and finds it on the site. No word of a draft is anywhere
//! but in the content service.
//!
//! Screenshots are saved in `target/tmp/editors-day`.

mod nowhere;

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    map_pin,
    stack::{
        self, Options, Stack,
        editor::{ADMINISTRATOR, Editor},
        journeys,
        spans::Spans,
        words::Words,
    },
};

const EDITOR: &str = "editor@example.com";
const GUIDE: &str = "buying/nie-number";
/// A word of drafts that are discarded or never published, and one that is published in the end. They
/// occur nowhere else.
const DRAFTED: &str = "Zanzibarian";
const PUBLISHED: &str = "Tamarindal";

#[tokio::test(flavor = "multi_thread")]
async fn an_editors_day() -> Result<()> {
    let (spans, endpoint) = Spans::listen()?;
    let options = Options::default()
        .with("CONTENT", "directus")
        .with("DIRECTUS_ADMIN_TOKEN", ADMINISTRATOR)
        .with("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint);
    let stack = Stack::start_with_sample(options).await?;
    stack.wait_until_idle().await?;
    let mut day = Day::of(&stack)?;

    day.step(&stack, "editor", "write").await?;
    let page = day.find_home(&stack).await?;
    let guide = format!("/docs/{GUIDE}");
    let public = ["/", "/property-for-sale", "/docs", &guide, &page];
    nowhere::ensure_words_are_nowhere(&stack, &spans, &[DRAFTED, PUBLISHED], &public).await?;
    day.step(&stack, "editor", "preview").await?;
    nowhere::ensure_words_are_nowhere(&stack, &spans, &[DRAFTED, PUBLISHED], &public).await?;
    let (status, _) = stack.page_with_retry(&page).await?;
    ensure!(status == 404, "a draft has a page: {status}");
    nowhere::ensure_not_in_sitemaps(&stack, &page).await?;

    // While the sample's status is still being written, the time until the home is live would not be
    // measured.
    stack.wait_until_live_status_is_written().await?;
    day.step(&stack, "editor", "publish").await?;
    let shows = |status: u16, html: &str| status == 200 && html.contains(PUBLISHED);
    stack.wait_for_page(&page, "what was published", shows).await?;
    day.step(&stack, "editor", "visit").await?;

    day.step(&stack, "preview", "differences").await?;
    day.draft_words(&stack).await?;
    day.step(&stack, "preview", "words").await?;
    nowhere::ensure_words_are_nowhere(&stack, &spans, &[DRAFTED], &public).await?;
    map_pin::is_set_in_the_studio(&stack, &administrator(&stack)?, EDITOR).await?;

    // The last lines, spans and events are written when the roles end.
    let printed = stack.printed();
    let data = stack.stop().await?;
    let drafted = Words::of([DRAFTED]);
    drafted.ensure_not_in_streams(data.path())?;
    drafted.ensure_not_in("the log", &printed.lock().expect("nobody panics with it").join("\n"))?;
    ensure!(spans.all().len() > 100, "only {} spans came", spans.all().len());
    drafted.ensure_not_in_spans(&spans)
}

/// The common environment of the day's steps.
struct Day {
    environment: BTreeMap<&'static str, String>,
}

impl Day {
    fn of(stack: &Stack) -> Result<Self> {
        let media = stack::root().join("deploy/content/media");
        let environment = BTreeMap::from([
            ("STUDIO_URL", format!("http://127.0.0.1:{}", stack.port_of("directus")?)),
            ("SCREENSHOTS", journeys::screenshots("editors-day")?),
            ("EDITOR_EMAIL", EDITOR.to_owned()),
            ("EDITOR_PASSWORD", stack.secret("directus editor password")?),
            ("EDITOR_PICTURES", media.display().to_string()),
            ("EDITOR_DRAFTED", DRAFTED.to_owned()),
            ("EDITOR_PUBLISHED", PUBLISHED.to_owned()),
        ]);
        Ok(Self { environment })
    }

    /// Runs one step in Chromium.
    async fn step(&self, stack: &Stack, journey: &str, step: &str) -> Result<()> {
        let mut environment = self.environment.clone();
        environment.insert("EDITOR_STEP", step.to_owned());
        journeys::run(stack, journeys::CHROMIUM, journey, &environment).await
    }

    /// Looks up the home that the editor wrote, and returns the path of its future page.
    async fn find_home(&mut self, stack: &Stack) -> Result<String> {
        let fields = "id,ref,status,location.slug,images.id";
        let path = format!("/items/properties?sort=-id&limit=1&fields={fields}");
        let newest = administrator(stack)?.read(&path).await?[0].take();
        ensure!(newest["status"] == "draft", "{newest}");
        let reference = newest["ref"].as_str().context("it was given a reference")?;
        let place = newest["location"]["slug"].as_str().context("it is somewhere")?;
        ensure!(newest["images"].as_array().is_some_and(|images| images.len() == 2), "{newest}");
        let page = format!("/property-for-sale/{place}/{reference}");
        self.environment.insert("EDITOR_ITEM", newest["id"].to_string());
        self.environment.insert("EDITOR_PAGE", page.clone());
        Ok(page)
    }

    /// Drafts texts of the home page, of a place, of the first guide, and of one of its subpages.
    async fn draft_words(&mut self, stack: &Stack) -> Result<()> {
        let account = json!({ "email": EDITOR, "password": self.environment["EDITOR_PASSWORD"] });
        let signed_in =
            administrator(stack)?.send(Method::POST, "/auth/login", Some(account)).await?;
        let token = signed_in["access_token"].as_str().context("the editor signs in")?;
        let editor = Editor::new(stack.port_of("directus")?, token)?;
        let first = json!({ "slug": { "_empty": true } });
        let items = [
            draft(&editor, "pages", json!({ "slug": "home" }), "intro").await?,
            draft(&editor, "locations", json!({ "slug": "nerja" }), "intro").await?,
            draft(&editor, "docs", first, "title").await?,
            draft(&editor, "docs", json!({ "slug": GUIDE }), "title").await?,
        ];
        self.environment.insert("EDITOR_ITEMS", items.join(","));
        Ok(())
    }
}

fn administrator(stack: &Stack) -> Result<Editor> {
    Editor::new(stack.port_of("directus")?, ADMINISTRATOR)
}

/// Saves a draft of the item that `filter` finds, with a changed `field` of its English text. Returns
/// its path in the Studio.
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
    let changed = json!({ "id": english, field: DRAFTED });
    let change = json!({ "translations": { "create": [], "update": [changed], "delete": [] } });
    editor.send(Method::POST, &format!("/versions/{version}/save"), Some(change)).await?;
    Ok(format!("{collection}/{key}"))
}
