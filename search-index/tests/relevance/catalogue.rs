//! Converts the sample content to events for the index.

use std::{collections::BTreeSet, fs, path::Path};

use chrono::{DateTime, NaiveDate, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, Locale, Localized, Offer, Reduction, SCHEMA_VERSION,
    Version,
    content::{
        AnnualCosts, EnergyLabel, LocationRef, Particulars, Property, PropertyText, PropertyType,
        Snapshot,
    },
};
use search_index::Place;
use serde_json::Value;
use uuid::Uuid;

fn read(file: &str) -> Vec<Value> {
    read_all(file).into_iter().filter(|item| item["status"] == "published").collect()
}

fn read_all(file: &str) -> Vec<Value> {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/content").join(file);
    let text = fs::read_to_string(content).expect("the sample content");
    serde_json::from_str(&text).expect("a list")
}

/// Returns every published home.
pub fn homes() -> Vec<Property> {
    let places = read("locations.json");
    read("properties.json").iter().filter_map(|item| home(item, &places)).collect()
}

/// Returns every place in `locale`.
pub fn places(locale: Locale) -> Vec<Place> {
    read("locations.json")
        .iter()
        .map(|place| {
            let names = localized(place, |row| text(&row["name"]));
            let (_, name) = names.get_or_fallback(locale).expect("a place has a name");
            Place::new(text(&place["slug"]), name)
        })
        .collect()
}

/// Returns the event that publishes `home`.
pub fn published(key: u64, home: &Property) -> Event {
    Event {
        offers: offers(home),
        id: Uuid::nil(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Properties, key.to_string()),
        version: Version(1),
        captured_at: DateTime::UNIX_EPOCH,
        change: Change::Upserted { snapshot: Box::new(Snapshot::Properties(home.clone())) },
    }
}

/// Returns the offers of `home` with the earlier prices in the sample content, the oldest first.
pub fn offers(home: &Property) -> Vec<Offer> {
    let earlier = read_all("earlier_prices.json");
    let earlier = earlier.iter().filter(|price| text(&price["ref"]) == home.reference);
    let offer = |(version, price): (i64, Option<i64>)| Offer {
        version: Version(version),
        at: home.listed_at,
        reference: home.reference.clone(),
        location: home.location.slug.clone(),
        property_type: home.property_type,
        price,
        status: home.status,
    };
    let prices = earlier.map(|price| price["price"].as_i64()).chain([home.price]);
    (1..).zip(prices).map(offer).collect()
}

fn home(item: &Value, places: &[Value]) -> Option<Property> {
    let place = places.iter().find(|place| place["id"] == item["location"])?;
    let listed: NaiveDate = text(&item["listed_on"]).parse().expect("a date");
    let listed_at: DateTime<Utc> = listed.and_hms_opt(0, 0, 0).expect("midnight").and_utc();
    let tags = |name: &str| -> Vec<String> {
        item[name].as_array().into_iter().flatten().map(text).collect()
    };
    let flag = |name: &str| item[name] == true;
    let number = |name: &str| item[name].as_i64();
    let mut features: BTreeSet<String> = tags("features").into_iter().collect();
    features.extend(tags("views").iter().map(|view| format!("{view}-view")));
    features.extend(
        ["pool", "garden"].into_iter().filter(|tag| flag(&format!("has_{tag}"))).map(str::to_owned),
    );
    let mut home = Property {
        reference: text(&item["ref"]),
        status: text(&item["listing_status"]).parse().expect("a status"),
        property_type: match item["property_type"].as_str() {
            Some("house") => PropertyType::House,
            Some("apartment") => PropertyType::Apartment,
            _ => PropertyType::Commercial,
        },
        kind: text(&item["kind"]).parse().expect("a kind"),
        price: number("price"),
        previous_price: None,
        reduced: false,
        featured: flag("featured"),
        new_build: flag("new_build"),
        listed_at,
        updated_at: listed_at,
        bedrooms: number("bedrooms"),
        bathrooms: number("bathrooms"),
        built_area: number("built_m2"),
        plot_area: number("plot_m2"),
        terrace_area: number("terrace_m2"),
        year_built: number("year_built"),
        floor: None,
        features: features.into_iter().collect(),
        energy: text(&item["energy_rating"]).parse().ok().map(|rating| EnergyLabel {
            rating,
            exemption: None,
            consumption: None,
            emissions: None,
            emissions_rating: None,
        }),
        annual_costs: AnnualCosts::default(),
        coordinates: None,
        location: LocationRef {
            key: place["id"].to_string(),
            slug: text(&place["slug"]),
            name: localized(place, |row| text(&row["name"])),
            ancestors: around(place, places),
        },
        particulars: Particulars::default(),
        floor_plan: None,
        images: Vec::new(),
        text: localized(item, |row| PropertyText {
            title: text(&row["title"]),
            summary: text(&row["summary"]),
            description: text(&row["description"]),
        }),
    };
    home.reduced = Reduction::of(home.price, &offers(&home)).is_some();
    Some(home)
}

/// Returns the slugs of the places that contain `place`, the nearest first.
fn around(place: &Value, places: &[Value]) -> Vec<String> {
    let outer = |inner: &Value| places.iter().find(|outer| outer["id"] == inner["part_of"]);
    std::iter::successors(outer(place), |inner| outer(inner))
        .map(|outer| text(&outer["slug"]))
        .collect()
}

fn localized<T>(item: &Value, read: impl Fn(&Value) -> T) -> Localized<T> {
    let translation = |code: &str| {
        let rows = item["translations"].as_array()?;
        rows.iter().find(|row| row["languages_code"] == code).map(&read)
    };
    Localized { en: translation("en-GB"), es: translation("es-ES") }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
