//! Tests of the content pack with its folder.
#![expect(clippy::expect_used, reason = "a test fails loudly")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Write,
    path::Path,
    process::Command,
};

use content_pack::{Config, Error};
use local_servers::free_port;
use reqwest::Url;
use runtime::Process;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::eventually;

const TOKEN: &str = "a-token";

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn config(folder: &Path) -> Config {
    Config {
        host: [127, 0, 0, 1].into(),
        port: free_port().expect("a free port"),
        content_dir: folder.to_owned(),
        content_token: TOKEN.into(),
        webhook_url: None,
        webhook_secret: String::new().into(),
    }
}

async fn start(folder: &Path) -> (Process, Url) {
    runtime::install_crypto_provider();
    let config = config(folder);
    let url = format!("http://127.0.0.1:{}/", config.port).parse().expect("an address");
    let process = Process::new();
    content_pack::run(config, &process).await.expect("the pack starts");
    (process, url)
}

async fn read(url: &Url, path: &str) -> Option<Value> {
    let url = url.join(path).expect("a path");
    let response = reqwest::Client::new().get(url).bearer_auth(TOKEN).send().await.ok()?;
    response.json::<Value>().await.ok().map(|mut answer| answer["data"].take())
}

async fn wait_for(what: &str, url: &Url, path: &str, expected: &Value) {
    eventually(what, async || read(url, path).await.filter(|data| data == expected)).await;
}

fn place(name: &str) -> String {
    json!([{ "id": 1, "status": "published", "slug": name, "translations": [] }]).to_string()
}

