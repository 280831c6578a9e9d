//! What was typed, as filters.

use search_index::{Error, PropertyQuery, View};

use crate::{
    places::{Known, PoundRate},
    schema::{Pounds, Understood},
};

/// What became of what was typed.
pub(crate) struct Typed {
    /// The parts that became filters.
    pub parts: Vec<Understood>,
    /// What is not asked for: addresses of other sites' pages, and words once they are left out.
    pub left_out: String,
    /// What is ruled out and can't be searched by.
    pub ruled_out: String,
    /// Whether the parts say what is looked for without the words.
    stands_without_words: bool,
}

impl Typed {
    /// Leaves the words of `query`, by which nothing is found, out of it where the other parts say
    /// what is looked for; whether it did.
    pub fn leave_words_out(&mut self, query: &mut PropertyQuery) -> bool {
        if !self.stands_without_words {
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

/// Narrows `query` by what its text means to one who has `known` and looks at `view`: only the words that are
/// left stay its text.
pub(crate) fn narrow(
    known: &Known,
    view: &View,
    query: &mut PropertyQuery,
) -> Result<Typed, Error> {
    let text = query.text.take().unwrap_or_default();
    let per_euro = known.rate.map(|rate| rate.per_euro);
    let mut understood = view.understand(query.locale, &text, &known.places, per_euro)?;
    let stands_without_words = understood.stands_without_words();
    understood.narrow(query);
    let in_pounds = |amount| {
        known.rate.map(|PoundRate { per_euro, as_of }| Pounds { amount, rate: per_euro, as_of })
    };
    let parts = understood.filters.into_iter().map(|part| Understood {
        text: part.text,
        parameter: part.parameter.to_owned(),
        value: part.value,
        pounds: part.pounds.and_then(in_pounds),
    });
    Ok(Typed {
        parts: parts.collect(),
        left_out: understood.links,
        ruled_out: understood.ruled_out,
        stands_without_words,
    })
}

#[cfg(test)]
mod tests {
    use contracts::Locale;
    use search_index::SearchIndex;

    use super::*;

    /// What is left of the words of `text`, whether they can be left out, and what then is.
    fn left(view: &View, text: &str) -> (Option<String>, bool, String) {
        let known = Known { places: Vec::new(), rate: None };
        let mut query = PropertyQuery::newest(Locale::En, 10);
        query.text = Some(text.to_owned());
        let mut typed = narrow(&known, view, &mut query).expect("it is understood");
        let words = query.text.clone();
        let goes = typed.leave_words_out(&mut query);
        assert_eq!(query.text.is_none(), goes || words.is_none(), "{text}");
        (words, goes, typed.left_out)
    }

    #[test]
    fn words_are_left_out_where_others_say_what_is_looked_for() {
        let directory = tempfile::tempdir().expect("a directory");
        let index = SearchIndex::under(directory.path());
        let _writer = index.open_writer().expect("a writer");
        let view = index.view().expect("a view");
        for (text, words, goes, left_out) in [
            ("pet friendly villa", Some("pet friendly"), true, "pet friendly"),
            ("pet friendly", Some("pet friendly"), false, ""),
            ("villa AH-1042", Some("AH-1042"), false, ""),
            ("villa", None, false, ""),
            ("https://x.es/1 quiet villa", Some("quiet"), true, "https://x.es/1 quiet"),
            ("https://x.es/1", None, false, "https://x.es/1"),
        ] {
            let wanted = (words.map(str::to_owned), goes, left_out.to_owned());
            assert_eq!(left(&view, text), wanted, "{text}");
        }
    }
}
