//! The names of statuses, types, kinds, marks, orientations, slopes, rooms and features, as used in lists
//! and headings, on pages and pictures, in search queries and in the index.
//!
//! The only source is `vocabulary.json`. The setup of Directus makes its drop-downs from it. The names on
//! pages are in files that a test generates from it and compares with it.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use crate::{
    content::{
        BeachSlope, EnergyExemption, ListingStatus, Orientation, PropertyKind, PropertyType,
        RoomKind,
    },
    locale::{Locale, Localized},
};

/// The name and the search words of something in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wording {
    /// Its name in the singular: `Village house`.
    pub name: String,
    #[serde(default)]
    plural: Option<String>,
    /// Words, in addition to the name, under which the index finds it.
    #[serde(default)]
    pub words: Vec<String>,
    /// Phrases that request it in a search query, in the singular, on pages of every language.
    #[serde(default)]
    pub phrases: Vec<String>,
    /// Phrases that request it only on pages of this language; in other languages they mean something else.
    #[serde(default)]
    pub phrases_here: Vec<String>,
}

impl Wording {
    const NONE: Self = Self {
        name: String::new(),
        plural: None,
        words: Vec::new(),
        phrases: Vec::new(),
        phrases_here: Vec::new(),
    };

    /// Returns its plural, as a heading: `Village houses`. For statuses and marks, returns words for several
    /// homes that agree grammatically with every kind: `Con reserva`.
    pub fn plural(&self) -> &str {
        self.plural.as_deref().unwrap_or(&self.name)
    }
}

/// A mark of a home, in addition to its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Its price was reduced.
    Reduced,
    /// It has never been lived in.
    NewBuild,
}

/// A feature that homes may have. Editors may add others, which are shown by their tags.
#[derive(Debug, Deserialize)]
pub struct Feature {
    /// The tag in content, log, index and URLs: `sea-view`.
    pub key: String,
    /// The key of the group that pages show it in.
    pub group: String,
    /// The content field that it comes from; without one it is a tag of the field `features`.
    pub field: Option<String>,
    #[serde(flatten)]
    entry: Localized<Wording>,
}

impl Feature {
    /// Returns its wording in `locale`.
    pub fn entry(&self, locale: Locale) -> &Wording {
        self.entry.get(locale).unwrap_or(&NONE)
    }
}

/// A group of features with a heading.
#[derive(Debug, Deserialize)]
pub struct FeatureGroup {
    /// The key by which features refer to it.
    pub key: String,
    /// The heading.
    #[serde(flatten)]
    pub name: Localized<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyFile {
    statuses: HashMap<ListingStatus, Localized<Wording>>,
    types: HashMap<PropertyType, Localized<Wording>>,
    kinds: HashMap<PropertyKind, Localized<Wording>>,
    marks: HashMap<Mark, Localized<Wording>>,
    energy_exemptions: HashMap<EnergyExemption, Localized<Wording>>,
    orientations: HashMap<Orientation, Localized<Wording>>,
    slopes: HashMap<BeachSlope, Localized<Wording>>,
    rooms: HashMap<RoomKind, Localized<Wording>>,
    feature_groups: Vec<FeatureGroup>,
    features: Vec<Feature>,
}

/// Used if an entry is missing from the file, which a test rules out.
static NONE: Wording = Wording::NONE;

static VOCABULARY: LazyLock<VocabularyFile> = LazyLock::new(|| read().unwrap_or_default());

/// The vocabulary file. Anything built with its words is outdated when this differs.
pub const SOURCE: &str = include_str!("../vocabulary.json");

fn read() -> serde_json::Result<VocabularyFile> {
    serde_json::from_str(SOURCE)
}

/// Returns the wording of `status` in `locale`.
pub fn status(status: ListingStatus, locale: Locale) -> &'static Wording {
    VOCABULARY.statuses.get(&status).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `property_type` in `locale`.
pub fn property_type(property_type: PropertyType, locale: Locale) -> &'static Wording {
    VOCABULARY.types.get(&property_type).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `kind` in `locale`.
pub fn kind(kind: PropertyKind, locale: Locale) -> &'static Wording {
    VOCABULARY.kinds.get(&kind).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `mark` in `locale`.
pub fn mark(mark: Mark, locale: Locale) -> &'static Wording {
    VOCABULARY.marks.get(&mark).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `exemption` in `locale`.
pub fn energy_exemption(exemption: EnergyExemption, locale: Locale) -> &'static Wording {
    VOCABULARY
        .energy_exemptions
        .get(&exemption)
        .and_then(|entry| entry.get(locale))
        .unwrap_or(&NONE)
}

