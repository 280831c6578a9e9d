//! Completes typed text to names.

use std::collections::BTreeSet;

use contracts::{Locale, vocabulary};

use super::lexicon;
use crate::spelling::{MIN_TYPO_LENGTH, fold, is_one_typo};

/// How well a name matches a typed prefix, best match first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrefixMatch {
    /// The name starts with the prefix.
    Begins,
    /// A later word of the name starts with the prefix.
    Within,
    /// The name, or a later word of it, starts with the prefix except for one typo.
    Slipped,
}

/// A filter that a visitor may mean by the typed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The filter's parameter: `kind`, `propertyType` or `features`.
    pub parameter: &'static str,
    /// The parameter's value.
    pub value: String,
    /// Its name, for display.
    pub label: String,
}

/// Returns how well `name` matches the prefix `typed`, ignoring accents and case; `None` if it does not.
pub fn prefix_match(name: &str, typed: &str) -> Option<PrefixMatch> {
    let (name, typed) = (fold(name), fold(typed));
    let typed = typed.trim();
    if typed.is_empty() {
        return None;
    }
    let starts = || {
        let inner = name.match_indices(|letter: char| !letter.is_alphanumeric());
        std::iter::once(0).chain(inner.map(|(at, sign)| at + sign.len())).map(|at| &name[at..])
    };
    if name.starts_with(typed) {
        return Some(PrefixMatch::Begins);
    }
    if starts().any(|rest| rest.starts_with(typed)) {
        return Some(PrefixMatch::Within);
    }
    let length = typed.chars().count();
    let with_typo = |rest: &str| {
        (length - 1..=length + 1).any(|length| {
            let beginning: String = rest.chars().take(length).collect();
            is_one_typo(&beginning, typed)
        })
    };
    (length >= MIN_TYPO_LENGTH && starts().any(with_typo)).then_some(PrefixMatch::Slipped)
}

/// Returns the kinds, types and features whose names match the prefix `typed`, best match first.
pub fn choices(locale: Locale, typed: &str) -> Vec<Choice> {
    let mut found: Vec<_> = lexicon::names(locale)
        .filter(|(parameter, ..)| matches!(*parameter, "kind" | "propertyType" | "features"))
        .filter_map(|(parameter, value, name)| {
            Some((prefix_match(&name, typed)?, parameter, value))
        })
        .collect();
    found.sort_by_key(|(prefix_match, ..)| *prefix_match);
    let mut seen = BTreeSet::new();
    found.retain(|(_, parameter, value)| seen.insert((*parameter, *value)));
    found
        .into_iter()
        .filter_map(|(_, parameter, value)| {
            let label = match parameter {
                "kind" => vocabulary::kind(value.parse().ok()?, locale).plural(),
                "propertyType" => vocabulary::property_type(value.parse().ok()?, locale).plural(),
                _ => &vocabulary::feature(value, locale)?.name,
            };
            Some(Choice { parameter, value: value.to_owned(), label: label.to_owned() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_any_of_its_words_and_with_a_typo() {
        assert_eq!(prefix_match("Cómpeta", "comp"), Some(PrefixMatch::Begins));
        assert_eq!(prefix_match("El Morche", "mor"), Some(PrefixMatch::Within));
        assert_eq!(prefix_match("Frigiliana", "frigilina"), Some(PrefixMatch::Slipped));
        assert_eq!(prefix_match("Frigiliana", "firgi"), Some(PrefixMatch::Slipped));
        assert_eq!(prefix_match("Nerja", "maro"), None);
        assert_eq!(prefix_match("Nerja", " "), None);
    }

    #[test]
    fn kinds_and_features_are_suggested_by_their_names() {
        let first = |locale, typed| {
            let choice = choices(locale, typed).into_iter().next()?;
            Some((choice.parameter, choice.value, choice.label))
        };
        let kind = |value: &str, label: &str| Some(("kind", value.to_owned(), label.to_owned()));
        let feature =
            |value: &str, label: &str| Some(("features", value.to_owned(), label.to_owned()));
        assert_eq!(first(Locale::En, "vill"), kind("villa", "Villas"));
        assert_eq!(first(Locale::Es, "atic"), kind("penthouse", "Áticos"));
        assert_eq!(first(Locale::En, "swim"), feature("pool", "Pool"));
        assert_eq!(first(Locale::Es, "vistas al m"), feature("sea-view", "Vistas al mar"));
        assert_eq!(first(Locale::En, "penthosue"), kind("penthouse", "Penthouses"));
    }

    #[test]
    fn a_garage_is_suggested_as_a_kind_and_as_a_feature() {
        let offered = |locale, typed| -> Vec<_> {
            let choices = choices(locale, typed).into_iter();
            choices.map(|choice| (choice.parameter, choice.value)).collect()
        };
        let garage = ("kind", "garage".to_owned());
        for (locale, typed, feature) in [
            (Locale::En, "parki", "parking"),
            (Locale::Es, "aparcamiento", "parking"),
            (Locale::Es, "garaj", "garage"),
        ] {
            let wanted = [garage.clone(), ("features", feature.to_owned())];
            assert_eq!(offered(locale, typed), wanted, "{typed}");
        }
    }
}
