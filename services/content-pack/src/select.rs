//! Selects which fields of an item and of its related items are returned.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    content::{Content, Item},
    errors::ApiError,
    schema::{Collection, FieldKind, collection},
    values::key_text,
};

/// The fields to return. A relation has a nested selection, or is returned as keys.
#[derive(Debug)]
pub(crate) struct Selection {
    collection: &'static Collection,
    fields: BTreeMap<&'static str, Option<Selection>>,
}

impl Selection {
    /// Parses `fields`, such as `id`, `*`, `translations.*`, `location.translations.name`. Empty
    /// `fields` select all fields of the item itself.
    pub fn parse(on: &'static Collection, fields: &[String]) -> Result<Self, ApiError> {
        let mut selection = Self { collection: on, fields: BTreeMap::new() };
        if fields.is_empty() {
            selection.add("*")?;
        }
        for path in fields {
            selection.add(path)?;
        }
        Ok(selection)
    }

    fn add(&mut self, path: &str) -> Result<(), ApiError> {
        let (name, rest) = match path.split_once('.') {
            Some((name, rest)) => (name, Some(rest)),
            None => (path, None),
        };
        let fields: Vec<(&'static str, FieldKind)> = if name == "*" {
            self.collection.fields.clone()
        } else {
            let found = self.collection.fields.iter().find(|(field, _)| *field == name);
            vec![*found.ok_or_else(|| ApiError::ForbiddenField {
                field: name.to_owned(),
                collection: self.collection.name,
            })?]
        };
        for (field, kind) in fields {
            let related = match kind {
                FieldKind::One(related) | FieldKind::Many(related, _) => collection(related),
                _ => None,
            };
            let nested = self.fields.entry(field).or_default();
            if let (Some(rest), Some(related)) = (rest, related) {
                nested
                    .get_or_insert_with(|| Self { collection: related, fields: BTreeMap::new() })
                    .add(rest)?;
            }
        }
        Ok(())
    }

    /// Returns the selected fields of `item`.
    pub fn apply(&self, content: &Content, item: &Item) -> Value {
        let fields = self.fields.iter().filter_map(|(field, nested)| {
            let kind = self.collection.field(field)?;
            let value = match kind {
                FieldKind::Many(part, _) => {
                    let part = collection(part)?;
                    let key = key_text(&item["id"]);
                    let children = content.table(part).of_parent(&key);
                    Value::Array(
                        children
                            .map(|child| match nested {
                                Some(nested) => nested.apply(content, child),
                                None => child[part.key].clone(),
                            })
                            .collect(),
                    )
                }
                FieldKind::One(_) => match nested {
                    Some(nested) => content
                        .related(kind, &item[*field])
                        .map_or(Value::Null, |(_, related)| nested.apply(content, related)),
                    None => item[*field].clone(),
                },
                _ => item[*field].clone(),
            };
            Some(((*field).to_owned(), value))
        });
        Value::Object(fields.collect())
    }
}
