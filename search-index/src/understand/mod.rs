//! What a visitor's sentence asks for: `3 bed villa nerja under 400k with pool` is four filters and
//! no word to be looked for.
//!
//! Pure: the same text, language, places and rate always give the same. Both languages are understood
//! whichever the page is in. What is not understood stays as words, and what stays is never
//! understood any further, so that an address made of it means the same.

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
    complete::{Choice, Nearness, choices, nearness},
    links::without_links,
    places::Place,
    references::typed_reference,
};

use self::{
    kinds::Role,
    lexicon::{AS_WORDS, GARAGE},
    tokens::{Token, TokenKind, Tokens, tokens},
};

/// Longer texts are nobody's search; they are left as words.
const MAX_TEXT_LENGTH: usize = 400;
/// The most words that a name or phrase of ours has.
const MAX_PHRASE_LENGTH: usize = 6;

/// A part of the text that became a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderstoodFilter {
    /// The part as it was typed.
    pub text: String,
    /// The parameter of the filter; `rent`, which filters nothing, where homes to rent are asked for.
    pub parameter: &'static str,
    /// The parameter's value, as it stands in an address.
    pub value: String,
    /// The pounds that were asked for, where the value is what they are worth in euros.
    pub pounds: Option<i64>,
    /// Whether it is one of the kinds that are left where others are ruled out.
    is_of_others: bool,
}

impl UnderstoodFilter {
    /// Whether it asks for the same as `other`.
    fn asks_as(&self, other: &Self) -> bool {
        self.parameter == other.parameter && self.value == other.value
    }
}

/// What became of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// What is left to be found as words; empty if nothing.
    pub words: String,
    /// Addresses of other sites' pages, which ask for nothing here; empty if there are none.
    pub links: String,
    /// What is ruled out and no filter can say, so that it is not asked for; empty if nothing is.
    pub ruled_out: String,
    /// What became filters, in the order of the text.
    pub filters: Vec<UnderstoodFilter>,
    /// Whether the words are the reference of a home, as the agency writes it.
    pub is_reference: bool,
}

/// Understands `text`, typed on a page in `locale`, where there are `places` and a euro is worth
/// `pounds_per_euro`. Where that is not known, amounts in pounds stay words.
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
    // What was taken out may leave neighbours that say something together. Each turn leaves less.
    loop {
        let turn = read(locale, &understood.words, places, pounds_per_euro, &understood.filters);
        understood.filters.extend(turn.filters);
        ruled_out.extend(turn.ruled_out);
        if turn.rest.len() >= understood.words.len() {
            break;
        }
        understood.words = turn.rest;
    }
    let filters = kinds::in_place_of_types(limits::one_of_each(understood.filters), &[]);
    understood.filters = kinds::in_place_of_ruled_out(filters);
    understood.ruled_out = ruled_out.join(", ");
    understood
}

/// What stands at one place: where it ends, and the parameters that it gives. None of them where it
/// asks for what no filter can give, and so has to stay.
struct Match {
    end: usize,
    values: Vec<(&'static str, String)>,
    /// Whether the values are pounds, and no euros.
    pounds: bool,
    /// How it stands to others, where it is a kind or a type.
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
            matches!(parameter, "excludedFeatures" | "excludedLocation" | kinds::RULED_OUT)
        };
        self.values.iter().any(|(parameter, _)| is_opposite(parameter))
    }
}

/// What became of a token.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Stays,
    /// It stays, but is to be found as it was typed and never understood.
    Quoted,
    Goes,
}

/// What one turn made of a text.
struct Read {
    filters: Vec<UnderstoodFilter>,
    ruled_out: Vec<String>,
    rest: String,
}

