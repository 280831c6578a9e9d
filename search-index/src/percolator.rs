//! Reverse search: which of many saved searches a property matches.
//!
//! A hundred thousand searches are checked for each published property. Filters are stored as bit sets and
//! limits, which decide most searches in a few steps. Each distinct search term is looked up in the
//! property once, for all searches that have it.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
    hash::Hash,
};

use contracts::{
    Locale, Offer,
    content::{EnergyRating, ListingStatus, Property, PropertyKind, PropertyType},
};

use crate::{
    columns::{UNKNOWN, room_code, room_codes_up_to},
    document::{IndexedProperty, ordinal, words_of},
    polygon::Polygon,
    query::{BoundingBox, PropertyQuery, days_ago},
    schema::{Analyzers, TextField},
    spelling::is_one_typo,
    text::{
        SearchTerm, is_stemmed, reference_mentions, search_terms, searched_parts, stem_allows_typo,
    },
};

/// A set of saved searches, each with a key chosen by the caller.
#[derive(Debug)]
pub struct Percolator<K> {
    searches: Vec<Search<K>>,
    known: HashSet<K>,
    /// The distinct terms of all searches.
    terms: Vec<(Locale, SearchTerm)>,
    /// The position of each term in `terms`.
    positions: HashMap<(Locale, SearchTerm), u32>,
    analyzers: OpaqueAnalyzers,
}

/// A property, prepared for matching.
#[derive(Debug)]
pub struct PercolatedProperty {
    indexed: IndexedProperty,
    bits: Bits,
    words: Vec<(TextField, Vec<String>)>,
}

/// A saved search. The fields that reject most properties come first.
#[derive(Debug)]
struct Search<K> {
    key: K,
    /// The members of the closed sets that the search accepts.
    accepts: Bits,
    bedrooms: u8,
    bathrooms: u8,
    reduced: Option<bool>,
    featured: Option<bool>,
    new_build: Option<bool>,
    price: [i64; 2],
    built_area: [i64; 2],
    plot_area: [i64; 2],
    rare: Option<Box<RareFilters>>,
    /// The positions of its terms.
    terms: Box<[u32]>,
}

/// Members of the closed sets, a bit for each.
#[derive(Clone, Copy, Debug)]
struct Bits {
    status: u8,
    property_type: u8,
    kind: u32,
    /// The first bit is for properties without a rating.
    energy: u16,
}

/// The filters that few searches set, boxed to keep [`Search`] small.
#[derive(Debug)]
struct RareFilters {
    locations: Vec<String>,
    not_locations: Vec<String>,
    features: Vec<String>,
    without_features: Vec<String>,
    max_bedrooms: Option<i64>,
    listed_within: Option<i64>,
    bounds: Option<BoundingBox>,
    area: Option<Polygon>,
}

/// Wraps [`Analyzers`], which do not implement `Debug`.
struct OpaqueAnalyzers(Analyzers);

impl std::fmt::Debug for OpaqueAnalyzers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Analyzers")
    }
}

impl<K: Copy + Eq + Hash> Default for Percolator<K> {
    fn default() -> Self {
        Self {
            searches: Vec::new(),
            known: HashSet::new(),
            terms: Vec::new(),
            positions: HashMap::new(),
            analyzers: OpaqueAnalyzers(Analyzers::new()),
        }
    }
}

impl<K: Copy + Eq + Hash> Percolator<K> {
    /// Returns the number of searches.
    pub const fn len(&self) -> usize {
        self.searches.len()
    }

    /// Returns whether there are no searches.
    pub const fn is_empty(&self) -> bool {
        self.searches.is_empty()
    }

    /// Returns whether there is a search with `key`.
    pub fn contains(&self, key: &K) -> bool {
        self.known.contains(key)
    }

    /// Adds `query` with `key`, unless the key exists already. Ignores the order, window and day of the query.
    pub fn add(&mut self, key: K, query: &PropertyQuery) {
        if !self.known.insert(key) {
            return;
        }
        let text = query.text.as_deref().unwrap_or_default();
        let terms = search_terms(&mut self.analyzers.0, query.locale, text).into_iter();
        let terms = terms.map(|term| self.position(query.locale, term)).collect();
        let rare = RareFilters::of(query);
        self.searches.push(Search {
            key,
            accepts: Bits::accepted_by(query),
            bedrooms: room_code(query.min_bedrooms),
            bathrooms: room_code(query.min_bathrooms),
            reduced: query.reduced,
            featured: query.featured,
            new_build: query.new_build,
            price: limits(query.min_price, query.max_price),
            built_area: limits(query.min_built, query.max_built),
            plot_area: limits(query.min_plot, query.max_plot),
            rare: rare.is_any_set().then(|| Box::new(rare)),
            terms,
        });
    }

