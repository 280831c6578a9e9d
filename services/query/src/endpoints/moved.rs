//! `GET /api/moved`: the redirect of a former address.

use axum::{
    extract::{RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::{Sequence, Tag};
use read_models::RedirectRow;
use runtime::problem::Problem;
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    error::ApiError,
    schema::Moved,
    spans::read_rows,
};

/// The maximum length of a path. No address of the site is longer.
const MAX_PATH_LENGTH: usize = 500;

/// Returns the redirect that the editors configured for a path.
#[utoipa::path(
    get,
    path = "/api/moved",
    tag = "site",
    params((
        "path" = String, Query, max_length = 500, example = "/blog",
        pattern = r"^/[^\u0000-\u001F\u007F-\u009F]*$",
        description = "The requested path, without a query string",
    )),
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
    let path = given.required_text("path", MAX_PATH_LENGTH);
    if !path.starts_with('/') || path.chars().any(char::is_control) {
        given.refuse("path", "a path that begins with `/`, without control characters");
    }
    given.finish()?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(r) from read.redirect as r where from_path = $1
                order by key limit 1) as "redirect: Json<RedirectRow>""#,
        path,
    );
    let row = read_rows("SELECT read.redirect", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let tags = vec![Tag::Site];
    Ok(match row.redirect {
        Some(Json(redirect)) => {
            let body = Moved { to: redirect.to_path, code: redirect.code };
            Answer { body, sequence, tags }.into_response()
        }
        None => Missing { detail: format!("nothing has moved from {path}"), sequence, tags }
            .into_response(),
    })
}
