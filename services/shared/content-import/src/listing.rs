//! Homes as read from a feed.

use std::collections::BTreeMap;

use contracts::{Locale, Violation};
use serde_json::Value;

/// A feed that was read, before anything is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// The homes, in the feed's order.
    pub listings: Vec<Listing>,
    /// What was skipped because it has no equivalent here, with how often it occurred.
    pub skipped: BTreeMap<String, usize>,
}

/// A home as its feed has it.
///
/// A missing field means that the feed says nothing about it, so it stays unchanged. A null means that
/// there is no value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Its position in the feed: `home 3`, `line 12`.
    pub at: String,
    /// Identifies it in the feed, across runs.
    pub key: String,
    /// Fields of `properties`, without its place, texts, pictures and floor plan.
    pub fields: BTreeMap<&'static str, Value>,
    /// Fields of `properties_translations`.
    pub texts: BTreeMap<Locale, BTreeMap<&'static str, Value>>,
    /// The feed's names for its place, the most exact one first.
    pub places: Vec<String>,
    /// Addresses of its pictures, in order. `None` if the feed says nothing about pictures, so they stay.
    pub pictures: Option<Vec<String>>,
    /// Address of its floor plan. `None` if the feed says nothing about one.
    pub floor_plan: Option<String>,
    /// Values that are invalid.
    pub violations: Vec<Violation>,
}

impl Feed {
    /// Counts something that is skipped because it has no equivalent here.
    pub(crate) fn count_skipped(&mut self, what: impl Into<String>) {
        *self.skipped.entry(what.into()).or_default() += 1;
    }
}

impl Listing {
    /// Returns the agency's reference, or an empty text without one.
    pub fn reference(&self) -> &str {
        self.fields.get("ref").and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn add_violation(&mut self, field: &str, found: &str, rule: &str) {
        self.violations.push(Violation::new(field, &Value::from(found), rule));
    }

    /// Sets `field` in `locale` to `text`, unless that is blank.
    pub(crate) fn add_text(&mut self, locale: Locale, field: &'static str, text: String) {
        if !text.trim().is_empty() {
            self.texts.entry(locale).or_default().insert(field, Value::from(text));
        }
    }
}
