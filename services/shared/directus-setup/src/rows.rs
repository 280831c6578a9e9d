//! Rows of Directus's own tables, such as policies, roles and bookmarks. Each is found by its identity, added
//! if it is missing, and compared if it exists.

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    plan::{Plan, SetupStep},
    same::agrees,
};

/// The wanted rows of one table.
#[derive(Debug)]
pub struct Rows {
    /// The path of the API endpoint.
    pub path: &'static str,
    /// The name of a row in reports.
    pub kind: &'static str,
    pub wanted: Vec<Row>,
    /// Whether missing rows are reported as a number.
    pub reported_as_count: bool,
}

/// A wanted row.
#[derive(Debug)]
pub struct Row {
    /// Its own name in reports, after the name of the kind of row.
    pub name: String,
    /// The fields by which it is found again.
    pub identity: Value,
    /// Its other fields.
    pub fields: Value,
    /// Fields that are only set when it is created.
    pub initial: Value,
    /// The fields in `fields` that belong to the code.
    pub owned: &'static [&'static str],
    /// The fields in `fields` that an upgrade renews.
    pub renewed: &'static [&'static str],
}

impl Row {
    /// Creates a row that is found by `identity`.
    pub fn new(name: impl Into<String>, identity: Value, fields: Value) -> Self {
        Self { name: name.into(), identity, fields, initial: json!({}), owned: &[], renewed: &[] }
    }

    /// Adds fields that are only set when the row is created.
    pub fn initial(self, initial: Value) -> Self {
        Self { initial, ..self }
    }

    /// Returns all fields for creating the row.
    fn all_fields(&self) -> Value {
        let parts = [&self.identity, &self.fields, &self.initial];
        let members = parts.into_iter().filter_map(Value::as_object).flatten();
        Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}

impl Rows {
    /// Creates the wanted rows at `path`.
    pub const fn new(path: &'static str, kind: &'static str, wanted: Vec<Row>) -> Self {
        Self { path, kind, wanted, reported_as_count: false }
    }

    /// Plans the changes of the table's rows, and returns the existing rows.
    pub async fn plan(self, directus: &Directus, plan: &mut Plan) -> Result<Vec<Value>, Error> {
        let found = directus.list(self.path, &[]).await?;
        let mut missing = Vec::new();
        for row in &self.wanted {
            let what = format!("{} {}", self.kind, row.name);
            let Some(existing) = found.iter().find(|existing| agrees(&row.identity, existing))
            else {
                if !self.reported_as_count {
                    plan.add(what);
                }
                missing.push(row.all_fields());
                continue;
            };
            let set = plan.compare(&what, &row.fields, existing, row.owned, row.renewed);
            if !set.is_empty() {
                let id = &existing["id"];
                let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                let body = Value::Object(set.into_iter().collect());
                plan.step(SetupStep::Patch { path: format!("{}/{id}", self.path), body });
            }
        }
        if !missing.is_empty() {
            if self.reported_as_count {
                plan.add(format!("{} {}", missing.len(), self.kind));
            }
            plan.step(SetupStep::Post { path: self.path, body: Value::Array(missing) });
        }
        Ok(found)
    }
}
