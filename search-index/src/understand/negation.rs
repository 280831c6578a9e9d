//! What must not be: `without pool`, `sin piscina ni jardín`, `not in Nerja`.

use super::{Match, Place, lexicon::GARAGE, named, tokens::Tokens};
use contracts::Locale;

/// What turns all features and places after it into their opposite, joined by `and` too.
const WITHOUT: &[&str] = &["without", "without any", "sin", "but without", "pero sin"];
/// The same, where `and` begins something that is wanted.
const NOT: &[&str] = &[
    "no",
    "not",
    "not in",
    "not at",
    "but no",
    "but not",
    "but not in",
    "with no",
    "has no",
    "have no",
    "does not have",
    "doesn t have",
    "do not want",
    "don t want",
    "don t need",
    "no en",
    "no tenga",
    "no tengan",
    "que no tenga",
    "que no tengan",
    "no sea",
    "no sea en",
    "que no sea",
    "que no sea en",
    "no este en",
    "que no este en",
    "pero no",
    "pero no en",
    "no quiero",
    "no necesito",
];
/// What rules out places; before a feature it means something else (`outside shower`).
const ELSEWHERE: &[&str] = &[
    "outside",
    "outside of",
    "away from",
    "except",
    "except in",
    "except for",
    "excluding",
    "other than",
    "anywhere but",
    "anywhere but in",
    "everywhere but",
    "fuera de",
    "excepto",
    "excepto en",
    "salvo",
    "salvo en",
    "menos",
    "menos en",
];
const OR: &[&str] = &["or", "nor", "o", "u", "ni", "or in", "nor in", "ni en", "o en"];
const AND: &[&str] = &["and", "y", "e", "and in", "y en"];
const ARTICLES: &[&str] =
    &["a", "an", "any", "the", "el", "la", "los", "las", "un", "una", "ningun", "ninguna"];

/// The features and places that are ruled out at `at`. Where it is something else, such as a kind,
/// no filter can say so, and it stays as it was typed.
pub(super) fn negation(
    tokens: Tokens<'_>,
    locale: Locale,
    at: usize,
    places: &[Place],
) -> Option<Match> {
    let leads = [(WITHOUT, true, true), (NOT, true, false), (ELSEWHERE, false, true)];
    let (mut end, of_features, goes_on) = leads
        .into_iter()
        .filter_map(|(phrases, of_features, and)| {
            Some((tokens.any(at, phrases)?, of_features, and))
        })
        .max_by_key(|(end, ..)| *end)?;
    let mut values: Vec<(&'static str, String)> = Vec::new();
    let mut start = end;
    loop {
        start = tokens.any(start, ARTICLES).unwrap_or(start);
        let Some(next) = named(tokens, locale, start, places) else { break };
        let opposites: Option<Vec<_>> = next
            .values
            .iter()
            .map(|(parameter, value)| {
                let opposite = match *parameter {
                    "location" => "excludedLocation",
                    "features" | GARAGE if of_features => "excludedFeatures",
                    _ => return None,
                };
                Some((opposite, value.clone()))
            })
            .collect();
        match opposites {
            Some(opposites) if !opposites.is_empty() => values.extend(opposites),
            _ if values.is_empty() && of_features => return Some(Match::of(next.end, [])),
            _ => break,
        }
        end = next.end;
        let joined = tokens.any(end, OR);
        let joined = joined.or_else(|| tokens.any(end, AND).filter(|_| goes_on));
        let Some(after) = joined else { break };
        start = after;
    }
    (!values.is_empty()).then(|| Match::of(end, values))
}
