//! Completing what is being typed.

use contracts::Locale;

use crate::{
    collect::PropertyCollector, error::Error, index::View, query::PropertyQuery, search::Hit,
    text::beginning_query,
};

impl View {
    /// At most `limit` properties, newest first, that are not sold and whose reference or title
    /// has words that begin as `text` does.
    pub fn suggest(&self, locale: Locale, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
        let Some(beginning) = beginning_query(&self.fields, self.analyzers.clone(), locale, text)
        else {
            return Ok(Vec::new());
        };
        let query = PropertyQuery::newest(locale, limit);
        let collector = PropertyCollector { query: &query, scored: false, keep: limit };
        let collected = self.searcher.search(&beginning, &collector)?;
        Ok(collected.hits.into_iter().map(|ranked| ranked.hit).collect())
    }
}
