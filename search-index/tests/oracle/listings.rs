//! The same comparison over real listings: a CSV in the format of the idealista18 data set, plain or compressed
//! with gzip, whose path is in `ORACLE_CSV`.
//!
//! `ORACLE_CSV=listings.csv.gz cargo test --release -p search-index --test oracle -- --ignored --nocapture`;
//! `ORACLE_QUESTIONS` is the number of queries, 2,000 by default.

use std::{collections::HashMap, env, fs::File, io::Read, path::Path, time::Instant};

use chrono::{NaiveDate, NaiveTime};
use contracts::{
    Localized,
    content::{
        AnnualCosts, Coordinates, EnergyRating, ListingStatus, LocationRef, Particulars, Property,
        PropertyKind, PropertyText, PropertyType,
    },
};
use flate2::read::MultiGzDecoder;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use search_index::{PropertyQuery, Sort};

use crate::{
    catalogue::{SearchSpace, WORDS, energy, query},
    check::{check, check_map, check_pages},
    listed, play,
};

/// The number of events between two commits.
const COMMIT_EVERY: usize = 1_024;
/// One in so many queries is paged through to its end.
const PAGE_EVERY: usize = 20;

const FEATURES: [&str; 9] = [
    "terrace",
    "lift",
    "air_con",
    "parking",
    "pool",
    "garden",
    "storage_room",
    "fitted_wardrobes",
    "doorman",
];

#[test]
#[ignore = "needs a CSV of listings, named in ORACLE_CSV"]
fn answers_for_real_listings_equal_those_of_brute_force() {
    let path = env::var("ORACLE_CSV").expect("ORACLE_CSV names a file");
    let properties = read(&path);
    let space = space(&properties);
    let history: Vec<_> =
        properties.into_iter().enumerate().map(|(number, it)| (number, Some(it))).collect();
    let started = Instant::now();
    let (_directory, view, published) = play(&history, COMMIT_EVERY);
    println!("{} listings indexed in {:?}", published.len(), started.elapsed());
    let catalogue = listed(&published);
    let asked: usize =
        env::var("ORACLE_QUESTIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(2_000);
    let mut runner = TestRunner::deterministic();
    let queries = query(&space);
    let (started, mut empty, mut paged) = (Instant::now(), 0, 0);
    for number in 0..asked {
        let query = queries.new_tree(&mut runner).expect("a query").current();
        check(&view, &catalogue, &query);
        check_map(&view, &catalogue, &query, u8::try_from(number % 21).unwrap_or(0), 400);
        empty += usize::from(view.search(&query).is_ok_and(|found| found.total == 0));
        if number % PAGE_EVERY == 0 {
            let by_relevance = PropertyQuery { sort: Sort::Relevance, ..query.clone() };
            check_pages(&view, &catalogue, &query, 997);
            check_pages(&view, &catalogue, &by_relevance, 997);
            paged += 2;
        }
    }
    println!(
        "{asked} queries, of which {empty} found nothing, and {paged} lists paged to their end: \
         all as by brute force, in {:?}",
        started.elapsed()
    );
}

fn read(path: &str) -> Vec<Property> {
    let mut file = File::open(path).expect("the file can be opened");
    let mut text = String::new();
    let read = if Path::new(path).extension().is_some_and(|extension| extension == "gz") {
        MultiGzDecoder::new(file).read_to_string(&mut text)
    } else {
        file.read_to_string(&mut text)
    };
    read.expect("the file can be read");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a line of names").split(',').collect();
    lines
        .enumerate()
        .map(|(number, line)| {
            let values = names.iter().copied().zip(line.split(',')).collect();
            property(number, &Listing(values))
        })
        .collect()
}

struct Listing<'a>(HashMap<&'a str, &'a str>);

impl Listing<'_> {
    fn text(&self, name: &str) -> &str {
        self.0.get(name).copied().unwrap_or_default()
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.text(name).parse().ok()
    }

    fn degrees(&self, name: &str) -> Option<f64> {
        self.text(name).parse().ok()
    }
}

