//! An agency with an empty Directus, and what its homes should be after an import.
#![expect(clippy::expect_used, reason = "the sample content is ours")]

use std::{process::Stdio, time::Duration};

use anyhow::{Context, Result, ensure};
use contracts::content::PropertyKind;
use directus_setup::{Directus, EXTENSIONS, Options};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

use crate::stack::scaled;

const READY_LIMIT: Duration = Duration::from_mins(4);
/// A pause that is longer than Directus takes to create one home.
const IDLE_PAUSE: Duration = Duration::from_secs(1);
const FIELDS: &str = "*,translations.languages_code,translations.title,translations.description,\
                      images.sort,images.directus_files_id,location.slug,location.translations.name";

pub struct Agency {
    server: testkit::Directus,
    folder: TempDir,
    client: reqwest::Client,
}

impl Agency {
    /// Starts a Directus that is set up and has no content.
    pub async fn start() -> Result<Self> {
        let folder = TempDir::with_prefix("almijara-import-")?;
        let extensions = folder.path().join("extensions");
        for extension in &EXTENSIONS {
            extension.write(&extensions)?;
        }
        let server = testkit::Directus::start("http://127.0.0.1:9/", "none", &extensions).await;
        let token = testkit::Directus::ADMIN_TOKEN.into();
        let directus = Directus::new(server.url.parse()?, token)?;
        directus.wait_until_ready(scaled(READY_LIMIT)).await?;
        let options = Options::default();
        let plan = directus_setup::plan(&directus, &options).await?;
        directus_setup::apply(&directus, &plan).await?;
        let again = directus_setup::plan(&directus, &options).await?;
        ensure!(again.is_empty(), "a second set-up has to do {:#?}", again.changes);
        // No idle connections: an import runs between two calls, and Directus closes connections that
        // idle for long.
        let client = reqwest::Client::builder().pool_max_idle_per_host(0).build()?;
        Ok(Self { server, folder, client })
    }

    pub fn url(&self) -> &str {
        &self.server.url
    }

