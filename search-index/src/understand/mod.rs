//! Converts a visitor's sentence into filters: `3 bed villa nerja under 400k with pool` is five filters and
//! leaves no words to search for.
//!
//! Pure: the same text, language, places and exchange rate always give the same result. Both languages are
//! understood, whatever the language of the page. Everything else stays as words. Parsing these words again
//! gives no further filters, so that a URL made of the result means the same.

mod complete;
mod describe;
mod energy;
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
    links::without_links,
    places::Place,
    references::typed_reference,
};

use self::{
    kinds::Role,
    lexicon::{AS_WORDS, GARAGE},
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
    /// The URL parameter of the filter; `rent`, which filters nothing, if the text asks for homes to rent.
    pub parameter: &'static str,
    /// The parameter's value, as in a URL.
    pub value: String,
    /// The amount in pounds, if it was converted to euros for the value.
    pub pounds: Option<i64>,
    /// Whether it is one of the kinds that were added because all others are ruled out.
    is_substitute: bool,
}

impl UnderstoodFilter {
    /// Returns whether it has the same parameter and value as `other`.
    fn is_same_as(&self, other: &Self) -> bool {
        self.parameter == other.parameter && self.value == other.value
    }
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
    let mut ruled_out = Vec::new();
    // Removing a part may make its neighbours adjacent, so that they mean something together. The loop ends
    // when a pass removes nothing more.
    loop {
        let pass =
            run_pass(locale, &understood.words, places, pounds_per_euro, &understood.filters);
        understood.filters.extend(pass.filters);
        ruled_out.extend(pass.ruled_out);
        if pass.rest.len() >= understood.words.len() {
            break;
        }
        understood.words = pass.rest;
    }
    let filters = kinds::types_as_kinds(limits::one_per_parameter(understood.filters), &[]);
    understood.filters = kinds::without_ruled_out(filters);
    understood.ruled_out = ruled_out.join(", ");
    understood
}

/// A part of the text that was recognised: its end and its parameters. It has no parameters if there is no
/// filter for it, so that it has to stay in the text.
struct Match {
    end: usize,
    values: Vec<(&'static str, String)>,
    /// Whether the values are in pounds rather than euros.
    pounds: bool,
    /// Its relation to other matches, if it is a kind or a type.
    role: Role,
}

impl Match {
    fn of(end: usize, values: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { end, values: values.into_iter().collect(), pounds: false, role: Role::Alone }
    }

    fn is_area(&self) -> bool {
        self.values.iter().all(|(parameter, _)| matches!(*parameter, "minPlot" | "maxPlot"))
    }

    fn is_built_area(&self) -> bool {
        self.values.iter().any(|(parameter, _)| matches!(*parameter, "minBuilt" | "maxBuilt"))
    }

    fn is_garage(&self) -> bool {
        self.values.iter().any(|(parameter, _)| *parameter == GARAGE)
    }

    fn is_price(&self) -> bool {
        self.values.iter().any(|(parameter, _)| matches!(*parameter, "minPrice" | "maxPrice"))
    }

    fn rules_out(&self) -> bool {
        let is_opposite = |parameter: &str| {
            matches!(parameter, "withoutFeatures" | "notLocation" | kinds::RULED_OUT)
        };
        self.values.iter().any(|(parameter, _)| is_opposite(parameter))
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

/// The result of one pass.
struct Pass {
    filters: Vec<UnderstoodFilter>,
    ruled_out: Vec<String>,
    rest: String,
}

/// Runs one pass over `text`: finds its filters and its unfilterable exclusions, and removes them.
fn run_pass(
    locale: Locale,
    text: &str,
    places: &[Place],
    pounds_per_euro: Option<f64>,
    before: &[UnderstoodFilter],
) -> Pass {
    let all = tokens(text);
    let stream = Tokens(&all);
    let mut fates = vec![Fate::Kept; all.len()];
    let mut found: Vec<(usize, Match)> = Vec::new();
    let mut ruled_out = Vec::new();
    // The end of the last exclusion.
    let mut denied = None;
    let mut at = 0;
    while at < all.len() {
        if let Some(next) = part(stream, locale, at, places) {
            let end = next.end;
            denied = next.rules_out().then_some(end).or(denied);
            if !next.values.is_empty() {
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
            ruled_out.push(text[all[at].start..all[end - 1].end].to_owned());
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
    let homes = homes(&found, before);
    let beside_home = has_what_garages_lack(&found, before)
        || homes.iter().any(|home| home != PropertyKind::Garage.name());
    let is_of_home = |start| beside_home || lexicon::is_part_of_home(stream, start);
    quantities::ignore_sizes_of_garages(stream, &mut found, is_of_home);
    let mut filters = Vec::new();
    for (start, Match { end, values, pounds, role }) in found {
        for (parameter, value) in values {
            let is_part = match role {
                Role::Part => true,
                Role::Either => false,
                Role::Alone => {
                    let is_beside_another = homes.first().is_some_and(|home| *home != value);
                    parameter == "kind" && is_beside_another && lexicon::may_be_part(&value)
                }
            };
            let (parameter, value) = match parameter {
                GARAGE if is_of_home(start) => ("features", value),
                GARAGE => ("kind", PropertyKind::Garage.name().to_owned()),
                _ if is_part || parameter == AS_WORDS => {
                    fates[start..end].fill(Fate::Quoted);
                    continue;
                }
                other => (other, value),
            };
            let pounds = if pounds { value.parse().ok() } else { None };
            let value = match (pounds, pounds_per_euro) {
                (None, _) => value,
                (Some(pounds), Some(rate)) => numbers::in_euros(pounds, rate),
                (Some(_), None) => {
                    fates[start..end].fill(Fate::Kept);
                    continue;
                }
            };
            let text = &text[all[start].start..all[end - 1].end];
            let text = text.to_owned();
            let filter = UnderstoodFilter { text, parameter, value, pounds, is_substitute: false };
            if !before.iter().chain(&filters).any(|other| other.is_same_as(&filter)) {
                filters.push(filter);
            }
        }
    }
    Pass { filters, ruled_out, rest: rest(text, &all, &fates) }
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

/// Returns the kinds and types that are searched for, and "home" for numbers of bedrooms, which imply one.
/// Those that can be a part of another come last. Those that are a part of another are excluded.
fn homes(found: &[(usize, Match)], before: &[UnderstoodFilter]) -> Vec<String> {
    let before = before.iter().map(|filter| (filter.parameter, &filter.value));
    let now = found.iter().filter(|(_, found)| found.role != Role::Part);
    let now = now.flat_map(|(_, found)| &found.values);
    let mut homes: Vec<String> = before
        .chain(now.map(|(parameter, value)| (*parameter, value)))
        .filter_map(|(parameter, value)| match parameter {
            "kind" | "propertyType" => Some(value.clone()),
            "minBedrooms" | "maxBedrooms" => Some("home".to_owned()),
            _ => None,
        })
        .collect();
    homes.sort_by_key(|home| lexicon::may_be_part(home));
    homes
}

/// Returns whether the text mentions something that a garage on its own does not have.
fn has_what_garages_lack(found: &[(usize, Match)], before: &[UnderstoodFilter]) -> bool {
    let before = before.iter().map(|filter| (filter.parameter, &filter.value));
    let now = found.iter().flat_map(|(_, found)| &found.values);
    before.chain(now.map(|(parameter, value)| (*parameter, value))).any(|(parameter, value)| {
        match parameter {
            "features" | "withoutFeatures" => !lexicon::may_be_of_garage(value),
            other => other == "minBathrooms",
        }
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
