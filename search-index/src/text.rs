//! Converts typed words into a tantivy query.

use contracts::Locale;
use tantivy::{
    Term,
    query::{
        BooleanQuery, BoostQuery, ConstScoreQuery, FuzzyTermQuery, Occur, PhraseQuery, Query,
        TermQuery,
    },
    schema::IndexRecordOption,
};

use crate::{
    document::reference_words,
    schema::{Analyzers, Fields, TextField},
    spelling::MIN_TYPO_LENGTH,
    understand::Piece,
};

/// Further words are ignored: they would cost more than they narrow the result.
const MAX_WORDS: usize = 16;
/// The minimum length of a stem in which a typo is tolerated. Stems are shorter than words, and a typo in a
/// short stem often gives the stem of another word: `village` is not a typo of `villa`.
const MIN_TYPO_STEM_LENGTH: usize = 7;
/// The maximum number of words in which a typo is tolerated; each needs scans of the dictionary.
const MAX_TYPO_WORDS: usize = 8;

/// The weight of a word by the part in which it is found. An exact reference comes before everything else.
const IS_REFERENCE: f32 = 1000.0;
const IN_REFERENCE: f32 = 12.0;
const IN_TITLE: f32 = 4.0;
/// The additional weight if the title has the exact word, not only another one with its stem.
const EXACT_IN_TITLE: f32 = 2.0;
const IN_PLACE: f32 = 3.0;
const IN_VOCABULARY: f32 = 2.0;
const IN_SUMMARY: f32 = 1.5;
const IN_DESCRIPTION: f32 = 1.0;
/// The factor for a word with a typo: it weighs less than any exact word, however common.
const WITH_TYPO: f32 = 0.001;

type Clause = (Occur, Box<dyn Query>);

/// A condition that a property must meet to match a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SearchTerm {
    /// A word in any part.
    Word {
        folded: String,
        stem: String,
        /// Whether one typo in it is tolerated.
        allows_typo: bool,
    },
    /// Two or more adjacent words in one part.
    Phrase { folded: Vec<String>, stems: Vec<String> },
    /// The property with this reference, or one whose texts mention it.
    Reference { folded: Vec<String> },
}

/// Returns the terms of `text`, which must all match; none if all its words are stop words.
///
/// Words in quotation marks must be adjacent, and spelt as typed. In other words of five or more letters,
/// one typo is tolerated.
pub(crate) fn search_terms(
    analyzers: &mut Analyzers,
    locale: Locale,
    text: &str,
) -> Vec<SearchTerm> {
    let mut typo_words = 0;
    let mut terms = Vec::new();
    for piece in Piece::of(text) {
        match piece {
            Piece::Plain(words) => {
                for word in analyzers.plain(words) {
                    let allow_typo = typo_words < MAX_TYPO_WORDS && allows_typo(&word);
                    typo_words += usize::from(allow_typo);
                    terms.extend(word_term(analyzers, locale, &word, allow_typo));
                }
            }
            Piece::Quoted(phrase) => {
                let stems = analyzers.stemmed(locale, phrase);
                terms.extend(match stems.len() {
                    0 | 1 => word_term(analyzers, locale, phrase, false),
                    _ => Some(SearchTerm::Phrase { folded: analyzers.folded(phrase), stems }),
                });
            }
            Piece::Reference(reference) => {
                terms.push(SearchTerm::Reference { folded: analyzers.folded(reference) });
            }
        }
    }
    terms.truncate(MAX_WORDS);
    terms
}

/// Returns the term for one word; `None` for a stop word.
fn word_term(
    analyzers: &mut Analyzers,
    locale: Locale,
    word: &str,
    allows_typo: bool,
) -> Option<SearchTerm> {
    let stem = analyzers.stemmed(locale, word).pop()?;
    let folded = analyzers.folded(word).pop()?;
    Some(SearchTerm::Word { folded, stem, allows_typo })
}

/// Returns whether a typo is tolerated in this stem of a word in which one is tolerated.
pub(crate) fn stem_allows_typo(stem: &str) -> bool {
    stem.chars().count() >= MIN_TYPO_STEM_LENGTH
}

/// Returns the query for `text`, all of whose terms must match; `None` if all its words are stop words.
pub(crate) fn words_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let terms = search_terms(&mut analyzers, locale, text).into_iter();
    let clauses: Vec<Clause> = terms
        .map(|term| {
            let query = match term {
                SearchTerm::Word { folded, stem, allows_typo } => {
                    word_query(fields, locale, &folded, &stem, allows_typo)
                }
                SearchTerm::Phrase { folded, stems } => {
                    phrase_query(fields, locale, &folded, &stems)
                }
                SearchTerm::Reference { folded } => reference_query(fields, locale, &folded),
            };
            (Occur::Must, query)
        })
        .collect();
    (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>)
}

/// Returns whether a typo is tolerated in `word`. Never in a number: a similar one belongs to another home.
fn allows_typo(word: &str) -> bool {
    word.chars().count() >= MIN_TYPO_LENGTH && !word.contains(|letter: char| letter.is_numeric())
}

