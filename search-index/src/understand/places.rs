//! Places by their names.

use super::{Match, lexicon, tokens::Tokens};
use crate::spelling::{MIN_FORGIVEN, fold, is_one_slip};

/// Words that may stand before a place and only lead to it.
const LEADING: &[&str] = &["near", "near to", "close to", "cerca de", "around", "alrededor de"];
/// Articles that people leave out of a name.
const ARTICLES: [&str; 5] = ["el", "la", "los", "las", "the"];

/// A place as visitors name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its part of the path.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its name as it may be typed. Made once: much of each text is compared with those of every place.
    spellings: Vec<Spelling>,
}

/// A name without accents and without what stands between its words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Spelling {
    letters: String,
    words: usize,
}

impl Place {
    /// The place called `name` whose part of the path is `slug`.
    pub fn new(slug: impl Into<String>, name: impl Into<String>) -> Self {
        let (slug, name) = (slug.into(), name.into());
        let spellings = spellings(&name);
        Self { slug, name, spellings }
    }
}

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
    let names =
        || places.iter().flat_map(|place| place.spellings.iter().map(move |name| (place, name)));
    let exact = names()
        .filter(|(_, name)| name.letters == joined)
        .min_by_key(|(place, _)| place.slug.len());
    // A slip is forgiven in a name of as many words, none of them one that only connects.
    let slipped = || {
        let edges = [start, at + length - 1];
        if joined.len() < MIN_FORGIVEN
            || lexicon::is_own_word(&joined)
            || edges.iter().any(|edge| lexicon::connection(tokens, *edge).is_some())
        {
            return None;
        }
        names()
            .filter(|(_, name)| {
                (name.words == typed.len() || typed.len() == 1)
                    && name.letters.len() >= MIN_FORGIVEN
                    && is_one_slip(&joined, &name.letters)
                    // "algarrobos" are trees.
                    && joined.strip_prefix(&name.letters) != Some("s")
            })
            .min_by_key(|(place, _)| place.slug.len())
    };
    let (place, _) = exact.or_else(slipped)?;
    Some(Match::of(at + length, [("location", place.slug.clone())]))
}

/// How `name` may be typed: with and without its article.
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
