//! Places by their names.

use super::{Match, Place, lexicon, tokens::Tokens};
use crate::spelling::{SHORTEST_FORGIVEN, fold, is_one_slip};

/// Words that may stand before a place and only lead to it.
const LEADING: &[&str] = &["near", "near to", "close to", "cerca de", "around", "alrededor de"];
/// Articles that people leave out of a name.
const ARTICLES: [&str; 5] = ["el", "la", "los", "las", "the"];

/// The place whose name the `length` words at `at` are. A name without a slip goes before one with
/// one, and a municipality before its parts.
pub(super) fn named(
    tokens: Tokens<'_>,
    at: usize,
    length: usize,
    places: &[Place],
) -> Option<Match> {
    let start = tokens.any(at, LEADING).filter(|start| *start < at + length).unwrap_or(at);
    let typed: Vec<&str> = (start..at + length).map(|at| tokens.word(at)).collect::<Option<_>>()?;
    let joined = typed.concat();
    let names = || places.iter().flat_map(|place| spellings(place).map(move |name| (place, name)));
    let exact = names()
        .filter(|(_, name)| name.concat() == joined)
        .min_by_key(|(place, _)| place.slug.len());
    // A slip is forgiven in a name of as many words, none of them one that only connects.
    let slipped = || {
        let edges = [start, at + length - 1];
        if joined.len() < SHORTEST_FORGIVEN
            || edges.iter().any(|edge| lexicon::connection(tokens, *edge).is_some())
        {
            return None;
        }
        names()
            .filter(|(_, name)| {
                (name.len() == typed.len() || typed.len() == 1)
                    && name.concat().len() >= SHORTEST_FORGIVEN
                    && is_one_slip(&joined, &name.concat())
            })
            .min_by_key(|(place, _)| place.slug.len())
    };
    let (place, _) = exact.or_else(slipped)?;
    Some(Match::of(at + length, [("location", place.slug.clone())]))
}

/// The words of a place's name, with and without its article.
fn spellings(place: &Place) -> impl Iterator<Item = Vec<String>> + use<> {
    let folded = fold(&place.name);
    let words: Vec<String> = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let shorter = match &words[..] {
        [article, name @ ..] if !name.is_empty() && ARTICLES.contains(&article.as_str()) => {
            Some(name.to_vec())
        }
        _ => None,
    };
    std::iter::once(words).filter(|words| !words.is_empty()).chain(shorter)
}
