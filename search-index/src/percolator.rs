//! The search turned round: which of many kept searches a property fits.
//!
//! A hundred thousand searches are looked through for each property that is published. Filters are
//! kept as sets of bits and bounds, which settle most of them in a few steps each; what a text wants
//! is looked for once for all searches that want it.

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
    columns::{UNKNOWN, at_most, rooms},
    document::{IndexedProperty, ordinal, words_of},
    polygon::Polygon,
    query::{BoundingBox, PropertyQuery, days_ago},
    schema::{Analyzers, TextField},
    spelling::is_one_slip,
    text::{Wanted, is_forgiven_stem, is_stemmed, naming, parts, wanted},
};

/// Searches, each by a key of its owner's.
#[derive(Debug)]
pub struct Percolator<K> {
    searches: Vec<Search<K>>,
    known: HashSet<K>,
    /// What any of them wants to find, each once.
    wanted: Vec<(Locale, Wanted)>,
    positions: HashMap<(Locale, Wanted), u32>,
    analyzers: AnalyzersOf,
}

/// A property as searches see it.
#[derive(Debug)]
pub struct PercolatedProperty {
    indexed: IndexedProperty,
    bits: Bits,
    words: Vec<(TextField, Vec<String>)>,
}

/// One search: what settles most properties first.
#[derive(Debug)]
struct Search<K> {
    key: K,
    /// The members of closed sets that it takes.
    takes: Bits,
    bedrooms: u8,
    bathrooms: u8,
    reduced: Option<bool>,
    featured: Option<bool>,
    new_build: Option<bool>,
    price: [i64; 2],
    built_area: [i64; 2],
    plot_area: [i64; 2],
    /// What few searches ask for.
    rest: Option<Box<Rest>>,
    /// Positions of what its text wants.
    wanted: Box<[u32]>,
}

/// Members of the closed sets, a bit for each.
#[derive(Clone, Copy, Debug)]
struct Bits {
    status: u8,
    property_type: u8,
    kind: u32,
    /// The first bit is for what has no rating.
    energy: u16,
}

#[derive(Debug)]
struct Rest {
    locations: Vec<String>,
    excluded_locations: Vec<String>,
    features: Vec<String>,
    excluded_features: Vec<String>,
    max_bedrooms: Option<i64>,
    listed_within: Option<i64>,
    bounds: Option<BoundingBox>,
    area: Option<Polygon>,
}

/// Analyzers tell nothing of themselves.
struct AnalyzersOf(Analyzers);

impl std::fmt::Debug for AnalyzersOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Analyzers")
    }
}

impl<K: Copy + Eq + Hash> Default for Percolator<K> {
    fn default() -> Self {
        Self {
            searches: Vec::new(),
            known: HashSet::new(),
            wanted: Vec::new(),
            positions: HashMap::new(),
            analyzers: AnalyzersOf(Analyzers::new()),
        }
    }
}

impl<K: Copy + Eq + Hash> Percolator<K> {
    /// How many searches there are.
    pub const fn len(&self) -> usize {
        self.searches.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.searches.is_empty()
    }

    /// Whether there is one under `key`.
    pub fn knows(&self, key: &K) -> bool {
        self.known.contains(key)
    }

    /// Keeps `query` under `key`, unless there is one already. Order, window and day say nothing here.
    pub fn add(&mut self, key: K, query: &PropertyQuery) {
        if !self.known.insert(key) {
            return;
        }
        let text = query.text.as_deref().unwrap_or_default();
        let wanted = wanted(&mut self.analyzers.0, query.locale, text).into_iter();
        let wanted = wanted.map(|wanted| self.position(query.locale, wanted)).collect();
        let rest = Rest::of(query);
        self.searches.push(Search {
            key,
            takes: Bits::taken_by(query),
            bedrooms: rooms(query.min_bedrooms),
            bathrooms: rooms(query.min_bathrooms),
            reduced: query.reduced,
            featured: query.featured,
            new_build: query.new_build,
            price: limits(query.min_price, query.max_price),
            built_area: limits(query.min_built, query.max_built),
            plot_area: limits(query.min_plot, query.max_plot),
            rest: rest.asks().then(|| Box::new(rest)),
            wanted,
        });
    }

    /// The keys of the searches that `property` fits on the day `today`, counted from 1970.
    pub fn matching(&self, property: &PercolatedProperty, today: i64) -> Vec<K> {
        let found: Vec<OnceCell<bool>> = vec![OnceCell::new(); self.wanted.len()];
        let is_found = |position: &u32| {
            let position = *position as usize;
            let (locale, wanted) = &self.wanted[position];
            *found[position].get_or_init(|| property.has(*locale, wanted))
        };
        let fits = |search: &&Search<K>| {
            search.takes_all(property)
                && search.rest.as_ref().is_none_or(|rest| rest.takes(&property.indexed, today))
                && search.wanted.iter().all(is_found)
        };
        self.searches.iter().filter(fits).map(|search| search.key).collect()
    }

    fn position(&mut self, locale: Locale, wanted: Wanted) -> u32 {
        let next = u32::try_from(self.wanted.len()).unwrap_or(u32::MAX);
        let key = (locale, wanted);
        let position = *self.positions.entry(key.clone()).or_insert(next);
        if position == next {
            self.wanted.push(key);
        }
        position
    }
}

