//! The rules that published content keeps, once, as data: what a field may hold and whether it may
//! be empty, per collection of the content service; and, as code, what an offer must tell ([`OfferRule`]).
//!
//! Capture checks them before a snapshot is made, and the set-up of Directus (`directus-setup`) makes
//! them the validation of its fields, so that most slips can't be saved at all.

mod form;
mod offer;
mod picture;
mod table;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use form::{Form, holds_nul, to_decimal, to_moment, to_whole};
pub use offer::OfferRule;
pub use picture::{PictureFault, UnknownFault};
pub use table::RULES;

use crate::Locale;

/// How much of a wrong value is repeated, in characters.
const FOUND_LIMIT: usize = 80;

/// What one field of a collection may hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The collection's name in the content service; parts of aggregates have rules of their own.
    pub collection: &'static str,
    /// The field's name there.
    pub field: &'static str,
    /// What it holds where it holds anything.
    pub form: Form,
    /// Whether it may be empty.
    pub need: Need,
}

/// Whether a field may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It may.
    Optional,
    /// Never in what is published.
    Always,
    /// In some translations, not in all of them: without it there is nothing to show.
    InALanguage,
}

/// A field of a published item that breaks a rule, in words for an editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    /// The field, with where it stands: `translations.es-ES.title`. Empty where it is all of the
    /// item.
    pub field: String,
    /// What it holds, as JSON, shortened.
    pub value: String,
    /// What it must be.
    pub rule: String,
}

impl Violation {
    /// `field` holds `value`, against `rule`.
    pub fn new(field: impl Into<String>, value: &Value, rule: impl Into<String>) -> Self {
        let value = value.to_string().chars().take(FOUND_LIMIT).collect();
        Self { field: field.into(), value, rule: rule.into() }
    }

    /// The item as a whole can't be recorded, because of `reason`.
    pub fn of_the_item(reason: impl Into<String>) -> Self {
        Self { field: String::new(), value: String::new(), rule: reason.into() }
    }

    /// The rule in the words of `locale`, where it is one of [`RULES`], an [`OfferRule`] for an item of
    /// `collection` or that of a [`PictureFault`]; as it is otherwise.
    pub fn rule_in(&self, collection: &str, locale: Locale) -> String {
        let mut of_offers = OfferRule::ALL.into_iter().filter(|_| collection == "properties");
        if let Some(rule) = of_offers.find(|rule| rule.words_in(Locale::En) == self.rule) {
            return rule.words_in(locale).to_owned();
        }
        let mut of_pictures = PictureFault::ALL.into_iter();
        if let Some(fault) = of_pictures.find(|fault| fault.words_in(Locale::En) == self.rule) {
            return fault.words_in(locale).to_owned();
        }
        let (place, field) = self.field.rsplit_once('.').unwrap_or(("", &self.field));
        let collection = match place {
            "" => collection.to_owned(),
            _ => format!("{collection}_translations"),
        };
        let known = Rule::of(&collection).find(|rule| rule.field == field);
        known
            .filter(|rule| rule.words() == self.rule)
            .map_or_else(|| self.rule.clone(), |rule| rule.words_in(locale))
    }

    /// The same, of a field that stands in `place`.
    #[must_use]
    pub fn within(self, place: &str) -> Self {
        Self { field: format!("{place}.{}", self.field), ..self }
    }
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.field.is_empty() {
            return f.write_str(&self.rule);
        }
        write!(f, "{} {}; it is {}", self.field, self.rule, self.value)
    }
}

impl Rule {
    /// The rules of the collection called `name`.
    pub fn of(name: &str) -> impl Iterator<Item = &'static Self> {
        RULES.iter().filter(move |rule| rule.collection == name)
    }

    /// What the field must be, in words that follow its name.
    pub fn words(&self) -> String {
        self.words_in(Locale::En)
    }

    /// The same in `locale`.
    pub fn words_in(&self, locale: Locale) -> String {
        let form = self.form.words(locale);
        match (self.need, locale) {
            (Need::Always, Locale::En) => format!("must be {form}; it can't be empty"),
            (Need::InALanguage, Locale::En) => {
                format!("must be {form}; one language at least needs it")
            }
            (Need::Optional, Locale::En) => format!("must be {form}, or empty"),
            (Need::Always, Locale::Es) => format!("debe ser {form}; no puede estar vacío"),
            (Need::InALanguage, Locale::Es) => {
                format!("debe ser {form}; hace falta al menos en un idioma")
            }
            (Need::Optional, Locale::Es) => format!("debe ser {form}, o quedar vacío"),
        }
    }

    /// Checks what an item holds in the field.
    ///
    /// # Errors
    /// How it breaks the rule. A field that is needed in one language only breaks none where it is
    /// empty: that is seen in all of the translations.
    pub fn check(&self, value: &Value) -> Result<(), Violation> {
        let breaks = |rule: String| Err(Violation::new(self.field, value, rule));
        if holds_nul(value) {
            return breaks(NO_NUL.to_owned());
        }
        if is_blank(value) {
            return if self.need == Need::Always { breaks(self.words()) } else { Ok(()) };
        }
        if self.form.fits(value) { Ok(()) } else { breaks(self.words()) }
    }
}

