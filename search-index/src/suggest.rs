//! Completing what is being typed.

use contracts::Locale;

use crate::{
    error::Error,
    index::View,
    query::{PropertyQuery, Sort},
    search::Hit,
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
        let (hits, _) = self.list(&query, Some(&*beginning), Sort::Newest, limit)?;
        Ok(hits)
    }
}
