//! Converts a visitor's sentence into filters: `3 bed villa nerja under 400k with pool` is five filters and
//! leaves no words to search for.
//!
//! Pure: the same text, language, places and exchange rate always give the same result. Both languages are
//! understood, whatever the language of the page. Everything else stays as words. Parsing these words again
//! gives no further filters, so that a URL made of the result means the same.

mod complete;
mod describe;
mod energy;
mod filter_value;
mod kinds;
mod lexicon;
mod limits;
mod links;
mod narrow;
mod negation;
mod numbers;
mod pieces;
mod places;
mod quantities;
mod quantity_words;
mod references;
mod tokens;

use contracts::{Locale, content::PropertyKind};

pub(crate) use self::pieces::Piece;
pub use self::{
    complete::{Choice, PrefixMatch, choices, prefix_match},
    filter_value::{FilterValue, Quantity},
    links::without_links,
    places::Place,
    references::typed_reference,
};

use self::{
    kinds::{Role, RuledOutKind},
    tokens::{Token, TokenKind, Tokens, tokens},
};

/// Longer texts are not parsed; they stay as words.
const MAX_TEXT_LENGTH: usize = 400;
/// The maximum number of words of a name or phrase in the lexicon.
const MAX_PHRASE_LENGTH: usize = 6;

/// A part of the text that became a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderstoodFilter {
    /// The part as typed.
    pub text: String,
    /// The filter.
    pub filter: FilterValue,
    /// The amount in pounds, if it was converted to euros for the filter.
    pub pounds: Option<i64>,
    /// Whether it is one of the kinds that were added because all others are ruled out.
    is_substitute: bool,
}

/// The result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// The text that is left to be searched as words; may be empty.
    pub words: String,
    /// URLs of other sites' pages, which are ignored; may be empty.
    pub links: String,
    /// The parts of the text that rule out something for which there is no filter, and so are not searched;
    /// may be empty.
    pub ruled_out: String,
    /// The filters, in the order of the text.
    pub filters: Vec<UnderstoodFilter>,
    /// Whether `words` is the reference of a home, as the agency writes it.
    pub is_reference: bool,
}

/// Parses `text`, typed on a page in `locale`. `places` are the known places. If `pounds_per_euro` is
/// unknown, amounts in pounds stay words.
pub fn understand(
    locale: Locale,
    text: &str,
    places: &[Place],
    pounds_per_euro: Option<f64>,
) -> Understood {
    let (text, links) = without_links(text);
    let words = spaced(&with_paired_quotes(&text));
    let mut understood = Understood { words, links, ..Understood::default() };
    if text.len() > MAX_TEXT_LENGTH {
        return understood;
    }
    let mut found = Found::default();
    // Removing a part may make its neighbours adjacent, so that they mean something together. The loop ends
    // when a pass removes nothing more.
    loop {
        let rest = run_pass(locale, &understood.words, places, pounds_per_euro, &mut found);
        if rest.len() >= understood.words.len() {
            break;
        }
        understood.words = rest;
    }
    let filters = kinds::types_as_kinds(limits::one_per_parameter(found.filters), &[]);
    understood.filters = kinds::without_ruled_out(filters, &found.ruled_out_kinds);
    understood.ruled_out = found.ruled_out.join(", ");
    understood
}

/// A meaning of a part of the text.
#[derive(Clone, Debug, PartialEq)]
enum Meaning {
    Filter(FilterValue),
    /// This feature if the text mentions a home, and otherwise a garage that is searched for.
    Garage(&'static str),
    /// Any kind but this one.
    NotKind(PropertyKind),
    /// No filter: the part is searched as typed.
    AsTyped,
}

impl Meaning {
    const fn filter(&self) -> Option<&FilterValue> {
        match self {
            Self::Filter(filter) => Some(filter),
            _ => None,
        }
    }
}

/// A part of the text that was recognised: its end and its meanings. It has no meanings if there is no
/// filter for it, so that it has to stay in the text.
struct Match {
    end: usize,
    meanings: Vec<Meaning>,
    /// Whether its limits are in pounds rather than euros.
    pounds: bool,
    /// Its relation to other matches, if it is a kind or a type.
    role: Role,
}

impl Match {
    fn of(end: usize, meanings: impl IntoIterator<Item = Meaning>) -> Self {
        Self { end, meanings: meanings.into_iter().collect(), pounds: false, role: Role::Alone }
    }

    fn of_filters(end: usize, filters: impl IntoIterator<Item = FilterValue>) -> Self {
        Self::of(end, filters.into_iter().map(Meaning::Filter))
    }