/// Returns the query for one word in any part.
fn word_query(
    fields: &Fields,
    locale: Locale,
    folded: &str,
    stem: &str,
    allow_typo: bool,
) -> Box<dyn Query> {
    let mut alternatives: Vec<Clause> = Vec::new();
    let mut add = |term: Term, weight: f32, allow_typo: bool| {
        if allow_typo {
            let with_typo = Box::new(FuzzyTermQuery::new(term.clone(), 1, true));
            alternatives.push((Occur::Should, boosted(with_typo, weight * WITH_TYPO)));
        }
        alternatives.push((Occur::Should, boosted(scored(term), weight)));
    };
    add(fields.word(TextField::Reference, folded), IN_REFERENCE, false);
    add(fields.word(TextField::TypeAhead(locale), folded), EXACT_IN_TITLE, allow_typo);
    for (part, weight) in searched_parts(locale) {
        match part {
            TextField::Place(_) => add(fields.word(part, folded), weight, allow_typo),
            _ => add(fields.word(part, stem), weight, allow_typo && stem_allows_typo(stem)),
        }
    }
    Box::new(BooleanQuery::new(alternatives))
}

/// Returns the query for adjacent words in one part.
fn phrase_query(
    fields: &Fields,
    locale: Locale,
    folded: &[String],
    stems: &[String],
) -> Box<dyn Query> {
    let parts = [(TextField::Reference, IN_REFERENCE)].into_iter().chain(searched_parts(locale));
    let alternatives = parts.map(|(part, weight)| {
        let words = if is_stemmed(part) { stems } else { folded };
        (Occur::Should, boosted(adjacent(fields, part, words), weight))
    });
    Box::new(BooleanQuery::new(alternatives.collect()))
}

/// Returns the query for the property with this reference, and for those that mention it.
fn reference_query(fields: &Fields, locale: Locale, folded: &[String]) -> Box<dyn Query> {
    let exact = exactly(fields.word(TextField::Reference, &folded.concat()));
    let mut alternatives = vec![(Occur::Should, boosted(exact, IS_REFERENCE))];
    for part in reference_mentions(locale) {
        let mention = adjacent(fields, part, folded);
        alternatives.push((Occur::Should, boosted(mention, IN_DESCRIPTION)));
    }
    Box::new(BooleanQuery::new(alternatives))
}

/// Returns the query for the property with exactly this `reference`, without those that have only a part
/// of it or mention it.
pub(crate) fn exact_reference_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    reference: &str,
) -> Box<dyn Query> {
    let words = analyzers.folded(&reference_words(reference));
    adjacent(fields, TextField::Reference, &words)
}

/// Returns the parts in which a reference may be mentioned.
pub(crate) const fn reference_mentions(locale: Locale) -> [TextField; 4] {
    [
        TextField::Reference,
        TextField::Title(locale),
        TextField::Summary(locale),
        TextField::Description(locale),
    ]
}

/// Returns whether the words of `part` are indexed as stems.
pub(crate) const fn is_stemmed(part: TextField) -> bool {
    !matches!(part, TextField::Reference | TextField::Place(_))
}

/// Returns the parts that are searched besides the reference, with their weights.
pub(crate) const fn searched_parts(locale: Locale) -> [(TextField, f32); 5] {
    [
        (TextField::Title(locale), IN_TITLE),
        (TextField::Place(locale), IN_PLACE),
        (TextField::Vocabulary(locale), IN_VOCABULARY),
        (TextField::Summary(locale), IN_SUMMARY),
        (TextField::Description(locale), IN_DESCRIPTION),
    ]
}

fn boosted(query: Box<dyn Query>, weight: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

fn scored(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

fn adjacent(fields: &Fields, part: TextField, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => scored(fields.word(part, word)),
        words => {
            let terms = words.iter().map(|word| fields.word(part, word)).collect();
            Box::new(PhraseQuery::new(terms))
        }
    }
}

/// Returns the query for titles and references that have the words of `text`, of which the last one may be
/// incomplete. If `allow_typos`, one typo in each word is tolerated. Returns `None` if there is no word.
pub(crate) fn prefix_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
    allow_typos: bool,
) -> Option<Box<dyn Query>> {
    let mut words = analyzers.folded(text);
    words.truncate(MAX_WORDS);
    let last = words.pop()?;
    let typos = |word: &str| u8::from(allow_typos && allows_typo(word));
    let somewhere = |word: &str, query: &dyn Fn(Term) -> Box<dyn Query>| -> Clause {
        let anywhere = [TextField::TypeAhead(locale), TextField::Reference]
            .map(|part| (Occur::Should, query(fields.word(part, word))));
        (Occur::Must, Box::new(BooleanQuery::new(anywhere.into())))
    };
    let mut query: Vec<_> = words
        .iter()
        .map(|word| {
            somewhere(word, &|term| match typos(word) {
                0 => exactly(term),
                typos => Box::new(FuzzyTermQuery::new(term, typos, true)),
            })
        })
        .collect();
    query.push(somewhere(&last, &|term| {
        Box::new(FuzzyTermQuery::new_prefix(term, typos(&last), true))
    }));
    Some(Box::new(BooleanQuery::new(query)))
}

pub(crate) fn exactly(term: Term) -> Box<dyn Query> {
    let query = TermQuery::new(term, IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(query), 1.0))
}
