//! `GET /api/properties/{ref}`: all of one property, and homes like it.

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use contracts::{
    Locale, Reference, Sequence, Tag,
    content::{KindFamily, PropertyKind, PropertyType},
};
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
    let locale = locale_for(&reference, query.as_deref())?;
    // A reference or a former one, in its letters or else in capitals, as most are written; where the
    // home is gone, the last that is known of it. Its history: what it was first offered at, and each
    // change. Homes like it: of its family, in the same place and its parts; of a new build new builds
    // first, then those of its type, the nearest in price first; what has no price, last. Of what is
    // gone and was no home to live in, no family is known.
    let (kinds, families) = families();
    let asked = query!(
        r#"with known as materialized (
               select coalesce(
                   (select key from read.property where locale = $1 and reference in ($2, upper($2))
                    order by reference = $2 desc limit 1),
                   (select key from read.offer where reference in ($2, upper($2))
                    order by reference = $2 desc, changed_at desc limit 1)
               ) as key
           ), families as materialized (
               select * from unnest($3::text[], $4::text[]) as f(kind, family)
           ), last as materialized (
               select o.location_slug as place, o.property_type as kind_of_home, o.price as asked,
                      coalesce(p.new_build, false) as new_build,
                      coalesce(f.family, case when o.property_type <> $5 then $6 end) as family
               from read.offer as o join known using (key)
               left join read.property as p on p.key = o.key and p.locale = $1
               left join families as f on f.kind = p.kind
               order by o.version desc limit 1
           ), places as materialized (
               select place as slug from last
               union
               select l.slug from last join read.location as l
                   on l.locale = $1 and last.place = any(l.ancestors)
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
                         select p.key, last.new_build and not p.new_build as lived_in,
                                p.property_type <> last.kind_of_home as of_another_type,
                                p.status <> 'for_sale' as taken,
                                abs(p.price - last.asked) as price_apart
                         from last cross join places
                         join read.property as p
                             on p.location_slug = places.slug and p.locale = $1
                         join families as f on f.kind = p.kind and f.family = last.family
                         where p.status <> 'sold' and p.key <> (select key from known)
                         order by 2, 3, 4, 5 nulls last, p.reference
                         limit $7
                     ) as nearest join read.property_card as c using (key)
                     where c.locale = $1
                     order by lived_in, of_another_type, taken, price_apart nulls last, c.reference
                    ) as "similar!: Vec<Json<PropertyCard>>""#,
        locale.code(),
        reference,
        &kinds as &[&str],
        &families as &[&str],
        PropertyType::Commercial.name(),
        KindFamily::Home.name(),
        SIMILAR,
    );
    let found = answered(asked.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(found.sequence);
    let cards = found.similar.into_iter().map(|Json(card)| item(card, ON_CARD));
    let similar = cards.map(|item| CardItem::of(item, locale)).collect();
    let asked_for = asked_for(&reference);
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

/// The language that `query` asks for of the home called `reference`, or what is wrong with either.
pub(super) fn locale_for(reference: &str, query: Option<&str>) -> Result<Locale, ApiError> {
    let mut given = Parameters::parse(query);
    let locale = given.locale();
    if !Reference::is(reference) {
        given.refuse("ref", Reference::WORDS);
    }
    given.finish()?;
    Ok(locale)
}

/// The tags of what is found by `reference`: whatever is published under one of them answers from then on.
pub(super) fn asked_for(reference: &str) -> Vec<Tag> {
    let capitals = reference.to_ascii_uppercase();
    let is_written_so = capitals == reference;
    let mut tags = vec![Tag::Property(reference.to_owned())];
    tags.extend((!is_written_so).then_some(Tag::Property(capitals)));
    tags
}

/// The names of every kind, and of the family that each belongs to.
fn families() -> (Vec<&'static str>, Vec<&'static str>) {
    PropertyKind::ALL.iter().map(|kind| (kind.name(), kind.family().name())).unzip()
}
