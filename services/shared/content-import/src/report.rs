//! Prints a plan: a line for each home, and advice about what can't be imported.

use std::fmt;

use runtime::shortened;
use serde_json::Value;

use crate::plan::{HomePlan, HomeStep, Plan};

/// The length of the longest value that is printed, in characters.
const MAX_VALUE_LENGTH: usize = 60;

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for home in self.steps.iter().filter(|home| home.step != HomeStep::Leave) {
            write!(f, "{home}")?;
        }
        for place in &self.new_places {
            writeln!(f, "+ place {}, in both languages and without texts", place.name)?;
        }
        for (name, homes) in &self.unknown_places {
            let homes = counted(homes.len(), "home");
            if self.options.create_places {
                writeln!(
                    f,
                    "? {name} can't be created ({homes}): its name gives no address, another place (perhaps \
                     an archived one) has that address, or several places have this name; use \
                     --place \"{name}=<address of one>\""
                )?;
                continue;
            }
            writeln!(
                f,
                "? no place is called {name} ({homes}): create it in Directus under Places, or use \
                 --place \"{name}=<address of one>\" or --create-places"
            )?;
        }
        for (what, times) in &self.skipped {
            writeln!(f, "  not imported: {what}, {times} ×")?;
        }
        writeln!(f, "{}", self.counts())
    }
}

impl Plan {
    /// Returns the number of homes in the plan.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there are no homes in the plan.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns how many homes have the step `step`.
    pub fn count(&self, step: HomeStep) -> usize {
        self.steps.iter().filter(|home| home.step == step).count()
    }

    /// Returns how many pictures have to be fetched.
    pub fn fetches(&self) -> usize {
        let taken = self.steps.iter().filter(|home| home.step != HomeStep::Refuse);
        taken.map(|home| home.fetches).sum()
    }

    /// Returns whether applying the plan writes nothing.
    pub fn does_nothing(&self) -> bool {
        let writes = |home: &HomePlan| {
            !matches!(home.step, HomeStep::Leave | HomeStep::Refuse | HomeStep::Gone)
        };
        self.new_places.is_empty() && !self.steps.iter().any(writes)
    }

    fn counts(&self) -> String {
        let labels = [
            (HomeStep::Create, "to create"),
            (HomeStep::CreateDraft, "to create as drafts"),
            (HomeStep::Change, "to change"),
            (HomeStep::Remember, "to record"),
            (HomeStep::Leave, "unchanged"),
            (HomeStep::Refuse, "refused"),
            (HomeStep::Archive, "to archive"),
            (HomeStep::Gone, "no longer in the feed"),
        ];
        let counts = labels.into_iter().map(|(step, words)| (self.count(step), words));
        let mut counts: Vec<String> = counts
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        if self.fetches() > 0 {
            counts.push(format!("{} to fetch", counted(self.fetches(), "picture")));
        }
        if counts.is_empty() { "no homes".to_owned() } else { counts.join(", ") }
    }
}

impl fmt::Display for HomePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, reference, .. } = self;
        match self.step {
            HomeStep::Create => write!(f, "+ {reference}: new, {}", self.summary())?,
            HomeStep::CreateDraft => {
                write!(f, "+ {reference}: new, as a draft, {}", self.summary())?;
            }
            HomeStep::Change => write!(f, "~ {reference}: {}", self.changed())?,
            HomeStep::Remember => {
                write!(f, "= {reference}: unchanged, and the feed's values are recorded")?;
            }
            HomeStep::Leave => write!(f, "= {reference}: unchanged")?,
            HomeStep::Refuse => write!(f, "! {reference} ({at}): can't be imported")?,
            HomeStep::Archive => write!(f, "- {reference}: has left the feed, and is archived")?,
            HomeStep::Gone => {
                write!(f, "- {reference}: has left the feed, and stays")?;
                if self.kept.is_empty() {
                    write!(f, " (--archive-gone archives it)")?;
                }
            }
        }
        if !self.kept.is_empty() {
            write!(f, "; kept as edited: {}", self.kept.join(", "))?;
        }
        writeln!(f)?;
        for reason in &self.reasons {
            writeln!(f, "    {reason}")?;
        }
        Ok(())
    }
}

impl HomePlan {
    fn summary(&self) -> String {
        let kind = self.wanted.get("kind").and_then(Value::as_str).unwrap_or_default();
        let price = self.wanted.get("price").and_then(Value::as_i64);
        let price = price.map_or_else(|| "on request".to_owned(), |price| format!("{price} €"));
        let pictures = self.pictures.as_ref().map_or(0, Vec::len);
        format!("{kind}, {price}, {}", counted(pictures, "picture"))
    }

    fn changed(&self) -> String {
        let mut changes: Vec<String> = self
            .changes
            .iter()
            .map(|change| {
                let (from, to) = (truncated(&change.from), truncated(&change.to));
                let over =
                    if change.overrides_editor { " (overwrites an editor's value)" } else { "" };
                format!("{} {from} → {to}{over}", change.field)
            })
            .collect();
        if self.fetches > 0 {
            changes.push(format!("{} to fetch", counted(self.fetches, "picture")));
        } else if self.changes.is_empty() {
            changes.push("pictures".to_owned());
        }
        changes.join(", ")
    }
}

fn truncated(value: &Value) -> String {
    shortened(&value.to_string(), MAX_VALUE_LENGTH)
}

/// Returns `count` with `what` is counted, in the plural unless it is one.
pub fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