impl<K> Search<K> {
    fn takes_all(&self, property: &PercolatedProperty) -> bool {
        let PercolatedProperty { indexed, bits, .. } = property;
        let within = |[least, most]: [i64; 2], figure: Option<i64>| {
            let figure = figure.unwrap_or(UNKNOWN);
            least <= figure && figure <= most
        };
        self.takes.status & bits.status != 0
            && within(self.price, indexed.price)
            && self.takes.property_type & bits.property_type != 0
            && self.takes.kind & bits.kind != 0
            && self.bedrooms <= rooms(indexed.bedrooms)
            && self.bathrooms <= rooms(indexed.bathrooms)
            && self.takes.energy & bits.energy != 0
            && within(self.built_area, indexed.built_area)
            && within(self.plot_area, indexed.plot_area)
            && self.reduced.is_none_or(|asked| asked == indexed.reduced_at.is_some())
            && self.featured.is_none_or(|asked| asked == indexed.featured)
            && self.new_build.is_none_or(|asked| asked == indexed.new_build)
    }
}

impl Bits {
    fn taken_by(query: &PropertyQuery) -> Self {
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

/// The bits of `asked`; none where nothing is asked.
fn members<T, B: std::ops::BitOr<Output = B>>(asked: &[T], bit: impl Fn(&T) -> B) -> Option<B> {
    asked.iter().map(bit).reduce(|left, right| left | right)
}

/// What a figure must lie between. One that is not known lies only where there is no limit.
fn limits(least: Option<i64>, most: Option<i64>) -> [i64; 2] {
    match (least, most) {
        (None, None) => [UNKNOWN, i64::MAX],
        _ => [least.unwrap_or(UNKNOWN + 1).max(UNKNOWN + 1), most.unwrap_or(i64::MAX)],
    }
}

impl Rest {
    fn of(query: &PropertyQuery) -> Self {
        Self {
            locations: query.locations.clone(),
            excluded_locations: query.excluded_locations.clone(),
            features: query.features.clone(),
            excluded_features: query.excluded_features.clone(),
            max_bedrooms: query.max_bedrooms,
            listed_within: query.listed_within,
            bounds: query.bounds,
            area: query.area.clone(),
        }
    }

    const fn asks(&self) -> bool {
        !self.locations.is_empty()
            || !self.excluded_locations.is_empty()
            || !self.features.is_empty()
            || !self.excluded_features.is_empty()
            || self.max_bedrooms.is_some()
            || self.listed_within.is_some()
            || self.bounds.is_some()
            || self.area.is_some()
    }

    fn takes(&self, property: &IndexedProperty, today: i64) -> bool {
        let has = |feature: &String| property.features.binary_search(feature).is_ok();
        let lies = |within: &dyn Fn(f64, f64) -> bool| {
            property.lat.zip(property.lng).is_some_and(|(lat, lng)| within(lat, lng))
        };
        (self.locations.is_empty() || self.locations.iter().any(|asked| property.is_at(asked)))
            && !self.excluded_locations.iter().any(|other| property.is_at(other))
            && self.features.iter().all(has)
            && !self.excluded_features.iter().any(has)
            && (self.max_bedrooms.is_none()
                || at_most(self.max_bedrooms).contains(&rooms(property.bedrooms)))
            && self.listed_within.is_none_or(|days| property.listed_at >= days_ago(today, days))
            && self.bounds.is_none_or(|bounds| lies(&|lat, lng| bounds.contains(lat, lng)))
            && self.area.as_ref().is_none_or(|area| lies(&|lat, lng| area.contains(lat, lng)))
    }
}

impl PercolatedProperty {
    /// `property`, which was offered at `offers`, as searches see it.
    pub fn of(property: &Property, offers: &[Offer]) -> Self {
        let indexed = IndexedProperty::of(property, offers);
        let words = words_of(property, &mut Analyzers::new());
        Self { bits: Bits::of(&indexed), indexed, words }
    }

    fn words(&self, part: TextField) -> &[String] {
        let found = self.words.iter().find(|(other, _)| *other == part);
        found.map_or(&[], |(_, words)| words)
    }

    /// Whether it has what a text in `locale` wants.
    fn has(&self, locale: Locale, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Word { folded, stem, is_forgiven } => {
                self.words(TextField::Reference).contains(folded)
                    || self.has_word(TextField::TypeAhead(locale), folded, *is_forgiven)
                    || parts(locale).into_iter().any(|(part, _)| match part {
                        TextField::Place(_) => self.has_word(part, folded, *is_forgiven),
                        _ => self.has_word(part, stem, *is_forgiven && is_forgiven_stem(stem)),
                    })
            }
            Wanted::Phrase { folded, stems } => {
                let parts = parts(locale).map(|(part, _)| part);
                [TextField::Reference].into_iter().chain(parts).any(|part| {
                    let words = if is_stemmed(part) { stems } else { folded };
                    self.has_side_by_side(part, words)
                })
            }
            Wanted::Reference { folded } => {
                self.words(TextField::Reference).contains(&folded.concat())
                    || naming(locale).into_iter().any(|part| self.has_side_by_side(part, folded))
            }
        }
    }

    fn has_word(&self, part: TextField, word: &str, is_forgiven: bool) -> bool {
        // A letter takes four bytes at the most, so words of one slip differ in length by no more.
        let is_near = |other: &&String| other.len().abs_diff(word.len()) <= 4;
        let words = self.words(part);
        words.iter().any(|other| other == word)
            || (is_forgiven && words.iter().filter(is_near).any(|other| is_one_slip(word, other)))
    }

    fn has_side_by_side(&self, part: TextField, words: &[String]) -> bool {
        !words.is_empty() && self.words(part).windows(words.len()).any(|those| those == words)
    }
}
