//! `GET /api/figures`: what buying a home costs, as the editors keep it.

use axum::extract::{RawQuery, State};
use contracts::{Locale, Sequence, Tag};
use runtime::postgres::answered;
use sqlx::query;

use crate::{
    Node,
    answer::{Answer, Fresh},
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
    let asked = query!(
        r#"select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select settings -> 'figures' from read.site_settings where locale = $1 limit 1)
                   as figures"#,
        Locale::default().code(),
    );
    let row = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(row.sequence);
    let figures = row.figures.unwrap_or_default();
    Ok(Answer { body: Figures { figures, sequence }, sequence, tags: vec![Tag::Site] })
}
