//! The rules that published content keeps, once, as data: what a field may hold and whether it may
//! be empty, per collection of the content service; and, as code, what an offer must tell ([`OfferRule`])
//! and what no table has room for ([`OtherRule`]).
//!
//! Capture checks them before a snapshot is made, and the set-up of Directus (`directus-setup`) makes
//! them the validation of its fields, so that most slips can't be saved at all.

mod form;
mod offer;
mod other;
mod picture;
mod table;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use form::{Form, holds_nul, to_decimal, to_moment, to_whole};
pub use offer::OfferRule;
pub use other::{ItemFault, OtherRule};
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

    /// The item as a whole has `fault`, because of `why`.
    pub fn of_the_item(fault: ItemFault, why: &dyn std::fmt::Display) -> Self {
        let rule = format!("{}: {why}", fault.words_in(Locale::En));
        Self { field: String::new(), value: String::new(), rule }
    }

    /// The rule in the words of `locale`, as far as it is one that this build knows; as it is otherwise.
    pub fn rule_in(&self, locale: Locale) -> String {
        let fixed = words_beside_the_table(locale)
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
            return Err(OtherRule::NoNul.broken(self.field, value));
        }
        if is_blank(value) {
            return if self.need == Need::Always { breaks(self.words()) } else { Ok(()) };
        }
        if self.form.fits(value) { Ok(()) } else { breaks(self.words()) }
    }
}

/// The rules that stand in no table, in English and in the words of `locale`.
fn words_beside_the_table(locale: Locale) -> impl Iterator<Item = (&'static str, &'static str)> {
    let offers =
        OfferRule::ALL.into_iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    let pictures =
        PictureFault::ALL.into_iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    let others =
        OtherRule::ALL.iter().map(move |it| (it.words_in(Locale::En), it.words_in(locale)));
    offers.chain(pictures).chain(others)
}

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
    fn each_rule_is_told_in_both_languages_wherever_its_field_stands() {
        for rule in RULES {
            let broken = Violation::new(rule.field, &Value::Null, rule.words()).within("images.7");
            assert_eq!(broken.rule_in(Locale::En), rule.words());
            assert_eq!(broken.rule_in(Locale::Es), rule.words_in(Locale::Es));
        }
        let unknown = Violation::new("kind", &Value::Null, "must be what a later build says");
        assert_eq!(unknown.rule_in(Locale::Es), unknown.rule);
    }

    #[test]
    fn a_long_value_is_repeated_in_part() {
        let violation = Violation::new("kind", &json!("x".repeat(10_000)), "must be short");
        assert_eq!(violation.value.len(), FOUND_LIMIT);
    }
}
