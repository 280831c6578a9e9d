//! What a save changed, item by item.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::{
    content::{Content, Item, parent_field},
    schema::{COLLECTIONS, Collection},
    values::key_text,
};

/// One changed item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub collection: &'static str,
    pub key: Value,
    pub kind: ChangeKind,
}

/// What became of it, with what a webhook tells of that.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ChangeKind {
    Created(Item),
    Updated(Item),
    /// The bytes of a file are others.
    Replaced(Item),
    Deleted,
}

/// The changes that make `after` out of `before`. What vanished with its parent is not among them:
/// Directus's database deletes that by itself, and no event tells of it.
pub(crate) fn between(before: &Content, after: &Content) -> Vec<Change> {
    let mut deleted: HashSet<(&str, String)> = HashSet::new();
    let mut changes = Vec::new();
    for collection in COLLECTIONS.iter().filter(|table| table.name != "directus_activity") {
        let (old, new) = (before.table(collection), after.table(collection));
        for item in new.items() {
            let key = &item[collection.key];
            let kind = match old.get(&key_text(key)) {
                Some(same) if same == item => continue,
                Some(other) => updated(collection, other, item),
                None => ChangeKind::Created(without_nulls(item)),
            };
            changes.push(Change { collection: collection.name, key: key.clone(), kind });
        }
        for item in old.items() {
            let key = &item[collection.key];
            if new.get(&key_text(key)).is_some() {
                continue;
            }
            deleted.insert((collection.name, key_text(key)));
            if !is_gone_with_parent(collection, item, &deleted) {
                let kind = ChangeKind::Deleted;
                changes.push(Change { collection: collection.name, key: key.clone(), kind });
            }
        }
    }
    changes
}

/// Whether the parent of `item` is among the `deleted`; parents stand before their parts.
fn is_gone_with_parent(
    part: &'static Collection,
    item: &Item,
    deleted: &HashSet<(&str, String)>,
) -> bool {
    let parent = COLLECTIONS
        .iter()
        .find(|collection| collection.parts().any(|(_, name, _)| name == part.name));
    match (parent, parent_field(part)) {
        (Some(parent), Some(field)) => deleted.contains(&(parent.name, key_text(&item[field]))),
        _ => false,
    }
}

fn updated(collection: &Collection, before: &Item, after: &Item) -> ChangeKind {
    let changed: Item = after
        .iter()
        .filter(|(field, value)| before.get(*field) != Some(*value))
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect();
    if collection.name == "directus_files" && changed.contains_key("modified_on") {
        return ChangeKind::Replaced(changed);
    }
    ChangeKind::Updated(changed)
}

fn without_nulls(item: &Item) -> Item {
    item.iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(field, value)| (field.clone(), value.clone()))
        .collect()
}

impl Change {
    /// The word of the activity log for it.
    pub fn action(&self) -> &'static str {
        match self.kind {
            ChangeKind::Created(_) => "create",
            ChangeKind::Updated(_) | ChangeKind::Replaced(_) => "update",
            ChangeKind::Deleted => "delete",
        }
    }

    /// The bodies of the webhooks for it: as a flow's trigger sends them, keys as text where an
    /// item was changed or deleted by its own address.
    pub fn webhooks(&self) -> Vec<Value> {
        let collection = self.collection;
        let is_file = collection == "directus_files";
        let event = |action: &str| {
            if is_file { format!("files.{action}") } else { format!("{collection}.items.{action}") }
        };
        let key = key_text(&self.key);
        let created = |action: &str, payload: &Map<String, Value>| json!({ "event": event(action), "payload": payload, "key": self.key, "collection": collection });
        let updated = |payload: &Map<String, Value>| json!({ "event": event("update"), "payload": payload, "keys": [key], "collection": collection });
        match &self.kind {
            ChangeKind::Created(item) if is_file => vec![created("upload", item)],
            ChangeKind::Created(item) => vec![created("create", item)],
            ChangeKind::Updated(item) => vec![updated(item)],
            ChangeKind::Replaced(item) => vec![created("upload", item), updated(&Map::new())],
            ChangeKind::Deleted => vec![json!({
                "event": event("delete"), "payload": [key], "keys": [key], "collection": collection,
            })],
        }
    }
}