/// Returns the wording of `orientation` in `locale`.
pub fn orientation(orientation: Orientation, locale: Locale) -> &'static Wording {
    VOCABULARY.orientations.get(&orientation).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `slope` in `locale`.
pub fn slope(slope: BeachSlope, locale: Locale) -> &'static Wording {
    VOCABULARY.slopes.get(&slope).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of `room` in `locale`.
pub fn room(room: RoomKind, locale: Locale) -> &'static Wording {
    VOCABULARY.rooms.get(&room).and_then(|entry| entry.get(locale)).unwrap_or(&NONE)
}

/// Returns the wording of the feature `key` in `locale`; `None` if it is not in the vocabulary.
pub fn feature(key: &str, locale: Locale) -> Option<&'static Wording> {
    Some(features().iter().find(|feature| feature.key == key)?.entry(locale))
}

/// Returns all features of the vocabulary, in the order in which pages show them.
pub fn features() -> &'static [Feature] {
    &VOCABULARY.features
}

/// Returns the groups of features, in the order in which pages show them.
pub fn feature_groups() -> &'static [FeatureGroup] {
    &VOCABULARY.feature_groups
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn everything_has_a_name_in_both_languages() {
        read().expect("the vocabulary can be read");
        for locale in Locale::ALL {
            let statuses = ListingStatus::ALL.iter().map(|it| (it.name(), status(*it, locale)));
            let types = PropertyType::ALL.iter().map(|it| (it.name(), property_type(*it, locale)));
            let kinds = PropertyKind::ALL.iter().map(|it| (it.name(), kind(*it, locale)));
            for (key, entry) in statuses.chain(types).chain(kinds) {
                assert!(!entry.name.is_empty() && entry.plural.is_some(), "{key} ({locale})");
            }
            for it in [Mark::Reduced, Mark::NewBuild] {
                assert!(!mark(it, locale).name.is_empty(), "{it:?} ({locale})");
            }
            let exemptions =
                EnergyExemption::ALL.iter().map(|it| (it.name(), energy_exemption(*it, locale)));
            let sides = Orientation::ALL.iter().map(|it| (it.name(), orientation(*it, locale)));
            let slopes = BeachSlope::ALL.iter().map(|it| (it.name(), slope(*it, locale)));
            let rooms = RoomKind::ALL.iter().map(|it| (it.name(), room(*it, locale)));
            for (key, entry) in exemptions.chain(sides).chain(slopes).chain(rooms) {
                assert!(!entry.name.is_empty(), "{key} ({locale})");
            }
            for feature in features() {
                assert!(!feature.entry(locale).name.is_empty(), "{} ({locale})", feature.key);
            }
            for group in feature_groups() {
                assert!(group.name.get(locale).is_some(), "{} ({locale})", group.key);
            }
        }
    }

    #[test]
    fn every_feature_is_unique_and_belongs_to_a_group() {
        let mut keys = HashSet::new();
        for feature in features() {
            assert!(keys.insert(&feature.key), "{} stands twice", feature.key);
            assert!(
                feature_groups().iter().any(|group| group.key == feature.group),
                "{} is in no group",
                feature.key
            );
        }
        assert!(keys.len() > 30);
    }

    #[test]
    fn a_feature_that_editors_added_is_not_in_the_vocabulary() {
        assert!(feature("helipad", Locale::En).is_none());
        assert_eq!(feature("walk-to-beach", Locale::Es).map(Wording::plural), Some("Playa a pie"));
    }
}