/// Creates a property. What the data set lacks (statuses, ratings, plots, words) is derived from the listing's
/// number.
fn property(number: usize, listing: &Listing<'_>) -> Property {
    let place = listing.text("neighbourhood");
    let kind = match listing.text("property_type") {
        "duplex" => PropertyKind::Duplex,
        "studio" => PropertyKind::Studio,
        "penthouse" => PropertyKind::Penthouse,
        _ => PropertyKind::Apartment,
    };
    let pick = |every: usize, of: &[&str]| of[number / every % of.len()].to_owned();
    let (year, month) = listing.text("period").split_at(4);
    let day = u32::try_from(number % 28).unwrap_or(0) + 1;
    let listed_at = NaiveDate::from_ymd_opt(
        year.parse().expect("a year"),
        month.parse().expect("a month"),
        day,
    )
    .expect("a date")
    .and_time(NaiveTime::MIN)
    .and_utc();
    let known = |number: usize, value: Option<i64>| value.filter(|_| !number.is_multiple_of(50));
    let built_area = listing.number("built_m2");
    let mut features: Vec<_> = FEATURES
        .iter()
        .filter(|name| listing.text(name) == "1")
        .map(|name| name.replace('_', "-"))
        .collect();
    features.sort_unstable();
    Property {
        reference: format!("AH-{}", listing.text("row_id")),
        status: ListingStatus::ALL[if number.is_multiple_of(10) { number / 10 % 5 } else { 0 }],
        property_type: PropertyType::ALL[if number.is_multiple_of(7) { number / 7 % 3 } else { 1 }],
        kind,
        price: known(number, listing.number("price_eur")),
        previous_price: None,
        reduced: number.is_multiple_of(9),
        featured: number.is_multiple_of(13),
        new_build: listing.text("condition") == "new_build",
        listed_at,
        updated_at: listed_at,
        bedrooms: listing.number("bedrooms"),
        bathrooms: listing.number("bathrooms"),
        built_area: known(number + 1, built_area),
        plot_area: built_area.filter(|_| listing.text("garden") == "1").map(|area| area * 3),
        terrace_area: None,
        year_built: None,
        floor: None,
        features,
        energy: EnergyRating::ALL.get(number % 12).copied().map(energy),
        annual_costs: AnnualCosts::default(),
        coordinates: listing
            .degrees("lat")
            .zip(listing.degrees("lon"))
            .filter(|_| !number.is_multiple_of(40))
            .map(|(lat, lng)| Coordinates { lat, lng }),
        location: LocationRef {
            key: place.to_owned(),
            slug: slug(place),
            name: Localized { en: Some(place.to_owned()), es: None },
            // Three districts, and the province that contains them.
            ancestors: vec![format!("district-{}", place.len() % 3), "province".to_owned()],
        },
        particulars: Particulars::default(),
        floor_plan: None,
        images: Vec::new(),
        text: Localized {
            en: Some(PropertyText {
                title: pick(1, &WORDS),
                summary: pick(5, &WORDS),
                description: pick(31, &WORDS),
            }),
            es: None,
        },
    }
}

fn slug(name: &str) -> String {
    let letters = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '-' });
    letters.collect::<String>().to_lowercase()
}

fn space(properties: &[Property]) -> SearchSpace {
    let mut places: Vec<String> = properties
        .iter()
        .flat_map(|it| it.location.self_and_ancestors().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    places.sort_unstable();
    places.dedup();
    places.push("nowhere".to_owned());
    let mut features: Vec<_> = FEATURES.iter().map(|name| name.replace('_', "-")).collect();
    features.push("helipad".to_owned());
    let latest = properties.iter().map(|it| it.listed_at.date_naive()).max().expect("a listing");
    let today = latest.signed_duration_since(NaiveDate::default()).num_days();
    SearchSpace {
        places,
        features,
        references: properties.iter().step_by(997).map(|it| it.reference.clone()).collect(),
        corner: (41.33, 2.09),
        reach: 0.14,
        euros: 60_000,
        today,
    }
}
