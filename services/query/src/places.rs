//! What words are understood by: the places that the node knows, by their names, and the editors' rate of
//! exchange.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDate;
use contracts::{Locale, Sequence};
use runtime::postgres::answered;
use search_index::Place;
use serde_json::Value;
use sqlx::{query, types::Json};

use crate::{Node, endpoints::Look, error::ApiError, schema::LocationName};

/// What words of one language are understood by.
pub(crate) struct Known {
    /// Every place, a town before its parts, and those that are as deep in the tree in the editors' order.
    pub places: Vec<Place>,
    /// What a euro is worth; none while the editors keep no figure that says it.
    pub rate: Option<PoundRate>,
}

/// What a euro is worth in pounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PoundRate {
    /// Pounds.
    pub per_euro: f64,
    /// The day of the rate.
    pub as_of: NaiveDate,
}

impl PoundRate {
    /// What is far from any rate that there was is a slip.
    const LIKELY: std::ops::RangeInclusive<f64> = 0.1..=10.0;

    /// The rate among the figures of the group `exchange`.
    fn among(figures: &Value) -> Option<Self> {
        let mut figures = figures.as_array()?.iter();
        let figure = figures.find(|figure| figure["key"] == "pounds_per_euro")?;
        let per_euro = figure["value"].as_f64().filter(|value| Self::LIKELY.contains(value))?;
        Some(Self { per_euro, as_of: figure["date"].as_str()?.parse().ok()? })
    }
}

/// The same as the read models had it at a position.
#[derive(Clone)]
struct KnownAt {
    /// The feed's last look at the read models before they were asked.
    looked: Look,
    sequence: Sequence,
    known: Arc<Known>,
}

/// What is known by language, kept until rows change: also at one position, where they are filled anew
/// or a message is applied late.
#[derive(Default)]
pub(crate) struct Places([Mutex<Option<KnownAt>>; 2]);

impl Places {
    /// What words in `locale` are understood by, and the position that this was read at.
    pub async fn of(node: &Node, locale: Locale) -> Result<(Arc<Known>, Sequence), ApiError> {
        let kept = &node.places.0[locale.index()];
        let looked = node.cards.looked();
        let known = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known.filter(|known| Some(known.looked) == looked) {
            return Ok((known.known, known.sequence));
        }
        let asked = query!(
            r#"select
                   (select sequence from read.checkpoint where live) as "sequence!",
                   array(select jsonb_build_object('slug', slug, 'name', name) from read.location
                         where locale = $1 order by cardinality(ancestors), sort nulls last, slug)
                       as "places!: Vec<Json<LocationName>>",
                   (select settings -> 'figures' -> 'exchange' from read.site_settings
                    where locale = $1 limit 1) as exchange"#,
            locale.code(),
        );
        let row = answered(asked.fetch_one(&node.pool)).await?;
        let sequence = Sequence::from_i64(row.sequence);
        let places = row.places.into_iter();
        let known = Arc::new(Known {
            places: places
                .map(|Json(LocationName { slug, name })| Place::new(slug, name))
                .collect(),
            rate: row.exchange.as_ref().and_then(PoundRate::among),
        });
        // Before the feed has looked for the first time nothing tells of changes, and a server that is
        // behind those that it saw has places of before.
        if let Some(looked) = looked
            && sequence >= looked.position
        {
            let known = KnownAt { looked, sequence, known: Arc::clone(&known) };
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        }
        Ok((known, sequence))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rate_is_taken_where_the_editors_keep_one_that_can_be() {
        let among = |key: &str, value: Value, date: &str| {
            PoundRate::among(
                &json!([{ "key": "other" }, { "key": key, "value": value, "date": date }]),
            )
        };
        let as_of = NaiveDate::from_ymd_opt(2026, 11, 25).expect("a date");
        assert_eq!(
            among("pounds_per_euro", json!(0.86), "2026-11-25"),
            Some(PoundRate { per_euro: 0.86, as_of })
        );
        for (key, value, date) in [
            ("euros_per_pound", json!(0.86), "2026-11-25"),
            ("pounds_per_euro", json!(0), "2026-11-25"),
            ("pounds_per_euro", json!(86), "2026-11-25"),
            ("pounds_per_euro", json!("much"), "2026-11-25"),
            ("pounds_per_euro", json!(0.86), "November"),
        ] {
            assert_eq!(among(key, value.clone(), date), None, "{key} {value} {date}");
        }
        assert_eq!(PoundRate::among(&Value::Null), None);
    }
}
