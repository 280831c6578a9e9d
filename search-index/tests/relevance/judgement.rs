//! Relevance judgements, and the score of an answer by them.

use contracts::{
    Locale,
    content::{EnergyRating, ListingStatus, Property, PropertyKind, PropertyType},
};
use search_index::fold;
use serde::Deserialize;

/// A typed text, and the homes that it means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    pub q: String,
    #[serde(default)]
    pub locale: Locale,
    /// Homes that match exactly.
    best: Wish,
    /// Homes that are acceptable.
    #[serde(default)]
    good: Option<Wish>,
}

/// Conditions that must all hold. A condition with several values holds if any of them does.
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
    /// The maximum number of days since it was listed.
    days: Option<i64>,
    /// Features, all of which must be present.
    features: Vec<String>,
    /// Words, any of which must be in its texts, in either language.
    says: Vec<String>,
}

impl Judgement {
    /// Returns three for an exact match, one for an acceptable home, and zero for others.
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
        let at_least = |wanted: Option<i64>, value: Option<i64>| {
            wanted.is_none_or(|wanted| value.is_some_and(|value| value >= wanted))
        };
        let at_most = |wanted: Option<i64>, value: Option<i64>| {
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
                || home
                    .location
                    .self_and_ancestors()
                    .any(|slug| self.place.iter().any(|it| it == slug)))
            && at_least(self.min_price, home.price)
            && at_most(self.max_price, home.price)
            && at_least(self.beds, home.bedrooms)
            && at_least(self.baths, home.bathrooms)
            && at_least(self.min_built, home.built_area)
            && at_most(self.max_built, home.built_area)
            && at_least(self.min_plot, home.plot_area)
            && at_most(self.days, Some(days))
            && self.reduced.is_none_or(|reduced| reduced == home.reduced)
            && self.new_build.is_none_or(|new| new == home.new_build)
            && self.features.iter().all(|feature| home.features.contains(feature))
            && (self.says.is_empty() || self.says.iter().any(|word| written.contains(&fold(word))))
    }
}

fn any_of<T: PartialEq>(wanted: &[T], value: Option<&T>) -> bool {
    wanted.is_empty() || value.is_some_and(|value| wanted.contains(value))
}

/// Returns the normalised discounted cumulative gain of the first `at` of `grades`. `ideal` has the grades of all
/// homes, best first.
pub fn ndcg(grades: &[u32], ideal: &[u32], at: usize) -> f64 {
    let gain = |grades: &[u32]| -> f64 {
        let ranked = (2_u32..).zip(grades.iter().take(at));
        ranked
            .map(|(rank, grade)| (2_f64.powf(f64::from(*grade)) - 1.0) / f64::from(rank).log2())
            .sum()
    };
    gain(grades) / gain(ideal)
}
