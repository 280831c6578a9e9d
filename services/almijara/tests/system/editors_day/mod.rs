//! An editor's day in the Studio of a real Directus, in Chromium, from nothing: a home is written in both
//! languages, with pictures and a slip that is refused; it is previewed, and a text of it changed by a
//! click; it is published, told to be live, and found on the site. No word of a draft is anywhere but in
//! the content service.
//!
//! Its screenshots are left in `target/tmp/editors-day`.

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
/// What the editor writes and takes back, or never publishes; and what is published in the end. No other
/// text has them.
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
    stack.wait_at_rest().await?;
    let mut day = Day::of(&stack)?;

    day.step(&stack, "editor", "write").await?;
    let page = day.look_up_the_home(&stack).await?;
    let guide = format!("/docs/{GUIDE}");
    let public = ["/", "/property-for-sale", "/docs", &guide, &page];
    nowhere::look(&stack, &spans, &[DRAFTED, PUBLISHED], &public).await?;
    day.step(&stack, "editor", "preview").await?;
    nowhere::look(&stack, &spans, &[DRAFTED, PUBLISHED], &public).await?;
    let (status, _) = stack.page_had(&page).await?;
    ensure!(status == 404, "a draft has a page: {status}");
    nowhere::on_no_sitemap(&stack, &page).await?;

    // What is published behind all the sample would be seen too late to say after how many milliseconds.
    stack.wait_until_editors_are_told().await?;
    day.step(&stack, "editor", "publish").await?;
    let shows = |status: u16, html: &str| status == 200 && html.contains(PUBLISHED);
    stack.wait_for_page(&page, "what was published", shows).await?;
    day.step(&stack, "editor", "visit").await?;

    day.step(&stack, "preview", "differences").await?;
    day.draft_words(&stack).await?;
    day.step(&stack, "preview", "words").await?;
    nowhere::look(&stack, &spans, &[DRAFTED], &public).await?;
    map_pin::is_set_in_the_studio(&stack, &administrator(&stack)?, EDITOR).await?;

    // The last lines, spans and events are written when the roles end.
    let printed = stack.printed();
    let data = stack.stop().await?;
    let drafted = Words::of([DRAFTED]);
    drafted.in_no_event(data.path())?;
    drafted.not_in("the log", &printed.lock().expect("nobody panics with it").join("\n"))?;
    ensure!(spans.all().len() > 100, "only {} spans came", spans.all().len());
    drafted.in_no_span(&spans)
}

/// What the steps of the day have in common.
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

    /// One step of it, in Chromium.
    async fn step(&self, stack: &Stack, journey: &str, step: &str) -> Result<()> {
        let mut environment = self.environment.clone();
        environment.insert("EDITOR_STEP", step.to_owned());
        journeys::make(stack, journeys::CHROMIUM, journey, &environment).await
    }

    /// Looks up what became of the home that was written; gives where its page will be.
    async fn look_up_the_home(&mut self, stack: &Stack) -> Result<String> {
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

    /// Drafts words of the first page, of a place, of the first guide, and of one of those under it.
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
    let changed = json!({ "id": english, field: DRAFTED });
    let change = json!({ "translations": { "create": [], "update": [changed], "delete": [] } });
    editor.send(Method::POST, &format!("/versions/{version}/save"), Some(change)).await?;
    Ok(format!("{collection}/{key}"))
}