    fn filters(&self) -> impl Iterator<Item = &FilterValue> {
        self.meanings.iter().filter_map(Meaning::filter)
    }

    /// Returns its filter, if that is its only meaning.
    fn only_filter(&self) -> Option<&FilterValue> {
        match &self.meanings[..] {
            [only] => only.filter(),
            _ => None,
        }
    }

    /// Returns whether it limits `quantity`.
    fn limits(&self, quantity: Quantity) -> bool {
        self.filters().any(|filter| filter.limits(quantity))
    }

    fn is_garage(&self) -> bool {
        self.meanings.iter().any(|meaning| matches!(meaning, Meaning::Garage(_)))
    }

    fn rules_out(&self) -> bool {
        self.meanings.iter().any(|meaning| {
            matches!(
                meaning,
                Meaning::Filter(FilterValue::WithoutFeature(_) | FilterValue::NotLocation(_))
                    | Meaning::NotKind(_)
            )
        })
    }
}

/// What happens to a token.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Kept,
    /// The token stays in the text in quotation marks: it is searched as typed, and not parsed again.
    Quoted,
    Removed,
}

/// What the passes have found so far.
#[derive(Default)]
struct Found {
    filters: Vec<UnderstoodFilter>,
    ruled_out_kinds: Vec<RuledOutKind>,
    /// The exclusions for which there is no filter.
    ruled_out: Vec<String>,
}

/// Runs one pass over `text`: adds its filters and exclusions to `all_found`, and returns what is left.
fn run_pass(
    locale: Locale,
    text: &str,
    places: &[Place],
    pounds_per_euro: Option<f64>,
    all_found: &mut Found,
) -> String {
    let all = tokens(text);
    let stream = Tokens(&all);
    let mut fates = vec![Fate::Kept; all.len()];
    let mut found: Vec<(usize, Match)> = Vec::new();
    // The end of the last exclusion.
    let mut denied = None;
    let mut at = 0;
    while at < all.len() {
        if let Some(next) = part(stream, locale, at, places) {
            let end = next.end;
            denied = next.rules_out().then_some(end).or(denied);
            if !next.meanings.is_empty() {
                fates[at..end].fill(Fate::Removed);
                found.push((at, next));
            }
            at = end;
        } else if let Some((begin, end)) = references::announced(text, stream, at) {
            fates[at..begin].fill(Fate::Removed);
            fates[begin..end].fill(Fate::Quoted);
            at = end;
        } else if let Some(end) =
            negation::unfilterable(text, stream, locale, at, places, denied == Some(at))
        {
            fates[at..end].fill(Fate::Removed);
            all_found.ruled_out.push(text[all[at].start..all[end - 1].end].to_owned());
            denied = Some(end);
            at = end;
        } else if let Some(end) = filler(stream, locale, at, places) {
            fates[at..end].fill(Fate::Removed);
            at = end;
        } else {
            at += 1;
        }
    }
    kinds::assign_roles(stream, &mut found);
    let homes = homes(&found, &all_found.filters);
    let beside_home = has_what_garages_lack(&found, &all_found.filters)
        || homes.iter().any(|home| *home != FilterValue::Kind(PropertyKind::Garage));
    let is_of_home = |start| beside_home || lexicon::is_part_of_home(stream, start);
    quantities::ignore_sizes_of_garages(stream, &mut found, is_of_home);
    for (start, Match { end, meanings, pounds: in_pounds, role }) in found {
        for meaning in meanings {
            let is_part = match role {
                Role::Part => true,
                Role::Either => false,
                Role::Alone => meaning.filter().is_some_and(|filter| {
                    may_be_part(filter) && homes.first().is_some_and(|home| home != filter)
                }),
            };
            let text = text[all[start].start..all[end - 1].end].to_owned();
            let mut filter = match meaning {
                Meaning::Garage(feature) if is_of_home(start) => FilterValue::Feature(feature),
                Meaning::Garage(_) => FilterValue::Kind(PropertyKind::Garage),
                Meaning::Filter(filter) if !is_part => filter,
                Meaning::NotKind(kind) if !is_part => {
                    if !all_found.ruled_out_kinds.iter().any(|other| other.kind == kind) {
                        all_found.ruled_out_kinds.push(RuledOutKind { text, kind });
                    }
                    continue;
                }
                Meaning::Filter(_) | Meaning::NotKind(_) | Meaning::AsTyped => {
                    fates[start..end].fill(Fate::Quoted);
                    continue;
                }
            };
            let mut pounds = None;
            if let FilterValue::Min(_, amount) | FilterValue::Max(_, amount) = &mut filter
                && in_pounds
            {
                let Some(rate) = pounds_per_euro else {
                    fates[start..end].fill(Fate::Kept);
                    continue;
                };
                pounds = Some(*amount);
                *amount = numbers::in_euros(*amount, rate);
            }
            if all_found.filters.iter().all(|other| other.filter != filter) {
                let filter = UnderstoodFilter { text, filter, pounds, is_substitute: false };
                all_found.filters.push(filter);
            }
        }
    }
    rest(text, &all, &fates)
}