    fn almijara(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_almijara"));
        command
            .arg("import")
            .args(arguments)
            .env("DIRECTUS_URL", &self.server.url)
            .env("DIRECTUS_ADMIN_TOKEN", testkit::Directus::ADMIN_TOKEN)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Returns the command that imports `feed`, which may name pictures on this machine.
    pub fn command(&self, feed: &str, arguments: &[&str]) -> Result<Command> {
        let all = [arguments, &["--allow-private-addresses"]].concat();
        self.public_command(feed, &all)
    }

    /// Returns the command that imports `feed`, with pictures from public addresses only.
    fn public_command(&self, feed: &str, arguments: &[&str]) -> Result<Command> {
        let file = self.folder.path().join("agency.xml");
        std::fs::write(&file, feed)?;
        let file = file.to_str().context("a path")?;
        Ok(self.almijara(&[&["kyero", file], arguments].concat()))
    }

    /// Imports `feed`. Returns whether it succeeded, and its output.
    pub async fn import(&self, feed: &str, arguments: &[&str]) -> Result<(bool, String)> {
        run(self.command(feed, arguments)?).await
    }

    /// Does the same, with pictures from public addresses only.
    pub async fn import_publicly(&self, feed: &str, arguments: &[&str]) -> Result<(bool, String)> {
        run(self.public_command(feed, arguments)?).await
    }

    /// Imports the feed at an address.
    pub async fn import_from(&self, address: &str, arguments: &[&str]) -> Result<(bool, String)> {
        run(self.almijara(&[&["kyero", address], arguments].concat())).await
    }

    /// Imports a table.
    pub async fn table(
        &self,
        table: &str,
        mapping: &str,
        arguments: &[&str],
    ) -> Result<(bool, String)> {
        let file = self.folder.path().join("homes.csv");
        std::fs::write(&file, table)?;
        let file = file.to_str().context("a path")?;
        run(self.almijara(&[&["csv", file, "--mapping", mapping], arguments].concat())).await
    }

    pub async fn read(&self, path: &str) -> Result<Value> {
        let url = format!("{}{}", self.server.url, path.trim_start_matches('/'));
        let response =
            self.client.get(url).bearer_auth(testkit::Directus::ADMIN_TOKEN).send().await?;
        let mut answer: Value = response.error_for_status()?.json().await?;
        Ok(answer["data"].take())
    }

    /// Returns all homes, in the order in which they were created.
    pub async fn homes(&self) -> Result<Vec<Value>> {
        let homes =
            self.read(&format!("/items/properties?limit=-1&sort=id&fields={FIELDS}")).await?;
        Ok(homes.as_array().cloned().unwrap_or_default())
    }

    /// Waits until the number of homes no longer changes, and returns it: Directus completes a request
    /// even if its client is gone.
    pub async fn count_homes_when_idle(&self) -> Result<usize> {
        let mut before = self.homes().await?.len();
        loop {
            tokio::time::sleep(IDLE_PAUSE).await;
            let now = self.homes().await?.len();
            if now == before {
                return Ok(now);
            }
            before = now;
        }
    }

    /// Saves `change` of a home, as an editor does.
    pub async fn update(&self, home: &Value, change: Value) -> Result<()> {
        let url = format!("{}items/properties/{}", self.server.url, home["id"]);
        let request =
            self.client.patch(url).bearer_auth(testkit::Directus::ADMIN_TOKEN).json(&change);
        request.send().await?.error_for_status()?;
        Ok(())
    }
}

async fn run(mut command: Command) -> Result<(bool, String)> {
    let output = command.output().await?;
    let text = [output.stdout, output.stderr].concat();
    Ok((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// Returns the feed with the pictures of its first `homes` homes only, and with all floor plans.
pub fn without_pictures_after(feed: &str, homes: usize) -> String {
    let parts = feed.split("<images>").enumerate().map(|(at, part)| {
        let Some((pictures, rest)) = part.split_once("</images>") else { return part.to_owned() };
        if at <= homes {
            return format!("<images>{pictures}</images>{rest}");
        }
        let images = pictures.split_inclusive("</image>");
        let plans: String = images.filter(|image| image.contains("<floorplan/>")).collect();
        format!("<images>{plans}</images>{rest}")
    });
    parts.collect()
}

/// Returns the feed without pictures and floor plans.
pub fn without_images(feed: &str) -> String {
    let parts = feed.split("<images>");
    parts.map(|part| part.split_once("</images>").map_or(part, |(_, rest)| rest)).collect()
}

/// Returns the expected and the actual values of a home of the sample content, in comparable form.
pub fn expected_and_actual(original: &Value, found: &Value, places: &[Value]) -> (Value, Value) {
    let kind: PropertyKind =
        original["kind"].as_str().and_then(|kind| kind.parse().ok()).expect("a kind");
    // The feed's format has one word for several kinds.
    let kind = match kind {
        PropertyKind::VillageHouse => PropertyKind::Townhouse,
        PropertyKind::GroundFloor => PropertyKind::Apartment,
        PropertyKind::Bar | PropertyKind::Office => PropertyKind::Premises,
        kind => kind,
    };
    // The format has 0 for unknown numbers.
    let zero = |field: &str| match original[field].as_i64() {
        Some(0) => Value::Null,
        _ => original[field].clone(),
    };
    let bedrooms = match (kind, original["bedrooms"].as_i64()) {
        (PropertyKind::Studio, beds) => json!(beds.unwrap_or(0)),
        _ => zero("bedrooms"),
    };
    // The format has X for exempt homes. An editor has to give the reason before they are published.
    let energy = match original["energy_rating"].as_str() {
        Some("exempt") => Some("in_process"),
        rating => rating,
    };
    let status = if energy == Some("in_process") { "draft" } else { "published" };
    let place = places.iter().find(|place| place["id"] == original["location"]);
    let texts = |home: &Value| -> Vec<Value> {
        let mut texts: Vec<Value> = home["translations"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|text| json!([text["languages_code"], text["title"], words(&text["description"])]))
            .collect();
        texts.sort_by_key(ToString::to_string);
        texts
    };
    // The site publishes only approximate coordinates.
    let near = |home: &Value, field: &str| {
        let degrees = home[field].as_str().and_then(|text| text.parse::<f64>().ok());
        degrees.map(|degrees| (degrees * 400.0).round())
    };
    let summary =
        |home: &Value, kind: Value, bedrooms: Value, baths: Value, energy: Value, place: &Value| {
            json!({
                "kind": kind, "price": home["price"], "new_build": home["new_build"],
                "bedrooms": bedrooms, "bathrooms": baths, "energy": energy,
                "built_m2": home["built_m2"], "plot_m2": home["plot_m2"],
                "has_pool": home["has_pool"], "has_garden": home["has_garden"],
                "views": sorted(&home["views"]), "features": sorted(&home["features"]),
                "lat": near(home, "lat"), "lng": near(home, "lng"),
                "video": home["video_url"], "tour": home["tour_url"],
                "has_floor_plan": !home["floor_plan"].is_null(),
                "place": place["translations"][0]["name"], "texts": texts(home),
                "status": status,
            })
        };
    let expected = summary(
        original,
        json!(kind.name()),
        bedrooms,
        zero("bathrooms"),
        json!(energy),
        place.unwrap_or(&Value::Null),
    );
    let mut actual = summary(
        found,
        found["kind"].clone(),
        found["bedrooms"].clone(),
        found["bathrooms"].clone(),
        found["energy_rating"].clone(),
        &found["location"],
    );
    actual["status"] = found["status"].clone();
    (expected, actual)
}

fn sorted(list: &Value) -> Vec<String> {
    let mut entries: Vec<String> =
        list.as_array().into_iter().flatten().map(ToString::to_string).collect();
    entries.sort();
    entries
}

/// Returns the words of HTML without its markup, which a feed does not have.
fn words(html: &Value) -> String {
    let html = html.as_str().unwrap_or_default().replace("</", " </");
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text = parts.collect::<String>().replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"").replace("&nbsp;", " ").replace("&amp;", "&");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