    /// Returns the keys of the searches that `property` matches on the day `today`, in days since 1970.
    pub fn matching(&self, property: &PercolatedProperty, today: i64) -> Vec<K> {
        let found: Vec<OnceCell<bool>> = vec![OnceCell::new(); self.terms.len()];
        let is_found = |position: &u32| {
            let position = *position as usize;
            let (locale, term) = &self.terms[position];
            *found[position].get_or_init(|| property.has(*locale, term))
        };
        let fits = |search: &&Search<K>| {
            search.accepts_all(property)
                && search.rare.as_ref().is_none_or(|rare| rare.accepts(&property.indexed, today))
                && search.terms.iter().all(is_found)
        };
        self.searches.iter().filter(fits).map(|search| search.key).collect()
    }

    fn position(&mut self, locale: Locale, term: SearchTerm) -> u32 {
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        let key = (locale, term);
        let position = *self.positions.entry(key.clone()).or_insert(next);
        if position == next {
            self.terms.push(key);
        }
        position
    }
}

impl<K> Search<K> {
    fn accepts_all(&self, property: &PercolatedProperty) -> bool {
        let PercolatedProperty { indexed, bits, .. } = property;
        let within = |[min, max]: [i64; 2], figure: Option<i64>| {
            let figure = figure.unwrap_or(UNKNOWN);
            min <= figure && figure <= max
        };
        self.accepts.status & bits.status != 0
            && within(self.price, indexed.price)
            && self.accepts.property_type & bits.property_type != 0
            && self.accepts.kind & bits.kind != 0
            && self.bedrooms <= room_code(indexed.bedrooms)
            && self.bathrooms <= room_code(indexed.bathrooms)
            && self.accepts.energy & bits.energy != 0
            && within(self.built_area, indexed.built_area)
            && within(self.plot_area, indexed.plot_area)
            && self.reduced.is_none_or(|asked| asked == indexed.reduced_at.is_some())
            && self.featured.is_none_or(|asked| asked == indexed.featured)
            && self.new_build.is_none_or(|asked| asked == indexed.new_build)
    }
}

impl Bits {
    fn accepted_by(query: &PropertyQuery) -> Self {
        let statuses = ListingStatus::ALL.iter().filter(|status| match &query.statuses[..] {
            [] => status.is_listed_by_default(),
            asked => asked.contains(status),
        });
        Self {
            status: statuses.fold(0, |bits, it| bits | 1 << ordinal(ListingStatus::ALL, it)),
            property_type: members(&query.property_types, |it| 1 << ordinal(PropertyType::ALL, it))
                .unwrap_or(u8::MAX),
            kind: members(&query.kinds, |it| 1 << ordinal(PropertyKind::ALL, it))
                .unwrap_or(u32::MAX),
            energy: members(&query.energy, |it| 2 << ordinal(EnergyRating::ALL, it))
                .unwrap_or(u16::MAX),
        }
    }

    fn of(property: &IndexedProperty) -> Self {
        let energy = property.energy.as_ref();
        Self {
            status: 1 << ordinal(ListingStatus::ALL, &property.status),
            property_type: 1 << ordinal(PropertyType::ALL, &property.property_type),
            kind: 1 << ordinal(PropertyKind::ALL, &property.kind),
            energy: energy.map_or(1, |rating| 2 << ordinal(EnergyRating::ALL, rating)),
        }
    }
}

/// Returns the bits of `asked`; `None` if it is empty.
fn members<T, B: std::ops::BitOr<Output = B>>(asked: &[T], bit: impl Fn(&T) -> B) -> Option<B> {
    asked.iter().map(bit).reduce(|left, right| left | right)
}

