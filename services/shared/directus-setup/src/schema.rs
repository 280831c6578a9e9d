//! Collections, fields and relations, by Directus's own comparison of snapshots: it adds and edits
//! in one transaction and never deletes.

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    model::{Collection, Field, Model},
    plan::{Plan, Step},
};

/// What of a field belongs to the code: what it holds and what it may hold.
const OWNED_OF_FIELDS: [&str; 3] = ["special", "validation", "validation_message"];
/// What of a field an upgrade renews: what it is called, what is said of it, what may be chosen, where it
/// stands and when it is shown.
const RENEWED_OF_FIELDS: [&str; 7] =
    ["note", "options", "display_options", "sort", "group", "conditions", "translations"];
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
        if current.find("relations", &wanted.collection, Some(&wanted.field)).is_none() {
            plan.add(format!("relation {}.{}", wanted.collection, wanted.field));
            relations.push(wanted.description.clone());
        }
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
    merged(found, plan.compare(&what, &wanted.meta, &found["meta"], owned, renewed))
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
    let (owned, renewed) = (&OWNED_OF_FIELDS, &RENEWED_OF_FIELDS);
    Ok(merged(found, plan.compare(&what, &wanted.meta, &found["meta"], owned, renewed)))
}

/// `found` with what has to be set, if anything has.
fn merged(found: &Value, set: Vec<(String, Value)>) -> Option<Value> {
    if set.is_empty() {
        return None;
    }
    let mut merged = found.clone();
    for (name, value) in set {
        merged["meta"][name] = value;
    }
    Some(merged)
}
