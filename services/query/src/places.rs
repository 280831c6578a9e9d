//! The places that the node knows, by their names.

use std::sync::{Arc, Mutex, PoisonError};

use contracts::{Locale, Sequence};
use search_index::Place;
use serde::Deserialize;

use crate::{
    Node,
    database::{fetch, statement},
    error::ApiError,
};

/// The places in one language, as the read models had them at a position.
#[derive(Clone)]
struct Known {
    /// Where the feed saw the read models when they were asked.
    asked_at: Sequence,
    sequence: Sequence,
    places: Arc<[Place]>,
}

/// The places by language, kept until the read models move on.
#[derive(Default)]
pub(crate) struct Places([Mutex<Option<Known>>; 2]);

#[derive(Deserialize)]
struct Row {
    slug: String,
    name: String,
}

impl Places {
    /// Every place in `locale` in the editors' order, and the position that this was read at.
    pub async fn of(node: &Node, locale: Locale) -> Result<(Arc<[Place]>, Sequence), ApiError> {
        let kept = &node.places.0[usize::from(locale == Locale::Es)];
        let asked_at = *node.projected.borrow();
        let known = kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Before the feed has looked for the first time nothing tells of changes.
        if let Some(known) = known.filter(|known| known.asked_at == asked_at)
            && asked_at != Sequence::START
        {
            return Ok((known.places, known.sequence));
        }
        let sql = "select coalesce(json_agg(l order by l.sort nulls last, l.slug), '[]') from (
            select slug, name, sort from read.location where locale = $1) as l";
        let asked = statement(sql).bind(locale.code());
        let (rows, sequence): (Vec<Row>, _) = fetch(&node.pool, asked).await?;
        let places: Arc<[Place]> =
            rows.into_iter().map(|row| Place { slug: row.slug, name: row.name }).collect();
        let known = Known { asked_at, sequence, places: places.clone() };
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok((places, sequence))
    }
}
