//! What typed searches are interpreted with: the names of the places, and the editors' exchange rate.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDate;
use contracts::{Locale, Sequence};
use search_index::Place;
use serde_json::Value;
use sqlx::{query, types::Json};

use crate::{Node, endpoints::LastPoll, error::ApiError, schema::LocationName, spans::read_rows};

/// What searches typed in one language are interpreted with.
pub(crate) struct QueryContext {
    /// Every place: a town before its parts, and places at the same depth in the editors' order.
    pub places: Vec<Place>,
    /// The exchange rate; none while the editors have not set it.
    pub rate: Option<PoundRate>,
}

/// The exchange rate from euros to pounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PoundRate {
    /// Pounds for one euro.
    pub per_euro: f64,
    /// The day of the rate.
    pub as_of: NaiveDate,
}

impl PoundRate {
    /// The plausible rates. Anything outside, far from every rate in history, is a typing error.
    const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

    /// Finds the rate among the figures of the group `exchange`.
    fn find(figures: &Value) -> Option<Self> {
        let mut figures = figures.as_array()?.iter();
        let figure = figures.find(|figure| figure["key"] == "pounds_per_euro")?;
        let per_euro = figure["value"].as_f64().filter(|value| Self::PLAUSIBLE.contains(value))?;
        Some(Self { per_euro, as_of: figure["date"].as_str()?.parse().ok()? })
    }
}

/// A context, and the position it was read at.
#[derive(Clone)]
struct CachedContext {
    /// The feed's last poll of the read models before the context was read.
    last_poll: LastPoll,
    sequence: Sequence,
    context: Arc<QueryContext>,
}

/// The contexts by language, cached until rows change. Rows may also change without a new position: when
/// they are rebuilt, or when a message is applied late.
#[derive(Default)]
pub(crate) struct QueryContextCache([Mutex<Option<CachedContext>>; 2]);

impl QueryContextCache {
    /// Returns the context for searches in `locale`, and the position it was read at.
    pub async fn get(
        node: &Node,
        locale: Locale,
    ) -> Result<(Arc<QueryContext>, Sequence), ApiError> {
        let slot = &node.query_contexts.0[locale.index()];
        let last_poll = node.cards.last_poll();
        let cached = slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(cached) = cached.filter(|cached| Some(cached.last_poll) == last_poll) {
            return Ok((cached.context, cached.sequence));
        }
        let statement = query!(
            r#"select
                   (select sequence from read.checkpoint where live) as "sequence!",
                   array(select jsonb_build_object('slug', slug, 'name', name) from read.location
                         where locale = $1 order by cardinality(ancestors), sort nulls last, slug)
                       as "places!: Vec<Json<LocationName>>",
                   (select settings -> 'figures' -> 'exchange' from read.site_settings
                    where locale = $1 limit 1) as exchange"#,
            locale.code(),
        );
        let row =
            read_rows("SELECT read.location read.site_settings", statement.fetch_one(&node.pool))
                .await?;
        let sequence = Sequence::from_i64(row.sequence);
        let places = row.places.into_iter();
        let context = Arc::new(QueryContext {
            places: places
                .map(|Json(LocationName { slug, name })| Place::new(slug, name))
                .collect(),
            rate: row.exchange.as_ref().and_then(PoundRate::find),
        });
        // Before the first poll of the feed nothing would invalidate the context, and a server that lags
        // behind the last poll returned old places.
        if let Some(last_poll) = last_poll
            && sequence >= last_poll.position
        {
            let cached = CachedContext { last_poll, sequence, context: Arc::clone(&context) };
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(cached);
        }
        Ok((context, sequence))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rate_is_used_only_if_it_is_valid_and_plausible() {
        let find = |key: &str, value: Value, date: &str| {
            PoundRate::find(
                &json!([{ "key": "other" }, { "key": key, "value": value, "date": date }]),
            )
        };
        let as_of = NaiveDate::from_ymd_opt(2026, 11, 25).expect("a date");
        assert_eq!(
            find("pounds_per_euro", json!(0.86), "2026-11-25"),
            Some(PoundRate { per_euro: 0.86, as_of })
        );
        for (key, value, date) in [
            ("euros_per_pound", json!(0.86), "2026-11-25"),
            ("pounds_per_euro", json!(0), "2026-11-25"),
            ("pounds_per_euro", json!(86), "2026-11-25"),
            ("pounds_per_euro", json!("much"), "2026-11-25"),
            ("pounds_per_euro", json!(0.86), "November"),
        ] {
            assert_eq!(find(key, value.clone(), date), None, "{key} {value} {date}");
        }
        assert_eq!(PoundRate::find(&Value::Null), None);
    }
}
