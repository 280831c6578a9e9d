//! Turns typed text into filters.

use search_index::{Error, PropertyQuery, View};

use crate::{
    query_context::{PoundRate, QueryContext},
    schema::{Pounds, Understood},
};

/// The interpretation of a typed text.
pub(crate) struct Interpreted {
    /// The parts that became filters.
    pub parts: Vec<Understood>,
    /// The parts that are ignored: addresses of other sites' pages, and words once they are dropped.
    pub left_out: String,
    /// Exclusions such as "no stairs", which no filter can express.
    pub ruled_out: String,
    /// Whether the filters are specific enough to search without the remaining words.
    is_specific_without_words: bool,
}

impl Interpreted {
    /// Removes the remaining words, which match nothing, from `query` if the filters are specific enough
    /// without them. Returns whether it did.
    pub fn drop_words(&mut self, query: &mut PropertyQuery) -> bool {
        if !self.is_specific_without_words {
            return false;
        }
        let Some(words) = query.text.take() else { return false };
        if !self.left_out.is_empty() {
            self.left_out.push(' ');
        }
        self.left_out.push_str(&words);
        true
    }
}

/// Turns the parts of the text of `query` that are understood, given `context` and `view`, into filters. The
/// remaining words stay its text.
pub(crate) fn narrow(
    context: &QueryContext,
    view: &View,
    query: &mut PropertyQuery,
) -> Result<Interpreted, Error> {
    let text = query.text.take().unwrap_or_default();
    let per_euro = context.rate.map(|rate| rate.per_euro);
    let mut understood = view.understand(query.locale, &text, &context.places, per_euro)?;
    let is_specific_without_words = understood.is_specific_without_words();
    understood.apply_to(query);
    let in_pounds = |amount| {
        context.rate.map(|PoundRate { per_euro, as_of }| Pounds { amount, rate: per_euro, as_of })
    };
    let parts = understood.filters.into_iter().map(|part| Understood {
        text: part.text,
        parameter: part.filter.parameter().to_owned(),
        value: part.filter.value(),
        pounds: part.pounds.and_then(in_pounds),
    });
    Ok(Interpreted {
        parts: parts.collect(),
        left_out: understood.links,
        ruled_out: understood.ruled_out,
        is_specific_without_words,
    })
}

#[cfg(test)]
mod tests {
    use contracts::Locale;
    use search_index::SearchIndex;

    use super::*;

    /// Returns the words left of `text`, whether they can be dropped, and what is ignored after that.
    fn interpret(view: &View, text: &str) -> (Option<String>, bool, String) {
        let context = QueryContext { places: Vec::new(), rate: None };
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.text = Some(text.to_owned());
        let mut interpreted = narrow(&context, view, &mut query).expect("it is understood");
        let words = query.text.clone();
        let dropped = interpreted.drop_words(&mut query);
        assert_eq!(query.text.is_none(), dropped || words.is_none(), "{text}");
        (words, dropped, interpreted.left_out)
    }

    #[test]
    fn words_can_be_dropped_only_if_the_filters_are_specific() {
        let directory = tempfile::tempdir().expect("a directory");
        let index = SearchIndex::in_folder(directory.path());
        let _writer = index.open_writer().expect("a writer");
        let view = index.view().expect("a view");
        for (text, words, dropped, left_out) in [
            ("pet friendly villa", Some("pet friendly"), true, "pet friendly"),
            ("pet friendly", Some("pet friendly"), false, ""),
            ("villa AH-1042", Some("AH-1042"), false, ""),
            ("villa", None, false, ""),
            ("https://x.es/1 quiet villa", Some("quiet"), true, "https://x.es/1 quiet"),
            ("https://x.es/1", None, false, "https://x.es/1"),
        ] {
            let wanted = (words.map(str::to_owned), dropped, left_out.to_owned());
            assert_eq!(interpret(&view, text), wanted, "{text}");
        }
    }
}
