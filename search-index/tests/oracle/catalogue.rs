//! Generated properties and queries.

use chrono::{DateTime, Days, Utc};
use contracts::{
    Locale, Localized, Offer, Version,
    content::{
        AnnualCosts, Coordinates, EnergyLabel, EnergyRating, ListingStatus, LocationRef,
        Particulars, Property, PropertyKind, PropertyText, PropertyType,
    },
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use search_index::{BoundingBox, Polygon, PropertyQuery, Sort};

/// Words that no stemmer changes and that are not in the vocabulary.
pub const WORDS: [&str; 6] = ["zorb", "quim", "plok", "tvix", "gromp", "brunt"];
/// The slug, name and containing places of each place. The place with a similar name is not part of another.
const PLACES: [(&str, &str, &[&str]); 6] = [
    ("torrox", "Torrox", &["axarquia"]),
    ("torrox-costa", "Torrox Costa", &["torrox", "axarquia"]),
    ("torroxa", "Torroxa", &[]),
    ("nerja", "Nerja", &["axarquia"]),
    ("competa", "Cómpeta", &[]),
    ("maro", "Maro", &["nerja", "axarquia"]),
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
    select(&PLACES[..]).prop_map(|(slug, name, ancestors)| LocationRef {
        key: slug.to_owned(),
        slug: slug.to_owned(),
        name: Localized { en: Some(name.to_owned()), es: None },
        ancestors: ancestors.iter().map(|slug| (*slug).to_owned()).collect(),
    })
}

fn features() -> impl Strategy<Value = Vec<String>> {
    proptest::sample::subsequence(FEATURES.to_vec(), 0..=FEATURES.len())
        .prop_map(|features| features.into_iter().map(str::to_owned).collect())
}

/// Returns a certificate with only this rating.
pub fn energy(rating: EnergyRating) -> EnergyLabel {
    EnergyLabel {
        rating,
        exemption: None,
        consumption: None,
        emissions: None,
        emissions_rating: None,
    }
}

/// Generates properties with few distinct values, so that ties and shared facets are common.
pub fn property(number: usize) -> impl Strategy<Value = Property> {
    let words = (
        select(ListingStatus::ALL),
        select(PropertyType::ALL),
        select(PropertyKind::ALL),
        localized(),
        location(),
        features(),
    );
    let sizes = (
        option::weighted(0.5, (0_i64..9).prop_map(|area| area * 150)),
        option::weighted(0.6, select(EnergyRating::ALL)),
    );
    let numbers = (
        option::weighted(0.8, (1_i64..8).prop_map(|price| price * 50_000)),
        option::weighted(0.8, 0_i64..13),
        option::weighted(0.8, 0_i64..4),
        option::weighted(0.8, (1_i64..6).prop_map(|area| area * 40)),
        0_i64..20,
        option::weighted(0.7, (0_i32..10, 0_i32..10)),
    );
    (words, numbers, sizes, any::<(bool, bool, bool)>()).prop_map(
        move |(words, numbers, sizes, flags)| {
            let (status, property_type, kind, text, location, features) = words;
            let (price, bedrooms, bathrooms, built_area, day, point) = numbers;
            let listed_at = DateTime::<Utc>::from_timestamp(1_700_000_000 + day * 6 * 86_400, 0)
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
                new_build: flags.2,
                listed_at,
                updated_at: listed_at,
                bedrooms,
                bathrooms,
                built_area,
                plot_area: sizes.0,
                terrace_area: None,
                year_built: None,
                floor: None,
                features,
                energy: sizes.1.map(energy),
                annual_costs: AnnualCosts::default(),
                coordinates: point.map(|(north, east)| Coordinates {
                    lat: 36.7 + f64::from(north) / 100.0,
                    lng: -4.0 + f64::from(east) / 100.0,
                }),
                location,
                particulars: Particulars::default(),
                floor_plan: None,
                images: Vec::new(),
                text,
            }
        },
    )
}

/// How long after its listing the price of a home was reduced, and how long before its listing it was offered.
const OFFER_DELAY: Days = Days::new(9);

/// Returns the offers of `property`. If it is marked as `reduced` and has a price, there is an earlier offer with
/// a higher price. A featured one was first offered before the listing date that its editors entered.
pub fn offers(property: &Property) -> Vec<Offer> {
    let offer = |version, at, price| Offer {
        version: Version(version),
        at,
        reference: property.reference.clone(),
        location: property.location.slug.clone(),
        property_type: property.property_type,
        price,
        status: property.status,
    };
    let before = property.price.filter(|_| property.reduced).map(|price| price + 1_000);
    let since = reduced_at(property).unwrap_or_else(|| first_offered(property));
    before
        .map(|price| offer(0, first_offered(property), Some(price)))
        .into_iter()
        .chain([offer(1, since, property.price)])
        .collect()
}

pub fn is_reduced(property: &Property) -> bool {
    property.reduced && property.price.is_some()
}

pub fn reduced_at(property: &Property) -> Option<DateTime<Utc>> {
    is_reduced(property).then(|| property.listed_at + OFFER_DELAY)
}

pub fn first_offered(property: &Property) -> DateTime<Utc> {
    let earlier = property.listed_at - OFFER_DELAY;
    if property.featured { earlier } else { property.listed_at }
}

/// The values that generated queries use.
#[derive(Clone, Debug)]
pub struct SearchSpace {
    /// Slugs, one of them unknown.
    pub places: Vec<String>,
    /// Features, one of them unknown.
    pub features: Vec<String>,
    /// References.
    pub references: Vec<String>,
    /// The south-western corner, as latitude and longitude.
    pub corner: (f64, f64),
    /// The extent from there in degrees.
    pub reach: f64,
    /// The step between prices.
    pub euros: i64,
    /// Days since 1970.
    pub today: i64,
}

