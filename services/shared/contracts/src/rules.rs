//! The validation rules of published content. The table states, for each field of a collection of the
//! content service, which values are allowed and whether it may be empty. Rules that involve several fields
//! are code: what an offer must state ([`OfferRule`]), and the remaining rules ([`OtherRule`]).
//!
//! Capture checks them before it makes a snapshot. The setup of Directus (`directus-setup`) uses them as
//! the validation of its fields, so that most mistakes can't be saved at all.

mod form;
mod offer;
mod other;
mod picture;
mod table;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use form::{RuleForm, contains_nul, to_decimal, to_moment, to_whole};
pub use offer::OfferRule;
pub use other::{ItemFault, OtherRule};
pub use picture::{MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE, PictureFault};
pub use table::RULES;

use crate::Locale;

/// The maximum length of the invalid value in a [`Violation`], in characters.
const MAX_VALUE_CHARS: usize = 80;

/// The values that a field of a collection may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The collection's name in the content service, which may be a collection of parts of aggregates.
    pub collection: &'static str,
    /// The field's name there.
    pub field: &'static str,
    /// The form of its value, if it is not empty.
    pub form: RuleForm,
    /// Whether it may be empty.
    pub need: Need,
}

/// Whether a field may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It may be empty.
    Optional,
    /// It may not be empty in published content.
    Always,
    /// It must be filled in at least one translation, because otherwise there is nothing to show.
    InALanguage,
}

/// A violation of a rule by a field of a published item, in words for editors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Violation {
    /// The path of the field: `translations.es-ES.title`. Empty if the item as a whole is at fault.
    pub field: String,
    /// The field's value as JSON, truncated.
    pub value: String,
    /// The rule: what the value must be.
    pub rule: String,
}

impl Violation {
    /// Returns the violation of `rule` by `field` with `value`.
    pub fn new(field: impl Into<String>, value: &Value, rule: impl Into<String>) -> Self {
        let value = value.to_string().chars().take(MAX_VALUE_CHARS).collect();
        Self { field: field.into(), value, rule: rule.into() }
    }

    /// Returns the violation by an item as a whole that has `fault`, with the cause `why`.
    pub fn of_the_item(fault: ItemFault, why: &dyn std::fmt::Display) -> Self {
        let rule = format!("{}: {why}", fault.words_in(Locale::En));
        Self { field: String::new(), value: String::new(), rule }
    }

    /// Returns the rule in the language of `locale`; unchanged if this build does not know the rule.
    pub fn rule_in(&self, locale: Locale) -> String {
        let fixed = fixed_words(locale)
            .find(|(english, _)| *english == self.rule)
            .map(|(_, words)| words.to_owned());
        let of_table = || {
            let known = RULES.iter().find(|rule| rule.words() == self.rule);
            known.map(|rule| rule.words_in(locale))
        };
        let of_the_item = || {
            ItemFault::ALL.iter().find_map(|fault| {
                let why = self.rule.strip_prefix(fault.words_in(Locale::En))?;
                Some(format!("{}{why}", fault.words_in(locale)))
            })
        };
        let known = fixed.or_else(of_table).or_else(of_the_item);
        known.unwrap_or_else(|| self.rule.clone())
    }

    /// Prefixes the field's path with `parent`.
    #[must_use]
    pub fn within(self, parent: &str) -> Self {
        Self { field: format!("{parent}.{}", self.field), ..self }
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
    /// Returns the rules of the collection `name`.
    pub fn of(name: &str) -> impl Iterator<Item = &'static Self> {
        RULES.iter().filter(move |rule| rule.collection == name)
    }

    /// Returns what the field must be, in words that follow its name, in English.
    pub fn words(&self) -> String {
        self.words_in(Locale::En)
    }

    /// Returns the same in the language of `locale`.
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