/// The rule that every text keeps, since no table can hold it.
const NO_NUL: &str = "must not hold the character U+0000";

/// Whether there is nothing, or nothing but spaces.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Collection, PartCollection};

    fn rule(collection: &str, field: &str) -> &'static Rule {
        Rule::of(collection).find(|rule| rule.field == field).expect("there is a rule")
    }

    #[test]
    fn each_rule_is_of_a_collection_that_is_read_and_stands_once() {
        let names: Vec<String> = Collection::ALL
            .iter()
            .map(ToString::to_string)
            .chain(PartCollection::all().map(PartCollection::name))
            .collect();
        for rule in RULES {
            assert!(names.iter().any(|name| name == rule.collection), "{}", rule.collection);
            let same = Rule::of(rule.collection).filter(|other| other.field == rule.field);
            assert_eq!(same.count(), 1, "{}.{}", rule.collection, rule.field);
        }
    }

    #[test]
    fn what_editors_slip_on_breaks_a_rule() {
        for (collection, field, wrong) in [
            ("properties", "price", json!(-5)),
            ("properties", "price", json!("a lot")),
            ("properties", "lat", json!("999.0")),
            ("properties", "lng", json!(-181)),
            ("properties", "ref", json!("AH 1042")),
            ("properties", "ref", json!("")),
            ("properties", "status", json!("review")),
            ("properties", "listing_status", json!("banana")),
            ("properties", "energy_rating", json!("H")),
            ("properties", "location", json!(null)),
            ("properties", "reduced", json!("yes")),
            ("properties", "features", json!("lift")),
            ("properties", "listed_on", json!("yesterday")),
            ("properties", "orientation", json!("south")),
            ("properties", "beach_walk_minutes", json!(61)),
            ("properties", "beach_walk_minutes", json!(-1)),
            ("properties", "beach_slope", json!("hilly")),
            ("properties", "video_url", json!("http://vimeo.com/76979871")),
            ("properties", "video_url", json!("https://video.example/watch?v=1")),
            ("properties", "tour_url", json!("https://vimeo.com/76979871")),
            ("properties_translations", "title", json!("A\0villa")),
            ("site_settings", "figures", json!({ "a": ["b\0"] })),
            ("site_settings", "figures", json!({ "a\0": 1 })),
            ("redirects", "code", json!(200)),
            ("redirects", "from_path", json!("old")),
            ("locations", "slug", json!("a/b")),
        ] {
            let broken = rule(collection, field).check(&wrong);
            let violation = broken.expect_err(&format!("{collection}.{field} takes {wrong}"));
            assert_eq!(violation.field, field);
            assert!(violation.rule.starts_with("must"), "{violation}");
        }
        for (collection, field, right) in [
            ("properties", "price", json!(null)),
            ("properties", "price", json!("250000")),
            ("properties", "lat", json!("36.75")),
            ("properties", "energy_rating", json!("")),
            ("properties", "orientation", json!("sw")),
            ("properties", "beach_walk_minutes", json!(0)),
            ("properties", "beach_slope", json!(null)),
            ("properties", "video_url", json!("https://youtu.be/aqz-KE-bpKQ")),
            ("properties", "tour_url", json!("https://my.matterport.com/show/?m=SxQL3iGyoDo")),
            ("properties_translations", "title", json!("")),
            ("docs", "slug", json!("")),
            ("docs", "slug", json!("buying/nie")),
        ] {
            assert_eq!(rule(collection, field).check(&right), Ok(()), "{collection}.{field}");
        }
    }

    #[test]
    fn a_long_value_is_repeated_in_part() {
        let violation = Violation::new("kind", &json!("x".repeat(10_000)), "must be short");
        assert_eq!(violation.value.len(), FOUND_LIMIT);
    }
}
