//! Collections, fields and relations, by Directus's own comparison of snapshots: it adds and edits
//! in one transaction and never deletes.

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    model::{Collection, Field, Model, Relation},
    plan::{Plan, Step},
};

/// What of a field belongs to the code: what it holds and what it may hold.
const OWNED_OF_FIELDS: [&str; 3] = ["special", "validation", "validation_message"];
/// What of a field an upgrade renews: what it is called, what is said of it, what may be chosen, where it
/// stands and when it is shown.
const RENEWED_OF_FIELDS: [&str; 7] =
    ["note", "options", "display_options", "sort", "group", "conditions", "translations"];
/// What of a field it renews where the set-up has it: by what it is written and shown, and that nobody writes
/// it. What an administrator has chosen or closed besides stays.
const RENEWED_WHERE_WE_HAVE_IT: [&str; 3] = ["interface", "display", "readonly"];
/// What of a collection does: whether Directus keeps copies of what visitors wrote, and where the site
/// previews its items.
const OWNED_OF_COLLECTIONS: [&str; 2] = ["accountability", "preview_url"];
/// What of a collection an upgrade renews: what it is called.
const RENEWED_OF_COLLECTIONS: [&str; 1] = ["translations"];

/// The schema as it is.
pub struct Current {
    snapshot: Value,
}

impl Current {
    pub async fn read(directus: &Directus) -> Result<Self, Error> {
        Ok(Self { snapshot: directus.get("/schema/snapshot", &[]).await? })
    }

    /// Whether the collection is there.
    pub fn has(&self, collection: &str) -> bool {
        self.find("collections", collection, None).is_some()
    }

    /// How many collections a licence counts: those that have a table and are not switched off.
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

    /// Refuses what leads to another collection than `wanted` does, and another's list under the name of
    /// ours, of which Directus would take the first: their types are the same.
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

/// Adds what brings the schema from `current` to `model`; gives how many tables that makes.
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
            check_room(directus, wanted).await?;
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
    plan.step(Step::Schema(json!({
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

/// Does what a step says.
pub async fn apply(directus: &Directus, snapshot: &Value) -> Result<(), Error> {
    // Nothing where it has become so in the meantime.
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
    let (owned, renewed) = (&OWNED_OF_COLLECTIONS, &RENEWED_OF_COLLECTIONS);
    merged(found, "meta", plan.compare(&what, &wanted.meta, &found["meta"], owned, renewed))
}

/// Refuses a field that is missing in a collection whose items can't be without it: Postgres would.
async fn check_room(directus: &Directus, wanted: &Field) -> Result<(), Error> {
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
    let ours = RENEWED_WHERE_WE_HAVE_IT
        .into_iter()
        .filter(|name| !matches!(wanted.meta[*name], Value::Null | Value::Bool(false)));
    let renewed: Vec<&str> = RENEWED_OF_FIELDS.into_iter().chain(ours).collect();
    let set = plan.compare(&what, &wanted.meta, &found["meta"], &OWNED_OF_FIELDS, &renewed);
    Ok(merged(found, "meta", set))
}

/// Of one that is there the code owns what becomes of an item when what it names is deleted.
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

/// `found` with what has to be set in its `part`, if anything has.
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

    /// A Directus with one relation, and what is in the way there.
    fn in_the_way_of(relation: &Value) -> Option<String> {
        let current = Current { snapshot: json!({ "relations": [relation] }) };
        let model = Model::new().expect("the model");
        let refused = model.relations.iter().find_map(|wanted| {
            let found = current.find("relations", &wanted.collection, Some(&wanted.field));
            current.check_relation(wanted, found).err()
        });
        refused.map(|error| error.to_string())
    }

    #[test]
    fn a_relation_of_the_agency_s_own_is_not_taken_for_ours() {
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
            let refused = in_the_way_of(&relation).expect("it is in the way");
            assert!(refused.starts_with(words), "{refused}");
        }
        for relation in [
            relation("pages", "location", "locations", Value::Null),
            relation("team_translations", "team_id", "team", json!("translations")),
            relation("viewings", "member", "team", json!("viewings")),
            relation("viewings", "language", "languages", Value::Null),
        ] {
            assert_eq!(in_the_way_of(&relation), None);
        }
    }
}
