//! Compares an index with the content.

use std::collections::BTreeMap;

use contracts::{Offer, content::Property};
use serde_json::Value as Json;
use tantivy::{TantivyDocument, schema::Value};

use crate::{document::IndexedProperty, error::Error, schema::name, view::View};

/// A field whose indexed value differs from the content.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The property's key in the content service.
    pub key: String,
    /// The field; `None` if the whole property is missing or should not be in the index.
    pub field: Option<String>,
    /// The value according to the content.
    pub expected: Json,
    /// The indexed value.
    pub found: Json,
}

/// Compares `view` with the published properties, by key, field by field. `offers` has their offers by key,
/// the oldest first.
pub fn differences<'a>(
    view: &View,
    published: impl IntoIterator<Item = (&'a str, &'a Property)>,
    offers: &BTreeMap<String, Vec<Offer>>,
) -> Result<Vec<Difference>, Error> {
    let mut indexed = view.stored()?;
    let mut differences = Vec::new();
    for (key, property) in published {
        let offers = offers.get(key).map_or(&[][..], Vec::as_slice);
        let expected = serde_json::to_value(IndexedProperty::of(property, offers))?;
        let found = indexed.remove(key).unwrap_or(Json::Null);
        compare(key, &expected, &found, &mut differences);
    }
    for (key, found) in indexed {
        compare(&key, &Json::Null, &found, &mut differences);
    }
    Ok(differences)
}

fn compare(key: &str, expected: &Json, found: &Json, differences: &mut Vec<Difference>) {
    let mut record = |field: Option<&String>, expected: &Json, found: &Json| {
        differences.push(Difference {
            key: key.to_owned(),
            field: field.cloned(),
            expected: expected.clone(),
            found: found.clone(),
        });
    };
    match (expected, found) {
        (Json::Object(expected), Json::Object(found)) => {
            for (field, value) in expected {
                let stored = found.get(field).unwrap_or(&Json::Null);
                if value != stored {
                    record(Some(field), value, stored);
                }
            }
        }
        _ if expected != found => record(None, expected, found),
        _ => {}
    }
}

impl View {
    /// Returns the stored fields of every indexed property, by key, without removed ones.
    fn stored(&self) -> Result<BTreeMap<String, Json>, Error> {
        let mut stored = BTreeMap::new();
        for segment in self.searcher.segment_readers() {
            let Some(keys) = segment.fast_fields().str(name::KEY)? else { continue };
            let documents = segment.get_store_reader(1).map_err(tantivy::TantivyError::from)?;
            let mut key = String::new();
            for doc in segment.doc_ids_alive() {
                let document: TantivyDocument = documents.get(doc)?;
                let source = document.get_first(self.fields.source);
                let Some(source) = source.and_then(|value| value.as_str()) else { continue };
                let ordinal = keys.ords().first(doc).unwrap_or(u64::MAX);
                keys.ord_to_str(ordinal, &mut key).map_err(tantivy::TantivyError::from)?;
                stored.insert(key.clone(), serde_json::from_str(source)?);
            }
        }
        Ok(stored)
    }
}
