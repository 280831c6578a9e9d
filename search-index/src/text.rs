//! From typed words to a tantivy query.

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
    spelling::MIN_FORGIVEN,
    understand::Piece,
};

/// More words than this are passed over: they would cost more than they narrow.
const MAX_WORDS: usize = 16;
/// A stem is a word cut short, and a slip in one shorter than this makes another's: `village` is no
/// slip of `villa`.
const MIN_FORGIVEN_STEM: usize = 7;
/// In so many words a slip is forgiven; each takes walks through the dictionary.
const MAX_FORGIVEN: usize = 8;

/// How much a word counts by where it is found. An exact reference goes before everything.
const IS_REFERENCE: f32 = 1000.0;
const IN_REFERENCE: f32 = 12.0;
const IN_TITLE: f32 = 4.0;
/// A title that has the very word, not only another of its stem, counts so much more.
const SPELT_IN_TITLE: f32 = 2.0;
const IN_PLACE: f32 = 3.0;
const IN_VOCABULARY: f32 = 2.0;
const IN_SUMMARY: f32 = 1.5;
const IN_DESCRIPTION: f32 = 1.0;
/// What a word with a slip counts of that: less than any that is spelt as typed, however common.
const WITH_A_SLIP: f32 = 0.001;

type Clause = (Occur, Box<dyn Query>);

/// What must be found of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    /// A word wherever it may stand.
    Word {
        folded: String,
        stem: String,
        /// Whether one slip in it is forgiven.
        is_forgiven: bool,
    },
    /// Words side by side in one part, two at least.
    Phrase { folded: Vec<String>, stems: Vec<String> },
    /// The property of this reference, or one that names it.
    Reference { folded: Vec<String> },
}

/// What must be found of `text`, all of it; nothing where it has no word that says anything.
///
/// Words in quotation marks must stand side by side, as they are spelt. In others of five letters
/// and more one slip is forgiven.
pub(crate) fn wanted(analyzers: &mut Analyzers, locale: Locale, text: &str) -> Vec<Wanted> {
    let mut forgiven = 0;
    let mut wanted = Vec::new();
    for piece in Piece::of(text) {
        match piece {
            Piece::Plain(words) => {
                for word in analyzers.plain(words) {
                    let forgive = forgiven < MAX_FORGIVEN && is_forgiven(&word);
                    forgiven += usize::from(forgive);
                    wanted.extend(wanted_word(analyzers, locale, &word, forgive));
                }
            }
            Piece::Quoted(phrase) => {
                let stems = analyzers.stemmed(locale, phrase);
                wanted.extend(match stems.len() {
                    0 | 1 => wanted_word(analyzers, locale, phrase, false),
                    _ => Some(Wanted::Phrase { folded: analyzers.folded(phrase), stems }),
                });
            }
            Piece::Reference(reference) => {
                wanted.push(Wanted::Reference { folded: analyzers.folded(reference) });
            }
        }
    }
    wanted.truncate(MAX_WORDS);
    wanted
}

/// One word; none for one that says nothing.
fn wanted_word(
    analyzers: &mut Analyzers,
    locale: Locale,
    word: &str,
    is_forgiven: bool,
) -> Option<Wanted> {
    let stem = analyzers.stemmed(locale, word).pop()?;
    let folded = analyzers.folded(word).pop()?;
    Some(Wanted::Word { folded, stem, is_forgiven })
}

/// Whether a slip in the stem of a word that is forgiven one is forgiven too.
pub(crate) fn is_forgiven_stem(stem: &str) -> bool {
    stem.chars().count() >= MIN_FORGIVEN_STEM
}

/// The query for `text`, all of whose words must be found; none where it has no word that says
/// anything.
pub(crate) fn words_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let wanted = wanted(&mut analyzers, locale, text).into_iter();
    let clauses: Vec<Clause> = wanted
        .map(|wanted| {
            let query = match wanted {
                Wanted::Word { folded, stem, is_forgiven } => {
                    word_query(fields, locale, &folded, &stem, is_forgiven)
                }
                Wanted::Phrase { folded, stems } => phrase_query(fields, locale, &folded, &stems),
                Wanted::Reference { folded } => reference_query(fields, locale, &folded),
            };
            (Occur::Must, query)
        })
        .collect();
    (!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>)
}

/// Numbers are never forgiven: the next one is another home's.
fn is_forgiven(word: &str) -> bool {
    word.chars().count() >= MIN_FORGIVEN && !word.contains(|letter: char| letter.is_numeric())
}

