//! Reads the content folder: one JSON file per collection, and pictures under `media`.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use runtime::error_text;
use serde_json::{Map, Value, json};

use crate::{
    content::{Content, Item, parent_field},
    schema::{COLLECTIONS, Collection, FieldKind, collection},
    values::{key_text, normalise, timestamp_value},
};

/// The folder of pictures, within the content folder.
pub(crate) const MEDIA: &str = "media";

/// Why a file of the folder was rejected.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It can't be read.
    #[error("{} can't be read", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// It is not JSON.
    #[error("{} is not JSON", .file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// The parser's error, with its position.
        source: serde_json::Error,
    },
    /// It is JSON, but not a valid collection.
    #[error("{}: {reason}", .file.display())]
    Shape {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
}

/// A collection's table and those of its parts.
type Tables = Vec<(&'static Collection, Vec<Item>)>;

/// Reads the complete folder. A collection without a file is empty.
pub(crate) fn load(folder: &Path) -> Result<Content, LoadError> {
    let mut content = Content::default();
    for collection in collections_with_files() {
        for (table, items) in read(folder, collection)?.unwrap_or_default() {
            content.set(table, items);
        }
    }
    warn_of_dangling_references(&content);
    Ok(content)
}

/// Reads `files`: by collection, what its file in a folder would contain.
pub(crate) fn from_memory(
    files: impl IntoIterator<Item = (String, Value)>,
) -> Result<Content, LoadError> {
    let mut content = Content::default();
    for (name, value) in files {
        let read = match collection(&name) {
            Some(on) => tables(on, value),
            None => Err("there is no such collection".to_owned()),
        };
        let shape = |reason| LoadError::Shape { file: format!("{name}.json").into(), reason };
        for (table, items) in read.map_err(shape)? {
            content.set(table, items);
        }
    }
    Ok(content)
}

/// Reads the folder again. A collection whose file can't be read, or has been deleted, stays as it is in
/// `before`.
pub(crate) fn reload(folder: &Path, before: &Content) -> (Content, Vec<LoadError>) {
    let mut content = before.clone();
    let mut errors = Vec::new();
    for collection in collections_with_files() {
        match read(folder, collection) {
            Ok(Some(tables)) => {
                for (table, items) in tables {
                    content.set(table, items);
                }
            }
            Ok(None) if before.table(collection).items().is_empty() => {}
            Ok(None) => errors.push(LoadError::Read {
                file: file_of(folder, collection),
                source: io::ErrorKind::NotFound.into(),
            }),
            Err(error) => errors.push(error),
        }
    }
    warn_of_dangling_references(&content);
    (content, errors)
}

fn warn_of_dangling_references(content: &Content) {
    for reference in dangling_references(content) {
        tracing::warn!("{reference}");
    }
}

/// Describes the references to items that do not exist, one line per field. They are treated as null;
/// Directus would have refused to save them.
fn dangling_references(content: &Content) -> Vec<String> {
    let mut descriptions = Vec::new();
    for collection in COLLECTIONS.iter() {
        let parent = parent_field(collection);
        for (field, kind) in &collection.fields {
            let FieldKind::One(other) = kind else { continue };
            let is_dangling = |item: &&Item| {
                !item[*field].is_null() && content.related(*kind, &item[*field]).is_none()
            };
            let items = content.table(collection).items();
            let mut dangling = items.iter().filter(is_dangling);
            let Some(first) = dangling.next() else { continue };
            let parent_text =
                parent.map(|parent| format!(" ({parent} {})", key_text(&first[parent])));
            let more = match dangling.count() {
                0 => String::new(),
                more => format!(", as {more} more do"),
            };
            descriptions.push(format!(
                "{field} of {} {}{} refers to {other} {}, which does not exist{more}",
                collection.name,
                key_text(&first[collection.key]),
                parent_text.unwrap_or_default(),
                key_text(&first[*field]),
            ));
        }
    }
    descriptions
}

/// Returns the collections with a file of their own: all except parts and the activity log.
fn collections_with_files() -> impl Iterator<Item = &'static Collection> {
    let parts: HashSet<&str> =
        COLLECTIONS.iter().flat_map(Collection::parts).map(|(_, part, _)| part).collect();
    COLLECTIONS.iter().filter(move |collection| {
        !parts.contains(collection.name) && collection.name != "directus_activity"
    })
}

