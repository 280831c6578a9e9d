//! `GET /api/moved`: where a page went that once had an address.

use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::Tag;
use runtime::problem::Problem;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::Moved,
};

/// The longest path that is looked for: no address of the site is longer.
const LONGEST_PATH: usize = 500;

/// The redirect that the editors set for a path.
#[utoipa::path(
    get,
    path = "/api/moved",
    tag = "site",
    params(("path" = String, Query, description = "The path that was asked for, without a query")),
    responses(
        (status = 200, body = Moved),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn moved(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let path = given.text("path", LONGEST_PATH).unwrap_or_default();
    if !path.starts_with('/') {
        given.refuse("path", "a path that begins with `/`");
    }
    given.finish()?;
    let sql = "select row_to_json(r) from (
        select to_path as \"to\", code from read.redirect where from_path = $1 order by key limit 1
    ) as r";
    let (found, sequence): (Option<Moved>, _) =
        fetch(&node.pool, statement(sql).bind(path.clone())).await?;
    let tags = vec![Tag::Site];
    Ok(match found {
        Some(body) => Answer { body, sequence, tags }.into_response(),
        None => Missing { detail: format!("nothing has moved from {path}"), sequence, tags }
            .into_response(),
    })
}
