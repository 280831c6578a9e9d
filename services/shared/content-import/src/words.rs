//! Recognizes kinds and features by the vocabulary's words in both languages, as feeds write them.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};

use contracts::{
    Locale,
    content::{PropertyKind, PropertyType},
    vocabulary::{self, Wording},
};
use serde_json::{Value, json};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use crate::{Feed, Listing};

/// Words for kinds that portals and agencies' programs use in addition to the vocabulary's.
const KINDS: [(&str, PropertyKind); 18] = [
    ("flat", PropertyKind::Apartment),
    ("piso", PropertyKind::Apartment),
    ("apartamento", PropertyKind::Apartment),
    ("top floor apartment", PropertyKind::Apartment),
    ("middle floor apartment", PropertyKind::Apartment),
    ("bungalow", PropertyKind::Villa),
    ("semi detached villa", PropertyKind::Townhouse),
    ("semi detached house", PropertyKind::Townhouse),
    ("finca", PropertyKind::CountryHouse),
    ("cortijo", PropertyKind::CountryHouse),
    ("cave house", PropertyKind::CountryHouse),
    ("commercial", PropertyKind::Premises),
    ("commercial property", PropertyKind::Premises),
    ("business", PropertyKind::Premises),
    ("local", PropertyKind::Premises),
    ("parking", PropertyKind::Garage),
    ("parking space", PropertyKind::Garage),
    ("residential plot", PropertyKind::Land),
];

static KIND_NAMES: LazyLock<HashMap<String, PropertyKind>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    // The name of one kind takes precedence over a phrase of another.
    for are_names in [true, false] {
        for kind in PropertyKind::ALL {
            for locale in Locale::ALL {
                for word in names_or_phrases(vocabulary::kind(*kind, locale), are_names) {
                    names.entry(fold(word)).or_insert(*kind);
                }
            }
            if are_names {
                names.entry(fold(kind.name())).or_insert(*kind);
            }
        }
    }
    for (name, kind) in KINDS {
        names.entry(name.to_owned()).or_insert(kind);
    }
    names
});

static FEATURES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for are_names in [true, false] {
        for feature in vocabulary::features() {
            if are_names {
                names.entry(fold(&feature.key)).or_insert(feature.key.as_str());
            }
            for locale in Locale::ALL {
                for word in names_or_phrases(feature.entry(locale), are_names) {
                    names.entry(fold(word)).or_insert(feature.key.as_str());
                }
            }
        }
    }
    names
});

/// Returns the names in `wording`, or the other phrases that visitors search by.
fn names_or_phrases(wording: &Wording, names: bool) -> Vec<&str> {
    if names {
        return vec![wording.name.as_str(), wording.plural()];
    }
    wording.phrases.iter().chain(&wording.phrases_here).map(String::as_str).collect()
}

/// Removes accents, capitals and punctuation: `Cómpeta, (Málaga)` becomes `competa malaga`.
pub fn fold(text: &str) -> String {
    let plain: String = text
        .nfd()
        .filter(|char| !is_combining_mark(*char))
        .flat_map(char::to_lowercase)
        .map(|char| if char.is_alphanumeric() { char } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Finds kinds by their words. An agency's own words take precedence.
#[derive(Clone, Debug, Default)]
pub struct Kinds(BTreeMap<String, PropertyKind>);

impl Kinds {
    /// Creates it with an agency's own words.
    pub fn new(own: impl IntoIterator<Item = (String, PropertyKind)>) -> Self {
        Self(own.into_iter().map(|(word, kind)| (fold(&word), kind)).collect())
    }

    /// Returns the kind that `text` names.
    pub fn kind(&self, text: &str) -> Option<PropertyKind> {
        let folded = fold(text);
        self.0.get(&folded).or_else(|| KIND_NAMES.get(&folded)).copied()
    }
}

/// Returns the content service's word for the type under which visitors find a kind.
pub const fn type_of(kind: PropertyKind) -> &'static str {
    match kind.usual_type() {
        PropertyType::House => "house",
        PropertyType::Apartment => "apartment",
        PropertyType::Commercial => "commercial",
    }
}

/// Returns the key of the feature that `text` names.
pub fn feature(text: &str) -> Option<&'static str> {
    FEATURES.get(&fold(text)).copied()
}

