//! Kinds and types that are named together. A list takes what fits both, and `villa or apartment` asks for
//! either.

use std::str::FromStr;

use contracts::content::{PropertyKind, PropertyType};

use super::{Match, UnderstoodFilter, lexicon, tokens::Tokens};

const OR: &[&str] = &["or", "o", "u"];
const WITH: &[&str] = &["with", "con"];
const ARTICLES: &[&str] = &["a", "an", "un", "una"];
/// What may stand between "with" and what a home has.
const BEFORE_PARTS: &[&str] = &["a", "an", "un", "una", "separate", "independiente"];
/// What says that something is near: of `flat near shops` the shops are not what is looked for.
const NEAR: &[&str] = &[
    "near",
    "near to",
    "close to",
    "next to",
    "beside",
    "by",
    "walk to",
    "walking distance to",
    "walking distance of",
    "cerca",
    "cerca de",
    "cerca del",
    "junto a",
    "junto al",
    "al lado de",
    "al lado del",
    "a pie de",
];
/// What may stand between them.
const AFTER_NEAR: &[&str] =
    &["the", "a", "an", "some", "el", "la", "los", "las", "un", "una", "unos", "unas"];
const AND: &[&str] = &["and", "y", "e", "or", "o", "u"];

/// The parameter of a kind that is ruled out, until the others are asked for in its place.
pub(super) const RULED_OUT: &str = "ruledOutKind";

/// How a kind or type stands to the others of a text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Alone,
    /// One of several, with an "or" between them.
    Either,
    /// What one that is named before it has, the flat of `villa with apartment`, or what it is near.
    Part,
}

/// Tells of the kinds and types in `found` how they stand to each other, and leaves a kind to its type where
/// an "or" stands between them: of `piso o ático` the first has both.
pub(super) fn tell_roles(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_either = |(_, left): &(usize, Match), (start, right): &(usize, Match)| {
        is_or(tokens, left.end, *start) && is_home(left) && is_home(right)
    };
    join_studios(tokens, found);
    let mut is_named = false;
    // Where what something is near ends.
    let mut near_to: Option<usize> = None;
    for row in found.chunk_by_mut(is_either) {
        let is_beside = row.first().is_some_and(|(start, first)| {
            let goes_on = |end: usize| end == *start || tokens.any(end, AND) == Some(*start);
            is_room(first) && (is_near(tokens, *start) || near_to.is_some_and(goes_on))
        });
        near_to = row.last().map(|(_, last)| last.end).filter(|_| is_beside);
        let role = match &*row {
            _ if is_beside => Role::Part,
            [(start, first), ..] if is_named && is_home(first) && is_had(tokens, *start) => {
                Role::Part
            }
            [_, _, ..] => Role::Either,
            _ => Role::Alone,
        };
        let types: Vec<PropertyType> =
            row.iter().filter_map(|(_, found)| only(found, "propertyType")).collect();
        for (_, found) in row {
            is_named |= !is_beside && is_home(found);
            found.role = role;
            let kind: Option<PropertyKind> = only(found, "kind");
            if role == Role::Either && kind.is_some_and(|kind| types.contains(&kind.usual_type())) {
                found.values.clear();
            }
        }
    }
}

/// Reads `studio or 1 bed`, `1 bed flat or studio` as so many bedrooms at most: a studio has none.
fn join_studios(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    for at in 0..found.len() {
        if only(&found[at].1, "kind") != Some(PropertyKind::Studio) {
            continue;
        }
        let is_joined =
            |left: usize, right: usize| is_or(tokens, found[left].1.end, found[right].0);
        let after = Some(at + 1).filter(|after| *after < found.len() && is_joined(at, *after));
        let before = at.checked_sub(1).filter(|before| is_joined(*before, at));
        let home = before.filter(|before| is_home(&found[*before].1));
        let before_home = home
            .and_then(|home| home.checked_sub(1).filter(|one| found[*one].1.end == found[home].0));
        let mut near = [after, before, before_home].into_iter().flatten();
        if let Some(rooms) = near.find(|one| is_of_bedrooms(&found[*one].1)) {
            let most = found[rooms].1.values.pop();
            found[rooms].1.values =
                most.map(|(_, most)| ("maxBedrooms", most)).into_iter().collect();
            found[at].1.values.clear();
        }
    }
}

