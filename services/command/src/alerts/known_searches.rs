//! The searches that homes are held against, as far as they can be read.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use contracts::Locale;
use search_index::Percolator;
use search_parameters::{SearchAddress, today};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::Error;

/// A search that somebody has agreed to hear of.
#[derive(Debug)]
struct Saved {
    id: Uuid,
    address: String,
    locale: String,
    /// Whether its owner wants mails just now.
    is_wanted: bool,
}

/// All of them.
#[derive(Debug, Default)]
pub struct KnownSearches {
    pub percolator: Percolator<Uuid>,
    /// Those of which nobody can say any more what they find, and whose owners wait for mails.
    unreadable: HashSet<Uuid>,
}

impl KnownSearches {
    /// Takes in those that were saved or changed after `since`, or all; those too whose owners want no
    /// mails just now, because what waits for them may be lost meanwhile.
    pub async fn read(
        &mut self,
        postgres: &mut PgConnection,
        since: Option<DateTime<Utc>>,
    ) -> Result<(), Error> {
        let saved = sqlx::query_as!(
            Saved,
            r#"select id, address as "address!", locale, frequency <> 'never' as "is_wanted!"
               from visitor.saved_search
               where address is not null and confirmed_at is not null
                 and ($1::timestamptz is null or changed_at > $1)"#,
            since,
        )
        .fetch_all(postgres)
        .await?;
        if since.is_none() {
            *self = Self::default();
        }
        for search in &saved {
            self.add(search);
        }
        Ok(())
    }

    /// Takes `search` in; what one looks for that is known already stays as it is.
    fn add(&mut self, search: &Saved) {
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