/// Returns the longest match at `at`.
fn part(tokens: Tokens<'_>, locale: Locale, at: usize, places: &[Place]) -> Option<Match> {
    if tokens.kind(at)? == TokenKind::Opaque {
        return None;
    }
    quantities::quantity(tokens, at)
        .or_else(|| energy::energy(tokens, at))
        .or_else(|| negation::limit(tokens, locale, at, places))
        .or_else(|| negation::negation(tokens, locale, at, places))
        .or_else(|| named(tokens, locale, at, places))
}

/// Returns the end of the part at `at` that has no meaning for the search, such as connecting words.
fn filler(tokens: Tokens<'_>, locale: Locale, at: usize, places: &[Place]) -> Option<usize> {
    negation::either_way(tokens, locale, at, places).or_else(|| lexicon::filler(tokens, at))
}

/// Returns the longest name at `at` that is in the lexicon or is one of `places`.
fn named(tokens: Tokens<'_>, locale: Locale, at: usize, places: &[Place]) -> Option<Match> {
    (1..=MAX_PHRASE_LENGTH.min(tokens.0.len().saturating_sub(at))).rev().find_map(|length| {
        lexicon::phrase(tokens, locale, at, length, false)
            .or_else(|| places::named(tokens, at, length, places))
            .or_else(|| lexicon::phrase(tokens, locale, at, length, true))
    })
}

/// Returns the kinds and types that are searched for, and the numbers of bedrooms, which imply a home. Those
/// that can be a part of another come last. Those that are a part of another are excluded.
fn homes(found: &[(usize, Match)], before: &[UnderstoodFilter]) -> Vec<FilterValue> {
    let before = before.iter().map(|before| &before.filter);
    let now = found.iter().filter(|(_, found)| found.role != Role::Part);
    let now = now.flat_map(|(_, found)| found.filters());
    let is_home = |filter: &&FilterValue| {
        matches!(filter, FilterValue::Kind(_) | FilterValue::PropertyType(_))
            || filter.limits(Quantity::Bedrooms)
    };
    let mut homes: Vec<FilterValue> = before.chain(now).filter(is_home).cloned().collect();
    homes.sort_by_key(may_be_part);
    homes
}

/// Returns whether `filter` is a kind that may be a part of another home.
fn may_be_part(filter: &FilterValue) -> bool {
    filter.kind().is_some_and(lexicon::may_be_part)
}

/// Returns whether the text mentions something that a garage on its own does not have.
fn has_what_garages_lack(found: &[(usize, Match)], before: &[UnderstoodFilter]) -> bool {
    let before = before.iter().map(|before| &before.filter);
    let now = found.iter().flat_map(|(_, found)| found.filters());
    before.chain(now).any(|filter| match filter {
        FilterValue::Feature(feature) | FilterValue::WithoutFeature(feature) => {
            !lexicon::may_be_of_garage(feature)
        }
        FilterValue::MinBathrooms(_) => true,
        _ => false,
    })
}

/// Returns what is left of `text`, spelt as typed.
fn rest(text: &str, tokens: &[Token], fates: &[Fate]) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let fate = fates[at];
        let end = (at..tokens.len()).find(|next| fates[*next] != fate).unwrap_or(tokens.len());
        let run = &text[tokens[at].start..tokens[end - 1].end];
        match fate {
            Fate::Kept => kept.push(run.to_owned()),
            Fate::Quoted => kept.push(format!("\"{run}\"")),
            Fate::Removed => {}
        }
        at = end;
    }
    spaced(&kept.join(" "))
}

/// Returns `text` without an unpaired quotation mark.
fn with_paired_quotes(text: &str) -> String {
    match text.rfind('"') {
        Some(last) if text.matches('"').count() % 2 == 1 => {
            format!("{} {}", &text[..last], &text[last + 1..])
        }
        _ => text.to_owned(),
    }
}

/// Returns `text` with single spaces between its words and none around them.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
