//! `GET /internal/pictures/{file}/{version}`: whether anything published shows a picture.
//!
//! Not part of the public API: the door calls it before it fetches, scales or serves a picture.

use axum::{
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use contracts::{Sequence, Tag};
use sqlx::{query, types::Json};
use uuid::Uuid;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    error::ApiError,
    spans::read_rows,
};

/// The maximum number of items whose tags are returned. A purge of any of them makes the door call again, so
/// they need not be complete.
const MAX_TAGS: i64 = 20;

/// Answers 200 with the tags of what shows the picture, or 404 if nothing does.
pub(crate) async fn shown_picture(
    State(node): State<Node>,
    _: Fresh,
    Path((file, version)): Path<(Uuid, String)>,
) -> Result<Response, ApiError> {
    let name = format!("{file}/{version}");
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select jsonb_agg(shown.tag) from (
                    select distinct tags[1] as tag from read.shown
                    where pictures @> array[$1] limit $2
                ) as shown) as "tags: Json<Vec<Tag>>""#,
        name,
        MAX_TAGS,
    );
    let row = read_rows("SELECT read.shown", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    Ok(match row.tags {
        Some(Json(tags)) => Answer { body: (), sequence, tags }.into_response(),
        None => Missing { detail: format!("nothing shows {name}"), sequence, tags: Vec::new() }
            .into_response(),
    })
}
