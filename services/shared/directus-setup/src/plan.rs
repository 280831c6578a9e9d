//! What would be done to a Directus, before any of it is.

use std::{fmt, path::PathBuf};

use serde_json::Value;

use crate::same::agrees;

/// The version of the set-up that this program brings. It rises with every change of what is in
/// `data/` or of how that is told to Directus, and is recorded in each Directus.
pub const VERSION: u32 = 17;
/// It was written by a script and recorded nothing.
const FIRST: u32 = 1;

/// What a Directus would be changed by, and what differs and is left as it is.
#[derive(Debug)]
pub struct Plan {
    /// The version that it was set up by before; none where it never was, to the end.
    pub before: Option<u32>,
    /// What is missing or belongs to the code, in the order in which it is done.
    pub changes: Vec<Change>,
    /// What an administrator has made otherwise and keeps.
    pub kept: Vec<Change>,
    pub(crate) steps: Vec<Step>,
    pub(crate) overwrite: bool,
    /// Whether it was empty when the set-up began, which has not ended yet.
    pub(crate) is_resumed: bool,
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
    /// Fills collections that are empty, or were when it began.
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
        Self {
            before,
            changes: Vec::new(),
            kept: Vec::new(),
            steps: Vec::new(),
            overwrite,
            is_resumed: false,
        }
    }

    /// Whether nothing has to be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether what an administrator may have changed is set to what this version has: we were told
    /// to, or it was left there by the first version, whose forms were another script's.
    pub(crate) const fn sets_all(&self) -> bool {
        self.overwrite || matches!(self.before, Some(FIRST))
    }

    const fn is_upgrade(&self) -> bool {
        matches!(self.before, Some(before) if before < VERSION)
    }

    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.changes.push(Change::Add(what.into()));
    }

    pub(crate) fn step(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Compares the members of `wanted` with those of `found`; gives those to be set. What is not
    /// of the code (`owned`) stays as an administrator made it, but for what an upgrade brings anew
    /// (`renewed`).
    pub(crate) fn compare(
        &mut self,
        what: &str,
        wanted: &Value,
        found: &Value,
        owned: &[&str],
        renewed: &[&str],
    ) -> Vec<(String, Value)> {
        let (sets_all, is_upgrade) = (self.sets_all(), self.is_upgrade());
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
            let name_is_in = |names: &[&str]| names.contains(&name.as_str());
            if sets_all || name_is_in(owned) || is_upgrade && name_is_in(renewed) {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// What is set of a field that differs in all its members.
    fn set(before: Option<u32>, overwrite: bool) -> Vec<String> {
        let wanted = json!({ "note": "Ours", "validation": {}, "width": "full" });
        let found = json!({ "note": "Theirs", "validation": null, "width": "half" });
        let mut plan = Plan::new(before, overwrite);
        let set = plan.compare("a field", &wanted, &found, &["validation"], &["note"]);
        assert_eq!(plan.changes.len() + plan.kept.len(), 3, "each is told");
        set.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn an_upgrade_renews_what_it_brings_and_leaves_what_an_administrator_changed() {
        assert_eq!(set(Some(VERSION), false), ["validation"]);
        assert_eq!(set(Some(VERSION - 1), false), ["note", "validation"]);
        assert_eq!(set(None, false), ["validation"], "it was there before we were");
        for all in [set(Some(VERSION), true), set(Some(FIRST), false)] {
            assert_eq!(all, ["note", "validation", "width"]);
        }
    }
}