    /// Checks the field's value in an item.
    ///
    /// # Errors
    /// The violation. An empty field that is needed in one language only is accepted here: that rule can
    /// only be checked with all translations.
    pub fn check(&self, value: &Value) -> Result<(), Violation> {
        let breaks = |rule: String| Err(Violation::new(self.field, value, rule));
        if contains_nul(value) {
            return Err(OtherRule::NoNul.broken(self.field, value));
        }
        if is_blank(value) {
            return if self.need == Need::Always { breaks(self.words()) } else { Ok(()) };
        }
        if self.form.fits(value) { Ok(()) } else { breaks(self.words()) }
    }
}

/// Returns the words of the rules outside the table, in English and in the language of `locale`.
fn fixed_words(locale: Locale) -> impl Iterator<Item = (&'static str, &'static str)> {
    let offers =
        OfferRule::ALL.into_iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    let pictures =
        PictureFault::ALL.iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    let others =
        OtherRule::ALL.iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    offers.chain(pictures).chain(others)
}

/// Returns whether `value` is null, empty, or only spaces.
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
    fn each_field_has_one_rule_and_belongs_to_a_known_collection() {
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
    fn invalid_values_break_their_rule_and_valid_ones_do_not() {
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
            ("redirects", "from_path", json!("//elsewhere.example")),
            ("redirects", "from_path", json!("/old?x=1")),
            ("redirects", "from_path", json!("/?x=1")),
            ("redirects", "from_path", json!("/old#a")),
            ("redirects", "to_path", json!("https://elsewhere.example/new")),
            ("redirects", "to_path", json!("//elsewhere.example/new")),
            ("redirects", "to_path", json!("/\\elsewhere.example/new")),
            ("redirects", "to_path", json!("/\t/elsewhere.example/new")),
            ("locations", "slug", json!("a/b")),
            ("navigation", "url", json!("contact-us")),
            ("navigation", "url", json!("www.elsewhere.example")),
            ("navigation", "url", json!("//elsewhere.example")),
            ("navigation", "url", json!("https:elsewhere.example")),
            ("navigation", "url", json!("https://")),
            ("navigation", "url", json!("https:///contact-us")),
            ("navigation", "url", json!("https://elsewhere.example/our page")),
            ("navigation", "url", json!("mailto:")),
            ("navigation", "url", json!("tel:\t1")),
            ("navigation", "url", json!("javascript:alert(1)")),
            ("site_settings", "social_url", json!("elsewhere.example/almijara")),
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
            ("redirects", "from_path", json!("/")),
            ("redirects", "from_path", json!("/old/peñoncillo")),
            ("redirects", "to_path", json!(null)),
            ("redirects", "to_path", json!("/")),
            ("redirects", "to_path", json!("/peñoncillo?page=2#homes")),
            ("navigation", "url", json!(null)),
            ("navigation", "url", json!("/")),
            ("navigation", "url", json!("/contact-us?kind=valuation#form")),
            ("navigation", "url", json!("https://x.es/")),
            ("navigation", "url", json!("http://peñoncillo.example?a=b")),
            ("navigation", "url", json!("mailto:ann@x.example?subject=A home")),
            ("navigation", "url", json!("tel:+34 952 000 000")),
            ("site_settings", "social_url", json!("https://social.example/almijara")),
        ] {
            assert_eq!(rule(collection, field).check(&right), Ok(()), "{collection}.{field}");
        }
    }

    #[test]
    fn each_violation_is_translated_also_with_a_nested_field() {
        for rule in RULES {
            let broken = Violation::new(rule.field, &Value::Null, rule.words()).within("images.7");
            assert_eq!(broken.rule_in(Locale::En), rule.words());
            assert_eq!(broken.rule_in(Locale::Es), rule.words_in(Locale::Es));
        }
        let unknown = Violation::new("kind", &Value::Null, "must be what a later build says");
        assert_eq!(unknown.rule_in(Locale::Es), unknown.rule);
    }

    #[test]
    fn a_long_value_is_truncated() {
        let violation = Violation::new("kind", &json!("x".repeat(10_000)), "must be short");
        assert_eq!(violation.value.len(), MAX_VALUE_CHARS);
    }
}
