//! From typed words to a tantivy query.

use contracts::Locale;
use tantivy::{
    Searcher, Term,
    query::{AllQuery, BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, Query, TermQuery},
    schema::{Field, IndexRecordOption},
    tokenizer::TextAnalyzer,
};

use crate::schema::{Fields, analyzer_name, folded_analyzer};

/// More words than this are passed over: they would cost more than they narrow.
const MOST_WORDS: usize = 16;

/// How much a word counts by where it is found.
const IN_REFERENCE: f32 = 12.0;
const IN_TITLE: f32 = 4.0;
const IN_PLACE: f32 = 3.0;
const IN_VOCABULARY: f32 = 2.0;
const IN_SUMMARY: f32 = 1.5;
const IN_DESCRIPTION: f32 = 1.0;

/// The query for `text`, all of whose words must be found; none where it has no word that says
/// anything.
pub(crate) fn words_query(
    searcher: &Searcher,
    fields: &Fields,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let mut stemmer = searcher.index().tokenizers().get(analyzer_name(locale))?;
    let words: Vec<(Occur, Box<dyn Query>)> = folded_words(text)
        .iter()
        .filter_map(|word| word_query(fields, locale, &mut stemmer, word))
        .map(|query| (Occur::Must, query))
        .collect();
    (!words.is_empty()).then(|| Box::new(BooleanQuery::new(words)) as Box<dyn Query>)
}

/// The words of `text`, each as typed, at most [`MOST_WORDS`].
fn folded_words(text: &str) -> Vec<String> {
    let mut analyzer = TextAnalyzer::builder(tantivy::tokenizer::SimpleTokenizer::default())
        .filter(tantivy::tokenizer::RemoveLongFilter::limit(crate::schema::LONGEST_WORD))
        .filter(tantivy::tokenizer::LowerCaser)
        .build();
    tokens(&mut analyzer, text)
}

fn tokens(analyzer: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut stream = analyzer.token_stream(text);
    while words.len() < MOST_WORDS && stream.advance() {
        words.push(stream.token().text.clone());
    }
    words
}

/// The query for one word wherever it may stand; none for one that says nothing.
fn word_query(
    fields: &Fields,
    locale: Locale,
    stemmer: &mut TextAnalyzer,
    word: &str,
) -> Option<Box<dyn Query>> {
    let stem = tokens(stemmer, word).pop()?;
    let folded = tokens(&mut folded_analyzer(), word).pop()?;
    let text = fields.text(locale);
    let places = [
        (fields.reference_words, &folded, IN_REFERENCE),
        (text.title, &stem, IN_TITLE),
        (text.place, &folded, IN_PLACE),
        (text.vocabulary, &stem, IN_VOCABULARY),
        (text.summary, &stem, IN_SUMMARY),
        (text.description, &stem, IN_DESCRIPTION),
    ];
    let alternatives = places.map(|(field, word, weight)| {
        let query =
            TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
        let query: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(query), weight));
        (Occur::Should, query)
    });
    Some(Box::new(BooleanQuery::new(alternatives.into())))
}

/// The query for titles and references that go on as `text` begins: all but its last word whole,
/// the last as far as it was typed. None where there is no word.
pub(crate) fn beginning_query(
    fields: &Fields,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let mut words = tokens(&mut folded_analyzer(), text);
    let last = words.pop()?;
    let somewhere = |word: &str, whole: bool| -> (Occur, Box<dyn Query>) {
        let anywhere = [fields.text(locale).typeahead, fields.reference_words].map(|field| {
            let query: Box<dyn Query> =
                if whole { exactly(field, word) } else { from(field, word) };
            (Occur::Should, query)
        });
        (Occur::Must, Box::new(BooleanQuery::new(anywhere.into())))
    };
    let mut query: Vec<_> = words.iter().map(|word| somewhere(word, true)).collect();
    query.push(somewhere(&last, false));
    Some(Box::new(BooleanQuery::new(query)))
}

fn exactly(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::Basic))
}

fn from(field: Field, word: &str) -> Box<dyn Query> {
    Box::new(FuzzyTermQuery::new_prefix(Term::from_field_text(field, word), 0, false))
}

/// The query for every document.
pub(crate) fn everything() -> Box<dyn Query> {
    Box::new(AllQuery)
}
