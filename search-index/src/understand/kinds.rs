//! Kinds and types that are named together. A list takes what fits both, and `villa or apartment` asks for
//! either.

use std::str::FromStr;

use contracts::content::{PropertyKind, PropertyType};

use super::{Match, UnderstoodFilter, tokens::Tokens};

const OR: &[&str] = &["or", "o", "u"];
const WITH: &[&str] = &["with", "con"];
const ARTICLES: &[&str] = &["a", "an", "un", "una"];
/// What may stand between "with" and what a home has.
const BEFORE_PARTS: &[&str] = &["a", "an", "un", "una", "separate", "independiente"];

/// How a kind or type stands to the others of a text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Alone,
    /// One of several, with an "or" between them.
    Either,
    /// What one that is named before it has: the flat of `villa with apartment`.
    Part,
}

/// Tells of the kinds and types in `found` how they stand to each other, and leaves a kind to its type where
/// an "or" stands between them: of `piso o ático` the first has both.
pub(super) fn tell_roles(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_either = |(_, left): &(usize, Match), (start, right): &(usize, Match)| {
        let after = tokens.any(left.end, OR);
        let after = after.map(|after| tokens.any(after, ARTICLES).unwrap_or(after));
        after == Some(*start) && is_home(left) && is_home(right)
    };
    let mut is_named = false;
    for row in found.chunk_by_mut(is_either) {
        let role = match &*row {
            [(start, first), ..] if is_named && is_home(first) && is_had(tokens, *start) => {
                Role::Part
            }
            [_, _, ..] => Role::Either,
            _ => Role::Alone,
        };
        let types: Vec<PropertyType> =
            row.iter().filter_map(|(_, found)| only(found, "propertyType")).collect();
        for (_, found) in row {
            is_named |= is_home(found);
            found.role = role;
            let kind: Option<PropertyKind> = only(found, "kind");
            if role == Role::Either && kind.is_some_and(|kind| types.contains(&kind.usual_type())) {
                found.values.clear();
            }
        }
    }
}

/// Whether `found` is a kind or a type.
fn is_home(found: &Match) -> bool {
    only::<PropertyKind>(found, "kind").is_some()
        || only::<PropertyType>(found, "propertyType").is_some()
}

/// Whether something is said to have what stands at `start`.
fn is_had(tokens: Tokens<'_>, start: usize) -> bool {
    let mut words = (0..start).rev().map_while(|before| tokens.word(before));
    words.find(|word| !BEFORE_PARTS.contains(word)).is_some_and(|word| WITH.contains(&word))
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
