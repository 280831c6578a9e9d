//! What should come first, and how near an answer comes to it.

use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, Property, PropertyKind, PropertyType},
};
use search_index::fold;
use serde::Deserialize;

/// What somebody types, and what they look for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub q: String,
    #[serde(default)]
    pub locale: Locale,
    /// Homes that are exactly it.
    best: Wish,
    /// Homes that will do.
    #[serde(default)]
    good: Option<Wish>,
}

/// Conditions that must all hold; of several values of one any may.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct Wish {
    refs: Vec<String>,
    kind: Vec<PropertyKind>,
    r#type: Vec<PropertyType>,
    place: Vec<String>,
    status: Vec<ListingStatus>,
    energy: Vec<EnergyRating>,
    min_price: Option<i64>,
    max_price: Option<i64>,
    beds: Option<i64>,
    baths: Option<i64>,
    min_built: Option<i64>,
    max_built: Option<i64>,
    min_plot: Option<i64>,
    reduced: Option<bool>,
    new_build: Option<bool>,
    /// Days since it was listed, at the most.
    days: Option<i64>,
    /// All of them.
    features: Vec<String>,
    /// Any of them stands in its texts, in either language.
    says: Vec<String>,
}

impl Judgement {
    /// Three for exactly it, one for what will do, nothing for the rest.
    pub fn grade(&self, home: &Property, today: i64) -> u32 {
        if self.best.holds(home, today) {
            3
        } else {
            u32::from(self.good.as_ref().is_some_and(|wish| wish.holds(home, today)))
        }
    }
}

impl Wish {
    fn holds(&self, home: &Property, today: i64) -> bool {
        let least = |wanted: Option<i64>, value: Option<i64>| {
            wanted.is_none_or(|wanted| value.is_some_and(|value| value >= wanted))
        };
        let most = |wanted: Option<i64>, value: Option<i64>| {
            wanted.is_none_or(|wanted| value.is_some_and(|value| value <= wanted))
        };
        let days = today - home.listed_at.timestamp().div_euclid(86_400);
        let texts = [&home.text.en, &home.text.es].into_iter().flatten();
        let written: String = texts
            .map(|text| fold(&format!("{} {} {} ", text.title, text.summary, text.description)))
            .collect();
        let status = if self.status.is_empty() {
            home.status != ListingStatus::Sold
        } else {
            self.status.contains(&home.status)
        };
        let rating = home.energy.as_ref().map(|energy| energy.rating);
        (self.refs.is_empty() || self.refs.contains(&home.reference))
            && (status || self.refs.contains(&home.reference))
            && any_of(&self.kind, Some(&home.kind))
            && any_of(&self.r#type, Some(&home.property_type))
            && any_of(&self.energy, rating.as_ref())
            && (self.place.is_empty()
                || home.location.and_around().any(|slug| self.place.iter().any(|it| it == slug)))
            && least(self.min_price, home.price)
            && most(self.max_price, home.price)
            && least(self.beds, home.bedrooms)
            && least(self.baths, home.bathrooms)
            && least(self.min_built, home.built_area)
            && most(self.max_built, home.built_area)
            && least(self.min_plot, home.plot_area)
            && most(self.days, Some(days))
            && self.reduced.is_none_or(|reduced| reduced == home.reduced)
            && self.new_build.is_none_or(|new| new == home.new_build)
            && self.features.iter().all(|feature| home.features.contains(feature))
            && (self.says.is_empty() || self.says.iter().any(|word| written.contains(&fold(word))))
    }
}

fn any_of<T: PartialEq>(wanted: &[T], value: Option<&T>) -> bool {
    wanted.is_empty() || value.is_some_and(|value| wanted.contains(value))
}

/// The normalised discounted cumulative gain of the first `at` of `grades`, where `ideal` holds the
/// grades of everything, best first.
pub fn ndcg(grades: &[u32], ideal: &[u32], at: usize) -> f64 {
    let gain = |grades: &[u32]| -> f64 {
        let ranked = (2_u32..).zip(grades.iter().take(at));
        ranked
            .map(|(rank, grade)| (2_f64.powf(f64::from(*grade)) - 1.0) / f64::from(rank).log2())
            .sum()
    };
    gain(grades) / gain(ideal)
}
