//! Adds sample content to collections that are empty, or were when an interrupted set-up began. It never
//! changes what editors wrote.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error as StdError,
    path::Path,
};

use futures::{StreamExt, TryStreamExt, stream};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

use crate::{
    Directus, Error,
    plan::{Plan, SetupStep},
    schema::Current,
};

/// The number of rows in a call. Each call is a transaction, and a body of more than a megabyte is rejected.
const BATCH: usize = 50;
const UPLOADS_AT_ONCE: usize = 4;
/// The order in which collections are filled: referenced ones come first.
const ORDER: [&str; 10] = [
    "languages",
    "locations",
    "properties",
    "articles",
    "pages",
    "docs",
    "team",
    "navigation",
    "site_settings",
    "redirects",
];

/// Plans the site's languages that are missing, whatever other languages exist: texts reference them.
pub async fn languages(
    directus: &Directus,
    current: &Current,
    folder: Option<&Path>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let mut known = BTreeSet::new();
    if current.has("languages") {
        known = keys(directus, "/items/languages", "code").await?;
    }
    // The sample content adds languages if there are none, or if an interrupted set-up started to add them.
    if let Some(folder) = folder.filter(|_| known.is_empty() || plan.is_resumed) {
        known.extend(read(folder, "languages")?.iter().map(|row| row["code"].to_string()));
    }
    let site_languages = vec![
        json!({ "code": "en-GB", "name": "English", "direction": "ltr", "sort": 1 }),
        json!({ "code": "es-ES", "name": "Español", "direction": "ltr", "sort": 2 }),
    ];
    let lacking = missing(site_languages, &known, "code");
    if !lacking.is_empty() {
        let codes: Vec<&str> = lacking.iter().filter_map(|row| row["code"].as_str()).collect();
        plan.add(format!("the languages of the site: {}", codes.join(", ")));
        plan.step(SetupStep::Post { path: "/items/languages", body: Value::Array(lacking) });
    }
    Ok(())
}

/// Plans sample content from `folder` for empty collections. If the set-up that began to fill them was
/// interrupted, it plans the missing items.
pub async fn plan(
    directus: &Directus,
    current: &Current,
    folder: &Path,
    plan: &mut Plan,
) -> Result<(), Error> {
    let mut collections = Vec::new();
    for name in ORDER {
        let items = read(folder, name)?;
        if items.is_empty() {
            continue;
        }
        let count = items.len();
        let lacks = if !current.has(name) {
            true
        } else if plan.is_resumed {
            lacks_some(directus, name, items).await?
        } else {
            directus.has_no_item(name).await?
        };
        if lacks {
            plan.add(format!("{count} of the sample content in {name}"));
            collections.push(name.to_owned());
        }
    }
    let files = read(folder, "directus_files")?;
    let files = if plan.is_resumed {
        !missing(files, &keys(directus, "/files", "id").await?, "id").is_empty()
    } else {
        let has_files = directus.get("/files", &[("fields", "id"), ("limit", "1")]).await?;
        !files.is_empty() && has_files == json!([])
    };
    if files {
        plan.add("the pictures of the sample content");
    }
    if files || !collections.is_empty() {
        plan.step(SetupStep::Content { folder: folder.to_owned(), collections, files });
    }
    Ok(())
}

/// Applies a content step, except for rows that already exist.
pub async fn apply(
    directus: &Directus,
    folder: &Path,
    collections: &[String],
    files: bool,
) -> Result<(), Error> {
    if files {
        let existing = keys(directus, "/files", "id").await?;
        let lacking = missing(read(folder, "directus_files")?, &existing, "id");
        let pictures = lacking.into_iter().map(|file| async move {
            let path =
                folder.join("media").join(file["filename_disk"].as_str().unwrap_or_default());
            if path.exists() { upload(directus, &path, &file).await } else { Ok(()) }
        });
        stream::iter(pictures).buffer_unordered(UPLOADS_AT_ONCE).try_collect::<Vec<()>>().await?;
    }
    for collection in collections {
        add_items(directus, collection, read(folder, collection)?).await?;
    }
    Ok(())
}

