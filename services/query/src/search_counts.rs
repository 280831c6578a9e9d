//! How often places are searched for, from the counts that the write side stores.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use runtime::{error_text, postgres::is_missing_tables};
use sqlx::PgPool;

use crate::{Node, spans::read_rows};

/// How long the counts are cached, so that not every typed letter causes a query.
const CACHE_LIFETIME: Duration = Duration::from_secs(30);
/// The number of days summed up.
const DAYS: i32 = 30;
/// The maximum number of places read.
const MAX_PLACES: i64 = 1_000;

/// How often each place was searched for recently, by slug.
#[derive(Debug, Default)]
pub(crate) struct SearchCounts(HashMap<String, i64>);

/// A cache of the [`SearchCounts`].
#[derive(Debug, Default)]
pub(crate) struct SearchCountCache(Mutex<Cached>);

#[derive(Debug, Default)]
struct Cached {
    read_at: Option<Instant>,
    failing: bool,
    counts: Arc<SearchCounts>,
}

impl SearchCounts {
    /// Returns the counts: at most [`CACHE_LIFETIME`] old, or the last ones that could be read.
    pub async fn current(node: &Node) -> Arc<Self> {
        let cache = &node.search_counts.0;
        {
            let mut cached = cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cached.read_at.is_some_and(|at| at.elapsed() < CACHE_LIFETIME) {
                return Arc::clone(&cached.counts);
            }
            // Only this request reads; others use the cached counts meanwhile.
            cached.read_at = Some(Instant::now());
        }
        let read = read_rows("SELECT visitor.place_search", Self::read(&node.pool)).await;
        let mut cached = cache.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(read) => {
                cached.counts = Arc::new(read);
                cached.failing = false;
            }
            // A write side of an older version has no such table.
            Err(error) if is_missing_tables(&error) => {}
            Err(error) => {
                if !std::mem::replace(&mut cached.failing, true) {
                    tracing::warn!(
                        error = error_text(&error),
                        "counts of searches can't be read; suggestions use the previous ones"
                    );
                }
            }
        }
        Arc::clone(&cached.counts)
    }

    /// Returns how often the place `slug` was searched for.
    pub fn times(&self, slug: &str) -> i64 {
        self.0.get(slug).copied().unwrap_or_default()
    }

    async fn read(pool: &PgPool) -> Result<Self, sqlx::Error> {
        let statement = sqlx::query!(
            r#"select place, sum(searches)::bigint as "searches!" from visitor.place_search
               where day > current_date - $1::int group by place order by 2 desc limit $2"#,
            DAYS,
            MAX_PLACES,
        );
        let places = statement.fetch_all(pool).await?.into_iter();
        Ok(Self(places.map(|row| (row.place, row.searches)).collect()))
    }
}
