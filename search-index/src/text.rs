//! From typed words to a tantivy query.

use contracts::Locale;
use tantivy::{
    Term,
    query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, Query, TermQuery},
    schema::IndexRecordOption,
};

use crate::schema::{Analyzers, Fields, Part};

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
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let words: Vec<(Occur, Box<dyn Query>)> = analyzers
        .plain(text)
        .iter()
        .take(MOST_WORDS)
        .filter_map(|word| word_query(fields, &mut analyzers, locale, word))
        .map(|query| (Occur::Must, query))
        .collect();
    (!words.is_empty()).then(|| Box::new(BooleanQuery::new(words)) as Box<dyn Query>)
}

/// The query for one word wherever it may stand; none for one that says nothing.
fn word_query(
    fields: &Fields,
    analyzers: &mut Analyzers,
    locale: Locale,
    word: &str,
) -> Option<Box<dyn Query>> {
    let stem = analyzers.stemmed(locale, word).pop()?;
    let folded = analyzers.folded(word).pop()?;
    let places = [
        (Part::Reference, &folded, IN_REFERENCE),
        (Part::Title(locale), &stem, IN_TITLE),
        (Part::Place(locale), &folded, IN_PLACE),
        (Part::Vocabulary(locale), &stem, IN_VOCABULARY),
        (Part::Summary(locale), &stem, IN_SUMMARY),
        (Part::Description(locale), &stem, IN_DESCRIPTION),
    ];
    let alternatives = places.map(|(part, word, weight)| {
        let query = TermQuery::new(fields.word(part, word), IndexRecordOption::WithFreqs);
        let query: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(query), weight));
        (Occur::Should, query)
    });
    Some(Box::new(BooleanQuery::new(alternatives.into())))
}

/// The query for titles and references that go on as `text` begins: all but its last word whole,
/// the last as far as it was typed. None where there is no word.
pub(crate) fn beginning_query(
    fields: &Fields,
    mut analyzers: Analyzers,
    locale: Locale,
    text: &str,
) -> Option<Box<dyn Query>> {
    let mut words = analyzers.folded(text);
    words.truncate(MOST_WORDS);
    let last = words.pop()?;
    let somewhere = |word: &str, query: fn(Term) -> Box<dyn Query>| -> (Occur, Box<dyn Query>) {
        let anywhere = [Part::TypeAhead(locale), Part::Reference]
            .map(|part| (Occur::Should, query(fields.word(part, word))));
        (Occur::Must, Box::new(BooleanQuery::new(anywhere.into())))
    };
    let mut query: Vec<_> = words.iter().map(|word| somewhere(word, exactly)).collect();
    query.push(somewhere(&last, beginning));
    Some(Box::new(BooleanQuery::new(query)))
}

fn exactly(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::Basic))
}

fn beginning(term: Term) -> Box<dyn Query> {
    Box::new(FuzzyTermQuery::new_prefix(term, 0, false))
}
