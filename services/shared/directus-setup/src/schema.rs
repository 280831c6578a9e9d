//! Plans collections, fields and relations. They are applied by Directus's own comparison of snapshots, which
//! adds and edits in one transaction and never deletes.

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    model::{Collection, Field, Model, Relation},
    plan::{Plan, SetupStep},
};

/// The keys of a field's metadata that belong to the code: its type and validation.
const OWNED_FIELD_KEYS: [&str; 3] = ["special", "validation", "validation_message"];
/// The keys of a field's metadata that an upgrade renews: name, note, choices, position and conditions.
const RENEWED_FIELD_KEYS: [&str; 7] =
    ["note", "options", "display_options", "sort", "group", "conditions", "translations"];
/// The keys that an upgrade renews only if the set-up sets them: the interface, the display, and that the
/// field is read-only. Where the set-up has none of these, an administrator's choice stays.
const RENEWED_IF_SET: [&str; 3] = ["interface", "display", "readonly"];
/// The keys of a collection's metadata that belong to the code: whether Directus keeps copies of what visitors
/// wrote, and the URL at which the site previews items.
const OWNED_COLLECTION_KEYS: [&str; 2] = ["accountability", "preview_url"];
/// The keys of a collection's metadata that an upgrade renews: its name.
const RENEWED_COLLECTION_KEYS: [&str; 1] = ["translations"];

/// The current schema of a Directus.
pub struct Current {
    snapshot: Value,
}

impl Current {
    pub async fn read(directus: &Directus) -> Result<Self, Error> {
        Ok(Self { snapshot: directus.get("/schema/snapshot", &[]).await? })
    }

    /// Returns whether the collection exists.
    pub fn has(&self, collection: &str) -> bool {
        self.find("collections", collection, None).is_some()
    }

    /// Returns how many collections a licence counts: those that have a table and are not inactive.
    pub fn tables(&self) -> u64 {
        let all = self.snapshot["collections"].as_array().into_iter().flatten();
        let counted =
            all.filter(|it| !it["schema"].is_null() && it["meta"]["status"] != "inactive");
        counted.count().try_into().unwrap_or(u64::MAX)
    }

    fn find(&self, kind: &str, collection: &str, field: Option<&str>) -> Option<&Value> {
        self.snapshot[kind].as_array()?.iter().find(|entry| {
            entry["collection"] == collection && field.is_none_or(|field| entry["field"] == field)
        })
    }

    /// Rejects an existing relation that leads to another collection than `wanted` does. Also rejects a list of
    /// another relation with the same field name: the types are the same, so Directus would use the first.
    fn check_relation(&self, wanted: &Relation, found: Option<&Value>) -> Result<(), Error> {
        let Relation { collection, field, description } = wanted;
        let name = |value: &Value| value.as_str().unwrap_or("nothing").to_owned();
        let related = &description["related_collection"];
        if let Some(found) = found.filter(|found| found["related_collection"] != *related) {
            return Err(Error::InTheWay {
                what: format!("relation {collection}.{field}"),
                found: format!("to {}", name(&found["related_collection"])),
                wanted: format!("to {}", name(related)),
            });
        }
        let list = &description["meta"]["one_field"];
        if list.is_null() {
            return Ok(());
        }
        let mut relations = self.snapshot["relations"].as_array().into_iter().flatten();
        let others = relations.find(|it| {
            it["related_collection"] == *related
                && it["meta"]["one_field"] == *list
                && (it["collection"] != *collection || it["field"] != *field)
        });
        others.map_or(Ok(()), |others| {
            Err(Error::InTheWay {
                what: format!("field {}.{}", name(related), name(list)),
                found: format!("of {}", name(&others["collection"])),
                wanted: format!("of {collection}"),
            })
        })
    }
}

/// Plans the changes from `current` to `model`, and returns the number of new tables.
pub async fn plan(
    directus: &Directus,
    model: &Model,
    current: &Current,
    plan: &mut Plan,
) -> Result<u64, Error> {
    let mut tables = 0;
    let mut collections = Vec::new();
    for wanted in &model.collections {
        let found = current.find("collections", &wanted.name, None);
        tables += u64::from(found.is_none());
        collections.extend(collection(wanted, found, plan));
    }
    let mut fields = Vec::new();
    for wanted in &model.fields {
        let found = current.find("fields", &wanted.collection, Some(&wanted.name));
        if found.is_none() && current.has(&wanted.collection) {
            check_can_be_added(directus, wanted).await?;
        }
        fields.extend(field(wanted, found, plan)?);
    }
    let mut relations = Vec::new();
    for wanted in &model.relations {
        let found = current.find("relations", &wanted.collection, Some(&wanted.field));
        current.check_relation(wanted, found)?;
        relations.extend(relation(wanted, found, plan));
    }
    if collections.is_empty() && fields.is_empty() && relations.is_empty() {
        return Ok(0);
    }
    plan.step(SetupStep::Schema(json!({
        "version": 2,
        "directus": current.snapshot["directus"],
        "vendor": current.snapshot["vendor"],
        "collections": collections,
        "fields": fields,
        "systemFields": [],
        "relations": relations,
    })));
    Ok(tables)
}

