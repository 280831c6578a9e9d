//! Completing what is being typed.

use contracts::Locale;

use crate::{answers::Hit, error::Error, query::PropertyQuery, text::beginning_query, view::View};

impl View {
    /// At most `limit` properties that are not sold and whose reference or title has words that
    /// begin as `text` does: the newest first, and after them those that do so but for a slip in
    /// words of five letters and more.
    pub fn suggest(&self, locale: Locale, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
        let mut hits = self.beginning(locale, text, limit, false)?;
        if hits.len() < limit {
            let slipped = self.beginning(locale, text, limit, true)?;
            let more: Vec<_> = slipped.into_iter().filter(|hit| !hits.contains(hit)).collect();
            hits.extend(more);
            hits.truncate(limit);
        }
        Ok(hits)
    }

    fn beginning(
        &self,
        locale: Locale,
        text: &str,
        limit: usize,
        forgiven: bool,
    ) -> Result<Vec<Hit>, Error> {
        let analyzers = self.analyzers.clone();
        let Some(beginning) = beginning_query(&self.fields, analyzers, locale, text, forgiven)
        else {
            return Ok(Vec::new());
        };
        let query = PropertyQuery::newest(locale, limit);
        self.newest(&query, &*beginning, limit)
    }
}