fn file_of(folder: &Path, collection: &Collection) -> PathBuf {
    folder.join(format!("{}.json", collection.name))
}

/// Reads the tables of one file; returns `None` if the file does not exist.
fn read(folder: &Path, collection: &'static Collection) -> Result<Option<Tables>, LoadError> {
    let file = file_of(folder, collection);
    let text = match fs::read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(LoadError::Read { file, source }),
    };
    let value: Value = serde_json::from_slice(&text)
        .map_err(|source| LoadError::Json { file: file.clone(), source })?;
    let shape = |reason: String| LoadError::Shape { file: file.clone(), reason };
    let mut tables = tables(collection, value).map_err(shape)?;
    if collection.name == "directus_files"
        && let Some((_, files)) = tables.first_mut()
    {
        for file in files {
            read_picture(&folder.join(MEDIA), file);
        }
    }
    Ok(Some(tables))
}

/// The fields that Directus requires to be unique within a collection, whatever the status of the items.
const UNIQUE_FIELDS: [&str; 3] = ["ref", "slug", "from_path"];

/// Converts the content of a file to tables, by extracting the parts that are nested in items.
fn tables(on: &'static Collection, value: Value) -> Result<Tables, String> {
    let entries = match value {
        Value::Array(entries) if !on.singleton => entries,
        entry @ Value::Object(_) if on.singleton => vec![entry],
        _ if on.singleton => return Err("one object was expected".to_owned()),
        _ => return Err("a list of items was expected".to_owned()),
    };
    let mut items = Vec::with_capacity(entries.len());
    let mut parts: Tables =
        on.parts().filter_map(|(_, part, _)| Some((collection(part)?, Vec::new()))).collect();
    for (index, entry) in entries.into_iter().enumerate() {
        let Value::Object(mut object) = entry else {
            return Err(format!("entry {} is not an item", index + 1));
        };
        if on.singleton {
            object.entry(on.key).or_insert(json!(1));
        }
        let key = object.get(on.key).cloned().unwrap_or_default();
        for ((field, part, parent), (_, children)) in on.parts().zip(&mut parts) {
            let part = collection(part).ok_or("an unknown part")?;
            for child in nested(&mut object, field)? {
                let mut child = child;
                child.insert(parent.to_owned(), key.clone());
                children.push(item(part, child)?);
            }
        }
        items.push(item(on, object)?);
    }
    let mut tables: Tables = vec![(on, items)];
    tables.append(&mut parts);
    for (table, items) in &tables {
        if let Some(duplicate) = find_duplicate(items, table.key) {
            return Err(format!("two items of {} have the key {duplicate}", table.name));
        }
        for field in UNIQUE_FIELDS {
            if let Some(duplicate) = find_duplicate(items, field) {
                return Err(format!("two items of {} have the {field} {duplicate}", table.name));
            }
        }
    }
    Ok(tables)
}

/// Returns a non-empty value of `field` that two of `items` share.
fn find_duplicate(items: &[Item], field: &str) -> Option<String> {
    let mut seen = HashSet::new();
    let values = items.iter().filter_map(|item| item.get(field).filter(|value| !value.is_null()));
    values.map(key_text).find(|value| !value.is_empty() && !seen.insert(value.clone()))
}

