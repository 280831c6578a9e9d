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
/// What is near where several such are named with commas alone between them.
const NEAR_IN_A_ROW: [PropertyKind; 2] = [PropertyKind::Premises, PropertyKind::Bar];
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
    let had = had(tokens, found);
    let mut is_named = false;
    // Where what something is near ends.
    let mut near_to: Option<usize> = None;
    for row in found.chunk_by_mut(is_either) {
        let is_beside = row.first().is_some_and(|(start, first)| {
            let is_in_a_row = !tokens.is_parted(*start)
                || only(first, "kind").is_some_and(|kind| NEAR_IN_A_ROW.contains(&kind));
            let goes_on =
                |end: usize| (end == *start && is_in_a_row) || tokens.any(end, AND) == Some(*start);
            is_room(first) && (is_near(tokens, *start) || near_to.is_some_and(goes_on))
        });
        near_to = row.last().map(|(_, last)| last.end).filter(|_| is_beside);
        let role = match &*row {
            _ if is_beside => Role::Part,
            [(start, first), ..] if is_named && is_home(first) && had.contains(start) => Role::Part,
            [_, _, ..] => Role::Either,
            [(_, only)] if only.role == Role::Either => Role::Either,
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
    // The rooms of a part are not those of what is looked for.
    for at in 0..found.len() {
        let rooms = rooms_before(tokens, found, at).filter(|_| found[at].1.role == Role::Part);
        if let Some(rooms) = rooms {
            found[rooms].1.role = Role::Part;
        }
    }
}

/// Where those of `found` stand that something is said to have: the flat of `villa with a 1 bed flat`.
fn had(tokens: Tokens<'_>, found: &[(usize, Match)]) -> Vec<usize> {
    let begin = |at: usize| found[rooms_before(tokens, found, at).unwrap_or(at)].0;
    let had = (0..found.len()).filter(|at| is_had(tokens, begin(*at)));
    had.map(|at| found[at].0).collect()
}

/// The bedrooms that stand right before what is the one at `at` of `found`.
fn rooms_before(tokens: Tokens<'_>, found: &[(usize, Match)], at: usize) -> Option<usize> {
    let start = found[at].0;
    let before = at.checked_sub(1)?;
    let (_, rooms) = &found[before];
    (rooms.end == start && !tokens.is_parted(start) && is_of_bedrooms(rooms)).then_some(before)
}

/// Reads `studio or 1 bed`, `1 bed flat or studio` as so many bedrooms at most: a studio has none. Where a house
/// is looked for, too, the rooms are that one's, and `2+ bed` has no most.
fn join_studios(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_beside_house = found.iter().any(|(_, found)| is_house(found));
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
        let Some(rooms) = near.find(|one| is_of_bedrooms(&found[*one].1)) else { continue };
        let (start, of_rooms) = &found[rooms];
        let is_bare = of_rooms.end - start == 2;
        let most = of_rooms.values.last().cloned();
        let most = most.filter(|(parameter, _)| is_bare || *parameter == "maxBedrooms");
        if let Some((_, most)) = most.filter(|_| !is_beside_house) {
            found[rooms].1.values = vec![("maxBedrooms", most)];
            found[at].1.values.clear();
        } else {
            found[at].1.role = Role::Either;
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

/// Whether `found` is a house, or a kind of houses.
fn is_house(found: &Match) -> bool {
    only::<PropertyKind>(found, "kind")
        .map(PropertyKind::usual_type)
        .or_else(|| only(found, "propertyType"))
        == Some(PropertyType::House)
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
