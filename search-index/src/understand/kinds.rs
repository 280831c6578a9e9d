//! Kinds and types that a text names together. The two filters of a query must both hold, but `villa or
//! apartment` means either.

use contracts::content::{PropertyKind, PropertyType};

use super::{FilterValue, Match, Meaning, Quantity, UnderstoodFilter, lexicon, tokens::Tokens};

const OR: &[&str] = &["or", "o", "u"];
const WITH: &[&str] = &["with", "con"];
const ARTICLES: &[&str] = &["a", "an", "un", "una"];
/// Words that may be between "with" and a part of a home.
const BEFORE_PARTS: &[&str] = &["a", "an", "un", "una", "separate", "independiente"];
/// Words for being near something: in `flat near shops`, the shops are not searched for.
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
/// Kinds that continue a list of nearby things after a comma.
const NEAR_IN_A_ROW: [PropertyKind; 2] = [PropertyKind::Premises, PropertyKind::Bar];
/// Words that may be between "near" and the nearby thing.
const AFTER_NEAR: &[&str] =
    &["the", "a", "an", "some", "el", "la", "los", "las", "un", "una", "unos", "unas"];
const AND: &[&str] = &["and", "y", "e", "or", "o", "u"];

/// A kind that is ruled out. [`without_ruled_out`] replaces it with the other kinds.
pub(super) struct RuledOutKind {
    /// The part of the text, as typed.
    pub text: String,
    pub kind: PropertyKind,
}

/// The relation of a kind or type to the others of a text.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Alone,
    /// One of several that are joined by "or".
    Either,
    /// A part of a home that is named before it, such as the flat in `villa with apartment`, or something
    /// nearby.
    Part,
}

/// Sets the roles of the kinds and types in `found`. Drops a kind that is joined by "or" with its own type,
/// which includes it: in `piso o ático`, the type of the first includes the second.
pub(super) fn assign_roles(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_either = |(_, left): &(usize, Match), (start, right): &(usize, Match)| {
        is_or(tokens, left.end, *start) && is_home(left) && is_home(right)
    };
    join_studios(tokens, found);
    let after_with = starts_after_with(tokens, found);
    let mut is_named = false;
    // The end of the last nearby thing.
    let mut near_to: Option<usize> = None;
    for row in found.chunk_by_mut(is_either) {
        let is_beside = row.first().is_some_and(|(start, first)| {
            let is_in_a_row = !tokens.is_separated(*start)
                || only_kind(first).is_some_and(|kind| NEAR_IN_A_ROW.contains(&kind));
            let goes_on =
                |end: usize| (end == *start && is_in_a_row) || tokens.any(end, AND) == Some(*start);
            is_possible_part(first) && (is_near(tokens, *start) || near_to.is_some_and(goes_on))
        });
        near_to = row.last().map(|(_, last)| last.end).filter(|_| is_beside);
        let role = match &*row {
            _ if is_beside => Role::Part,
            [(start, first), ..] if is_named && is_home(first) && after_with.contains(start) => {
                Role::Part
            }
            [_, _, ..] => Role::Either,
            [(_, only)] if only.role == Role::Either => Role::Either,
            _ => Role::Alone,
        };
        let types: Vec<PropertyType> =
            row.iter().filter_map(|(_, found)| only_type(found)).collect();
        for (_, found) in row {
            is_named |= !is_beside && is_home(found);
            found.role = role;
            let kind = only_kind(found);
            if role == Role::Either && kind.is_some_and(|kind| types.contains(&kind.usual_type())) {
                found.meanings.clear();
            }
        }
    }
    // The rooms of a part are not those of the home that is searched for.
    for at in 0..found.len() {
        let rooms = rooms_before(tokens, found, at).filter(|_| found[at].1.role == Role::Part);
        if let Some(rooms) = rooms {
            found[rooms].1.role = Role::Part;
        }
    }
}

/// Returns the starts of the matches that follow a "with", such as the flat in `villa with a 1 bed flat`.
fn starts_after_with(tokens: Tokens<'_>, found: &[(usize, Match)]) -> Vec<usize> {
    let begin = |at: usize| found[rooms_before(tokens, found, at).unwrap_or(at)].0;
    let after_with = (0..found.len()).filter(|at| is_after_with(tokens, begin(*at)));
    after_with.map(|at| found[at].0).collect()
}

/// Returns the index in `found` of the bedrooms directly before the match at index `at`.
fn rooms_before(tokens: Tokens<'_>, found: &[(usize, Match)], at: usize) -> Option<usize> {
    let start = found[at].0;
    let before = at.checked_sub(1)?;
    let (_, rooms) = &found[before];
    (rooms.end == start && !tokens.is_separated(start) && rooms.limits(Quantity::Bedrooms))
        .then_some(before)
}