/// Sets the flags, views and tags of `listing` by the features that `names` mean. `has_pool` is whether there
/// is a pool of any kind, if the feed says so. A feature that the vocabulary lacks becomes a tag if
/// `keep_unknown` is set, and is skipped otherwise.
pub fn set_features(
    listing: &mut Listing,
    feed: &mut Feed,
    names: &[String],
    has_pool: Option<bool>,
    keep_unknown: bool,
) {
    let mut keys = BTreeSet::new();
    for name in names {
        match feature(name) {
            Some(key) => {
                keys.insert(key.to_owned());
            }
            None if keep_unknown => {
                keys.insert(fold(name).replace(' ', "-"));
            }
            None => feed.count_skipped(format!("feature `{}`", name.trim())),
        }
    }
    keys.remove("");
    let any_pool = ["pool", "private-pool", "communal-pool"].iter().any(|key| keys.contains(*key));
    if has_pool == Some(true) && !any_pool {
        keys.insert("pool".to_owned());
    }
    let field_of = |key: &str| {
        vocabulary::features().iter().find(|it| it.key == key).and_then(|it| it.field.as_deref())
    };
    let views: Vec<&str> = keys
        .iter()
        .filter(|key| field_of(key) == Some("views"))
        .map(|key| key.trim_end_matches("-view"))
        .collect();
    let tags: Vec<&String> = keys.iter().filter(|key| field_of(key).is_none()).collect();
    let flag = |key: &str| Value::Bool(keys.contains(key));
    listing.fields.extend([
        ("has_pool", flag("pool")),
        ("has_garden", flag("garden")),
        ("views", json!(views)),
        ("features", json!(tags)),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_by_the_words_of_both_languages_and_of_portals() {
        let kinds = Kinds::new([("House".to_owned(), PropertyKind::Townhouse)]);
        for (text, kind) in [
            ("Villa", PropertyKind::Villa),
            ("Town house", PropertyKind::Townhouse),
            ("COUNTRY HOUSE", PropertyKind::CountryHouse),
            ("Ático", PropertyKind::Penthouse),
            ("Piso", PropertyKind::Apartment),
            ("Apartment", PropertyKind::Apartment),
            ("Local comercial", PropertyKind::Premises),
            ("Commercial", PropertyKind::Premises),
            ("Solar", PropertyKind::Land),
            ("village-house", PropertyKind::VillageHouse),
            ("house", PropertyKind::Townhouse),
        ] {
            assert_eq!(kinds.kind(text), Some(kind), "{text}");
        }
        assert_eq!(Kinds::default().kind("House"), None, "it may mean any of four kinds");
    }

    #[test]
    fn features_become_flags_views_or_tags() {
        let (mut listing, mut feed) = (Listing::default(), Feed::default());
        let names = ["Vistas al mar", "Lift", "communal pool", "Satellite TV"].map(str::to_owned);
        set_features(&mut listing, &mut feed, &names, Some(true), false);
        assert_eq!(listing.fields["views"], json!(["sea"]));
        assert_eq!(listing.fields["features"], json!(["communal-pool", "lift"]));
        assert_eq!(listing.fields["has_pool"], json!(false), "the pool is communal");
        assert_eq!(feed.skipped["feature `Satellite TV`"], 1);
        set_features(&mut listing, &mut feed, &names[3..], Some(true), true);
        assert_eq!(listing.fields["features"], json!(["satellite-tv"]));
        assert_eq!(listing.fields["has_pool"], json!(true));
    }
}
