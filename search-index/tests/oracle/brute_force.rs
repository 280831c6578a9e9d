//! The same questions answered by looking at every property, knowing nothing of the index.

use std::cmp::{Ordering, Reverse};

use contracts::content::{Coordinates, ListingStatus, Property, PropertyType};
use search_index::{PropertyQuery, Sort};

/// The filters, by name, so that one can be left out.
const FILTERS: [&str; 10] = [
    "words",
    "type",
    "place",
    "status",
    "price",
    "bedrooms",
    "bathrooms",
    "flags",
    "features",
    "rest",
];

fn holds(filter: &str, question: &PropertyQuery, property: &Property) -> bool {
    let least = |least: Option<i64>, value: Option<i64>| match (least, value) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(least), Some(value)) => value >= least,
    };
    match filter {
        "words" => question.text.as_deref().is_none_or(|text| has_words(property, question, text)),
        "type" => {
            question.property_types.is_empty()
                || question.property_types.contains(&property.property_type)
        }
        "place" => {
            let slug = &property.location.slug;
            question.locations.is_empty()
                || question
                    .locations
                    .iter()
                    .any(|asked| slug == asked || slug.starts_with(&format!("{asked}-")))
        }
        "status" if question.statuses.is_empty() => property.status != ListingStatus::Sold,
        "status" => question.statuses.contains(&property.status),
        "price" => {
            least(question.min_price, property.price)
                && question.max_price.is_none_or(|most| property.price.is_some_and(|p| p <= most))
        }
        "bedrooms" => least(question.min_bedrooms, property.bedrooms),
        "bathrooms" => least(question.min_bathrooms, property.bathrooms),
        "flags" => {
            flag(question.reduced, property.reduced) && flag(question.featured, property.featured)
        }
        "features" => question.features.iter().all(|asked| property.features.contains(asked)),
        "rest" => {
            let inside = question.bounds.is_none_or(|area| {
                property.coordinates.map(Coordinates::roughly).is_some_and(|point| {
                    (area.south..=area.north).contains(&point.lat)
                        && (area.west..=area.east).contains(&point.lng)
                })
            });
            inside && least(question.min_built, property.built_area)
        }
        other => panic!("no filter {other}"),
    }
}

fn flag(asked: Option<bool>, value: bool) -> bool {
    asked.is_none_or(|asked| asked == value)
}

fn has_words(property: &Property, question: &PropertyQuery, text: &str) -> bool {
    let written = property.text.get_or_fallback(question.locale).map(|(_, text)| {
        format!("{} {} {}", text.title, text.summary, text.description.replace(['<', '>'], " "))
    });
    let place = property.location.name.get_or_fallback(question.locale).map(|(_, name)| name);
    let all = format!(
        "{} {} {} {} {}",
        written.unwrap_or_default(),
        place.cloned().unwrap_or_default(),
        property.location.slug,
        property.reference,
        property.reference.replace('-', ""),
    );
    let known: Vec<String> = words(&all);
    words(text).iter().all(|word| known.contains(word))
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace('ó', "o")
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What fits all filters but those named.
pub fn fitting<'a>(
    catalogue: &'a [Property],
    question: &PropertyQuery,
    but: &[&str],
) -> Vec<&'a Property> {
    let mut found: Vec<_> = catalogue
        .iter()
        .filter(|property| {
            FILTERS
                .iter()
                .filter(|filter| !but.contains(filter))
                .all(|filter| holds(filter, question, property))
        })
        .collect();
    found.sort_by(|a, b| order(question.sort, a, b).then(a.reference.cmp(&b.reference)));
    found
}

fn order(sort: Sort, a: &Property, b: &Property) -> Ordering {
    match sort {
        Sort::Newest | Sort::Relevance => b.listed_at.cmp(&a.listed_at),
        Sort::Oldest => a.listed_at.cmp(&b.listed_at),
        Sort::PriceAscending => (a.price.is_none(), a.price).cmp(&(b.price.is_none(), b.price)),
        Sort::PriceDescending => {
            (a.price.is_none(), Reverse(a.price)).cmp(&(b.price.is_none(), Reverse(b.price)))
        }
    }
}

/// How many of `found` each type, status, place, feature and number of rooms has, as text, in a
/// form that can be compared whole.
pub fn count(found: &[&Property], facet: &str) -> Vec<(String, u64)> {
    let number = |test: &dyn Fn(&Property) -> bool| {
        found.iter().filter(|property| test(property)).count() as u64
    };
    let mut counts: Vec<(String, u64)> = match facet {
        "type" => PropertyType::ALL
            .iter()
            .map(|t| (t.to_string(), number(&|p| p.property_type == *t)))
            .collect(),
        "status" => ListingStatus::ALL
            .iter()
            .map(|s| (s.to_string(), number(&|p| p.status == *s)))
            .collect(),
        "place" => names(found.iter().map(|p| p.location.slug.clone()))
            .into_iter()
            .map(|slug| {
                let part = format!("{slug}-");
                let covered =
                    |p: &Property| p.location.slug == slug || p.location.slug.starts_with(&part);
                let count = number(&covered);
                (slug, count)
            })
            .collect(),
        "features" => names(found.iter().flat_map(|p| p.features.clone()))
            .into_iter()
            .map(|feature| {
                let count = number(&|p| p.features.contains(&feature));
                (feature, count)
            })
            .collect(),
        "bedrooms" => rooms(found, |p| p.bedrooms),
        "bathrooms" => rooms(found, |p| p.bathrooms),
        other => panic!("no facet {other}"),
    };
    if facet == "features" {
        counts.sort_by_key(|(_, count)| Reverse(*count));
    }
    counts
}

fn rooms(found: &[&Property], of: fn(&Property) -> Option<i64>) -> Vec<(String, u64)> {
    (1..=10)
        .map(|least: i64| {
            let enough = found.iter().filter(|property| of(property) >= Some(least));
            (least.to_string(), enough.count() as u64)
        })
        .filter(|(_, count)| *count > 0)
        .collect()
}

fn names(all: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<_> = all.collect();
    names.sort();
    names.dedup();
    names
}