impl SearchSpace {
    /// Returns the values that match [`property`].
    pub fn generated() -> Self {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            places: names(&["axarquia", "torrox", "torrox-costa", "nerja", "maro", "nowhere"]),
            features: names(&[&FEATURES[..], &["helipad"]].concat()),
            references: (900..960).map(|number| format!("AH-{number}")).collect(),
            corner: (36.7, -4.0),
            reach: 0.1,
            euros: 50_000,
            today: (1_700_000_000 + 121 * 86_400) / 86_400,
        }
    }
}

fn typed_words(space: &SearchSpace) -> impl Strategy<Value = String> + use<> {
    let reference = select(space.references.clone());
    let word = prop_oneof![
        4 => select(&WORDS[..]).prop_map(str::to_owned),
        1 => select(&["Torrox", "competa", "CÓMPETA", "costa", "nerja"][..]).prop_map(str::to_owned),
        1 => reference.clone().prop_map(|reference| reference.to_lowercase()),
        1 => reference.prop_map(|reference| reference.replace('-', "")),
        1 => Just("?!".to_owned()),
    ];
    vec(word, 1..3).prop_map(|words| words.join(" "))
}

fn bounds(space: &SearchSpace) -> impl Strategy<Value = BoundingBox> + use<> {
    let ((south, west), step) = (space.corner, space.reach / 10.0);
    (0_i32..8, 0_i32..8, 1_i32..6, 1_i32..6).prop_map(move |(up, right, height, width)| {
        BoundingBox {
            south: south + f64::from(up) * step,
            west: west + f64::from(right) * step,
            north: south + f64::from(up + height) * step,
            east: west + f64::from(right + width) * step,
        }
    })
}

/// Generates polygons of any shape, most of which cross themselves. No corner has the longitude or latitude of a
/// property, because it is undefined whether a point exactly on the outline is inside.
fn area(space: &SearchSpace) -> impl Strategy<Value = Polygon> + use<> {
    let ((south, west), reach) = (space.corner, space.reach);
    vec((0_u32..1_000, 0_u32..1_000), 3..12).prop_map(move |corners| {
        let corner = |(right, up): (u32, u32)| {
            let part = |steps: u32| (f64::from(steps) + 0.137) / 1_000.0 * reach;
            (west + part(right), south + part(up))
        };
        Polygon::new(corners.into_iter().map(corner).collect()).expect("three corners at least")
    })
}

/// Generates queries of every sort. Most filters are not set, so that something is found.
pub fn query(space: &SearchSpace) -> impl Strategy<Value = PropertyQuery> + use<> {
    let sorts = [
        Sort::Newest,
        Sort::Oldest,
        Sort::PriceAscending,
        Sort::PriceDescending,
        Sort::PricePerMetre,
        Sort::ReducedLately,
    ];
    let (today, euros) = (space.today, space.euros);
    let price = move || option::weighted(0.2, (0_i64..9).prop_map(move |steps| steps * euros));
    let size = |step: i64| option::weighted(0.15, (0_i64..9).prop_map(move |steps| steps * step));
    let words = (
        select(&Locale::ALL[..]),
        option::weighted(0.3, typed_words(space)),
        prop_oneof![1 => vec(select(PropertyType::ALL), 1..3), 2 => Just(Vec::new())],
        prop_oneof![1 => vec(select(PropertyKind::ALL), 1..8), 3 => Just(Vec::new())],
        prop_oneof![1 => vec(select(space.places.clone()), 1..3), 2 => Just(Vec::new())],
        prop_oneof![1 => vec(select(ListingStatus::ALL), 0..3), 1 => Just(Vec::new())],
        prop_oneof![1 => vec(select(space.features.clone()), 0..3), 1 => Just(Vec::new())],
        prop_oneof![1 => vec(select(&EnergyRating::ALL[..7]), 1..4), 4 => Just(Vec::new())],
    );
    let limits = (
        price(),
        price(),
        option::weighted(0.2, 0_i64..6),
        option::weighted(0.2, 0_i64..4),
        size(40),
        size(40),
        size(150),
        size(150),
        option::weighted(0.2, 1_i64..130),
    );
    let excluded = (
        prop_oneof![1 => vec(select(space.places.clone()), 1..3), 6 => Just(Vec::new())],
        prop_oneof![1 => vec(select(space.features.clone()), 1..3), 4 => Just(Vec::new())],
        option::weighted(0.15, 0_i64..8),
        option::weighted(0.15, any::<bool>()),
    );
    let rest = (
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.2, any::<bool>()),
        option::weighted(0.15, bounds(space)),
        option::weighted(0.15, area(space)),
        select(sorts.to_vec()),
        0_usize..30,
        0_usize..30,
    );
    (words, limits, excluded, rest).prop_map(move |(words, limits, excluded, rest)| PropertyQuery {
        locale: words.0,
        text: words.1,
        reference: None,
        property_types: words.2,
        kinds: words.3,
        locations: words.4,
        statuses: words.5,
        statuses_from_text: false,
        not_locations: excluded.0,
        features: words.6,
        without_features: excluded.1,
        energy: words.7,
        min_price: limits.0,
        max_price: limits.1,
        min_bedrooms: limits.2,
        max_bedrooms: excluded.2,
        min_bathrooms: limits.3,
        min_built: limits.4,
        max_built: limits.5,
        min_plot: limits.6,
        max_plot: limits.7,
        listed_within: limits.8,
        today,
        reduced: rest.0,
        featured: rest.1,
        new_build: excluded.3,
        bounds: rest.2,
        area: rest.3,
        sort: rest.4,
        offset: rest.5,
        limit: rest.6,
    })
}
