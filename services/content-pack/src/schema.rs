//! The collections and their fields: those that `directus-setup` creates in Directus, and the parts of
//! Directus's own that sync reads.

use std::sync::LazyLock;

use directus_setup::{Column, Table, content_tables};

/// A collection.
#[derive(Debug)]
pub(crate) struct Collection {
    pub name: &'static str,
    pub key: &'static str,
    pub singleton: bool,
    /// Whether it is available under `/items`; system collections of Directus have other routes.
    pub is_item: bool,
    pub fields: Vec<Field>,
}

/// A field: its name and its type.
pub(crate) type Field = (&'static str, FieldKind);

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    Integer,
    /// A number that is sent as a string, so that no digit is lost.
    Decimal,
    Text,
    Uuid,
    Flag,
    Json,
    Date,
    Timestamp,
    /// The key of an item of this collection.
    One(&'static str),
    /// The items of a part collection (the first name) whose field (the second) references this item.
    Many(&'static str, &'static str),
}

use FieldKind::{Date, Decimal, Flag, Integer, Json, Many, One, Text, Timestamp, Uuid};

impl FieldKind {
    /// Returns the name of the type in Directus's messages.
    pub const fn name(self) -> &'static str {
        match self {
            Integer | One(_) => "integer",
            Decimal => "decimal",
            Text => "string",
            Uuid => "uuid",
            Flag => "boolean",
            Json => "json",
            Date => "date",
            Timestamp => "timestamp",
            Many(..) => "alias",
        }
    }

    /// Whether its values have an order.
    pub const fn is_ordered(self) -> bool {
        matches!(self, Integer | Decimal | Date | Timestamp | One(_))
    }
}

impl Collection {
    /// Returns the type of the field `name`.
    pub fn field(&self, name: &str) -> Option<FieldKind> {
        self.fields.iter().find(|(field, _)| *field == name).map(|(_, kind)| *kind)
    }

    /// Returns the part collections that are nested in this one: the field of this collection, the part
    /// collection, and its field that references the parent.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        self.fields.iter().filter_map(|(field, kind)| match kind {
            Many(part, parent) => Some((*field, *part, *parent)),
            _ => None,
        })
    }
}

/// Returns the collection `name`.
pub(crate) fn collection(name: &str) -> Option<&'static Collection> {
    COLLECTIONS.iter().find(|collection| collection.name == name)
}

/// All collections. Parents come before their parts, which have no file of their own.
pub(crate) static COLLECTIONS: LazyLock<Vec<Collection>> = LazyLock::new(|| {
    // What they are made from is built in, and a test reads it.
    let tables: &'static [Table] = content_tables().unwrap_or_default().leak();
    tables.iter().map(|table| content(table, tables)).chain([files(), activity()]).collect()
});

fn content(table: &'static Table, tables: &'static [Table]) -> Collection {
    let columns = table.columns.iter();
    let own = columns.map(|column| (column.name.as_str(), kind_of(column, tables)));
    let others = tables.iter().flat_map(|other| other.columns.iter().map(move |it| (other, it)));
    let parts =
        others.filter(|(_, column)| column.references.as_ref() == Some(&table.name)).filter_map(
            |(part, column)| Some((column.listed_as.as_deref()?, Many(&part.name, &column.name))),
        );
    Collection {
        name: &table.name,
        key: &table.key,
        singleton: table.singleton,
        is_item: true,
        fields: own.chain(parts).collect(),
    }
}

fn kind_of(column: &'static Column, tables: &[Table]) -> FieldKind {
    if let Some(other) = column.references.as_deref()
        && (other == FILES || tables.iter().any(|table| table.name == other))
    {
        return One(other);
    }
    match column.type_name {
        "integer" => Integer,
        "decimal" => Decimal,
        "uuid" => Uuid,
        "boolean" => Flag,
        "json" => Json,
        "date" => Date,
        "timestamp" => Timestamp,
        _ => Text,
    }
}

const FILES: &str = "directus_files";

fn files() -> Collection {
    system(
        FILES,
        &[
            ("id", Uuid),
            ("filename_disk", Text),
            ("filename_download", Text),
            ("title", Text),
            ("description", Text),
            ("description_es", Text),
            ("type", Text),
            ("width", Integer),
            ("height", Integer),
            ("filesize", Decimal),
            ("modified_on", Timestamp),
        ],
    )
}

fn activity() -> Collection {
    system(
        "directus_activity",
        &[
            ("id", Integer),
            ("action", Text),
            ("user", Uuid),
            ("timestamp", Timestamp),
            ("ip", Text),
            ("user_agent", Text),
            ("collection", Text),
            ("item", Text),
            ("origin", Text),
        ],
    )
}

fn system(name: &'static str, fields: &[Field]) -> Collection {
    Collection { name, key: "id", singleton: false, is_item: false, fields: fields.to_vec() }
}

#[cfg(test)]
mod tests {
    use contracts::PartCollection;

    use super::*;

    #[test]
    fn all_content_and_its_parts_have_a_key() {
        let parts = PartCollection::all().map(contracts::PartCollection::name);
        let names = contracts::Collection::ALL.map(|it| it.name().to_owned()).into_iter();
        for name in names.chain(parts) {
            let found = collection(&name).expect("a collection");
            assert!(found.field(found.key).is_some(), "{name}");
        }
        let home = collection("properties").expect("homes");
        let parts: Vec<_> = home.parts().collect();
        let images = ("images", "properties_files", "properties_id");
        let texts = ("translations", "properties_translations", "properties_id");
        assert!(parts.len() == 2 && [images, texts].iter().all(|it| parts.contains(it)));
        assert_eq!(home.field("location"), Some(One("locations")));
        assert_eq!(home.field("floor_plan"), Some(One(FILES)));
    }
}