/// Returns the keys of the rows at `path`, as JSON.
async fn keys(directus: &Directus, path: &str, key: &str) -> Result<BTreeSet<String>, Error> {
    let existing = match directus.get(path, &[("fields", key), ("limit", "-1")]).await? {
        Value::Array(rows) => rows,
        singleton => vec![singleton],
    };
    // A singleton has no id before it is first saved.
    let existing = existing.iter().filter(|row| !row[key].is_null());
    Ok(existing.map(|row| row[key].to_string()).collect())
}

/// Returns the `rows` whose keys are not in `existing`.
fn missing(mut rows: Vec<Value>, existing: &BTreeSet<String>, key: &str) -> Vec<Value> {
    rows.retain(|row| !existing.contains(&row[key].to_string()));
    rows
}

/// Returns whether the collection lacks any of `items`, or of their pictures.
async fn lacks_some(
    directus: &Directus,
    collection: &str,
    items: Vec<Value>,
) -> Result<bool, Error> {
    for (table, rows) in tables_of(collection, items) {
        let existing = keys(directus, &format!("/items/{table}"), key_of(&table)).await?;
        if !missing(rows, &existing, key_of(&table)).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the items of `<collection>.json`: one object for a singleton, an array for other collections.
fn read(folder: &Path, collection: &str) -> Result<Vec<Value>, Error> {
    let path = folder.join(format!("{collection}.json"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read(&path).map_err(|error| unreadable(&path, error))?;
    match serde_json::from_slice(&text).map_err(|error| unreadable(&path, error))? {
        Value::Array(items) => Ok(items),
        item => Ok(vec![item]),
    }
}

fn unreadable(path: &Path, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
    Error::Content { path: path.display().to_string(), source: source.into() }
}

async fn upload(directus: &Directus, path: &Path, file: &Value) -> Result<(), Error> {
    let bytes = tokio::fs::read(path).await.map_err(|error| unreadable(path, error))?;
    let text = |name: &str| file[name].as_str().map(str::to_owned);
    let mut form = Form::new();
    for name in ["id", "title", "description", "description_es", "type", "filename_download"] {
        if let Some(value) = text(name) {
            form = form.text(name, value);
        }
    }
    let part = Part::bytes(bytes)
        .file_name(text("filename_download").unwrap_or_default())
        .mime_str(&text("type").unwrap_or_default())
        .map_err(|error| unreadable(path, error))?;
    // The file comes last, because Directus ignores fields after it.
    directus.upload(form.part("file", part)).await?;
    Ok(())
}

/// Adds the items with their texts, without which they may not be published, then their pictures in separate
/// calls: as nested rows, each would cost Directus two more statements.
async fn add_items(directus: &Directus, collection: &str, items: Vec<Value>) -> Result<(), Error> {
    for (table, rows) in tables_of(collection, items) {
        let existing = keys(directus, &format!("/items/{table}"), key_of(&table)).await?;
        let mut rows = missing(rows, &existing, key_of(&table));
        if table != "site_settings" {
            add_rows(directus, &table, &rows).await?;
        } else if let Some(settings) = rows.pop() {
            directus.patch("/items/site_settings", &settings).await?;
        }
    }
    Ok(())
}

/// Returns the rows of the items by table: first the items with their texts, then their pictures.
fn tables_of(collection: &str, items: Vec<Value>) -> Vec<(String, Vec<Value>)> {
    let mut rows = Vec::new();
    let mut pictures = Vec::new();
    for mut item in parents_first(items) {
        let id = item["id"].clone();
        if let Some(members) = item.as_object_mut() {
            if let Some(Value::Array(children)) = members.remove("images") {
                pictures.extend(children.into_iter().map(|mut child| {
                    // A value that is not an object is left for Directus to reject.
                    if let Some(members) = child.as_object_mut() {
                        members.insert(format!("{collection}_id"), id.clone());
                    }
                    child
                }));
            }
            // In this form Directus looks for no existing rows.
            if let Some(texts) = members.get_mut("translations") {
                *texts = json!({ "create": texts.take(), "update": [], "delete": [] });
            }
        }
        rows.push(item);
    }
    let pictures = (!pictures.is_empty()).then(|| (format!("{collection}_files"), pictures));
    [(collection.to_owned(), rows)].into_iter().chain(pictures).collect()
}

async fn add_rows(directus: &Directus, collection: &str, rows: &[Value]) -> Result<(), Error> {
    let path = format!("/items/{collection}?fields={}", key_of(collection));
    for batch in rows.chunks(BATCH) {
        directus.post(&path, &json!(batch)).await?;
    }
    Ok(())
}

fn key_of(collection: &str) -> &'static str {
    if collection == "languages" { "code" } else { "id" }
}

/// Sorts items that reference another of their collection as `parent` or `part_of` after that one.
fn parents_first(mut items: Vec<Value>) -> Vec<Value> {
    let parent_of = |item: &Value| {
        let parent = ["parent", "part_of"].into_iter().find_map(|field| item.get(field));
        parent.filter(|parent| !parent.is_null()).map(Value::to_string)
    };
    let parents: BTreeMap<String, String> =
        items.iter().filter_map(|item| Some((item["id"].to_string(), parent_of(item)?))).collect();
    let depth = |item: &Value| {
        let mut at = item["id"].to_string();
        let mut steps = 0;
        while let Some(parent) = parents.get(&at).filter(|_| steps <= parents.len()) {
            at.clone_from(parent);
            steps += 1;
        }
        steps
    };
    items.sort_by_cached_key(depth);
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_even_in_a_cycle() {
        let items = vec![
            json!({ "id": 3, "part_of": 2 }),
            json!({ "id": 2, "parent": 1 }),
            json!({ "id": 1, "parent": null }),
            json!({ "id": 8, "parent": 9 }),
            json!({ "id": 9, "parent": 8 }),
        ];
        let ids: Vec<_> = parents_first(items).iter().map(|item| item["id"].as_i64()).collect();
        assert_eq!(ids[..3], [Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn an_item_is_added_with_its_texts() {
        let text = json!({ "id": 10, "languages_code": "en-GB", "title": "One" });
        let items = vec![json!({ "id": 1, "ref": "A-1", "translations": [text] })];
        let texts = json!({ "create": [text], "update": [], "delete": [] });
        let added = json!({ "id": 1, "ref": "A-1", "translations": texts });
        assert_eq!(tables_of("properties", items), [("properties".to_owned(), vec![added])]);
    }

    #[test]
    fn a_picture_that_is_not_an_object_is_left_for_directus_to_reject() {
        let items = vec![json!({ "id": 1, "images": ["One"] })];
        let (table, pictures) = tables_of("properties", items).remove(1);
        assert_eq!((&*table, pictures), ("properties_files", vec![json!("One")]));
    }

    #[test]
    fn an_interrupted_set_up_is_completed_without_duplicates() {
        let items = vec![
            json!({ "id": 1, "ref": "A-1", "images": [{ "id": 6, "directus_files_id": "f1" }] }),
            json!({ "id": 2, "ref": "A-2", "images": [{ "id": 7, "directus_files_id": "f1" }] }),
            json!({ "id": 3, "ref": "A-3" }),
        ];
        // Two homes were added, and the picture of the first.
        let existing: [(&str, &[&str]); 2] =
            [("properties", &["1", "2"]), ("properties_files", &["6"])];
        let lacking: Vec<_> = tables_of("properties", items)
            .into_iter()
            .map(|(table, rows)| {
                let (_, existing) =
                    existing.iter().find(|(name, _)| *name == table).expect("a table");
                let existing = existing.iter().map(|key| (*key).to_owned()).collect();
                (missing(rows, &existing, key_of(&table)), table)
            })
            .collect();
        let picture = json!({ "id": 7, "directus_files_id": "f1", "properties_id": 2 });
        let expected = [
            (vec![json!({ "id": 3, "ref": "A-3" })], "properties".to_owned()),
            (vec![picture], "properties_files".to_owned()),
        ];
        assert_eq!(lacking, expected);
    }
}
