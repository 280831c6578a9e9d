//! Homes as a feed has them.

use std::collections::BTreeMap;

use contracts::{Locale, Violation};
use serde_json::Value;

/// What was read, before anything is compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Feed {
    /// The homes, in the feed's order.
    pub listings: Vec<Listing>,
    /// What was read and has no place here, with how often.
    pub left: BTreeMap<String, usize>,
}

/// One home as its feed has it.
///
/// Where a field is missing, the feed says nothing of it and nothing becomes of it; where it is null, the
/// feed says that there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// Where it stands in the feed: `home 3`, `line 12`.
    pub at: String,
    /// By which the feed knows it again.
    pub key: String,
    /// Fields of `properties`, without its place, texts, pictures and floor plan.
    pub fields: BTreeMap<&'static str, Value>,
    /// Fields of `properties_translations`.
    pub texts: BTreeMap<Locale, BTreeMap<&'static str, Value>>,
    /// What the feed calls its place, the most exact first.
    pub places: Vec<String>,
    /// Addresses of its pictures, in order. None where the feed says nothing of pictures, and so they stay.
    pub pictures: Option<Vec<String>>,
    /// Address of its floor plan. None where the feed says nothing of one.
    pub floor_plan: Option<String>,
    /// What can't be taken as it is.
    pub slips: Vec<Violation>,
}

impl Feed {
    /// Counts something that has no place here.
    pub(crate) fn leave(&mut self, what: impl Into<String>) {
        *self.left.entry(what.into()).or_default() += 1;
    }
}

impl Listing {
    /// The agency's reference, as far as there is one.
    pub fn reference(&self) -> &str {
        self.fields.get("ref").and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn slip(&mut self, field: &str, found: &str, rule: &str) {
        self.slips.push(Violation::new(field, &Value::from(found), rule));
    }

    /// Says `text` of `field` in `locale`; nothing where it is blank.
    pub(crate) fn say(&mut self, locale: Locale, field: &'static str, text: String) {
        if !text.trim().is_empty() {
            self.texts.entry(locale).or_default().insert(field, Value::from(text));
        }
    }
}
