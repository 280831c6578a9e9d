//! Generates any number of listings from the homes of the sample content: with the figures of real
//! listings if a table of them is given, at other places and with new texts. The same seed generates the
//! same listings.

use chrono::{DateTime, Days, Utc};
use contracts::content::{Coordinates, Location, Property, PropertyType};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use crate::{
    load::as_f64,
    table::{Row, centre},
    texts::Texts,
};

const SEED: u64 = 2_618;
/// The first key of generated listings, above the keys of those that editors create.
pub const FIRST_KEY: usize = 200_000;
/// Days over which listings were first offered.
const OFFERED_WITHIN: u64 = 900;

/// One listing and its key.
#[derive(Clone, Debug)]
pub struct Listing {
    pub key: usize,
    pub property: Property,
}

/// Generates listings.
pub struct Catalogue {
    homes: Vec<Property>,
    places: Vec<(String, Location)>,
    rows: Vec<Row>,
    texts: Texts,
    today: DateTime<Utc>,
    random: StdRng,
    next: usize,
}

impl Catalogue {
    /// Creates it from `homes`, `places` (with their keys) and, if there are any, `rows` of real listings.
    pub fn new(homes: Vec<Property>, places: Vec<(String, Location)>, rows: Vec<Row>) -> Self {
        let texts = Texts::of(&homes);
        let random = StdRng::seed_from_u64(SEED);
        let today = Utc::now().date_naive().and_time(chrono::NaiveTime::MIN).and_utc();
        Self { homes, places, rows, texts, today, random, next: 0 }
    }

    /// Returns a description of the source data.
    pub fn origin(&self) -> String {
        match self.rows.len() {
            0 => format!("generated from {} homes of the sample content", self.homes.len()),
            rows => format!(
                "sampled with replacement from {rows} real listings, jittered and moved to the \
                 coast, with types, features and pictures of {} homes of the sample content",
                self.homes.len()
            ),
        }
    }

    /// Returns the next `count` listings.
    pub fn take(&mut self, count: usize) -> Vec<Listing> {
        (0..count).filter_map(|_| self.listing()).collect()
    }

    fn listing(&mut self) -> Option<Listing> {
        let key = FIRST_KEY + self.next;
        self.next += 1;
        let random = &mut self.random;
        let mut home = self.homes.choose(random)?.clone();
        let (place_key, place) = self.places.choose(random)?;
        let row = self.rows.choose(random);
        home.reference = format!("AH-{key}");
        home.location.key.clone_from(place_key);
        home.location.slug.clone_from(&place.slug);
        home.location.ancestors.clone_from(&place.ancestors);
        home.location.name = contracts::Localized {
            en: place.text.en.as_ref().map(|text| text.name.clone()),
            es: place.text.es.as_ref().map(|text| text.name.clone()),
        };
        match row {
            Some(row) if home.property_type != PropertyType::Commercial => row.apply_to(&mut home),
            _ => {}
        }
        let factor = random.random_range(0.9..1.1);
        home.price = home.price.map(|price| rounded(price, factor, 1_000));
        home.built_area = home.built_area.map(|area| rounded(area, factor, 1));
        home.plot_area = home.plot_area.map(|area| rounded(area, random.random_range(0.7..1.4), 5));
        home.previous_price = home.price.filter(|_| home.reduced).map(|price| price + price / 10);
        let days = Days::new(random.random_range(0..OFFERED_WITHIN));
        home.listed_at = self.today.checked_sub_days(days).unwrap_or(self.today);
        home.updated_at = home.listed_at;
        home.coordinates = place.coordinates.filter(|_| random.random_bool(0.97)).map(|point| {
            let (north, east) = row.map_or((0.0, 0.0), |row| row.offset(centre(&self.rows)));
            Coordinates {
                lat: point.lat + north + random.random_range(-0.01..0.01),
                lng: point.lng + east + random.random_range(-0.015..0.015),
            }
        });
        home.text = self.texts.describe(&home, random);
        Some(Listing { key, property: home })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "prices and areas are far below 2^52")]
fn rounded(number: i64, factor: f64, to: i64) -> i64 {
    let number = as_f64(usize::try_from(number).unwrap_or_default()) * factor;
    (number as i64 / to * to).max(to)
}
