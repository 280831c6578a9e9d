//! Reading the folder: one JSON file a collection, pictures under `media`.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::{
    content::{Content, Item},
    schema::{COLLECTIONS, Collection, FieldKind, collection},
    values::{key_text, moment_value, normalise},
};

/// The folder of the pictures, in the content folder.
pub(crate) const MEDIA: &str = "media";

/// Why a file of the folder is not served.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The system does not give it.
    #[error("{}: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// It is not JSON.
    #[error("{}: not JSON: {source}", .file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It is JSON, but not a collection.
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

/// Reads the whole folder. A collection without a file is empty.
pub(crate) fn load(folder: &Path) -> Result<Content, LoadError> {
    let mut content = Content::default();
    for collection in filed() {
        for (table, items) in read(folder, collection)?.unwrap_or_default() {
            content.set(table, items);
        }
    }
    Ok(content)
}

/// Reads the folder again. A collection whose file can't be read stays as it is in `before`.
pub(crate) fn reload(folder: &Path, before: &Content) -> (Content, Vec<LoadError>) {
    let mut content = before.clone();
    let mut errors = Vec::new();
    for collection in filed() {
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
    (content, errors)
}

/// The collections that have files of their own: all but the parts and the activity log.
fn filed() -> impl Iterator<Item = &'static Collection> {
    let parts: HashSet<&str> =
        COLLECTIONS.iter().flat_map(Collection::parts).map(|(_, part, _)| part).collect();
    COLLECTIONS.iter().filter(move |collection| {
        !parts.contains(collection.name) && collection.name != "directus_activity"
    })
}

fn file_of(folder: &Path, collection: &Collection) -> PathBuf {
    folder.join(format!("{}.json", collection.name))
}

/// The tables of one file, or nothing where there is none.
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

/// Takes the parts out of the items that they are nested in.
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
        let mut keys = HashSet::new();
        if let Some(twice) = items
            .iter()
            .map(|item| key_text(&item[table.key]))
            .find(|key| !keys.insert(key.clone()))
        {
            return Err(format!("two items of {} have the key {twice}", table.name));
        }
    }
    Ok(tables)
}

/// The objects under `field`, which are taken out.
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

/// An item with every field of its collection, as Directus would send it.
fn item(on: &'static Collection, mut object: Map<String, Value>) -> Result<Item, String> {
    let key = object.get(on.key).map(key_text).unwrap_or_default();
    if key.is_empty() {
        return Err(format!("an item of {} has no {}", on.name, on.key));
    }
    let mut item = Item::new();
    for (field, kind) in on.fields {
        if matches!(kind, FieldKind::Many(..)) {
            continue;
        }
        let value = match (object.remove(*field).unwrap_or_default(), kind) {
            // These columns can't be null, and have a default.
            (Value::Null, FieldKind::Flag) => Value::Bool(false),
            (Value::Null, _) if *field == "status" => json!("draft"),
            (value, _) => value,
        };
        let found = value.to_string();
        let value = normalise(*kind, value)
            .ok_or_else(|| format!("{field} of {} {key} can't hold {found}", on.name))?;
        item.insert((*field).to_owned(), value);
    }
    for field in object.keys() {
        tracing::warn!(collection = on.name, key, field, "there is no such field; it is left out");
    }
    Ok(item)
}

/// What the picture's own file says: a replaced one has another size and another date, whatever the
/// JSON says.
fn read_picture(media: &Path, file: &mut Item) {
    let Some(path) = picture_path(media, file) else { return };
    let Ok(metadata) = fs::metadata(&path) else {
        tracing::warn!(file = %path.display(), "this picture is missing");
        return;
    };
    if let Ok(modified) = metadata.modified() {
        file.insert("modified_on".to_owned(), moment_value(&DateTime::<Utc>::from(modified)));
    }
    file.insert("filesize".to_owned(), Value::String(metadata.len().to_string()));
    match imagesize::size(&path) {
        Ok(size) => {
            file.insert("width".to_owned(), json!(size.width));
            file.insert("height".to_owned(), json!(size.height));
        }
        Err(error) => tracing::debug!(file = %path.display(), %error, "not a picture"),
    }
}

/// Where the bytes of a file are, if its name is no more than a name.
pub(crate) fn picture_path(media: &Path, file: &Item) -> Option<PathBuf> {
    let name = file.get("filename_disk")?.as_str()?;
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    is_plain.then(|| media.join(name))
}
