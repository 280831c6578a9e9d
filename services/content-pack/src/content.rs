//! The content as it is served: tables of items, and the part tables that were nested in the files.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use crate::{
    schema::{COLLECTIONS, Collection, FieldKind},
    values::key_text,
};

/// One item: its fields by name, relations as keys.
pub(crate) type Item = Map<String, Value>;

/// The items of one collection, in the order of their keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    items: Vec<Item>,
    places: HashMap<String, usize>,
    /// For a part table: the places of the items of each parent.
    children: HashMap<String, Vec<usize>>,
}

impl Table {
    /// A table of `items`, which have different keys.
    pub fn new(collection: &Collection, mut items: Vec<Item>) -> Self {
        items.sort_by_key(|item| sort_key(&item[collection.key]));
        let places = items
            .iter()
            .enumerate()
            .map(|(place, item)| (key_text(&item[collection.key]), place))
            .collect();
        let mut children: HashMap<String, Vec<usize>> = HashMap::new();
        if let Some(parent) = parent_field(collection) {
            for (place, item) in items.iter().enumerate() {
                children.entry(key_text(&item[parent])).or_default().push(place);
            }
            // Directus gives the pictures of a property in their own order without being asked.
            for places in children.values_mut() {
                places.sort_by_key(|place| sort_of(&items[*place]));
            }
        }
        Self { items, places, children }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub fn get(&self, key: &str) -> Option<&Item> {
        self.places.get(key).map(|place| &self.items[*place])
    }

    /// Those of the items with `keys`, in their order.
    pub fn with_keys(&self, keys: &[String]) -> Vec<&Item> {
        let mut places: Vec<usize> =
            keys.iter().filter_map(|key| self.places.get(key).copied()).collect();
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| &self.items[place]).collect()
    }

    /// The items that name the parent with `key`.
    pub fn of_parent(&self, key: &str) -> impl Iterator<Item = &Item> {
        self.children.get(key).into_iter().flatten().map(|place| &self.items[*place])
    }
}

/// The field by which the items of a part collection name their parent.
pub(crate) fn parent_field(part: &Collection) -> Option<&'static str> {
    COLLECTIONS
        .iter()
        .flat_map(Collection::parts)
        .find(|(_, name, _)| *name == part.name)
        .map(|(_, _, parent)| parent)
}

/// Numbers by size, texts by letter.
fn sort_key(key: &Value) -> (i64, String) {
    (key.as_i64().unwrap_or_default(), key_text(key))
}

fn sort_of(item: &Item) -> i64 {
    item.get("sort").and_then(Value::as_i64).unwrap_or(i64::MAX)
}

/// Every table, by the name of its collection.
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

    /// How many items there are in all.
    pub fn len(&self) -> usize {
        self.tables.values().map(|table| table.items.len()).sum()
    }

    /// The item that `field` of `item` names, if it names one that is there.
    pub fn related(&self, kind: FieldKind, value: &Value) -> Option<(&'static Collection, &Item)> {
        let FieldKind::One(name) = kind else { return None };
        let collection = crate::schema::collection(name)?;
        let key = (!value.is_null()).then(|| key_text(value))?;
        self.table(collection).get(&key).map(|item| (collection, item))
    }
}
