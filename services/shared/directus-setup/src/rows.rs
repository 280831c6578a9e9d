//! Rows of Directus's own tables: policies, roles, bookmarks and the like. Each is found by what makes
//! it the one that is meant, added where it is missing, and compared where it is there.

use serde_json::{Value, json};

use crate::{
    Directus, Error,
    plan::{Plan, Step},
    same::agrees,
};

/// Rows of one table that are wanted.
#[derive(Debug)]
pub struct Rows {
    /// Where Directus has them.
    pub path: &'static str,
    /// What to call one.
    pub called: &'static str,
    pub wanted: Vec<Row>,
    /// Whether those that are missing are told as a number.
    pub are_many: bool,
}

/// A row that is wanted.
#[derive(Debug)]
pub struct Row {
    /// What it is called beside what it is.
    pub name: String,
    /// The fields by which it is found again.
    pub identity: Value,
    /// What it holds beside these.
    pub holds: Value,
    /// What it holds only when it is made.
    pub born_with: Value,
    /// Which of what it holds belongs to the code.
    pub owned: &'static [&'static str],
    /// Which of it an upgrade renews.
    pub renewed: &'static [&'static str],
}

impl Row {
    /// A row that is found by `identity`.
    pub fn new(name: impl Into<String>, identity: Value, holds: Value) -> Self {
        Self { name: name.into(), identity, holds, born_with: json!({}), owned: &[], renewed: &[] }
    }

    /// The same, which holds `fields` too when it is made.
    pub fn born_with(self, born_with: Value) -> Self {
        Self { born_with, ..self }
    }

    fn whole(&self) -> Value {
        let parts = [&self.identity, &self.holds, &self.born_with];
        let members = parts.into_iter().filter_map(Value::as_object).flatten();
        Value::Object(members.map(|(name, value)| (name.clone(), value.clone())).collect())
    }
}

impl Rows {
    /// Rows at `path`.
    pub const fn new(path: &'static str, called: &'static str, wanted: Vec<Row>) -> Self {
        Self { path, called, wanted, are_many: false }
    }

    /// Adds what brings the table's rows to these; gives the rows that are there.
    pub async fn plan(self, directus: &Directus, plan: &mut Plan) -> Result<Vec<Value>, Error> {
        let found = directus.list(self.path, &[]).await?;
        let mut missing = Vec::new();
        for row in &self.wanted {
            let what = format!("{} {}", self.called, row.name);
            let Some(there) = found.iter().find(|there| agrees(&row.identity, there)) else {
                if !self.are_many {
                    plan.add(what);
                }
                missing.push(row.whole());
                continue;
            };
            let set = plan.compare(&what, &row.holds, there, row.owned, row.renewed);
            if !set.is_empty() {
                let id = &there["id"];
                let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                let body = Value::Object(set.into_iter().collect());
                plan.step(Step::Patch { path: format!("{}/{id}", self.path), body });
            }
        }
        if !missing.is_empty() {
            if self.are_many {
                plan.add(format!("{} {}", missing.len(), self.called));
            }
            plan.step(Step::Post { path: self.path, body: Value::Array(missing) });
        }
        Ok(found)
    }
}