#[tokio::test]
async fn a_broken_file_removes_nothing() {
    let folder = folder_with(&[("locations.json", &place("nerja"))]);
    let (process, url) = start(folder.path()).await;
    let (slugs, file) = ("items/locations?fields=slug", folder.path().join("locations.json"));
    let nerja = json!([{ "slug": "nerja" }]);
    wait_for("it is served", &url, slugs, &nerja).await;

    // The other file is saved after the broken one, so once it is served, the broken one has been read
    // too.
    let broken = [
        Some("[{ \"id\": 1, "),
        Some("{}"),
        Some(r#"[{ "slug": "no-key" }]"#),
        Some(r#"[{ "id": [1], "slug": "no-key" }]"#),
        Some(r#"[{ "id": 1 }, { "id": 1 }]"#),
        Some(r#"[{ "id": 1, "slug": "nerja" }, { "id": 2, "slug": "nerja" }]"#),
        None,
    ];
    for (number, text) in broken.into_iter().enumerate() {
        match text {
            Some(text) => fs::write(&file, text).expect("the file is written"),
            None => fs::remove_file(&file).expect("the file is deleted"),
        }
        let other = json!([{ "id": number, "from_path": "/old", "to_path": "/new" }]);
        fs::write(folder.path().join("redirects.json"), other.to_string()).expect("the file");
        let ids = json!([{ "id": number }]);
        wait_for("the other file is served", &url, "items/redirects?fields=id", &ids).await;
        assert_eq!(read(&url, slugs).await, Some(nerja.clone()), "{text:?}");
        let refused = process.health().details().remove("refused files").unwrap_or_default();
        let reason = refused[0].as_str().unwrap_or_default();
        assert!(reason.contains("locations.json"), "{text:?}: {refused}");
    }

    fs::write(&file, place("maro")).expect("the file is written");
    wait_for("the repaired file is served", &url, slugs, &json!([{ "slug": "maro" }])).await;
    assert!(process.health().details().is_empty(), "{:?}", process.health().details());
    process.finish().await.expect("it ends well");
}

#[tokio::test]
async fn a_value_of_another_type_is_reported_alone_and_holds_up_no_other_item() {
    let invalid = [
        ("lat", json!("north")),
        ("lng", json!([-3.87])),
        ("sort", json!("first")),
        ("slug", json!(7)),
        ("status", json!(true)),
    ];
    let text = json!([{ "id": 1, "languages_code": "en-GB", "name": "Nerja" }]);
    let fair = json!({ "id": 99, "status": "published", "slug": "nerja", "translations": text });
    let mut places = vec![fair];
    for (number, (field, value)) in invalid.iter().enumerate() {
        let text = json!([{ "id": number + 10, "languages_code": "en-GB", "name": "Maro" }]);
        let mut place = json!({ "id": number, "status": "published", "slug": format!("maro-{number}"),
                                "translations": text });
        place[field] = value.clone();
        places.push(place);
    }
    let folder = folder_with(&[("locations.json", &json!(places).to_string())]);
    let (process, url) = start(folder.path()).await;
    wait_for("it is served", &url, "files?limit=0", &json!([])).await;
    let client = content_client::Client::new(url, TOKEN.into()).expect("a client");
    let page = client.read_all(contracts::Collection::Locations, None, 1_000).await;
    let mut readings: BTreeMap<String, content_client::Reading> =
        page.expect("a page").readings.into_iter().map(|(id, reading)| (id.key, reading)).collect();
    let fair = readings.remove("99").expect("the valid item");
    assert!(fair.snapshot().is_some(), "{fair:?}");
    for (number, (field, value)) in invalid.iter().enumerate() {
        let reading = readings.remove(&number.to_string()).expect("the item");
        let content_client::Reading::Invalid { violations, .. } = &reading else {
            panic!("{field}: {reading:?}");
        };
        let found: Vec<_> = violations.iter().map(|it| (&*it.field, &*it.value)).collect();
        assert_eq!(found, [(*field, &*value.to_string())]);
    }
    process.finish().await.expect("it ends well");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_save_during_the_first_read_is_served_too() {
    let folder = folder_with(&[("locations.json", &place("nerja"))]);
    let (places, last) = (folder.path().join("locations.json"), folder.path().join("team.json"));
    // Reading a pipe blocks until something is written to it. By then the places, which are read before
    // the team, have been read.
    let made = Command::new("mkfifo").arg(&last).status().expect("coreutils");
    assert!(made.success());
    let starting = tokio::spawn({
        let folder = folder.path().to_owned();
        async move { start(&folder).await }
    });
    let pipe = last.clone();
    let opening = tokio::task::spawn_blocking(move || File::options().write(true).open(pipe));
    let mut pipe = opening.await.expect("no panic").expect("the pipe opens");
    fs::write(&places, place("maro")).expect("the file is written");
    let next = folder.path().join("next");
    fs::write(&next, "[]").and_then(|()| fs::rename(&next, &last)).expect("a file in its place");
    pipe.write_all(b"[]").expect("it is read");
    drop(pipe);

    let (process, url) = starting.await.expect("it starts");
    let maro = json!([{ "slug": "maro" }]);
    wait_for("the save during the read is served", &url, "items/locations?fields=slug", &maro)
        .await;
    process.finish().await.expect("it ends well");
}

#[tokio::test]
async fn the_start_fails_on_a_broken_file_and_names_its_line() {
    runtime::install_crypto_provider();
    let folder = folder_with(&[("team.json", "[\n  { \"id\": 1,, }\n]")]);
    let process = Process::new();
    let error = content_pack::run(config(folder.path()), &process).await;
    let Err(error @ Error::Load(_)) = error else { panic!("{error:?}") };
    let text = runtime::error_text(&error);
    assert!(text.contains("team.json") && text.contains("line 2"), "{text}");
}

#[tokio::test]
async fn a_picture_outside_the_folder_is_not_served() {
    let file = |id: u8, name: &str| json!({ "id": format!("a0000000-0000-4000-8000-00000000000{id}"), "filename_disk": name });
    let files = json!([file(1, "../secret.txt"), file(2, "/etc/hostname"), file(3, ".hidden")]);
    let folder =
        folder_with(&[("directus_files.json", &files.to_string()), ("secret.txt", "a secret")]);
    fs::create_dir(folder.path().join("media")).expect("a folder");
    fs::write(folder.path().join("media/.hidden"), "hidden").expect("a file");
    let (process, url) = start(folder.path()).await;
    wait_for("it is served", &url, "files?limit=0", &json!([])).await;
    for id in 1..=3 {
        let path = format!("assets/a0000000-0000-4000-8000-00000000000{id}");
        let url = url.join(&path).expect("a path");
        let answer = reqwest::Client::new().get(url).bearer_auth(TOKEN).send().await;
        assert_eq!(answer.expect("an answer").status(), 403, "{id}");
    }
    process.finish().await.expect("it ends well");
}

#[tokio::test]
async fn the_sample_content_is_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/content");
    let (process, url) = start(&folder).await;
    let client = content_client::Client::new(url.clone(), TOKEN.into()).expect("a client");
    wait_for("it is served", &url, "files?limit=0", &json!([])).await;
    for collection in contracts::Collection::ALL {
        let page = client.read_all(collection, None, 1_000).await.expect("a page");
        for (id, reading) in page.readings {
            let is_valid = !matches!(reading, content_client::Reading::Invalid { .. });
            assert!(is_valid, "{id}: {reading:?}");
        }
    }
    process.finish().await.expect("it ends well");
}

/// Returns a collection of the sample content.
fn sample(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/content");
    let text = fs::read(folder.join(name)).expect("a file");
    serde_json::from_slice(&text).expect("JSON")
}

fn list(items: &Value) -> Vec<Value> {
    items.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the images of a home, in their order.
fn images(home: &Value) -> Vec<String> {
    let mut images = list(&home["images"]);
    images.sort_by_key(|image| image["sort"].as_u64());
    images.iter().map(|image| text(&image["directus_files_id"])).collect()
}

/// Visitors notice quickly if many homes share a few images.
#[test]
fn the_sample_images_exist_with_descriptions_and_are_rarely_repeated() {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut used: BTreeMap<String, usize> = BTreeMap::new();
    let homes = list(&sample("properties.json"));
    for home in &homes {
        for (position, file) in images(home).into_iter().enumerate() {
            if position == 0 {
                *first.entry(file.clone()).or_default() += 1;
            }
            *used.entry(file).or_default() += 1;
        }
        if !home["floor_plan"].is_null() {
            *used.entry(text(&home["floor_plan"])).or_default() += 1;
        }
    }
    let others = ["articles.json", "locations.json", "pages.json"].map(|name| list(&sample(name)));
    let others = others.iter().flatten().map(|item| item["image"].clone());
    for file in others.chain([sample("site_settings.json")["hero"].clone()]) {
        *used.entry(text(&file)).or_default() += 1;
    }

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/content/media");
    let mut bytes = 0;
    for file in list(&sample("directus_files.json")) {
        let name = text(&file["filename_disk"]);
        let path = folder.join(&name);
        let size = imagesize::size(&path).expect("a picture");
        assert!(size.width >= 1_600, "{name} is too small to be sharp when zoomed: {size:?}");
        assert_eq!((&file["width"], &file["height"]), (&json!(size.width), &json!(size.height)));
        let length = fs::metadata(&path).expect("its length").len();
        assert_eq!(file["filesize"], length, "{name}");
        bytes += length;
        for language in ["description", "description_es"] {
            assert!(!text(&file[language]).is_empty(), "{name} has no {language}");
        }
        let file = text(&file["id"]);
        let [first, used] = [&first, &used].map(|count| count.get(&file).copied().unwrap_or(0));
        assert!(first <= 2, "{name} is the first image of {first} homes");
        assert!((1..=6).contains(&used), "{name} is used {used} times");
    }
    assert!(bytes < 45_000_000, "all images are {bytes} bytes");
    for home in homes.iter().filter(|home| home["featured"] == true) {
        let opening = images(home).first().and_then(|file| first.get(file).copied());
        assert_eq!(opening, Some(1), "{} has the same first image as another home", home["ref"]);
    }
}

/// An image with a view of the sea would advertise what the home does not have.
#[test]
fn no_sample_home_has_an_image_of_a_sea_or_a_pool_that_it_lacks() {
    let files = list(&sample("directus_files.json"));
    let descriptions: BTreeMap<String, String> = files
        .iter()
        .map(|file| {
            let words = [&file["description"], &file["description_es"]].map(text).join(" ");
            (text(&file["id"]), words.to_lowercase())
        })
        .collect();
    let mentions = |description: &str, words: [&str; 2]| {
        description.split(|char: char| !char.is_alphabetic()).any(|word| words.contains(&word))
    };
    for home in list(&sample("properties.json")) {
        let reference = text(&home["ref"]);
        let has_sea = list(&home["views"]).contains(&json!("sea"));
        let has_pool = home["has_pool"] == true;
        for file in images(&home) {
            let description = descriptions.get(&file).expect("the image is in the library");
            let mentions_sea = mentions(description, ["sea", "mar"]);
            assert!(has_sea || !mentions_sea, "{reference} has no sea view: {description}");
            let mentions_pool = mentions(description, ["pool", "piscina"]);
            assert!(has_pool || !mentions_pool, "{reference} has no pool: {description}");
        }
    }
}

/// Two homes may share an image, for instance of their street, but not all of them.
#[test]
fn no_two_sample_homes_have_the_same_images() {
    let mut homes: BTreeMap<BTreeSet<String>, String> = BTreeMap::new();
    for home in list(&sample("properties.json")) {
        let images: BTreeSet<String> = images(&home).into_iter().collect();
        let reference = text(&home["ref"]);
        if !images.is_empty()
            && let Some(other) = homes.insert(images, reference.clone())
        {
            panic!("{reference} has the images of {other}");
        }
    }
}
