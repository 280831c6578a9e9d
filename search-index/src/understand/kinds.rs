//! Kinds and types that are looked for together. A list takes what fits both, and `villa or apartment` asks
//! for either.

use std::str::FromStr;

use contracts::content::{PropertyKind, PropertyType};

use super::{Match, UnderstoodFilter, tokens::Tokens};

const OR: &[&str] = &["or", "o", "u"];
const ARTICLES: &[&str] = &["a", "an", "un", "una"];

/// Leaves a kind to its type where an "or" stands between them: of `piso o ático` the first has both.
pub(super) fn leave_to_types(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_either = |(_, left): &(usize, Match), (start, _): &(usize, Match)| {
        let after = tokens.any(left.end, OR);
        after.map(|after| tokens.any(after, ARTICLES).unwrap_or(after)) == Some(*start)
    };
    for row in found.chunk_by_mut(is_either) {
        let types: Vec<PropertyType> =
            row.iter().filter_map(|(_, found)| only(found, "propertyType")).collect();
        for (_, found) in row {
            let kind: Option<PropertyKind> = only(found, "kind");
            if kind.is_some_and(|kind| types.contains(&kind.usual_type())) {
                found.values.clear();
            }
        }
    }
}

/// Asks for the kinds of each type in its place where a kind beside them is of none of the types: nothing is
/// of both.
pub(super) fn in_place_of_types(filters: Vec<UnderstoodFilter>) -> Vec<UnderstoodFilter> {
    let types: Vec<PropertyType> =
        filters.iter().filter_map(|filter| value(filter, "propertyType")).collect();
    let mut kinds = filters.iter().filter_map(|filter| value::<PropertyKind>(filter, "kind"));
    if types.is_empty() || kinds.all(|kind| types.contains(&kind.usual_type())) {
        return filters;
    }
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for filter in filters {
        let asked: Vec<UnderstoodFilter> = match value::<PropertyType>(&filter, "propertyType") {
            Some(one) => of_type(one)
                .map(|kind| UnderstoodFilter {
                    parameter: "kind",
                    value: kind.name().to_owned(),
                    ..filter.clone()
                })
                .collect(),
            None => vec![filter],
        };
        for filter in asked {
            if !all.iter().any(|other| other.asks_as(&filter)) {
                all.push(filter);
            }
        }
    }
    all
}

/// The kinds of the type `one`.
pub(super) fn of_type(one: PropertyType) -> impl Iterator<Item = PropertyKind> {
    PropertyKind::ALL.iter().copied().filter(move |kind| kind.usual_type() == one)
}

/// What `found` gives for `parameter`, where it gives nothing else.
fn only<T: FromStr>(found: &Match, parameter: &str) -> Option<T> {
    match &found.values[..] {
        [(other, value)] if *other == parameter => value.parse().ok(),
        _ => None,
    }
}

/// The value of `filter`, where it is one of `parameter`.
fn value<T: FromStr>(filter: &UnderstoodFilter, parameter: &str) -> Option<T> {
    if filter.parameter == parameter { filter.value.parse().ok() } else { None }
}
