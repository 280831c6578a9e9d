//! What would be done to a Directus, before any of it is.

use std::{fmt, path::PathBuf};

use serde_json::Value;

use crate::same::agrees;

/// The version of the set-up that this program brings. It rises with every change of what is in
/// `data/` or of how that is told to Directus, and is recorded in each Directus.
///
/// The first was written by a script and recorded nothing.
pub const VERSION: u32 = 11;

/// What a Directus would be changed by, and what differs and is left as it is.
#[derive(Debug)]
pub struct Plan {
    /// The version that it was set up by before; none where it never was.
    pub before: Option<u32>,
    /// What is missing or belongs to the code, in the order in which it is done.
    pub changes: Vec<Change>,
    /// What an administrator has made otherwise and keeps.
    pub kept: Vec<Change>,
    pub(crate) steps: Vec<Step>,
    pub(crate) overwrite: bool,
}

/// One thing that is done, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is not there yet.
    Add(String),
    /// It is otherwise.
    Set {
        /// What, with the name of its property.
        what: String,
        /// As it is, as JSON, shortened.
        from: String,
        /// As the set-up has it.
        to: String,
    },
    /// It is more than there should be.
    Remove(String),
}

/// A call, or a few that belong together.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Brings the schema to a snapshot of version 2.
    Schema(Value),
    Post {
        path: &'static str,
        body: Value,
    },
    Patch {
        path: String,
        body: Value,
    },
    Delete {
        path: String,
    },
    /// Fills collections that are empty.
    Content {
        folder: PathBuf,
        collections: Vec<String>,
        files: bool,
    },
    /// Adds a flow, or sets it right.
    Flow {
        id: String,
        flow: Value,
        operation: Value,
        is_there: bool,
        has_operation: bool,
    },
}

/// How long a value is told, in characters.
const TOLD: usize = 60;

impl Plan {
    pub(crate) const fn new(before: Option<u32>, overwrite: bool) -> Self {
        Self { before, changes: Vec::new(), kept: Vec::new(), steps: Vec::new(), overwrite }
    }

    /// Whether nothing has to be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether what an administrator may have changed is set to what this version has: it was left
    /// there by an older version, or we were told to.
    pub(crate) const fn sets_all(&self) -> bool {
        self.overwrite || matches!(self.before, Some(before) if before < VERSION)
    }

    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.changes.push(Change::Add(what.into()));
    }

    pub(crate) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Compares the members of `wanted` with those of `found`; gives those to be set. What is not
    /// of the code (`owned`) stays as an administrator made it.
    pub(crate) fn compare(
        &mut self,
        what: &str,
        wanted: &Value,
        found: &Value,
        owned: &[&str],
    ) -> Vec<(String, Value)> {
        let sets_all = self.sets_all();
        let mut set = Vec::new();
        for (name, value) in wanted.as_object().into_iter().flatten() {
            if agrees(value, &found[name]) {
                continue;
            }
            let change = Change::Set {
                what: format!("{what}: {name}"),
                from: told(&found[name]),
                to: told(value),
            };
            if sets_all || owned.contains(&name.as_str()) {
                self.changes.push(change);
                set.push((name.clone(), value.clone()));
            } else {
                self.kept.push(change);
            }
        }
        set
    }
}

/// A value in words, in part.
fn told(value: &Value) -> String {
    let text = if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    if text.chars().count() <= TOLD {
        return text;
    }
    text.chars().take(TOLD).chain("…".chars()).collect()
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Add(what) => write!(f, "+ {what}"),
            Self::Set { what, from, to } => write!(f, "~ {what}: {from} -> {to}"),
            Self::Remove(what) => write!(f, "- {what}"),
        }
    }
}