/// The query for one word wherever it may stand.
fn word_query(
    fields: &Fields,
    locale: Locale,
    folded: &str,
    stem: &str,
    forgive: bool,
) -> Box<dyn Query> {
    let mut alternatives: Vec<Clause> = Vec::new();
    let mut add = |term: Term, weight: f32, forgive: bool| {
        if forgive {
            let slipped = Box::new(FuzzyTermQuery::new(term.clone(), 1, true));
            alternatives.push((Occur::Should, weighed(slipped, weight * WITH_A_SLIP)));
        }
        alternatives.push((Occur::Should, weighed(scored(term), weight)));
    };
    add(fields.word(TextField::Reference, folded), IN_REFERENCE, false);
    add(fields.word(TextField::TypeAhead(locale), folded), SPELT_IN_TITLE, forgive);
    for (part, weight) in parts(locale) {
        match part {
            TextField::Place(_) => add(fields.word(part, folded), weight, forgive),
            _ => add(fields.word(part, stem), weight, forgive && is_forgiven_stem(stem)),
        }
    }
    Box::new(BooleanQuery::new(alternatives))
}

/// The query for words side by side in one part.
fn phrase_query(
    fields: &Fields,
    locale: Locale,
    folded: &[String],
    stems: &[String],
) -> Box<dyn Query> {
    let parts = [(TextField::Reference, IN_REFERENCE)].into_iter().chain(parts(locale));
    let alternatives = parts.map(|(part, weight)| {
        let words = if is_stemmed(part) { stems } else { folded };
        (Occur::Should, weighed(side_by_side(fields, part, words), weight))
    });
    Box::new(BooleanQuery::new(alternatives.collect()))
}

/// The query for the property of this reference, and for those that name it.
fn reference_query(fields: &Fields, locale: Locale, folded: &[String]) -> Box<dyn Query> {
    let is_it = exactly(fields.word(TextField::Reference, &folded.concat()));
    let mut alternatives = vec![(Occur::Should, weighed(is_it, IS_REFERENCE))];
    for part in naming(locale) {
        let named = side_by_side(fields, part, folded);
        alternatives.push((Occur::Should, weighed(named, IN_DESCRIPTION)));
    }
    Box::new(BooleanQuery::new(alternatives))
}

/// The query for the property of this very `reference`: none that only has its parts, or names it.
pub(crate) fn exact_reference_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    reference: &str,
) -> Box<dyn Query> {
    let words = analyzers.folded(&reference_words(reference));
    side_by_side(fields, TextField::Reference, &words)
}

/// Where a reference may be named.
pub(crate) const fn naming(locale: Locale) -> [TextField; 4] {
    [
        TextField::Reference,
        TextField::Title(locale),
        TextField::Summary(locale),
        TextField::Description(locale),
    ]
}

/// Whether the words of `part` are kept as stems.
pub(crate) const fn is_stemmed(part: TextField) -> bool {
    !matches!(part, TextField::Reference | TextField::Place(_))
}

/// Where words may stand beside the reference, and how much they count there.
pub(crate) const fn parts(locale: Locale) -> [(TextField, f32); 5] {
    [
        (TextField::Title(locale), IN_TITLE),
        (TextField::Place(locale), IN_PLACE),
        (TextField::Vocabulary(locale), IN_VOCABULARY),
        (TextField::Summary(locale), IN_SUMMARY),
        (TextField::Description(locale), IN_DESCRIPTION),
    ]
}

fn weighed(query: Box<dyn Query>, weight: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, weight))
}

fn scored(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

fn side_by_side(fields: &Fields, part: TextField, words: &[String]) -> Box<dyn Query> {
    match words {
        [word] => scored(fields.word(part, word)),
        words => {
            let terms = words.iter().map(|word| fields.word(part, word)).collect();
            Box::new(PhraseQuery::new(terms))
        }
    }
}

/// The query for titles and references that go on as `text` begins: all but its last word whole,
/// the last as far as it was typed, with a slip in each where they are `forgiven`. None where there
/// is no word.
pub(crate) fn beginning_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
    forgiven: bool,
) -> Option<Box<dyn Query>> {
    let mut words = analyzers.folded(text);
    words.truncate(MAX_WORDS);
    let last = words.pop()?;
    let slips = |word: &str| u8::from(forgiven && is_forgiven(word));
    let somewhere = |word: &str, query: &dyn Fn(Term) -> Box<dyn Query>| -> Clause {
        let anywhere = [TextField::TypeAhead(locale), TextField::Reference]
            .map(|part| (Occur::Should, query(fields.word(part, word))));
        (Occur::Must, Box::new(BooleanQuery::new(anywhere.into())))
    };
    let mut query: Vec<_> = words
        .iter()
        .map(|word| {
            somewhere(word, &|term| match slips(word) {
                0 => exactly(term),
                slips => Box::new(FuzzyTermQuery::new(term, slips, true)),
            })
        })
        .collect();
    query.push(somewhere(&last, &|term| {
        Box::new(FuzzyTermQuery::new_prefix(term, slips(&last), true))
    }));
    Some(Box::new(BooleanQuery::new(query)))
}

pub(crate) fn exactly(term: Term) -> Box<dyn Query> {
    let query = TermQuery::new(term, IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(query), 1.0))
}
