//! `GET /api/properties/{ref}/comparable`: the asking prices of homes comparable to one.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{Months, Utc};
use contracts::{
    Locale, Reference, Sequence, Tag,
    content::{ListingStatus, PropertyKind},
};
use runtime::problem::Problem;
use sqlx::{query, types::Json};

use super::{MIN_FOR_A_MEDIAN, property::reference_tags};
use crate::{
    Node,
    addressed::Addressed,
    answer::{Answer, Fresh, Missing},
    error::ApiError,
    schema::{ComparableHomes, ComparablePrices},
    spans::read_rows,
};

/// How long after its sale the last asking price of a home is still meaningful.
const SOLD_WITHIN: Months = Months::new(24);

/// Returns statistics of the asking prices of homes comparable to a given one.
///
/// Flats are compared with flats and houses with houses, if their built areas differ by at most
/// 30%. They are in the same place or its parts or, if those are fewer than five, in the place that
/// it is part of. For sold homes, the last asking price counts, if the sale is in the log.
#[utoipa::path(
    get,
    path = "/api/properties/{ref}/comparable",
    tag = "properties",
    params(
        ("ref" = Reference, Path, example = "AH-1002", description = "The agency's reference"),
        ("locale" = Option<Locale>, Query, description = "The language of the place's name"),
    ),
    responses(
        (status = 200, body = ComparablePrices),
        (status = 404, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn comparable(
    State(node): State<Node>,
    _: Fresh,
    Addressed { address: reference, locale }: Addressed<Reference>,
) -> Result<Response, ApiError> {
    let now = Utc::now();
    let sold_since = now.checked_sub_months(SOLD_WITHIN).unwrap_or(now);
    // Step 1 is the home's own place, step 2 the place that this one is part of.
    let statement = query!(
        r#"with home as materialized (
               select key, reference, location_slug, property_type, kind, status, price, built_area
               from read.property
               where locale = $1 and reference in ($2, upper($2)) order by reference = $2 desc limit 1
           ), around as materialized (
               select 1 as step, location_slug as place from home
               union all
               select 2, l.ancestors[1] from home join read.location as l
                   on l.locale = $1 and l.slug = home.location_slug and l.ancestors[1] is not null
           ), spots as materialized (
               select step, place, place as slug from around
               union
               select step, place, l.slug from around join read.location as l
                   on l.locale = $1 and place = any(l.ancestors)
           ), offered as materialized (
               select step, place,
                      p.status = $3 as sold,
                      case when p.status <> $3 then p.price else (
                          select o.price from read.offer as o
                          where o.key = p.key and o.reference = p.reference
                            and o.status <> $3 and o.price is not null
                          order by o.version desc limit 1) end as price
               from home cross join spots
               join read.property as p on p.location_slug = spots.slug and p.locale = $1
               where home.price is not null and home.status <> $3 and home.kind = any($4)
                 and p.key <> home.key and p.kind = any($4) and p.property_type = home.property_type
                 and p.built_area * 10 between home.built_area * 7 and home.built_area * 13
                 and (p.status <> $3 or $5 <= (
                     select min(o.changed_at) from read.offer as o
                     where o.key = p.key and o.reference = p.reference
                       and o.status = $3 and o.version > (
                         select max(version) from read.offer
                         where key = p.key and reference = p.reference and status <> $3)))
           ), compared as (
               select step, place, count(*) as homes, count(*) filter (where sold) as sold,
                      min(price) as lowest, max(price) as highest,
                      round((percentile_cont(0.5) within group (order by price))::numeric) as median
               from offered where price is not null
               group by step, place having count(*) >= $6
               order by step limit 1
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select reference from home) as reference,
               array(select place from around order by step) as "around!",
               (select jsonb_build_object(
                           'location', jsonb_build_object('slug', place, 'name', coalesce(l.name, place)),
                           'propertyType', home.property_type, 'price', home.price,
                           'homes', homes, 'sold', sold,
                           'lowest', lowest, 'highest', highest, 'median', median,
                           'leastArea', ceil(home.built_area * 0.7),
                           'mostArea', floor(home.built_area * 1.3),
                           'soldSince', $5::timestamptz)
                from compared cross join home
                left join read.location as l on l.slug = place and l.locale = $1
                limit 1) as "homes: Json<ComparableHomes>""#,
        locale.code(),
        reference.as_str(),
        ListingStatus::Sold.name(),
        &PropertyKind::residential_names() as &[&str],
        sold_since,
        i64::from(MIN_FOR_A_MEDIAN),
    );
    let found =
        read_rows("SELECT read.property read.offer", statement.fetch_one(&node.pool)).await?;
    let sequence = Sequence::from_i64(found.sequence);
    let mut tags = reference_tags(&reference);
    let Some(written) = found.reference else {
        let detail = format!("there is no property {reference}");
        return Ok(Missing { detail, sequence, tags }.into_response());
    };
    if !tags.contains(&Tag::Property(written.clone())) {
        tags.push(Tag::Property(written));
    }
    let homes = found.homes.map(|Json(homes)| homes);
    // Only the places that were used: with enough homes in the own place, the outer one does not matter.
    for place in found.around {
        let has_enough = homes.as_ref().is_some_and(|homes| homes.location.slug == place);
        tags.push(Tag::Location(place));
        if has_enough {
            break;
        }
    }
    tags.push(Tag::Day);
    let body = ComparablePrices { homes, sequence };
    Ok(Answer { body, sequence, tags }.into_response())
}
