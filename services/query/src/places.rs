//! The places that the node knows, by their names.

use std::sync::{Arc, Mutex, PoisonError};

use contracts::{Locale, Sequence};
use runtime::postgres::answered;
use search_index::Place;
use sqlx::{query, types::Json};

use crate::{Node, error::ApiError, schema::LocationName};

/// The places in one language, as the read models had them at a position.
#[derive(Clone)]
struct KnownPlaces {
    /// Where the feed saw the read models when they were asked.
    asked_at: Sequence,
    sequence: Sequence,
    places: Arc<[Place]>,
}

/// The places by language, kept until the read models move on.
#[derive(Default)]
pub(crate) struct Places([Mutex<Option<KnownPlaces>>; 2]);

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
        let asked = query!(
            r#"select
                   (select sequence from read.checkpoint where live) as "sequence!",
                   array(select jsonb_build_object('slug', slug, 'name', name) from read.location
                         where locale = $1 order by sort nulls last, slug)
                       as "places!: Vec<Json<LocationName>>""#,
            locale.code(),
        );
        let row = answered(asked.fetch_one(&node.pool)).await?;
        let sequence = Sequence::from_i64(row.sequence);
        let places: Arc<[Place]> = row
            .places
            .into_iter()
            .map(|Json(LocationName { slug, name })| Place { slug, name })
            .collect();
        // A server that is behind those that the feed saw has places of before.
        if sequence >= asked_at {
            let known = KnownPlaces { asked_at, sequence, places: places.clone() };
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        }
        Ok((places, sequence))
    }
}
