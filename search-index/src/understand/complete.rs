//! Completes typed text to names.

use std::collections::HashSet;

use contracts::{Locale, vocabulary};

use super::{FilterValue, lexicon};
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
    /// The filter: a kind, a type or a feature.
    pub filter: FilterValue,
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
        .filter_map(|(filter, name)| Some((prefix_match(&name, typed)?, filter)))
        .collect();
    found.sort_by_key(|(prefix_match, _)| *prefix_match);
    let mut seen = HashSet::new();
    found.retain(|(_, filter)| seen.insert(filter.clone()));
    found
        .into_iter()
        .filter_map(|(_, filter)| {
            let label = match &filter {
                FilterValue::Kind(kind) => vocabulary::kind(*kind, locale).plural(),
                FilterValue::PropertyType(one) => vocabulary::property_type(*one, locale).plural(),
                FilterValue::Feature(key) => &vocabulary::feature(key, locale)?.name,
                _ => return None,
            };
            let label = label.to_owned();
            Some(Choice { filter, label })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use contracts::content::PropertyKind;

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
            Some((choice.filter, choice.label))
        };
        let kind = |kind, label: &str| Some((FilterValue::Kind(kind), label.to_owned()));
        let feature = |key, label: &str| Some((FilterValue::Feature(key), label.to_owned()));
        assert_eq!(first(Locale::En, "vill"), kind(PropertyKind::Villa, "Villas"));
        assert_eq!(first(Locale::Es, "atic"), kind(PropertyKind::Penthouse, "Áticos"));
        assert_eq!(first(Locale::En, "swim"), feature("pool", "Pool"));
        assert_eq!(first(Locale::Es, "vistas al m"), feature("sea-view", "Vistas al mar"));
        assert_eq!(first(Locale::En, "penthosue"), kind(PropertyKind::Penthouse, "Penthouses"));
    }

    #[test]
    fn a_garage_is_suggested_as_a_kind_and_as_a_feature() {
        let offered = |locale, typed| -> Vec<_> {
            let choices = choices(locale, typed).into_iter();
            choices.map(|choice| choice.filter).collect()
        };
        let garage = FilterValue::Kind(PropertyKind::Garage);
        for (locale, typed, feature) in [
            (Locale::En, "parki", "parking"),
            (Locale::Es, "aparcamiento", "parking"),
            (Locale::Es, "garaj", "garage"),
        ] {
            let wanted = [garage.clone(), FilterValue::Feature(feature)];
            assert_eq!(offered(locale, typed), wanted, "{typed}");
        }
    }
}
