//! `GET /api/team`: the people of the agency.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Sequence, Tag};
use read_models::TeamMemberRow;
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    schema::Team,
    spans::read_rows,
};

/// The maximum number of people shown.
const MAX_MEMBERS: i64 = 100;

/// Returns the team, in the editors' order.
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
    let locale = Parameters::parse(query.as_deref()).only_locale()?;
    let statement = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               array(select to_jsonb(t) from read.team_member as t where locale = $1
                     order by sort nulls last, name limit $2)
                   as "members!: Vec<Json<TeamMemberRow>>""#,
        locale.code(),
        MAX_MEMBERS,
    );
    let row = read_rows("SELECT read.team_member", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let items = row.members.into_iter().map(|Json(member)| member.into()).collect();
    Ok(Answer { body: Team { items, sequence }, sequence, tags: vec![Tag::Team] })
}
