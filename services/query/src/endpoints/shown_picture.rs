//! `GET /internal/pictures/{file}/{version}`: whether anything published shows a picture.
//!
//! Not part of the public API: the door asks it before it fetches, scales or gives a picture.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use contracts::{Sequence, Tag};
use runtime::postgres::answered;
use sqlx::{query, types::Json};
use uuid::Uuid;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    error::ApiError,
};

/// The own tags of what shows a picture, of so many at the most: each purge of one has the door ask
/// again, so any of them is enough.
const MAX_TAGS: i64 = 20;

/// 200 under the tags of what shows the picture, 404 where nothing does.
pub(crate) async fn shown_picture(
    State(node): State<Node>,
    _: Fresh,
    Path((file, version)): Path<(Uuid, String)>,
) -> Result<Response, ApiError> {
    let name = format!("{file}/{version}");
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select jsonb_agg(shown.tag) from (
                    select distinct tags[1] as tag from read.shown
                    where pictures @> array[$1] limit $2
                ) as shown) as "tags: Json<Vec<Tag>>""#,
        name,
        MAX_TAGS,
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    Ok(match row.tags {
        Some(Json(tags)) => Answer { body: (), sequence, tags }.into_response(),
        None => Missing { detail: format!("nothing shows {name}"), sequence, tags: Vec::new() }
            .into_response(),
    })
}
