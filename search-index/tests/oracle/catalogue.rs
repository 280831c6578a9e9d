//! Generated properties and questions.

use chrono::{DateTime, Utc};
use contracts::{
    Locale, Localized,
    content::{
        AnnualCosts, Coordinates, ListingStatus, LocationRef, Property, PropertyKind, PropertyText,
        PropertyType,
    },
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use search_index::{BoundingBox, PropertyQuery, Sort};

/// Words that no stemmer changes and that no vocabulary of ours holds.
pub const WORDS: [&str; 6] = ["zorb", "quim", "plok", "tvix", "gromp", "brunt"];
const PLACES: [(&str, &str); 6] = [
    ("torrox", "Torrox"),
    ("torrox-costa", "Torrox Costa"),
    ("torroxa", "Torroxa"),
    ("nerja", "Nerja"),
    ("competa", "Cómpeta"),
    ("maro", "Maro"),
];
const FEATURES: [&str; 5] = ["pool", "garden", "sea-view", "lift", "garage"];

fn text() -> impl Strategy<Value = PropertyText> {
    let sentence = || vec(select(&WORDS[..]), 0..3).prop_map(|words| words.join(" "));
    (sentence(), sentence(), sentence()).prop_map(|(title, summary, description)| PropertyText {
        title,
        summary,
        description: format!("<p>{description}</p>"),
    })
}

fn localized() -> impl Strategy<Value = Localized<PropertyText>> {
    (option::weighted(0.9, text()), option::weighted(0.8, text()))
        .prop_map(|(en, es)| Localized { en, es })
}

fn location() -> impl Strategy<Value = LocationRef> {
    select(&PLACES[..]).prop_map(|(slug, name)| LocationRef {
        key: slug.to_owned(),
        slug: slug.to_owned(),
        name: Localized { en: Some(name.to_owned()), es: None },
    })
}

fn features() -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(FEATURES.to_vec(), 0..=FEATURES.len())
        .prop_map(|features| features.into_iter().map(str::to_owned).collect())
}

/// Few values of each kind, so that ties and shared facets are the rule.
pub fn property(number: usize) -> impl Strategy<Value = Property> {
    let words = (
        select(ListingStatus::ALL),
        select(PropertyType::ALL),
        select(PropertyKind::ALL),
        localized(),
        location(),
        features(),
    );
    let numbers = (
        option::weighted(0.8, (1_i64..8).prop_map(|price| price * 50_000)),
        option::weighted(0.8, 0_i64..13),
        option::weighted(0.8, 0_i64..4),
        option::weighted(0.8, (1_i64..6).prop_map(|area| area * 40)),
        0_i64..20,
        option::weighted(0.7, (0_i32..10, 0_i32..10)),
    );
    (words, numbers, any::<(bool, bool)>()).prop_map(move |(words, numbers, flags)| {
        let (status, property_type, kind, text, location, features) = words;
        let (price, bedrooms, bathrooms, built_area, day, point) = numbers;
        let listed_at = DateTime::<Utc>::from_timestamp(1_700_000_000 + day * 86_400, 0)
            .expect("a date of our time");
        Property {
            reference: format!("AH-{}", 900 + number),
            status,
            property_type,
            kind,
            price,
            previous_price: None,
            reduced: flags.0,
            featured: flags.1,
            new_build: false,
            listed_at,
            updated_at: listed_at,
            bedrooms,
            bathrooms,
            built_area,
            plot_area: None,
            terrace_area: None,
            year_built: None,
            floor: None,
            features,
            energy: None,
            annual_costs: AnnualCosts::default(),
            coordinates: point.map(|(north, east)| Coordinates {
                lat: 36.7 + f64::from(north) / 100.0,
                lng: -4.0 + f64::from(east) / 100.0,
            }),
            location,
            images: Vec::new(),
            text,
        }
    })
}

fn typed_words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => select(&WORDS[..]).prop_map(str::to_owned),
        1 => select(&["Torrox", "competa", "CÓMPETA", "costa", "nerja"][..]).prop_map(str::to_owned),
        1 => (900_u32..960).prop_map(|number| format!("ah-{number}")),
        1 => (900_u32..960).prop_map(|number| format!("AH{number}")),
        1 => Just("?!".to_owned()),
    ];
    vec(word, 1..3).prop_map(|words| words.join(" "))
}

fn bounds() -> impl Strategy<Value = BoundingBox> {
    (0_i32..8, 0_i32..8, 1_i32..6, 1_i32..6).prop_map(|(south, west, height, width)| BoundingBox {
        south: 36.7 + f64::from(south) / 100.0,
        west: -4.0 + f64::from(west) / 100.0,
        north: 36.7 + f64::from(south + height) / 100.0,
        east: -4.0 + f64::from(west + width) / 100.0,
    })
}

pub fn question() -> impl Strategy<Value = PropertyQuery> {
    let sorts = [Sort::Newest, Sort::Oldest, Sort::PriceAscending, Sort::PriceDescending];
    let places = ["torrox", "torrox-costa", "nerja", "maro", "nowhere"].map(str::to_owned);
    let words = (
        select(&Locale::ALL[..]),
        option::weighted(0.3, typed_words()),
        vec(select(PropertyType::ALL), 0..3),
        vec(select(places.to_vec()), 0..3),
        vec(select(ListingStatus::ALL), 0..3),
        vec(select([&FEATURES[..], &["helipad"]].concat()), 0..3),
    );
    let limits = (
        option::weighted(0.3, (0_i64..9).prop_map(|price| price * 50_000)),
        option::weighted(0.3, (0_i64..9).prop_map(|price| price * 50_000)),
        option::weighted(0.3, 0_i64..6),
        option::weighted(0.3, 0_i64..4),
        option::weighted(0.2, (0_i64..6).prop_map(|area| area * 40)),
    );
    let rest = (
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.2, bounds()),
        select(sorts.to_vec()),
        0_usize..30,
        0_usize..30,
    );
    (words, limits, rest).prop_map(|(words, limits, rest)| PropertyQuery {
        locale: words.0,
        text: words.1,
        property_types: words.2,
        locations: words.3,
        statuses: words.4,
        features: words.5.into_iter().map(str::to_owned).collect(),
        min_price: limits.0,
        max_price: limits.1,
        min_bedrooms: limits.2,
        min_bathrooms: limits.3,
        min_built: limits.4,
        reduced: rest.0,
        featured: rest.1,
        bounds: rest.2,
        sort: rest.3,
        offset: rest.4,
        limit: rest.5,
    })
}
