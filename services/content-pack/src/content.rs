//! The content in memory: a table of items for each collection. Parts, which are nested in the files,
//! have tables of their own.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::{
    schema::{COLLECTIONS, Collection, FieldKind},
    values::key_text,
};

/// An item: its fields by name; relations are keys.
pub(crate) type Item = Map<String, Value>;

/// The items of a collection, in the order of their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    items: Vec<Item>,
    positions: HashMap<String, usize>,
    /// For the table of a part collection: the positions of the items of each parent.
    children: HashMap<String, Vec<usize>>,
}

impl Table {
    /// Creates a table of `items`, whose keys are unique.
    pub fn new(collection: &Collection, mut items: Vec<Item>) -> Self {
        items.sort_by_key(|item| sort_key(&item[collection.key]));
        let positions = items
            .iter()
            .enumerate()
            .map(|(position, item)| (key_text(&item[collection.key]), position))
            .collect();
        let mut children: HashMap<String, Vec<usize>> = HashMap::new();
        if let Some(parent) = parent_field(collection) {
            for (position, item) in items.iter().enumerate() {
                children.entry(key_text(&item[parent])).or_default().push(position);
            }
            // Directus returns the pictures of a property sorted by default.
            for positions in children.values_mut() {
                positions.sort_by_key(|position| sort_of(&items[*position]));
            }
        }
        Self { items, positions, children }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub fn get(&self, key: &str) -> Option<&Item> {
        self.positions.get(key).map(|position| &self.items[*position])
    }

    /// Returns the items with `keys`, in the order of the table.
    pub fn with_keys(&self, keys: &[String]) -> Vec<&Item> {
        let mut positions: Vec<usize> =
            keys.iter().filter_map(|key| self.positions.get(key).copied()).collect();
        positions.sort_unstable();
        positions.dedup();
        positions.into_iter().map(|position| &self.items[position]).collect()
    }

    /// Returns the items whose parent has `key`.
    pub fn of_parent(&self, key: &str) -> impl Iterator<Item = &Item> {
        self.children.get(key).into_iter().flatten().map(|position| &self.items[*position])
    }
}

/// Returns the field in which the items of a part collection reference their parent.
pub(crate) fn parent_field(part: &Collection) -> Option<&'static str> {
    COLLECTIONS
        .iter()
        .flat_map(Collection::parts)
        .find(|(_, name, _)| *name == part.name)
        .map(|(_, _, parent)| parent)
}

/// Sorts numbers by value, and strings alphabetically.
fn sort_key(key: &Value) -> (i64, String) {
    (key.as_i64().unwrap_or_default(), key_text(key))
}

fn sort_of(item: &Item) -> i64 {
    item.get("sort").and_then(Value::as_i64).unwrap_or(i64::MAX)
}

/// All tables, by collection name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    tables: BTreeMap<&'static str, Table>,
}

impl Content {
    pub fn table(&self, collection: &Collection) -> &Table {
        static EMPTY: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::default);
        self.tables.get(collection.name).unwrap_or(&EMPTY)
    }

    pub fn set(&mut self, collection: &'static Collection, items: Vec<Item>) {
        self.tables.insert(collection.name, Table::new(collection, items));
    }

    /// Returns the number of items in all tables.
    pub fn len(&self) -> usize {
        self.tables.values().map(|table| table.items.len()).sum()
    }

    /// Returns the item that a field of `kind` with `value` references, if it exists.
    pub fn related(&self, kind: FieldKind, value: &Value) -> Option<(&'static Collection, &Item)> {
        let FieldKind::One(name) = kind else { return None };
        let collection = crate::schema::collection(name)?;
        let key = (!value.is_null()).then(|| key_text(value))?;
        self.table(collection).get(&key).map(|item| (collection, item))
    }
}
