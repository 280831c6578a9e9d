//! What visitors ask: a seeded set of different, likely questions.

use std::collections::HashSet;

use chrono::Utc;
use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, PropertyKind, PropertyType},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use search_index::{BoundingBox, PropertyQuery, Sort};

const SEED: u64 = 7_041;
const PATH: &str = "/api/properties?";
const PER_PAGE: usize = 24;
const PLACES: [&str; 8] = [
    "nerja",
    "torrox",
    "torrox-costa",
    "frigiliana",
    "competa",
    "torre-del-mar",
    "algarrobo",
    "velez-malaga",
];
const PRICES: [i64; 8] = [150_000, 200_000, 250_000, 300_000, 400_000, 500_000, 700_000, 1_000_000];
const FEATURES: [&str; 7] =
    ["pool", "garden", "terrace", "sea-view", "lift", "garage", "air-conditioning"];
/// Words that are no filter in disguise.
const ENGLISH: [&str; 6] =
    ["quiet street", "fireplace", "morning sun", "harbour", "bright", "beach"];
const SPANISH: [&str; 6] =
    ["tranquila", "chimenea", "sol de mañana", "puerto", "luminosa", "playa"];

/// The questions, in the form that the index takes.
pub fn questions(count: usize) -> Vec<PropertyQuery> {
    let mut random = StdRng::seed_from_u64(SEED);
    let mut known = HashSet::new();
    let mut questions = Vec::new();
    while questions.len() < count {
        let question = question(&mut random);
        if known.insert(address(&question)) {
            questions.push(question);
        }
    }
    questions
}

fn question(random: &mut StdRng) -> PropertyQuery {
    let locale = if random.random_bool(0.6) { Locale::En } else { Locale::Es };
    let mut asked = PropertyQuery::newest(locale, PER_PAGE);
    asked.today = Utc::now().timestamp() / 86_400;
    let places = [0, 1, 1, 1, 1, 2][random.random_range(0..6)];
    asked.locations = some(&PLACES, places, random);
    if random.random_bool(0.5) {
        asked.property_types = PropertyType::ALL.choose(random).copied().into_iter().collect();
    }
    if random.random_bool(0.05) {
        asked.statuses = vec![ListingStatus::ForSale, ListingStatus::Sold];
    }
    asked.max_price = PRICES.choose(random).copied().filter(|_| random.random_bool(0.6));
    asked.min_price = PRICES[..4].choose(random).copied().filter(|least| {
        random.random_bool(0.3) && asked.max_price.is_none_or(|most| *least < most)
    });
    asked.min_bedrooms = random.random_bool(0.5).then(|| random.random_range(1..=4));
    asked.min_bathrooms = random.random_bool(0.2).then(|| random.random_range(1..=3));
    asked.min_built = random.random_bool(0.1).then(|| random.random_range(2..=8) * 25);
    let features = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2][random.random_range(0..10)];
    asked.features = some(&FEATURES, features, random);
    if random.random_bool(0.15) {
        let kinds = [PropertyKind::Villa, PropertyKind::Penthouse, PropertyKind::Townhouse];
        asked.kinds = kinds.choose(random).copied().into_iter().collect();
    }
    if random.random_bool(0.04) {
        asked.energy = vec![EnergyRating::A, EnergyRating::B, EnergyRating::C];
    }
    asked.listed_within = [7, 30, 90].choose(random).copied().filter(|_| random.random_bool(0.06));
    asked.min_plot = random.random_bool(0.05).then_some(500);
    asked.max_built = random.random_bool(0.03).then_some(120);
    asked.reduced = random.random_bool(0.04).then_some(true);
    asked.featured = random.random_bool(0.03).then_some(true);
    if random.random_bool(0.08) {
        let (south, west) = (random.random_range(36.70..36.78), random.random_range(-4.1..-3.9));
        let fine = |degrees: f64| (degrees * 1000.0).round() / 1000.0;
        asked.bounds = Some(BoundingBox {
            south: fine(south),
            west: fine(west),
            north: fine(south + 0.06),
            east: fine(west + 0.1),
        });
    }
    asked.sort = match random.random_range(0..20) {
        0..12 => Sort::Newest,
        12..17 => Sort::PriceAscending,
        17..19 => Sort::PriceDescending,
        _ => Sort::Oldest,
    };
    if random.random_bool(0.12) {
        let words = if locale == Locale::En { &ENGLISH } else { &SPANISH };
        asked.text = words.choose(random).map(|words| (*words).to_owned());
        asked.sort = Sort::Relevance;
    }
    let page = [0, 0, 0, 0, 0, 0, 0, 1, 1, 3][random.random_range(0..10)];
    asked.offset = page * PER_PAGE;
    asked
}

fn some(values: &[&str], count: usize, random: &mut StdRng) -> Vec<String> {
    values.choose_multiple(random, count).map(|value| (*value).to_owned()).collect()
}

/// The name of `sort` in addresses.
const fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Newest => "newest",
        Sort::Oldest => "oldest",
        Sort::PriceAscending => "price-asc",
        Sort::PriceDescending => "price-desc",
        Sort::PricePerMetre => "price-per-m2",
        Sort::ReducedLately => "reduced",
        Sort::Relevance => "relevance",
    }
}

/// The read API's path and query for `asked`.
pub fn address(asked: &PropertyQuery) -> String {
    let mut query = url::form_urlencoded::Serializer::for_suffix(PATH.to_owned(), PATH.len());
    query.extend_pairs([("locale", asked.locale.code()), ("sort", sort_name(asked.sort))]);
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            query.append_pair(name, &value);
        }
    };
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    add("q", asked.text.clone());
    asked.kinds.iter().for_each(|value| add("kind", Some(value.to_string())));
    asked.energy.iter().for_each(|value| add("energy", Some(value.to_string())));
    add("newWithin", number(asked.listed_within));
    add("maxBuilt", number(asked.max_built));
    add("minPlot", number(asked.min_plot));
    add("maxPlot", number(asked.max_plot));
    asked.property_types.iter().for_each(|value| add("propertyType", Some(value.to_string())));
    asked.locations.iter().for_each(|value| add("location", Some(value.clone())));
    asked.statuses.iter().for_each(|value| add("status", Some(value.to_string())));
    asked.features.iter().for_each(|value| add("features", Some(value.clone())));
    add("minPrice", number(asked.min_price));
    add("maxPrice", number(asked.max_price));
    add("minBedrooms", number(asked.min_bedrooms));
    add("minBathrooms", number(asked.min_bathrooms));
    add("minBuilt", number(asked.min_built));
    add("reduced", asked.reduced.map(|yes| yes.to_string()));
    add("featured", asked.featured.map(|yes| yes.to_string()));
    let edges = asked
        .bounds
        .map(|area| format!("{},{},{},{}", area.west, area.south, area.east, area.north));
    add("bbox", edges);
    add("page", (asked.offset > 0).then(|| (asked.offset / asked.limit + 1).to_string()));
    query.finish()
}