/// One turn: the filters that `text` asks for, what it rules out besides, and what is left of it.
fn read(
    locale: Locale,
    text: &str,
    places: &[Place],
    pounds_per_euro: Option<f64>,
    before: &[UnderstoodFilter],
) -> Read {
    let all = tokens(text);
    let stream = Tokens(&all);
    let mut fates = vec![Fate::Stays; all.len()];
    let mut found: Vec<(usize, Match)> = Vec::new();
    let mut ruled_out = Vec::new();
    // Where what was ruled out last ends.
    let mut denied = None;
    let mut at = 0;
    while at < all.len() {
        if let Some(next) = part(stream, locale, at, places) {
            let end = next.end;
            denied = next.rules_out().then_some(end).or(denied);
            if !next.values.is_empty() {
                fates[at..end].fill(Fate::Goes);
                found.push((at, next));
            }
            at = end;
        } else if let Some((begin, end)) = references::led_to(text, stream, at) {
            fates[at..begin].fill(Fate::Goes);
            fates[begin..end].fill(Fate::Quoted);
            at = end;
        } else if let Some(end) =
            negation::unsaid(text, stream, locale, at, places, denied == Some(at))
        {
            fates[at..end].fill(Fate::Goes);
            ruled_out.push(text[all[at].start..all[end - 1].end].to_owned());
            denied = Some(end);
            at = end;
        } else if let Some(end) = passed(stream, locale, at, places) {
            fates[at..end].fill(Fate::Goes);
            at = end;
        } else {
            at += 1;
        }
    }
    kinds::tell_roles(stream, &mut found);
    let homes = homes(&found, before);
    let beside_home = has_what_garages_lack(&found, before)
        || homes.iter().any(|home| home != PropertyKind::Garage.name());
    let is_of_home = |start| beside_home || lexicon::is_part_of_home(stream, start);
    quantities::leave_sizes_of_garages(stream, &mut found, is_of_home);
    let mut filters = Vec::new();
    for (start, Match { end, values, pounds, role }) in found {
        for (parameter, value) in values {
            let is_part = match role {
                Role::Part => true,
                Role::Either => false,
                Role::Alone => {
                    let is_beside_another = homes.first().is_some_and(|home| *home != value);
                    parameter == "kind" && is_beside_another && lexicon::is_room_as_well(&value)
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
                    fates[start..end].fill(Fate::Stays);
                    continue;
                }
            };
            let text = &text[all[start].start..all[end - 1].end];
            let text = text.to_owned();
            let filter = UnderstoodFilter { text, parameter, value, pounds, is_of_others: false };
            if !before.iter().chain(&filters).any(|other| other.asks_as(&filter)) {
                filters.push(filter);
            }
        }
    }
    Read { filters, ruled_out, rest: rest(text, &all, &fates) }
}

/// What stands at `at`, the longest first.
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

/// Where what asks for nothing ends, that stands at `at`.
fn passed(tokens: Tokens<'_>, locale: Locale, at: usize, places: &[Place]) -> Option<usize> {
    negation::either_way(tokens, locale, at, places).or_else(|| lexicon::connection(tokens, at))
}

/// The name of ours, or of one of `places`, that stands at `at`, the longest first.
fn named(tokens: Tokens<'_>, locale: Locale, at: usize, places: &[Place]) -> Option<Match> {
    (1..=MAX_PHRASE_LENGTH.min(tokens.0.len().saturating_sub(at))).rev().find_map(|length| {
        lexicon::phrase(tokens, locale, at, length, false)
            .or_else(|| places::named(tokens, at, length, places))
            .or_else(|| lexicon::phrase(tokens, locale, at, length, true))
    })
}

/// The kinds and types that are looked for, and rooms, which say that it is a home; those that can
/// be a part of others last, and none that another one has.
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
    homes.sort_by_key(|home| lexicon::is_room_as_well(home));
    homes
}

/// Whether something is spoken of that a garage by itself has not.
fn has_what_garages_lack(found: &[(usize, Match)], before: &[UnderstoodFilter]) -> bool {
    let before = before.iter().map(|filter| (filter.parameter, &filter.value));
    let now = found.iter().flat_map(|(_, found)| &found.values);
    before.chain(now.map(|(parameter, value)| (*parameter, value))).any(|(parameter, value)| {
        match parameter {
            "features" | "excludedFeatures" => !lexicon::may_be_of_garage(value),
            other => other == "minBathrooms",
        }
    })
}

/// What stays of `text`, in its own spelling.
fn rest(text: &str, tokens: &[Token], fates: &[Fate]) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let fate = fates[at];
        let end = (at..tokens.len()).find(|next| fates[*next] != fate).unwrap_or(tokens.len());
        let run = &text[tokens[at].start..tokens[end - 1].end];
        match fate {
            Fate::Stays => kept.push(run.to_owned()),
            Fate::Quoted => kept.push(format!("\"{run}\"")),
            Fate::Goes => {}
        }
        at = end;
    }
    spaced(&kept.join(" "))
}

/// `text` without a quotation mark that no other closes.
fn with_paired_quotes(text: &str) -> String {
    match text.rfind('"') {
        Some(last) if text.matches('"').count() % 2 == 1 => {
            format!("{} {}", &text[..last], &text[last + 1..])
        }
        _ => text.to_owned(),
    }
}

/// `text` with one space between its words and none around them.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
