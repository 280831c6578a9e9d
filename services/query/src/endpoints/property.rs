//! `GET /api/properties/{ref}`: the details of one property, and similar homes.

use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use contracts::{
    Locale, Reference, Sequence, Tag, advertised_prices,
    content::{KindFamily, PropertyKind, PropertyType},
};
use read_models::{PropertyCard, PropertyRow};
use runtime::problem::Problem;
use search_index::SimilarityCriteria;
use serde::Deserialize;
use sqlx::{query, types::Json};

use super::card_cache::CardCache;
use crate::{
    Node,
    addressed::Addressed,
    answer::{Answer, Fresh, Gone, Missing},
    error::ApiError,
    schema::{CardItem, LocationName, Offer, PropertyDetail, WithdrawnProperty},
    spans::read_rows,
};

/// The maximum number of similar homes.
const MAX_SIMILAR: usize = 6;

/// Returns a property by its current or a former reference. For a former one, the answer has the
/// current reference.
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
    Addressed { address: reference, locale }: Addressed<Reference>,
) -> Result<Response, ApiError> {
    // Finds a current or former reference, exactly as given or else in capitals, as most are written. If the
    // home is gone, the last offer is all that is known of it. The history has the first offer and each
    // change under the same reference: under another one it may be another home (see `Reduction::of`).
    let statement = query!(
        r#"with known as materialized (
               select coalesce(
                   (select key from read.property where locale = $1 and reference in ($2, upper($2))
                    order by reference = $2 desc limit 1),
                   (select key from read.offer where reference in ($2, upper($2))
                    order by reference = $2 desc, changed_at desc limit 1)
               ) as key
           ), last as materialized (
               select reference, location_slug as place, property_type, price
               from read.offer join known using (key) order by version desc limit 1
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select to_jsonb(p) from read.property as p join known using (key)
                where p.locale = $1) as "property: Json<PropertyRow>",
               (select jsonb_build_object(
                    'location', jsonb_build_object(
                        'slug', last.place, 'name', coalesce(l.name, last.place)),
                    'is_gone', l.slug is null)
                from last left join read.location as l
                    on l.slug = last.place and l.locale = $1
                limit 1) as "last_seen_in: Json<LastPlace>",
               array(select jsonb_build_object(
                         'at', h.changed_at, 'price', h.price, 'status', h.status)
                     from (
                         select version, changed_at, price, status,
                                row_number() over w = 1
                                or price is distinct from lag(price) over w
                                or status is distinct from lag(status) over w as new
                         from read.offer join known using (key)
                         where reference = (select last.reference from last)
                         window w as (order by version)
                     ) as h where h.new order by h.version) as "history!: Vec<Json<Offer>>",
               (select to_jsonb(last) from last) as "last: Json<LastOffer>""#,
        locale.code(),
        reference.as_str(),
    );
    let found =
        read_rows("SELECT read.property read.offer", statement.fetch_one(&node.pool)).await?;
    let like = found
        .last
        .and_then(|Json(last)| likeness(last, found.property.as_ref().map(|Json(row)| &row.card)));
    let (similar, similar_at) = similar(&node, locale, like).await?;
    let sequence = Sequence::from_i64(found.sequence).min(similar_at);
    let mut tags = reference_tags(&reference);
    if let Some(Json(row)) = found.property {
        tags.push(Tag::Location(row.card.location_slug.clone()));
        let written = Tag::Property(row.card.reference.clone());
        if !tags.contains(&written) {
            tags.push(written);
        }
        let history =
            without_price_errors(found.history.into_iter().map(|Json(offer)| offer).collect());
        let body = PropertyDetail::of(row, history, similar, sequence);
        return Ok(Answer { body, sequence, tags }.into_response());
    }
    if let Some(Json(LastPlace { location, is_gone: place_gone })) = found.last_seen_in {
        // If the place is published again, its name changes in this answer.
        tags.push(Tag::Location(location.slug.clone()));
        let problem = Problem::new(StatusCode::GONE, "withdrawn", "This home is no longer offered");
        let reference = reference.to_string();
        let body = WithdrawnProperty { problem, reference, location, place_gone, similar };
        return Ok(Gone { body, sequence, tags }.into_response());
    }
    let detail = format!("there is no property {reference}");
    Ok(Missing { detail, sequence, tags }.into_response())
}

/// Removes the offers with a mistyped price, as recognised by [`advertised_prices`], from `history`.
fn without_price_errors(mut history: Vec<Offer>) -> Vec<Offer> {
    let offered = history.iter().filter_map(|offer| Some((offer.price?, offer.at)));
    let asked = advertised_prices(offered);
    let asked_at = |moment| asked.iter().rfind(|(_, since)| *since <= moment);
    history.retain(|offer| {
        offer.price.is_none_or(|price| asked_at(offer.at).is_some_and(|(asked, _)| *asked == price))
    });
    history.dedup_by(|next, last| (next.price, next.status) == (last.price, last.status));
    history
}

/// The place where a home was last offered.
#[derive(Debug, Deserialize)]
struct LastPlace {
    location: LocationName,
    /// Whether the place is no longer on the site.
    is_gone: bool,
}

/// The last offer of a home.
#[derive(Debug, Deserialize)]
struct LastOffer {
    place: String,
    property_type: PropertyType,
    price: Option<i64>,
}

/// Returns the criteria for homes similar to the one last offered as `last`, whose current card is `card`.
/// None if the property is gone and was no home: then its kind is not known.
fn likeness(last: LastOffer, card: Option<&PropertyCard>) -> Option<SimilarityCriteria> {
    let family = match card {
        Some(card) => card.kind.family(),
        None if last.property_type.is_home() => KindFamily::Home,
        None => return None,
    };
    let kinds = PropertyKind::ALL.iter().copied().filter(|kind| kind.family() == family);
    Some(SimilarityCriteria {
        reference: card.map(|card| card.reference.clone()),
        location: last.place,
        kinds: kinds.collect(),
        property_type: last.property_type,
        new_build: card.is_some_and(|card| card.new_build),
        price: last.price,
    })
}

/// Returns the cards of similar homes, and a position that they are at least as new as.
async fn similar(
    node: &Node,
    locale: Locale,
    like: Option<SimilarityCriteria>,
) -> Result<(Vec<CardItem>, Sequence), ApiError> {
    let Some(like) = like else { return Ok((Vec::new(), Sequence::LAST)) };
    let view = node.view()?;
    let found_at = view.sequence();
    let hits = node.compute("similar", move || view.similar(&like, MAX_SIMILAR)).await?;
    let references: Vec<String> = hits.into_iter().map(|hit| hit.reference).collect();
    let (cards, read_at) = CardCache::get(node, locale, &references).await?;
    let similar = cards.iter().map(|card| CardItem::of(card.item.clone(), locale)).collect();
    Ok((similar, found_at.min(read_at)))
}

/// Returns the tags of every property that an answer for `reference` may be of: publishing one of them
/// changes the answer.
pub(super) fn reference_tags(reference: &Reference) -> Vec<Tag> {
    let reference = reference.as_str();
    let capitals = reference.to_ascii_uppercase();
    let is_in_capitals = capitals == reference;
    let mut tags = vec![Tag::Property(reference.to_owned())];
    tags.extend((!is_in_capitals).then_some(Tag::Property(capitals)));
    tags
}
