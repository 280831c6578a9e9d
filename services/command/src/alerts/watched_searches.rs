//! The searches that homes are matched with.

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

/// How often all searches are reloaded, which drops deleted ones.
const RELOAD_INTERVAL: Duration = Duration::from_hours(1);
/// Searches that were changed up to this long before the last refresh are read again: their transaction
/// may have been committed after it.
const OVERLAP: TimeDelta = TimeDelta::minutes(1);

/// A confirmed search.
#[derive(Debug)]
struct SearchRow {
    id: Uuid,
    address: String,
    locale: String,
    /// Whether its owner currently wants mails.
    is_wanted: bool,
}

/// All confirmed searches, in memory.
#[derive(Debug)]
pub struct WatchedSearches {
    pub percolator: Percolator<Uuid>,
    /// The searches whose address can no longer be parsed, and whose owners want mails.
    unreadable: HashSet<Uuid>,
    /// When they were last refreshed, by the database's clock and by this process's monotonic clock;
    /// `None` before the first refresh.
    refreshed_at: Option<(DateTime<Utc>, Instant)>,
    reloaded_at: Instant,
}

impl Default for WatchedSearches {
    fn default() -> Self {
        Self {
            percolator: Percolator::default(),
            unreadable: HashSet::new(),
            refreshed_at: None,
            reloaded_at: Instant::now(),
        }
    }
}

impl WatchedSearches {
    /// Reads the searches that were saved or changed since the last refresh.
    pub async fn refresh(&mut self, pool: &PgPool) -> Result<(), Error> {
        if self.reloaded_at.elapsed() > RELOAD_INTERVAL {
            self.refreshed_at = None;
            self.reloaded_at = Instant::now();
        }
        let instant = Instant::now();
        let mut postgres = pool.acquire().await?;
        let now =
            sqlx::query_scalar!(r#"select now() as "now!""#).fetch_one(&mut *postgres).await?;
        let since =
            self.refreshed_at.map(|(at, instant)| changed_since(at, now, instant.elapsed()));
        self.load(&mut postgres, since).await?;
        self.refreshed_at = Some((now, instant));
        self.report_metrics();
        Ok(())
    }

    /// Reads the searches that were saved or changed after `since`, or all. Searches whose owners
    /// currently want no mails are included, because their pending alerts may become lost meanwhile.
    pub async fn load(
        &mut self,
        postgres: &mut PgConnection,
        since: Option<DateTime<Utc>>,
    ) -> Result<(), Error> {
        let saved = sqlx::query_as!(
            SearchRow,
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

    /// Adds `search`. The query of a search that is already known stays as it is.
    fn add(&mut self, search: &SearchRow) {
        let SearchRow { id, ref address, ref locale, is_wanted } = *search;
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

    /// Updates the gauges.
    fn report_metrics(&self) {
        #[expect(clippy::cast_precision_loss, reason = "a gauge is no more exact")]
        let figure = |count: usize| count as f64;
        metrics::gauge!("command_saved_searches").set(figure(self.percolator.len()));
        metrics::gauge!("command_saved_searches_unreadable").set(figure(self.unreadable.len()));
    }
}

/// Returns the time from which on searches may have been changed since the refresh at `refreshed_at`,
/// when it is `now` and the monotonic time `passed` since. If the database's clock was set back or
/// forward in between, the stored times of changes differ from the time that has actually passed.
fn changed_since(
    refreshed_at: DateTime<Utc>,
    now: DateTime<Utc>,
    passed: Duration,
) -> DateTime<Utc> {
    let passed = TimeDelta::from_std(passed).unwrap_or(TimeDelta::MAX);
    let before = now.checked_sub_signed(passed).unwrap_or(DateTime::<Utc>::MIN_UTC);
    refreshed_at.min(before).checked_sub_signed(OVERLAP).unwrap_or(DateTime::<Utc>::MIN_UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unreadable_search_is_counted_while_its_owner_wants_mails() {
        let mut searches = WatchedSearches::default();
        let id = Uuid::from_u128(1);
        let mut add = |address: &str, is_wanted| {
            let (address, locale) = (address.to_owned(), "en".to_owned());
            searches.add(&SearchRow { id, address, locale, is_wanted });
            (searches.percolator.len(), searches.unreadable.len())
        };
        assert_eq!(add("kind=castle", false), (0, 0));
        assert_eq!(add("kind=castle", true), (0, 1));
        assert_eq!(add("kind=castle", true), (0, 1));
        assert_eq!(add("kind=villa", true), (1, 0));
    }

    #[test]
    fn a_search_is_read_although_the_database_clock_was_set() {
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
