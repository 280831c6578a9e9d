//! The searches that homes are held against, as far as they can be read.

use std::collections::HashSet;

use contracts::Locale;
use search_index::Percolator;
use search_parameters::{SearchAddress, today};
use uuid::Uuid;

/// A search that somebody has agreed to hear of.
#[derive(Debug)]
pub struct Saved {
    pub id: Uuid,
    pub address: String,
    pub locale: String,
    /// Whether its owner wants mails just now.
    pub is_wanted: bool,
}

/// All of them.
#[derive(Debug, Default)]
pub struct KnownSearches {
    pub percolator: Percolator<Uuid>,
    /// Those of which nobody can say any more what they find, and whose owners wait for mails.
    unreadable: HashSet<Uuid>,
}

impl KnownSearches {
    /// Takes `search` in, once more where it was changed.
    pub fn add(&mut self, search: &Saved) {
        let Saved { id, ref address, ref locale, is_wanted } = *search;
        self.unreadable.remove(&id);
        let Ok(address) = address.parse::<SearchAddress>() else {
            tracing::warn!(%id, "a saved search can't be read any more");
            if is_wanted {
                self.unreadable.insert(id);
            }
            return;
        };
        let locale: Locale = locale.parse().unwrap_or_default();
        self.percolator.add(id, &address.query(locale, today()));
    }

    /// Tells operators how many there are.
    pub fn measure(&self) {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
        let figure = |count: usize| count as f64;
        metrics::gauge!("command_saved_searches").set(figure(self.percolator.len()));
        metrics::gauge!("command_saved_searches_unreadable").set(figure(self.unreadable.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_cant_be_read_is_counted_while_its_owner_waits() {
        let mut searches = KnownSearches::default();
        let id = Uuid::from_u128(1);
        let mut add = |address: &str, is_wanted| {
            let (address, locale) = (address.to_owned(), "en".to_owned());
            searches.add(&Saved { id, address, locale, is_wanted });
            (searches.percolator.len(), searches.unreadable.len())
        };
        assert_eq!(add("kind=castle", false), (0, 0));
        assert_eq!(add("kind=castle", true), (0, 1));
        assert_eq!(add("kind=castle", true), (0, 1));
        assert_eq!(add("kind=villa", true), (1, 0));
    }
}
