//! Computes which items a save has changed.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::{
    content::{Content, Item, parent_field},
    schema::{COLLECTIONS, Collection, FieldKind},
    values::key_text,
};

/// One changed item.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub collection: &'static str,
    pub key: Value,
    pub kind: ChangeKind,
}

/// The kind of a change, with the payload of its webhook.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ChangeKind {
    Created(Item),
    Updated(Item),
    /// The bytes of a file were replaced.
    Replaced(Item),
    Deleted,
}

/// Returns the changes from `before` to `after`, followed by an empty update of each item that
/// references a newly created one. Omits parts that were deleted with their parent: there, Directus's
/// database cascades the deletion without an event.
pub(crate) fn between(before: &Content, after: &Content) -> Vec<Change> {
    let mut deleted: HashSet<(&str, String)> = HashSet::new();
    let mut changes = Vec::new();
    for collection in COLLECTIONS.iter().filter(|table| table.name != "directus_activity") {
        let (old, new) = (before.table(collection), after.table(collection));
        for item in new.items() {
            let key = &item[collection.key];
            let kind = match old.get(&key_text(key)) {
                Some(old_item) if old_item == item => continue,
                Some(old_item) => updated(collection, old_item, item),
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
            if !is_deleted_with_parent(collection, item, &deleted) {
                let kind = ChangeKind::Deleted;
                changes.push(Change { collection: collection.name, key: key.clone(), kind });
            }
        }
    }
    let references = references_to_created(&changes, after);
    changes.extend(references);
    changes
}

/// Returns an empty update for each item that references an item created by `changes`. In a folder, an
/// item may be saved before the one it references, which Directus does not allow. Without this update,
/// clients that have already read the item would have no reason to read it again.
fn references_to_created(changes: &[Change], after: &Content) -> Vec<Change> {
    let id = |change: &Change| (change.collection, key_text(&change.key));
    let is_creation = |change: &&Change| matches!(change.kind, ChangeKind::Created(_));
    let created: HashSet<_> = changes.iter().filter(is_creation).map(id).collect();
    let touched: HashSet<_> = changes.iter().map(id).collect();
    let mut updates = Vec::new();
    for collection in COLLECTIONS.iter() {
        let references_created = |item: &Item| {
            collection.fields.iter().any(|(field, kind)| {
                matches!(kind, FieldKind::One(other)
                    if created.contains(&(*other, key_text(&item[*field]))))
            })
        };
        for item in after.table(collection).items().iter().filter(|item| references_created(item)) {
            let (collection, key) = (collection.name, &item[collection.key]);
            if !touched.contains(&(collection, key_text(key))) {
                let kind = ChangeKind::Updated(Item::new());
                updates.push(Change { collection, key: key.clone(), kind });
            }
        }
    }
    updates
}

/// Whether the parent of `item` is among `deleted`. Parents come before their parts in [`COLLECTIONS`].
fn is_deleted_with_parent(
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
    /// Returns the name of the action in the activity log.
    pub fn action(&self) -> &'static str {
        match self.kind {
            ChangeKind::Created(_) => "create",
            ChangeKind::Updated(_) | ChangeKind::Replaced(_) => "update",
            ChangeKind::Deleted => "delete",
        }
    }

    /// Returns the bodies of the webhooks, in the same form as the trigger of a Directus flow sends
    /// them: keys are strings for updates and deletions.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const FILE: &str = "a0000000-0000-4000-8000-000000000001";

    /// Loads the content of a folder with these files.
    fn content(files: &[(&str, &Value)]) -> Content {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, items) in files {
            let file = folder.path().join(format!("{name}.json"));
            fs::write(file, items.to_string()).expect("a file");
        }
        crate::load::load(folder.path()).expect("it is read")
    }

    fn described(changes: &[Change]) -> Vec<String> {
        let describe =
            |it: &Change| format!("{} {}/{}", it.action(), it.collection, key_text(&it.key));
        changes.iter().map(describe).collect()
    }

    #[test]
    fn a_new_file_also_updates_the_items_that_already_reference_it() {
        let home = json!([{ "id": 10, "images": [{ "id": 31, "directus_files_id": FILE }] }]);
        let files = json!([{ "id": FILE }]);
        let before = content(&[("properties", &home)]);
        let after = content(&[("properties", &home), ("directus_files", &files)]);
        let changes = between(&before, &after);
        let file = format!("directus_files/{FILE}");
        assert_eq!(
            described(&changes),
            [format!("create {file}"), "update properties_files/31".into()]
        );
        let webhook = json!({ "event": "properties_files.items.update", "payload": {}, "keys": ["31"],
                              "collection": "properties_files" });
        assert_eq!(changes[1].webhooks(), [webhook]);
        assert_eq!(described(&between(&after, &before)), [format!("delete {file}")]);
    }

    #[test]
    fn a_restored_place_updates_all_references_to_it_once() {
        let homes = json!([{ "id": 1, "location": 4 }, { "id": 2, "location": 9 }]);
        let pages = json!([{ "id": 3, "location": 4 }]);
        let places = json!([{ "id": 4 }, { "id": 5, "part_of": 4 }, { "id": 9 }]);
        let all = content(&[("properties", &homes), ("pages", &pages), ("locations", &places)]);
        let fewer = json!([{ "id": 5, "part_of": 4 }, { "id": 9 }]);
        let without = content(&[("properties", &homes), ("pages", &pages), ("locations", &fewer)]);
        let expected =
            ["create locations/4", "update properties/1", "update locations/5", "update pages/3"];
        assert_eq!(described(&between(&without, &all)), expected);
        let few = json!([{ "id": 9 }]);
        let without = content(&[("properties", &homes), ("pages", &pages), ("locations", &few)]);
        let expected =
            ["create locations/4", "create locations/5", "update properties/1", "update pages/3"];
        assert_eq!(described(&between(&without, &all)), expected);
    }
}
