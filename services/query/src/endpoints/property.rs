//! `GET /api/properties/{ref}`: all of one property, and homes like it.

use axum::{
    extract::{Path, RawQuery, State},
    response::{IntoResponse, Response},
};
use contracts::{
    Locale, Tag,
    content::{AnnualCosts, EnergyLabel},
};
use runtime::problem::Problem;
use serde::Deserialize;

use super::cards::{COLUMNS, CardRow};
use crate::{
    Node,
    answer::{Answer, Fresh, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::PropertyDetail,
};

/// How many homes like it are shown.
const SIMILAR: i64 = 6;
/// The longest reference that is looked for.
const LONGEST_REFERENCE: usize = 40;

#[derive(Deserialize)]
struct Rows {
    property: Option<DetailRow>,
    similar: Vec<CardRow>,
}

#[derive(Deserialize)]
struct DetailRow {
    #[serde(flatten)]
    card: CardRow,
    description: String,
    terrace_area: Option<i64>,
    year_built: Option<i64>,
    floor: Option<String>,
    energy: Option<EnergyLabel>,
    annual_costs: AnnualCosts,
    locales: Vec<Locale>,
}

/// One property, by its reference.
#[utoipa::path(
    get,
    path = "/api/properties/{ref}",
    tag = "properties",
    params(
        ("ref" = String, Path, description = "The agency's reference"),
        ("locale" = Option<Locale>, Query, description = "The language of the texts"),
    ),
    responses(
        (status = 200, body = PropertyDetail),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn property(
    State(node): State<Node>,
    _: Fresh,
    Path(reference): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    if !is_reference(&reference) {
        given.refuse("ref", "letters, digits and `-`, 40 at most");
    }
    given.finish()?;
    // Homes like it: of the same place, the nearest in price first; what has no price, last.
    let sql = format!(
        "with found as materialized (
            select * from read.property where locale = $1 and reference = $2)
         select json_build_object(
            'property', (select row_to_json(found) from found),
            'similar', (select coalesce(json_agg(s), '[]') from (
                select {COLUMNS} from read.property p
                where p.locale = $1 and p.reference <> $2 and p.status <> 'sold'
                  and p.location_slug = (select location_slug from found)
                order by p.property_type <> (select property_type from found),
                         abs(p.price - (select price from found)) nulls last, p.reference
                limit $3) as s))"
    );
    let asked = statement(&sql).bind(locale.code()).bind(reference.clone()).bind(SIMILAR);
    let (rows, sequence): (Rows, _) = fetch(&node.pool, asked).await?;
    let own_tag = Tag::Property(reference.clone());
    let Some(row) = rows.property else {
        let detail = format!("there is no property {reference}");
        return Ok(Missing { detail, sequence, tags: vec![own_tag] }.into_response());
    };
    let tags = vec![own_tag, Tag::Location(row.card.location_slug.clone())];
    let body = PropertyDetail {
        item: row.card.into_item(locale),
        description: row.description,
        terrace_area: row.terrace_area,
        year_built: row.year_built,
        floor: row.floor,
        energy: row.energy,
        annual_costs: row.annual_costs,
        locales: row.locales,
        similar: rows.similar.into_iter().map(|card| card.into_item(locale)).collect(),
        sequence,
    };
    Ok(Answer { body, sequence, tags }.into_response())
}

fn is_reference(text: &str) -> bool {
    (1..=LONGEST_REFERENCE).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
