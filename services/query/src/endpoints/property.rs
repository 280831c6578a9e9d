//! `GET /api/properties/{ref}`: all of one property, and homes like it.

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use contracts::{Locale, Reference, Sequence, Tag};
use read_models::{PropertyCard, PropertyRow};
use runtime::{postgres::answered, problem::Problem};
use sqlx::{query, types::Json};

use search_parameters::Parameters;

use crate::{
    Node,
    answer::{Answer, Fresh, Gone, Missing},
    error::ApiError,
    path_part::PathPart,
    schema::{CardItem, LocationName, ON_CARD, Offer, PropertyDetail, WithdrawnProperty, item},
};

/// How many homes like it are shown.
const SIMILAR: i64 = 6;

/// One property, by its reference or a former one, which the answer then differs from.
#[utoipa::path(
    get,
    path = "/api/properties/{ref}",
    tag = "properties",
    params(
        ("ref" = Reference, Path, example = "AH-1002", description = "The agency's reference"),
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
    PathPart(reference): PathPart,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    if !Reference::is(&reference) {
        given.refuse("ref", Reference::WORDS);
    }
    given.finish()?;
    // A reference or a former one, in its letters or else in capitals, as most are written; where the
    // home is gone, the last that is known of it. Its history: what it was first offered at, and each
    // change. Homes like it: of the same place, the nearest in price first; what has no price, last.
    let asked = query!(
        r#"with known as materialized (
               select coalesce(
                   (select key from read.property where locale = $1 and reference in ($2, upper($2))
                    order by reference = $2 desc limit 1),
                   (select key from read.offer where reference in ($2, upper($2))
                    order by reference = $2 desc, changed_at desc limit 1)
               ) as key
           ), last as materialized (
               select o.location_slug as place, o.property_type as kind_of_home, o.price as asked
               from read.offer as o join known using (key) order by o.version desc limit 1
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(p) from read.property as p join known using (key)
                where p.locale = $1) as "property: Json<PropertyRow>",
               (select jsonb_build_object('slug', last.place, 'name', coalesce(l.name, last.place))
                from last left join read.location as l
                    on l.slug = last.place and l.locale = $1) as "last_seen_in: Json<LocationName>",
               array(select jsonb_build_object(
                         'at', h.changed_at, 'price', h.price, 'status', h.status)
                     from (
                         select version, changed_at, price, status,
                                row_number() over w = 1
                                or price is distinct from lag(price) over w
                                or status is distinct from lag(status) over w as new
                         from read.offer join known using (key) window w as (order by version)
                     ) as h where h.new order by h.version) as "history!: Vec<Json<Offer>>",
               array(select to_jsonb(c)
                     from (
                         select p.key, p.property_type <> last.kind_of_home as of_another_type,
                                p.status <> 'for_sale' as taken,
                                abs(p.price - last.asked) as price_apart
                         from read.property as p cross join last
                         where p.locale = $1 and p.status <> 'sold'
                           and p.location_slug = last.place
                           and p.key <> (select key from known)
                         order by 2, 3, 4 nulls last, p.reference
                         limit $3
                     ) as nearest join read.property_card as c using (key)
                     where c.locale = $1
                     order by of_another_type, taken, price_apart nulls last, c.reference
                    ) as "similar!: Vec<Json<PropertyCard>>""#,
        locale.code(),
        reference,
        SIMILAR,
    );
    let found = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(found.sequence);
    let cards = found.similar.into_iter().map(|Json(card)| item(card, ON_CARD));
    let similar = cards.map(|item| CardItem::of(item, locale)).collect();
    // Whatever is published under one of these answers from then on.
    let mut asked_for = vec![Tag::Property(reference.clone())];
    let capitals = reference.to_ascii_uppercase();
    if capitals != reference {
        asked_for.push(Tag::Property(capitals));
    }
    if let Some(Json(row)) = found.property {
        let mut tags = asked_for;
        tags.push(Tag::Location(row.card.location_slug.clone()));
        let written = Tag::Property(row.card.reference.clone());
        if !tags.contains(&written) {
            tags.push(written);
        }
        let history = found.history.into_iter().map(|Json(offer)| offer).collect();
        let body = PropertyDetail::of(row, history, similar, sequence);
        return Ok(Answer { body, sequence, tags }.into_response());
    }
    if let Some(Json(location)) = found.last_seen_in {
        let mut tags = asked_for;
        tags.push(Tag::Location(location.slug.clone()));
        let problem = Problem::new(StatusCode::GONE, "withdrawn", "This home is no longer offered");
        let body = WithdrawnProperty { problem, reference, location, similar };
        return Ok(Gone { body, sequence, tags }.into_response());
    }
    let detail = format!("there is no property {reference}");
    Ok(Missing { detail, sequence, tags: asked_for }.into_response())
}
