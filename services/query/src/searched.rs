//! How often places are looked for, as the write side keeps it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use runtime::postgres::{answered, lacks_tables};
use sqlx::PgPool;

use crate::Node;

/// What was read is gone by for so long: nothing is asked of Postgres for each letter that somebody types.
const KEPT_FOR: Duration = Duration::from_secs(30);
/// The days that are summed up.
const DAYS: i32 = 30;
/// The most places that are read.
const MAX_PLACES: i64 = 1_000;

/// How often each place was looked for lately, by its slug.
#[derive(Debug, Default)]
pub(crate) struct Searched(HashMap<String, i64>);

/// The same, kept for a while.
#[derive(Debug, Default)]
pub(crate) struct KeptSearched(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    asked_at: Option<Instant>,
    failing: bool,
    searched: Arc<Searched>,
}

impl Searched {
    /// How often it is at most half a minute ago; or the last time that this could be read.
    pub async fn of(node: &Node) -> Arc<Self> {
        let kept = &node.searched.0;
        {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.asked_at.is_some_and(|at| at.elapsed() < KEPT_FOR) {
                return Arc::clone(&kept.searched);
            }
            // One reads; whoever comes meanwhile goes by what there is.
            kept.asked_at = Some(Instant::now());
        }
        let read = answered(Self::read(&node.pool)).await;
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(read) => {
                kept.searched = Arc::new(read);
                kept.failing = false;
            }
            // A write side that is older than this has no such table.
            Err(error) if lacks_tables(&error) => {}
            Err(error) => {
                if !std::mem::replace(&mut kept.failing, true) {
                    tracing::warn!(%error, "places are suggested by how often they were looked for before");
                }
            }
        }
        Arc::clone(&kept.searched)
    }

    /// How often the place `slug` was looked for.
    pub fn times(&self, slug: &str) -> i64 {
        self.0.get(slug).copied().unwrap_or_default()
    }

    async fn read(pool: &PgPool) -> Result<Self, sqlx::Error> {
        let read = sqlx::query!(
            r#"select place, sum(searches)::bigint as "searches!" from visitor.place_search
               where day > current_date - $1::int group by place order by 2 desc limit $2"#,
            DAYS,
            MAX_PLACES,
        );
        let places = read.fetch_all(pool).await?.into_iter();
        Ok(Self(places.map(|row| (row.place, row.searches)).collect()))
    }
}
