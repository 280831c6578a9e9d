//! `GET /api/team`: the people of the agency.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Tag};

use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::Team,
};

/// How many people are shown at the most.
const MOST: i64 = 100;

/// The team, in the editors' order.
#[utoipa::path(
    get,
    path = "/api/team",
    tag = "editorial",
    params(("locale" = Option<Locale>, Query, description = "The language of the texts")),
    responses((status = 200, body = Team))
)]
pub(crate) async fn team(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Team>, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    given.finish()?;
    let sql = "select coalesce(json_agg(t), '[]') from (
        select key as id, name, administration, role, bio, photo, phone, email
        from read.team_member where locale = $1
        order by sort nulls last, name limit $2) as t";
    let asked = statement(sql).bind(locale.code()).bind(MOST);
    let (items, sequence) = fetch(&node.pool, asked).await?;
    Ok(Answer { body: Team { items, sequence }, sequence, tags: vec![Tag::Team] })
}