/// Converts `studio or 1 bed` and `1 bed flat or studio` into a maximum number of bedrooms: a studio has none.
/// Not if the text also asks for a house, which the rooms then belong to, nor for `2+ bed`, which has no
/// maximum.
fn join_studios(tokens: Tokens<'_>, found: &mut [(usize, Match)]) {
    let is_beside_house = found.iter().any(|(_, found)| is_house(found));
    for at in 0..found.len() {
        if only_kind(&found[at].1) != Some(PropertyKind::Studio) {
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
        let Some(rooms) = near.find(|one| found[*one].1.limits(Quantity::Bedrooms)) else {
            continue;
        };
        let (start, of_rooms) = &found[rooms];
        let is_bare = of_rooms.end - start == 2;
        let max = match of_rooms.filters().last() {
            Some(FilterValue::Min(Quantity::Bedrooms, min)) if is_bare => Some(*min),
            Some(FilterValue::Max(Quantity::Bedrooms, max)) => Some(*max),
            _ => None,
        };
        if let Some(max) = max.filter(|_| !is_beside_house) {
            let max = FilterValue::Max(Quantity::Bedrooms, max);
            found[rooms].1.meanings = vec![Meaning::Filter(max)];
            found[at].1.meanings.clear();
        } else {
            found[at].1.role = Role::Either;
        }
    }
}

/// Returns whether there is only an "or" between `end` and `start`.
fn is_or(tokens: Tokens<'_>, end: usize, start: usize) -> bool {
    tokens
        .any(end, OR)
        .is_some_and(|after| after == start || tokens.any(after, ARTICLES) == Some(start))
}

/// Returns whether the words before `start` say that something is near it.
fn is_near(tokens: Tokens<'_>, start: usize) -> bool {
    let mut end = start;
    while end > 0 && tokens.word(end - 1).is_some_and(|word| AFTER_NEAR.contains(&word)) {
        end -= 1;
    }
    (1..=end.min(3)).any(|length| tokens.any(end - length, NEAR) == Some(end))
}

/// Returns whether `found` is a kind that may be a part of others, or be near them.
fn is_possible_part(found: &Match) -> bool {
    only_kind(found).is_some_and(lexicon::may_be_part)
}

/// Returns whether `found` is a kind or a type.
fn is_home(found: &Match) -> bool {
    only_kind(found).is_some() || only_type(found).is_some()
}

/// Returns whether `found` is the type house, or a kind of it.
fn is_house(found: &Match) -> bool {
    only_kind(found).map(PropertyKind::usual_type).or_else(|| only_type(found))
        == Some(PropertyType::House)
}

/// Returns whether a "with" precedes `start`.
fn is_after_with(tokens: Tokens<'_>, start: usize) -> bool {
    let mut words = (0..start).rev().map_while(|before| tokens.word(before));
    words.find(|word| !BEFORE_PARTS.contains(word)).is_some_and(|word| WITH.contains(&word))
}

/// Replaces each type with its kinds, if one of the filters' kinds, or of the `chosen` kinds, belongs to none
/// of the types. Without that, no home would match both the kinds and the types.
pub(super) fn types_as_kinds(
    filters: Vec<UnderstoodFilter>,
    chosen: &[PropertyKind],
) -> Vec<UnderstoodFilter> {
    let types: Vec<PropertyType> =
        filters.iter().filter_map(|one| one.filter.property_type()).collect();
    let asked = filters.iter().filter_map(|one| one.filter.kind());
    let mut kinds = asked.chain(chosen.iter().copied());
    if types.is_empty() || kinds.all(|kind| types.contains(&kind.usual_type())) {
        return filters;
    }
    let mut all: Vec<UnderstoodFilter> = Vec::new();
    for one in filters {
        let asked: Vec<UnderstoodFilter> = match one.filter.property_type() {
            Some(asked) => of_type(asked).map(|kind| of_kind(kind, &one)).collect(),
            None => vec![one],
        };
        for one in asked {
            if all.iter().all(|other| other.filter != one.filter) {
                all.push(one);
            }
        }
    }
    all
}

/// Replaces ruled-out kinds with the other kinds: those of the requested types, or else all others.
pub(super) fn without_ruled_out(
    filters: Vec<UnderstoodFilter>,
    ruled_out: &[RuledOutKind],
) -> Vec<UnderstoodFilter> {
    if ruled_out.is_empty() {
        return filters;
    }
    let is_asked = |kind: &PropertyKind| ruled_out.iter().all(|not| not.kind != *kind);
    let has_kinds = filters.iter().any(|one| one.filter.kind().is_some());
    let mut all = Vec::new();
    for one in filters {
        let narrowed = one
            .filter
            .property_type()
            .filter(|asked| !has_kinds && !of_type(*asked).all(|kind| is_asked(&kind)));
        if let Some(asked) = narrowed {
            all.extend(of_type(asked).filter(is_asked).map(|kind| of_kind(kind, &one)));
        } else if one.filter.kind().is_none_or(|kind| is_asked(&kind)) {
            all.push(one);
        }
    }
    let is_home = |filter: &FilterValue| {
        matches!(filter, FilterValue::Kind(_) | FilterValue::PropertyType(_))
    };
    if !all.iter().any(|one| is_home(&one.filter)) {
        let mut texts: Vec<&str> = ruled_out.iter().map(|not| &*not.text).collect();
        texts.dedup();
        let text = texts.join(", ");
        all.extend(PropertyKind::ALL.iter().copied().filter(is_asked).map(|kind| {
            let (text, filter) = (text.clone(), FilterValue::Kind(kind));
            UnderstoodFilter { text, filter, pounds: None, is_substitute: true }
        }));
    }
    all
}

/// Returns a copy of `one` that asks for `kind`.
fn of_kind(kind: PropertyKind, one: &UnderstoodFilter) -> UnderstoodFilter {
    UnderstoodFilter { filter: FilterValue::Kind(kind), ..one.clone() }
}

/// Returns the kinds of the type `one`.
pub(super) fn of_type(one: PropertyType) -> impl Iterator<Item = PropertyKind> {
    PropertyKind::ALL.iter().copied().filter(move |kind| kind.usual_type() == one)
}

/// Returns the kind that `found` asks for, if it means nothing else.
fn only_kind(found: &Match) -> Option<PropertyKind> {
    found.only_filter()?.kind()
}

/// Returns the type that `found` asks for, if it means nothing else.
fn only_type(found: &Match) -> Option<PropertyType> {
    found.only_filter()?.property_type()
}
