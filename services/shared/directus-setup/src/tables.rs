//! The collections of content as tables, for a service that answers as Directus does.

use serde_json::Value;

use crate::{
    Error,
    model::{Collection, Model},
};

/// A collection.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The column that identifies its items.
    pub key: String,
    /// Whether it has only one item.
    pub singleton: bool,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// A field with a value of its own.
#[derive(Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Directus's name of its type.
    pub type_name: &'static str,
    /// The collection whose items it references.
    pub references: Option<String>,
    /// The field of that collection that lists the referencing items.
    pub listed_as: Option<String>,
}

/// Returns the collections that the site is made from, translations and junctions included, each after those
/// that it is a part of.
pub fn content_tables() -> Result<Vec<Table>, Error> {
    let model = Model::new()?;
    let content = model.collections.iter().filter(|collection| collection.is_content);
    Ok(content.map(|collection| table(&model, collection)).collect())
}

fn table(model: &Model, collection: &Collection) -> Table {
    let name = &collection.name;
    let mut table = Table {
        name: name.clone(),
        key: String::new(),
        singleton: collection.meta["singleton"] == true,
        columns: Vec::new(),
    };
    for field in model.fields.iter().filter(|field| field.collection == *name) {
        let Some(column) = &field.schema else { continue };
        if column["is_primary_key"] == true {
            table.key.clone_from(&field.name);
        }
        let mut relations = model.relations.iter();
        let relation = relations.find(|it| it.collection == *name && it.field == field.name);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        table.columns.push(Column {
            name: field.name.clone(),
            type_name: field.of,
            references: relation.and_then(|it| text(&it.description["related_collection"])),
            listed_as: relation.and_then(|it| text(&it.description["meta"]["one_field"])),
        });
    }
    table
}
