//! The plan of changes to a Directus, made before any of them is applied.

use std::{fmt, path::PathBuf};

use runtime::shortened;
use serde_json::Value;

use crate::same::agrees;

/// The version of this program's set-up, which is recorded in each Directus. Raise it with every change of
/// `data/` or of how that is applied to Directus.
pub const VERSION: u32 = 18;
/// The first version. It was set up by a script and not recorded.
const FIRST_VERSION: u32 = 1;

/// The changes that a Directus needs, and the differences that are left as they are.
#[derive(Debug)]
pub struct Plan {
    /// The version of the last completed set-up; `None` if none was completed.
    pub before: Option<u32>,
    /// The changes of what is missing or belongs to the code, in the order in which they are made.
    pub changes: Vec<Change>,
    /// The changes by an administrator that stay.
    pub kept: Vec<Change>,
    /// What is not planned or not checked because an option was not given, with the variable that gives it.
    pub left_out: Vec<String>,
    pub(crate) steps: Vec<SetupStep>,
    pub(crate) overwrite: bool,
    /// Whether an earlier set-up of an empty Directus was interrupted.
    pub(crate) is_resumed: bool,
}

/// A description of one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something is missing.
    Add(String),
    /// A value differs.
    Set {
        /// The object, with the name of its property.
        what: String,
        /// The current value as JSON, truncated.
        from: String,
        /// The value of the set-up.
        to: String,
    },
    /// Something should not exist.
    Remove(String),
}

/// One call, or a few that belong together.
#[derive(Clone, Debug)]
pub(crate) enum SetupStep {
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
    /// Fills collections that are empty, or were when the set-up began.
    Content {
        folder: PathBuf,
        collections: Vec<String>,
        files: bool,
    },
    /// Adds a flow, or corrects it.
    Flow {
        id: String,
        flow: Value,
        operation: Value,
        exists: bool,
        has_operation: bool,
    },
}

/// The maximum length of a value in a description, in characters.
const MAX_VALUE_CHARS: usize = 60;

impl Plan {
    pub(crate) const fn new(before: Option<u32>, overwrite: bool) -> Self {
        Self {
            before,
            changes: Vec::new(),
            kept: Vec::new(),
            left_out: Vec::new(),
            steps: Vec::new(),
            overwrite,
            is_resumed: false,
        }
    }

    /// Returns whether nothing has to be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns whether values that an administrator may have changed are reset to those of this version:
    /// either on request, or because they come from the first version, whose forms were created by another
    /// script.
    pub(crate) const fn resets_all(&self) -> bool {
        self.overwrite || matches!(self.before, Some(FIRST_VERSION))
    }

    /// Returns whether an earlier version has set it up.
    pub(crate) const fn is_upgrade(&self) -> bool {
        matches!(self.before, Some(before) if before < VERSION)
    }

    pub(crate) fn add(&mut self, what: impl Into<String>) {
        self.changes.push(Change::Add(what.into()));
    }

    pub(crate) fn step(&mut self, step: SetupStep) {
        self.steps.push(step);
    }

    /// Compares the members of `wanted` with those of `found`, and returns those to set. Members that the code
    /// owns (`owned`) are always set. Those in `renewed` are set by an upgrade. All others stay as an
    /// administrator has them.
    pub(crate) fn compare(
        &mut self,
        what: &str,
        wanted: &Value,
        found: &Value,
        owned: &[&str],
        renewed: &[&str],
    ) -> Vec<(String, Value)> {
        let (resets_all, is_upgrade) = (self.resets_all(), self.is_upgrade());
        let mut set = Vec::new();
        for (name, value) in wanted.as_object().into_iter().flatten() {
            if agrees(value, &found[name]) {
                continue;
            }
            let change = Change::Set {
                what: format!("{what}: {name}"),
                from: truncated(&found[name]),
                to: truncated(value),
            };
            let name_is_in = |names: &[&str]| names.contains(&name.as_str());
            if resets_all || name_is_in(owned) || is_upgrade && name_is_in(renewed) {
                self.changes.push(change);
                set.push((name.clone(), value.clone()));
            } else {
                self.kept.push(change);
            }
        }
        set
    }
}

/// Returns the text of a value, truncated.
fn truncated(value: &Value) -> String {
    let text = if value.is_null() { "nothing".to_owned() } else { value.to_string() };
    shortened(&text, MAX_VALUE_CHARS)
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

    /// Returns the members that are set in a field that differs in all of them.
    fn set(before: Option<u32>, overwrite: bool) -> Vec<String> {
        let wanted = json!({ "note": "Ours", "validation": {}, "width": "full" });
        let found = json!({ "note": "Theirs", "validation": null, "width": "half" });
        let mut plan = Plan::new(before, overwrite);
        let set = plan.compare("a field", &wanted, &found, &["validation"], &["note"]);
        assert_eq!(plan.changes.len() + plan.kept.len(), 3, "each is reported");
        set.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn an_upgrade_renews_its_own_values_and_keeps_an_administrators_changes() {
        assert_eq!(set(Some(VERSION), false), ["validation"]);
        assert_eq!(set(Some(VERSION - 1), false), ["note", "validation"]);
        assert_eq!(set(None, false), ["validation"], "it existed before the set-up");
        for all in [set(Some(VERSION), true), set(Some(FIRST_VERSION), false)] {
            assert_eq!(all, ["note", "validation", "width"]);
        }
    }
}
