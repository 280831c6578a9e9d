//! The searches that homes are held against, as far as they can be read.

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use contracts::Locale;
use search_index::Percolator;
use search_parameters::{SearchAddress, today};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::Error;

/// They are read anew so often: those that were deleted go.
const RELOAD: Duration = Duration::from_hours(1);
/// What was changed so long before the last look is read again: it may have been committed after it.
const OVERLAP: TimeDelta = TimeDelta::minutes(1);

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
#[derive(Debug)]
pub struct KnownSearches {
    pub percolator: Percolator<Uuid>,
    /// Those of which nobody can say any more what they find, and whose owners wait for mails.
    unreadable: HashSet<Uuid>,
    /// When they were last looked at, by the database's clock and by ours; none before the first time.
    looked_at: Option<(DateTime<Utc>, Instant)>,
    reloaded: Instant,
}

impl Default for KnownSearches {
    fn default() -> Self {
        Self {
            percolator: Percolator::default(),
            unreadable: HashSet::new(),
            looked_at: None,
            reloaded: Instant::now(),
        }
    }
}

impl KnownSearches {
    /// Takes in those that were saved or changed since the last look.
    pub async fn refresh(&mut self, pool: &PgPool) -> Result<(), Error> {
        if self.reloaded.elapsed() > RELOAD {
            self.looked_at = None;
            self.reloaded = Instant::now();
        }
        let by_us = Instant::now();
        let mut postgres = pool.acquire().await?;
        let now =
            sqlx::query_scalar!(r#"select now() as "now!""#).fetch_one(&mut *postgres).await?;
        let since = self.looked_at.map(|(at, by_us)| changed_since(at, now, by_us.elapsed()));
        self.read(&mut postgres, since).await?;
        self.looked_at = Some((now, by_us));
        self.measure();
        Ok(())
    }

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
            self.percolator = Percolator::default();
            self.unreadable.clear();
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
    fn measure(&self) {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
        let figure = |count: usize| count as f64;
        metrics::gauge!("command_saved_searches").set(figure(self.percolator.len()));
        metrics::gauge!("command_saved_searches_unreadable").set(figure(self.unreadable.len()));
    }
}

/// From when on searches may have been changed that a look at `looked_at` does not know of, where it is
/// `now`, and so much time has `passed`: whoever changed one while the database's clock was set back, or
/// ahead, wrote another time than it seems now.
fn changed_since(looked_at: DateTime<Utc>, now: DateTime<Utc>, passed: Duration) -> DateTime<Utc> {
    let passed = TimeDelta::from_std(passed).unwrap_or(TimeDelta::MAX);
    let before = now.checked_sub_signed(passed).unwrap_or(DateTime::<Utc>::MIN_UTC);
    looked_at.min(before).checked_sub_signed(OVERLAP).unwrap_or(DateTime::<Utc>::MIN_UTC)
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

    #[test]
    fn a_search_is_read_whichever_way_the_clock_was_set_when_it_was_saved() {
        let (at, passed) = (DateTime::<Utc>::UNIX_EPOCH, TimeDelta::minutes(40));
        let hour = TimeDelta::hours(1);
        let since = |now: DateTime<Utc>| {
            changed_since(at, now, passed.to_std().expect("it is not negative"))
        };
        assert_eq!(since(at + passed), at - OVERLAP, "nobody set it");
        assert_eq!(since(at + passed - hour), at - hour - OVERLAP, "it was ahead");
        assert_eq!(since(at + passed + hour), at - OVERLAP, "it was behind");
    }
}
