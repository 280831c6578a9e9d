//! `GET /api/properties/{ref}`: all of one property, and homes like it.

use axum::{
    extract::{Path, RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use contracts::{
    Locale, Reference, Tag,
    content::{AnnualCosts, EnergyLabel},
};
use runtime::problem::Problem;
use serde::Deserialize;

use super::cards::{COLUMNS, CardRow, ON_CARD, ON_PAGE};
use crate::{
    Node,
    answer::{Answer, Fresh, Gone, Missing},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{LocationName, Offer, PropertyDetail, WithdrawnProperty},
};

/// How many homes like it are shown.
const SIMILAR: i64 = 6;

/// A property by its reference or a former one, in its letters or else in capitals, as most are
/// written; where it is gone, the last that is known of it. Its history: what it was first offered at, and each change. Homes like it: of the same place, the
/// nearest in price first; what has no price, last.
const FOUND: &str = "
    with known as materialized (
        select coalesce(
            (select key from read.property where locale = $1 and reference in ($2, upper($2))
             order by reference = $2 desc limit 1),
            (select key from read.offer where reference in ($2, upper($2))
             order by reference = $2 desc, changed_at desc limit 1)
        ) as key
    ), found as materialized (
        select p.* from read.property as p join known using (key) where p.locale = $1
    ), last as materialized (
        select o.location_slug as place, o.property_type as kind_of_home, o.price as asked
        from read.offer as o join known using (key) order by o.version desc limit 1
    )
    select json_build_object(
        'property', (select row_to_json(found) from found),
        'last_seen_in', (
            select json_build_object('slug', last.place,
                                     'name', coalesce(l.name, last.place))
            from last left join read.location as l
                on l.slug = last.place and l.locale = $1),
        'history', (
            select coalesce(json_agg(json_build_object(
                'at', h.changed_at, 'price', h.price, 'status', h.status) order by h.version), '[]')
            from (
                select version, changed_at, price, status,
                       row_number() over w = 1
                       or price is distinct from lag(price) over w
                       or status is distinct from lag(status) over w as new
                from read.offer join known using (key) window w as (order by version)
            ) as h where h.new),
        'similar', (
            select coalesce(json_agg(s), '[]') from (
                select {COLUMNS} from read.property as p cross join last
                where p.locale = $1 and p.status <> 'sold' and p.location_slug = last.place
                  and p.key <> (select key from known)
                order by p.property_type <> last.kind_of_home, p.status <> 'for_sale',
                         abs(p.price - last.asked) nulls last, p.reference
                limit $3) as s))";

#[derive(Deserialize)]
struct Rows {
    property: Option<DetailRow>,
    last_seen_in: Option<LocationName>,
    history: Vec<Offer>,
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

/// One property, by its reference or a former one, which the answer then differs from.
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
        (status = 410, body = WithdrawnProperty, content_type = "application/problem+json"),
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
    if !Reference::is(&reference) {
        given.refuse("ref", Reference::WORDS);
    }
    given.finish()?;
    let asked = statement(&FOUND.replace("{COLUMNS}", COLUMNS));
    let asked = asked.bind(locale.code()).bind(reference.clone()).bind(SIMILAR);
    let (rows, sequence): (Rows, _) = fetch(&node.pool, asked).await?;
    let similar = rows.similar.into_iter().map(|card| card.into_item(locale, ON_CARD)).collect();
    // Whatever is published under one of these answers from then on.
    let mut asked_for = vec![Tag::Property(reference.clone())];
    let capitals = reference.to_ascii_uppercase();
    if capitals != reference {
        asked_for.push(Tag::Property(capitals));
    }
    if let Some(row) = rows.property {
        let mut tags = asked_for;
        tags.push(Tag::Location(row.card.location_slug.clone()));
        let written = Tag::Property(row.card.reference.clone());
        if !tags.contains(&written) {
            tags.push(written);
        }
        let body = PropertyDetail {
            item: row.card.into_item(locale, ON_PAGE),
            description: row.description,
            terrace_area: row.terrace_area,
            year_built: row.year_built,
            floor: row.floor,
            energy: row.energy,
            annual_costs: row.annual_costs,
            locales: row.locales,
            history: rows.history,
            similar,
            sequence,
        };
        return Ok(Answer { body, sequence, tags }.into_response());
    }
    if let Some(location) = rows.last_seen_in {
        let mut tags = asked_for;
        tags.push(Tag::Location(location.slug.clone()));
        let problem = Problem::new(StatusCode::GONE, "withdrawn", "This home is no longer offered");
        let body = WithdrawnProperty { problem, reference, location, similar };
        return Ok(Gone { body, sequence, tags }.into_response());
    }
    let detail = format!("there is no property {reference}");
    Ok(Missing { detail, sequence, tags: asked_for }.into_response())
}