/// Removes and returns the objects in the list `field`.
fn nested(object: &mut Item, field: &str) -> Result<Vec<Item>, String> {
    match object.remove(field) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(entries)) => entries
            .into_iter()
            .map(|entry| match entry {
                Value::Object(child) => Ok(child),
                other => Err(format!("{field} holds {other}, which is not an item")),
            })
            .collect(),
        Some(other) => Err(format!("{field} holds {other}, which is not a list")),
    }
}

/// Converts `object` to an item with all fields of its collection, in the form that Directus returns.
fn item(on: &'static Collection, mut object: Map<String, Value>) -> Result<Item, String> {
    let key = object.get(on.key).map(key_text).unwrap_or_default();
    if key.is_empty() {
        return Err(format!("an item of {} has no {}", on.name, on.key));
    }
    let mut item = Item::new();
    for (field, kind) in &on.fields {
        if matches!(kind, FieldKind::Many(..)) {
            continue;
        }
        let value = match (object.remove(*field).unwrap_or_default(), kind) {
            // These columns are not nullable, and have a default.
            (Value::Null, FieldKind::Flag) => Value::Bool(false),
            (Value::Null, _) if *field == "status" => json!("draft"),
            (value, _) => value,
        };
        let value = match normalise(*kind, value) {
            // A client could not ask for this item.
            Err(value) if *field == on.key => {
                return Err(format!("{field} of {} can't be {value}", on.name));
            }
            // Sync reports a value of another type with its item and field.
            Ok(value) | Err(value) => value,
        };
        item.insert((*field).to_owned(), value);
    }
    for field in object.keys() {
        tracing::warn!(collection = on.name, key, field, "an unknown field is ignored");
    }
    Ok(item)
}

/// Sets the size and the modification time of a picture from its file, which may have been replaced
/// since the JSON was written.
fn read_picture(media: &Path, file: &mut Item) {
    let Some(path) = picture_path(media, file) else { return };
    let Ok(metadata) = fs::metadata(&path) else {
        tracing::warn!(file = %path.display(), "this picture is missing");
        return;
    };
    if let Ok(modified) = metadata.modified() {
        file.insert("modified_on".to_owned(), timestamp_value(&DateTime::<Utc>::from(modified)));
    }
    file.insert("filesize".to_owned(), Value::String(metadata.len().to_string()));
    match imagesize::size(&path) {
        Ok(size) => {
            file.insert("width".to_owned(), json!(size.width));
            file.insert("height".to_owned(), json!(size.height));
        }
        Err(error) => {
            tracing::debug!(file = %path.display(), error = error_text(&error), "not a picture");
        }
    }
}

/// Returns the path of a file in the media folder, if its name is a plain file name.
pub(crate) fn picture_path(media: &Path, file: &Item) -> Option<PathBuf> {
    let name = file.get("filename_disk")?.as_str()?;
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    is_plain.then(|| media.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dangling_references_are_described() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = "a0000000-0000-4000-8000-000000000001";
        let image = |id: i64| json!({ "id": id, "directus_files_id": file });
        let homes = json!([
            { "id": 10, "location": 4, "images": [image(31)] },
            { "id": 11, "location": 4 },
            { "id": 12, "location": null },
        ]);
        fs::write(folder.path().join("properties.json"), homes.to_string()).expect("a file");
        let read = load(folder.path()).expect("it is read");
        let expected = [
            "location of properties 10 refers to locations 4, which does not exist, as 1 more do",
            "directus_files_id of properties_files 31 (properties_id 10) refers to directus_files \
             a0000000-0000-4000-8000-000000000001, which does not exist",
        ];
        assert_eq!(dangling_references(&read), expected);
        for (name, items) in
            [("directus_files", json!([{ "id": file }])), ("locations", json!([{ "id": 4 }]))]
        {
            fs::write(folder.path().join(format!("{name}.json")), items.to_string())
                .expect("a file");
        }
        let (read, errors) = reload(folder.path(), &read);
        assert!(dangling_references(&read).is_empty() && errors.is_empty(), "{errors:?}");
    }
}
