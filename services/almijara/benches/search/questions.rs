//! Generates the queries: a seeded set of different ones that visitors are likely to make.

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
/// Words that the search doesn't turn into filters.
const ENGLISH: [&str; 6] =
    ["quiet street", "fireplace", "morning sun", "harbour", "bright", "beach"];
const SPANISH: [&str; 6] =
    ["tranquila", "chimenea", "sol de mañana", "puerto", "luminosa", "playa"];

/// Returns `count` different queries.
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
    let mut query = PropertyQuery::newest(locale, PER_PAGE);
    query.today = Utc::now().timestamp() / 86_400;
    let places = [0, 1, 1, 1, 1, 2][random.random_range(0..6)];
    query.locations = some(&PLACES, places, random);
    if random.random_bool(0.5) {
        query.property_types = PropertyType::ALL.choose(random).copied().into_iter().collect();
    }
    if random.random_bool(0.05) {
        query.statuses = vec![ListingStatus::ForSale, ListingStatus::Sold];
    }
    query.max_price = PRICES.choose(random).copied().filter(|_| random.random_bool(0.6));
    query.min_price = PRICES[..4]
        .choose(random)
        .copied()
        .filter(|min| random.random_bool(0.3) && query.max_price.is_none_or(|max| *min < max));
    query.min_bedrooms = random.random_bool(0.5).then(|| random.random_range(1..=4));
    query.min_bathrooms = random.random_bool(0.2).then(|| random.random_range(1..=3));
    query.min_built = random.random_bool(0.1).then(|| random.random_range(2..=8) * 25);
    let features = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2][random.random_range(0..10)];
    query.features = some(&FEATURES, features, random);
    if random.random_bool(0.15) {
        let kinds = [PropertyKind::Villa, PropertyKind::Penthouse, PropertyKind::Townhouse];
        query.kinds = kinds.choose(random).copied().into_iter().collect();
    }
    if random.random_bool(0.04) {
        query.energy = vec![EnergyRating::A, EnergyRating::B, EnergyRating::C];
    }
    query.listed_within = [7, 30, 90].choose(random).copied().filter(|_| random.random_bool(0.06));
    query.min_plot = random.random_bool(0.05).then_some(500);
    query.max_built = random.random_bool(0.03).then_some(120);
    query.reduced = random.random_bool(0.04).then_some(true);
    query.featured = random.random_bool(0.03).then_some(true);
    if random.random_bool(0.08) {
        let (south, west) = (random.random_range(36.70..36.78), random.random_range(-4.1..-3.9));
        let rounded = |degrees: f64| (degrees * 1000.0).round() / 1000.0;
        query.bounds = Some(BoundingBox {
            south: rounded(south),
            west: rounded(west),
            north: rounded(south + 0.06),
            east: rounded(west + 0.1),
        });
    }
    query.sort = match random.random_range(0..20) {
        0..12 => Sort::Newest,
        12..17 => Sort::PriceAscending,
        17..19 => Sort::PriceDescending,
        _ => Sort::Oldest,
    };
    if random.random_bool(0.12) {
        let words = if locale == Locale::En { &ENGLISH } else { &SPANISH };
        query.text = words.choose(random).map(|words| (*words).to_owned());
        query.sort = Sort::Relevance;
    }
    let page = [0, 0, 0, 0, 0, 0, 0, 1, 1, 3][random.random_range(0..10)];
    query.offset = page * PER_PAGE;
    query
}

fn some(values: &[&str], count: usize, random: &mut StdRng) -> Vec<String> {
    values.choose_multiple(random, count).map(|value| (*value).to_owned()).collect()
}

/// Returns the name of `sort` in addresses.
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

/// Returns the read API's path and query string for `query`.
pub fn address(query: &PropertyQuery) -> String {
    let mut parameters = url::form_urlencoded::Serializer::for_suffix(PATH.to_owned(), PATH.len());
    parameters.extend_pairs([("locale", query.locale.code()), ("sort", sort_name(query.sort))]);
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            parameters.append_pair(name, &value);
        }
    };
    let number = |number: Option<i64>| number.map(|number| number.to_string());
    add("q", query.text.clone());
    query.kinds.iter().for_each(|value| add("kind", Some(value.to_string())));
    query.energy.iter().for_each(|value| add("energy", Some(value.to_string())));
    add("newWithin", number(query.listed_within));
    add("maxBuilt", number(query.max_built));
    add("minPlot", number(query.min_plot));
    add("maxPlot", number(query.max_plot));
    query.property_types.iter().for_each(|value| add("propertyType", Some(value.to_string())));
    query.locations.iter().for_each(|value| add("location", Some(value.clone())));
    query.statuses.iter().for_each(|value| add("status", Some(value.to_string())));
    query.features.iter().for_each(|value| add("features", Some(value.clone())));
    add("minPrice", number(query.min_price));
    add("maxPrice", number(query.max_price));
    add("minBedrooms", number(query.min_bedrooms));
    add("minBathrooms", number(query.min_bathrooms));
    add("minBuilt", number(query.min_built));
    add("reduced", query.reduced.map(|yes| yes.to_string()));
    add("featured", query.featured.map(|yes| yes.to_string()));
    let edges = query
        .bounds
        .map(|area| format!("{},{},{},{}", area.west, area.south, area.east, area.north));
    add("bbox", edges);
    add("page", (query.offset > 0).then(|| (query.offset / query.limit + 1).to_string()));
    parameters.finish()
}
