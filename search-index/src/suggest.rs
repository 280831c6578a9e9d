//! Suggests properties while a visitor types.

use contracts::Locale;

use crate::{answers::Hit, error::Error, query::PropertyQuery, text::prefix_query, view::View};

impl View {
    /// Returns at most `limit` properties that are not sold and whose reference or title has words that
    /// start with `text`, the newest first. After them come those that match with one typo in words of five
    /// or more letters.
    pub fn suggest(&self, locale: Locale, text: &str, limit: usize) -> Result<Vec<Hit>, Error> {
        let mut hits = self.find_by_prefix(locale, text, limit, false)?;
        if hits.len() < limit {
            let with_typos = self.find_by_prefix(locale, text, limit, true)?;
            let more: Vec<_> = with_typos.into_iter().filter(|hit| !hits.contains(hit)).collect();
            hits.extend(more);
            hits.truncate(limit);
        }
        Ok(hits)
    }

    fn find_by_prefix(
        &self,
        locale: Locale,
        text: &str,
        limit: usize,
        allow_typos: bool,
    ) -> Result<Vec<Hit>, Error> {
        let analyzers = self.analyzers.clone();
        let Some(prefix) = prefix_query(&self.fields, analyzers, locale, text, allow_typos) else {
            return Ok(Vec::new());
        };
        let query = PropertyQuery::newest(locale, limit);
        self.newest(&query, &*prefix, limit)
    }
}
