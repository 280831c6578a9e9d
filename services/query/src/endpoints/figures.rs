//! `GET /api/figures`: what buying a home costs, as the editors keep it.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Tag};

use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::Figures,
};

/// Taxes, fees and rates, each with its source. They are the same in every language, and name
/// themselves in all.
#[utoipa::path(
    get,
    path = "/api/figures",
    tag = "site",
    responses((status = 200, body = Figures))
)]
pub(crate) async fn figures(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<Figures>, ApiError> {
    Parameters::parse(query.as_deref()).finish()?;
    let sql = "select settings -> 'figures' from read.site_settings where locale = $1 limit 1";
    let asked = statement(sql).bind(Locale::default().code());
    let (figures, sequence) = fetch(&node.pool, asked).await?;
    Ok(Answer { body: Figures { figures, sequence }, sequence, tags: vec![Tag::Site] })
}