/// Applies a schema step.
pub async fn apply(directus: &Directus, snapshot: &Value) -> Result<(), Error> {
    // The difference is null if the schema has been changed in the meantime.
    let difference = directus.post("/schema/diff?mode=merge", snapshot).await?;
    if !difference.is_null() {
        directus.post("/schema/apply", &difference).await?;
    }
    Ok(())
}

fn collection(wanted: &Collection, found: Option<&Value>, plan: &mut Plan) -> Option<Value> {
    let name = &wanted.name;
    let Some(found) = found else {
        plan.add(format!("collection {name}"));
        return Some(
            json!({ "collection": name, "meta": wanted.meta, "schema": { "name": name } }),
        );
    };
    let what = format!("collection {name}");
    let (owned, renewed) = (&OWNED_COLLECTION_KEYS, &RENEWED_COLLECTION_KEYS);
    merged(found, "meta", plan.compare(&what, &wanted.meta, &found["meta"], owned, renewed))
}

/// Rejects a missing field that must not be null, if its collection has items: Postgres would reject it.
async fn check_can_be_added(directus: &Directus, wanted: &Field) -> Result<(), Error> {
    let Field { collection, name, .. } = wanted;
    if wanted.has_to_be_filled() && !directus.has_no_item(collection).await? {
        return Err(Error::Unfilled { what: format!("field {collection}.{name}") });
    }
    Ok(())
}

fn field(wanted: &Field, found: Option<&Value>, plan: &mut Plan) -> Result<Option<Value>, Error> {
    let (collection, field) = (&wanted.collection, &wanted.name);
    let what = format!("field {collection}.{field}");
    let Some(found) = found else {
        plan.add(what);
        let mut described = json!({
            "collection": collection, "field": field, "type": wanted.of, "meta": wanted.meta,
        });
        if let Some(schema) = &wanted.schema {
            described["schema"] = schema.clone();
        }
        return Ok(Some(described));
    };
    if found["type"] != wanted.of {
        let found = found["type"].as_str().unwrap_or("of an unknown type").to_owned();
        return Err(Error::InTheWay { what, found, wanted: wanted.of.to_owned() });
    }
    let renewed_if_set = RENEWED_IF_SET
        .into_iter()
        .filter(|name| !matches!(wanted.meta[*name], Value::Null | Value::Bool(false)));
    let renewed: Vec<&str> = RENEWED_FIELD_KEYS.into_iter().chain(renewed_if_set).collect();
    let set = plan.compare(&what, &wanted.meta, &found["meta"], &OWNED_FIELD_KEYS, &renewed);
    Ok(merged(found, "meta", set))
}

/// Plans a relation. In an existing one, the code only owns what happens to an item when the item that it
/// references is deleted.
fn relation(wanted: &Relation, found: Option<&Value>, plan: &mut Plan) -> Option<Value> {
    let what = format!("relation {}.{}", wanted.collection, wanted.field);
    let Some(found) = found else {
        plan.add(what);
        return Some(wanted.description.clone());
    };
    let schema = &found["schema"];
    if schema.is_null() {
        return None;
    }
    let on_delete = json!({ "on_delete": wanted.description["schema"]["on_delete"] });
    merged(found, "schema", plan.compare(&what, &on_delete, schema, &["on_delete"], &[]))
}

/// Returns `found` with the values of `set` in its `part`; `None` if there are none.
fn merged(found: &Value, part: &str, set: Vec<(String, Value)>) -> Option<Value> {
    if set.is_empty() {
        return None;
    }
    let mut merged = found.clone();
    for (name, value) in set {
        merged[part][name] = value;
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the conflict with the model of a Directus with one relation.
    fn conflict_of(relation: &Value) -> Option<String> {
        let current = Current { snapshot: json!({ "relations": [relation] }) };
        let model = Model::new().expect("the model");
        let refused = model.relations.iter().find_map(|wanted| {
            let found = current.find("relations", &wanted.collection, Some(&wanted.field));
            current.check_relation(wanted, found).err()
        });
        refused.map(|error| error.to_string())
    }

    #[test]
    fn an_agencys_own_relation_is_not_taken_for_one_of_the_model() {
        let relation = |collection: &str, field: &str, related: &str, list: Value| {
            json!({ "collection": collection, "field": field, "related_collection": related,
                    "meta": { "one_field": list } })
        };
        for (relation, words) in [
            (
                relation("pages", "location", "offices", Value::Null),
                "relation pages.location is to offices in this Directus and has to be to locations",
            ),
            (
                relation("team_texts", "member", "team", json!("translations")),
                "field team.translations is of team_texts in this Directus and has to be of \
                 team_translations",
            ),
        ] {
            let refused = conflict_of(&relation).expect("it is in the way");
            assert!(refused.starts_with(words), "{refused}");
        }
        for relation in [
            relation("pages", "location", "locations", Value::Null),
            relation("team_translations", "team_id", "team", json!("translations")),
            relation("viewings", "member", "team", json!("viewings")),
            relation("viewings", "language", "languages", Value::Null),
        ] {
            assert_eq!(conflict_of(&relation), None);
        }
    }
}
