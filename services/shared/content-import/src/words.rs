//! The vocabulary's words, as feeds write them: kinds and features by their names in both languages.

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

/// What portals and agencies' programs call kinds, beside the vocabulary's words.
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
    // A name of one kind goes before a phrase of another.
    for at_first in [true, false] {
        for kind in PropertyKind::ALL {
            for locale in Locale::ALL {
                for word in spoken(vocabulary::kind(*kind, locale), at_first) {
                    names.entry(fold(word)).or_insert(*kind);
                }
            }
            if at_first {
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
    for at_first in [true, false] {
        for feature in vocabulary::features() {
            if at_first {
                names.entry(fold(&feature.key)).or_insert(feature.key.as_str());
            }
            for locale in Locale::ALL {
                for word in spoken(feature.entry(locale), at_first) {
                    names.entry(fold(word)).or_insert(feature.key.as_str());
                }
            }
        }
    }
    names
});

/// Its names, or what else it is asked for by.
fn spoken(wording: &Wording, names: bool) -> Vec<&str> {
    if names {
        return vec![wording.name.as_str(), wording.plural()];
    }
    wording.phrases.iter().chain(&wording.phrases_here).map(String::as_str).collect()
}

/// `Cómpeta, (Málaga)` as `competa malaga`: without accents, capitals and marks.
pub fn fold(text: &str) -> String {
    let plain: String = text
        .nfd()
        .filter(|char| !is_combining_mark(*char))
        .flat_map(char::to_lowercase)
        .map(|char| if char.is_alphanumeric() { char } else { ' ' })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What kinds are called, an agency's own words first.
#[derive(Clone, Debug, Default)]
pub struct Kinds(BTreeMap<String, PropertyKind>);

impl Kinds {
    /// With an agency's own words.
    pub fn new(own: impl IntoIterator<Item = (String, PropertyKind)>) -> Self {
        Self(own.into_iter().map(|(word, kind)| (fold(&word), kind)).collect())
    }

    /// The kind that `text` names.
    pub fn kind(&self, text: &str) -> Option<PropertyKind> {
        let folded = fold(text);
        self.0.get(&folded).or_else(|| KIND_NAMES.get(&folded)).copied()
    }
}

/// The content service's word for the type that visitors choose a kind by.
pub const fn type_of(kind: PropertyKind) -> &'static str {
    match kind.usual_type() {
        PropertyType::House => "house",
        PropertyType::Apartment => "apartment",
        PropertyType::Commercial => "commercial",
    }
}

/// The tag of the feature that `text` names.
pub fn feature(text: &str) -> Option<&'static str> {
    FEATURES.get(&fold(text)).copied()
}

/// Writes what `names` say into `listing`: flags, views and tags. Where `has_pool` is given, the feed
/// says whether there is a pool of whatever kind. What the vocabulary lacks stays a tag if `keep_unknown`
/// is set, and is left otherwise.
pub fn take_features(
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
            None => feed.leave(format!("feature `{}`", name.trim())),
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
    fn kinds_are_known_by_the_words_of_both_languages_and_of_portals() {
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
        assert_eq!(Kinds::default().kind("House"), None, "that is one of four kinds");
    }

    #[test]
    fn features_go_where_the_content_has_them() {
        let (mut listing, mut feed) = (Listing::default(), Feed::default());
        let names = ["Vistas al mar", "Lift", "communal pool", "Satellite TV"].map(str::to_owned);
        take_features(&mut listing, &mut feed, &names, Some(true), false);
        assert_eq!(listing.fields["views"], json!(["sea"]));
        assert_eq!(listing.fields["features"], json!(["communal-pool", "lift"]));
        assert_eq!(listing.fields["has_pool"], json!(false), "it is not its own");
        assert_eq!(feed.left["feature `Satellite TV`"], 1);
        take_features(&mut listing, &mut feed, &names[3..], Some(true), true);
        assert_eq!(listing.fields["features"], json!(["satellite-tv"]));
        assert_eq!(listing.fields["has_pool"], json!(true));
    }
}