fn is_of_bedrooms(found: &Match) -> bool {
    found.values.iter().any(|(parameter, _)| matches!(*parameter, "minBedrooms" | "maxBedrooms"))
}

/// Whether nothing but an "or" stands between `end` and `start`.
fn is_or(tokens: Tokens<'_>, end: usize, start: usize) -> bool {
    tokens
        .any(end, OR)
        .is_some_and(|after| after == start || tokens.any(after, ARTICLES) == Some(start))
}

/// Whether what stands at `start` is what something is near.
fn is_near(tokens: Tokens<'_>, start: usize) -> bool {
    let mut end = start;
    while end > 0 && tokens.word(end - 1).is_some_and(|word| AFTER_NEAR.contains(&word)) {
        end -= 1;
    }
    (1..=end.min(3)).any(|length| tokens.any(end - length, NEAR) == Some(end))
}

/// Whether `found` is a kind that may be a part of others, or be near them.
fn is_room(found: &Match) -> bool {
    only::<PropertyKind>(found, "kind").is_some_and(|kind| lexicon::is_room_as_well(kind.name()))
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

/// Asks for the kinds of each type in its place where a kind beside them, or one of those that are `chosen`, is
/// of none of the types: nothing is of both.
pub(super) fn in_place_of_types(
    filters: Vec<UnderstoodFilter>,
    chosen: &[PropertyKind],
) -> Vec<UnderstoodFilter> {
    let types: Vec<PropertyType> =
        filters.iter().filter_map(|filter| value(filter, "propertyType")).collect();
    let asked = filters.iter().filter_map(|filter| value::<PropertyKind>(filter, "kind"));
    let mut kinds = asked.chain(chosen.iter().copied());
    if types.is_empty() || kinds.all(|kind| types.contains(&kind.usual_type())) {
        return filters;
    }
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for filter in filters {
        let asked: Vec<UnderstoodFilter> = match value::<PropertyType>(&filter, "propertyType") {
            Some(one) => of_type(one).map(|kind| of_kind(kind, &filter)).collect(),
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

/// Asks for the other kinds in place of those that are ruled out: of the types that are asked for, else of all.
pub(super) fn in_place_of_ruled_out(filters: Vec<UnderstoodFilter>) -> Vec<UnderstoodFilter> {
    let (ruled_out, filters): (Vec<_>, Vec<_>) =
        filters.into_iter().partition(|filter| filter.parameter == RULED_OUT);
    let Some(first) = ruled_out.first() else { return filters };
    let not_asked: Vec<PropertyKind> =
        ruled_out.iter().filter_map(|filter| value(filter, RULED_OUT)).collect();
    let is_asked = |kind: &PropertyKind| !not_asked.contains(kind);
    let has_kinds = filters.iter().any(|filter| filter.parameter == "kind");
    let mut all = Vec::new();
    for filter in filters {
        let kind = value::<PropertyKind>(&filter, "kind");
        let narrowed = value::<PropertyType>(&filter, "propertyType")
            .filter(|one| !has_kinds && !of_type(*one).all(|kind| is_asked(&kind)));
        if let Some(one) = narrowed {
            all.extend(of_type(one).filter(is_asked).map(|kind| of_kind(kind, &filter)));
        } else if kind.is_none_or(|kind| is_asked(&kind)) {
            all.push(filter);
        }
    }
    if all.iter().all(|filter| !matches!(filter.parameter, "kind" | "propertyType")) {
        let mut texts: Vec<&str> = ruled_out.iter().map(|filter| &*filter.text).collect();
        texts.dedup();
        let text = texts.join(", ");
        let first = UnderstoodFilter { text, is_of_others: true, ..first.clone() };
        let others = PropertyKind::ALL.iter().copied().filter(is_asked);
        all.extend(others.map(|kind| of_kind(kind, &first)));
    }
    all
}

/// What asks for `kind` where `filter` asked for something else.
fn of_kind(kind: PropertyKind, filter: &UnderstoodFilter) -> UnderstoodFilter {
    UnderstoodFilter { parameter: "kind", value: kind.name().to_owned(), ..filter.clone() }
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
