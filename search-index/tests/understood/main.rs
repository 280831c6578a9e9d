//! Measures how many phrases in people's own words are fully converted to filters.
//!
//! `phrases.json` was written before the parser, from the language of listings and guides. Each phrase has the
//! filters that a person would select for it, and the words that would be left.

#![allow(clippy::expect_used, reason = "a test may end here")]

use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use contracts::Locale;
use search_index::{Place, fold, understand};
use serde::Deserialize;
use serde_json::Value;

/// The minimum share of phrases that must be parsed as expected.
const MIN_SHARE: f64 = 0.95;

#[derive(Deserialize)]
struct Phrase {
    q: String,
    #[serde(default)]
    locale: Locale,
    /// Parameters with their values, and the words that are left as `q`.
    wanted: String,
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(file).expect("the file can be read");
    serde_json::from_str(&text).expect("the file is as described")
}

/// Returns the places of the sample content.
fn places(locale: Locale) -> Vec<Place> {
    let language = if locale == Locale::En { "en-GB" } else { "es-ES" };
    let content: Vec<Value> = read("../deploy/content/locations.json");
    let named = content.iter().filter_map(|location| {
        let texts = location["translations"].as_array()?;
        let text = texts.iter().find(|text| text["languages_code"] == language)?;
        Some(Place::new(location["slug"].as_str()?, text["name"].as_str()?))
    });
    named.collect()
}

/// Returns parameters with their values as a set, and words without separators.
fn parts<'a>(pairs: impl Iterator<Item = (&'a str, String)>) -> BTreeSet<(String, String)> {
    let tidy = |value: &str| {
        let words = value.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty()).map(fold).collect::<Vec<_>>().join(" ")
    };
    pairs
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (name.to_owned(), if name == "q" { tidy(&value) } else { value }))
        .collect()
}

/// The exchange rate of the sample content in pounds per euro.
const RATE: Option<f64> = Some(0.86);

#[test]
fn most_phrases_are_understood_in_full() {
    let phrases: Vec<Phrase> = read("tests/understood/phrases.json");
    assert!(phrases.len() >= 150, "{} are too few to tell anything", phrases.len());
    let places = Locale::ALL.map(places);
    let (mut understood, mut report) = (0, String::new());
    for Phrase { q, locale, wanted } in &phrases {
        let found = understand(*locale, q, &places[locale.index()], RATE);
        let filters = found.filters.iter().map(|one| (one.filter.parameter(), one.filter.value()));
        let found = parts(filters.chain([("q", found.words.clone())]));
        let wanted_pairs = wanted.split('&').filter_map(|pair| pair.split_once('='));
        if found == parts(wanted_pairs.map(|(name, value)| (name, value.to_owned()))) {
            understood += 1;
        } else {
            let found: Vec<_> =
                found.iter().map(|(name, value)| format!("{name}={value}")).collect();
            writeln!(report, "{q}\n  wanted {wanted}\n  found  {}", found.join("&"))
                .expect("memory");
        }
    }
    let number = u32::try_from(phrases.len()).expect("a few");
    let share = f64::from(understood) / f64::from(number);
    println!("{report}{understood} of {number} phrases understood in full: {share:.3}");
    assert!(share >= MIN_SHARE, "{report}{understood} of {number}: {share:.3}");
}