/// Returns the inclusive range of a figure. An unknown figure is within it only if there is no limit.
fn limits(min: Option<i64>, max: Option<i64>) -> [i64; 2] {
    match (min, max) {
        (None, None) => [UNKNOWN, i64::MAX],
        _ => [min.unwrap_or(UNKNOWN + 1).max(UNKNOWN + 1), max.unwrap_or(i64::MAX)],
    }
}

impl RareFilters {
    fn of(query: &PropertyQuery) -> Self {
        Self {
            locations: query.locations.clone(),
            not_locations: query.not_locations.clone(),
            features: query.features.clone(),
            without_features: query.without_features.clone(),
            max_bedrooms: query.max_bedrooms,
            listed_within: query.listed_within,
            bounds: query.bounds,
            area: query.area.clone(),
        }
    }

    const fn is_any_set(&self) -> bool {
        !self.locations.is_empty()
            || !self.not_locations.is_empty()
            || !self.features.is_empty()
            || !self.without_features.is_empty()
            || self.max_bedrooms.is_some()
            || self.listed_within.is_some()
            || self.bounds.is_some()
            || self.area.is_some()
    }

    fn accepts(&self, property: &IndexedProperty, today: i64) -> bool {
        let has = |feature: &String| property.features.binary_search(feature).is_ok();
        let lies = |within: &dyn Fn(f64, f64) -> bool| {
            property.lat.zip(property.lng).is_some_and(|(lat, lng)| within(lat, lng))
        };
        (self.locations.is_empty() || self.locations.iter().any(|asked| property.is_at(asked)))
            && !self.not_locations.iter().any(|other| property.is_at(other))
            && self.features.iter().all(has)
            && !self.without_features.iter().any(has)
            && (self.max_bedrooms.is_none()
                || room_codes_up_to(self.max_bedrooms).contains(&room_code(property.bedrooms)))
            && self.listed_within.is_none_or(|days| property.listed_at >= days_ago(today, days))
            && self.bounds.is_none_or(|bounds| lies(&|lat, lng| bounds.contains(lat, lng)))
            && self.area.as_ref().is_none_or(|area| lies(&|lat, lng| area.contains(lat, lng)))
    }
}

impl PercolatedProperty {
    /// Prepares `property`, with the offers `offers`, for matching.
    pub fn of(property: &Property, offers: &[Offer]) -> Self {
        let indexed = IndexedProperty::of(property, offers);
        let words = words_of(property, &mut Analyzers::new());
        Self { bits: Bits::of(&indexed), indexed, words }
    }

    fn words(&self, part: TextField) -> &[String] {
        let found = self.words.iter().find(|(other, _)| *other == part);
        found.map_or(&[], |(_, words)| words)
    }

    /// Returns whether the property's words in `locale` match `term`.
    fn has(&self, locale: Locale, term: &SearchTerm) -> bool {
        match term {
            SearchTerm::Word { folded, stem, allows_typo } => {
                self.words(TextField::Reference).contains(folded)
                    || self.has_word(TextField::TypeAhead(locale), folded, *allows_typo)
                    || searched_parts(locale).into_iter().any(|(part, _)| match part {
                        TextField::Place(_) => self.has_word(part, folded, *allows_typo),
                        _ => self.has_word(part, stem, *allows_typo && stem_allows_typo(stem)),
                    })
            }
            SearchTerm::Phrase { folded, stems } => {
                let parts = searched_parts(locale).map(|(part, _)| part);
                [TextField::Reference].into_iter().chain(parts).any(|part| {
                    let words = if is_stemmed(part) { stems } else { folded };
                    self.has_adjacent(part, words)
                })
            }
            SearchTerm::Reference { folded } => {
                self.words(TextField::Reference).contains(&folded.concat())
                    || reference_mentions(locale)
                        .into_iter()
                        .any(|part| self.has_adjacent(part, folded))
            }
        }
    }

    fn has_word(&self, part: TextField, word: &str, allows_typo: bool) -> bool {
        // A letter takes at most four bytes, so two words that differ by one typo differ in length by no more.
        let is_near = |other: &&String| other.len().abs_diff(word.len()) <= 4;
        let words = self.words(part);
        words.iter().any(|other| other == word)
            || (allows_typo && words.iter().filter(is_near).any(|other| is_one_typo(word, other)))
    }

    fn has_adjacent(&self, part: TextField, words: &[String]) -> bool {
        !words.is_empty() && self.words(part).windows(words.len()).any(|those| those == words)
    }
}
