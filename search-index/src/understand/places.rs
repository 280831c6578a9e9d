//! Recognises places by their names.

use super::{FilterValue, Match, lexicon, tokens::Tokens};
use crate::spelling::{MIN_TYPO_LENGTH, fold, is_one_typo};

/// Words that may precede a place and do not change its meaning.
const LEADING: &[&str] = &["near", "near to", "close to", "cerca de", "around", "alrededor de"];
/// Articles that people omit from a name.
const ARTICLES: [&str; 5] = ["el", "la", "los", "las", "the"];

/// A place that visitors may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its slug in URL paths.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// The spellings of its name. Computed once, because many parts of each text are compared with them.
    spellings: Vec<Spelling>,
}

/// A name without accents and without separators between its words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelling {
    letters: String,
    words: usize,
}

impl Place {
    /// Creates a place.
    pub fn new(slug: impl Into<String>, name: impl Into<String>) -> Self {
        let (slug, name) = (slug.into(), name.into());
        let spellings = spellings(&name);
        Self { slug, name, spellings }
    }
}

/// Returns the place that the `length` words at `at` name. An exact name takes precedence over one with a
/// typo, and a municipality over its parts.
pub(super) fn named(
    tokens: Tokens<'_>,
    at: usize,
    length: usize,
    places: &[Place],
) -> Option<Match> {
    let start = tokens.any(at, LEADING).filter(|start| *start < at + length).unwrap_or(at);
    let typed: Vec<&str> = (start..at + length).map(|at| tokens.word(at)).collect::<Option<_>>()?;
    let joined = typed.concat();
    let names =
        || places.iter().flat_map(|place| place.spellings.iter().map(move |name| (place, name)));
    let exact = names()
        .filter(|(_, name)| name.letters == joined)
        .min_by_key(|(place, _)| place.slug.len());
    // A typo is tolerated if the name has as many words and neither the first nor the last one is a filler.
    let with_typo = || {
        let edges = [start, at + length - 1];
        if joined.len() < MIN_TYPO_LENGTH
            || lexicon::is_not_a_typo(&joined)
            || edges.iter().any(|edge| lexicon::filler(tokens, *edge).is_some())
        {
            return None;
        }
        names()
            .filter(|(_, name)| {
                (name.words == typed.len() || typed.len() == 1)
                    && name.letters.len() >= MIN_TYPO_LENGTH
                    && is_one_typo(&joined, &name.letters)
                    // "algarrobos" are trees, not the place Algarrobo.
                    && joined.strip_prefix(&name.letters) != Some("s")
            })
            .min_by_key(|(place, _)| place.slug.len())
    };
    let (place, _) = exact.or_else(with_typo)?;
    Some(Match::of_filters(at + length, [FilterValue::Location(place.slug.clone())]))
}

/// Returns the spellings of `name`: with and without its article.
fn spellings(name: &str) -> Vec<Spelling> {
    let folded = fold(name);
    let words: Vec<&str> = folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let shorter = match &words[..] {
        [article, name @ ..] if !name.is_empty() && ARTICLES.contains(article) => Some(name),
        _ => None,
    };
    let whole = Some(&words[..]).filter(|words| !words.is_empty());
    let spelling = |words: &[&str]| Spelling { letters: words.concat(), words: words.len() };
    whole.into_iter().chain(shorter).map(spelling).collect()
}
