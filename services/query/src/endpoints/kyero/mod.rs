//! `GET /feeds/kyero.xml`: the homes for sale, in the format in which Spanish agencies feed portals.

mod document;

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::{RawQuery, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use contracts::{Sequence, Tag, content::ListingStatus};
use futures::{StreamExt, TryStreamExt, stream};
use read_models::PropertyRow;
use runtime::{
    error_text,
    problem::{FieldError, Problem},
};
use search_index::PropertyQuery;
use search_parameters::{FilterParameters, Parameters, filters, today};
use sqlx::{query, types::Json};

use self::document::{ENDING, Home, OPENING, Spanish};
use super::understood;
use crate::{
    Node,
    answer::{Fresh, with_common_headers},
    error::{ApiError, Error},
    query_context::QueryContextCache,
    spans::read_rows,
};

/// The maximum number of homes in one feed. A bigger agency gives a portal several feeds, each with its
/// filters.
const MAX_HOMES: usize = 10_000;
/// How many homes one statement reads. No connection is held between statements, however slowly a portal
/// reads.
const BATCH: usize = 200;
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// Returns homes for sale as a Kyero v3 feed, the format that property portals import.
///
/// The filters are those of the list, so each portal can have its own selection. The feed is always
/// complete, because portals delete what it lacks. It omits sold homes and those with a price on
/// request, because the format can express neither. The province is that of the agency; without it
/// there is no feed, because portals need one.
#[utoipa::path(
    get,
    path = "/feeds/kyero.xml",
    tag = "feeds",
    params(FilterParameters),
    responses((status = 200, body = String, content_type = "application/xml"))
)]
pub(crate) async fn kyero(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let mut query = parse(query.as_deref(), today())?;
    if !is_complete(&node) {
        let detail = "what is read now may lack homes, which portals would delete";
        return Ok(Problem::unavailable(detail, RETRY_AFTER).into_response());
    }
    // A home that only the index or only the read models have, or under another reference, would be missing.
    let furthest = (*node.indexed.borrow()).max(*node.projected.borrow());
    node.wait_for(furthest).await?;
    let (context, context_at) = QueryContextCache::get(&node, query.locale).await?;
    if context_at < furthest {
        return Err(ApiError::Behind);
    }
    // Words are not dropped: a portal must not get homes outside its filters.
    let view = node.view()?;
    let interpreted = understood::narrow(&context, &view, &mut query)?;
    if !interpreted.ruled_out.is_empty() {
        let expected =
            format!("words that filters can express, unlike “{}”", interpreted.ruled_out);
        return Err(ApiError::Invalid(vec![FieldError::new("q", expected)]));
    }
    let found = node.compute("search", move || view.search(&query)).await??;
    if found.hits.len() > MAX_HOMES {
        return Err(ApiError::Invalid(vec![too_many(found.total)]));
    }
    let references: Vec<String> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
    let mut batches =
        references.chunks(BATCH).map(<[String]>::to_vec).collect::<Vec<_>>().into_iter();
    // The first batch is read before anything is sent, so that a failure can still be answered with an error.
    let (first, read_at) = homes(&node, batches.next().unwrap_or_default(), furthest).await?;
    let rest = stream::iter(batches).then(move |batch| {
        let node = node.clone();
        async move { homes(&node, batch, furthest).await.map(|(homes, _)| Bytes::from(homes)) }
    });
    // After a failure the response is aborted without its end; portals ignore an incomplete file.
    let rest = rest
        .inspect_err(|error| tracing::error!(error = error_text(error), "a feed was interrupted"));
    let whole = stream::iter([Ok(Bytes::from_static(OPENING.as_bytes())), Ok(Bytes::from(first))])
        .chain(rest)
        .chain(stream::iter([Ok(Bytes::from_static(ENDING.as_bytes()))]));
    let mut response = Body::from_stream(whole).into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/xml; charset=utf-8"));
    let sequence = found.sequence.min(read_at).min(context_at);
    Ok(with_common_headers(
        response,
        sequence,
        &[Tag::PropertyList, Tag::LocationList, Tag::Site, Tag::Day],
    ))
}

/// Returns whether the node has everything that is published: all its checks pass, and its log is complete.
fn is_complete(node: &Node) -> bool {
    let lineage = node.lineage.borrow();
    node.health.failing().is_empty() && lineage.as_ref().is_some_and(|lineage| lineage.complete)
}

/// Returns the refusal of a feed of `total` homes. It is about the filters together.
fn too_many(total: u64) -> FieldError {
    let expected = format!("filters that at most {MAX_HOMES} homes match, instead of {total}");
    FieldError::new("query", expected)
}

/// Parses the filters into the query of the index for the day `today`.
fn parse(query: Option<&str>, today: i64) -> Result<PropertyQuery, ApiError> {
    let mut given = Parameters::parse(query);
    let mut query = filters(&mut given, today);
    given.finish()?;
    if query.statuses.is_empty() {
        query.statuses = vec![ListingStatus::ForSale];
    }
    // One more than allowed, to detect too many.
    query.limit = MAX_HOMES + 1;
    Ok(query)
}

/// Returns the homes with the `references` as XML, in their order, and the position they were read at, which
/// is at least `min`. A home whose reference has changed meanwhile is found by its former offers.
async fn homes(
    node: &Node,
    references: Vec<String>,
    min: Sequence,
) -> Result<(String, Sequence), Error> {
    let statement = query!(
        r#"with called as materialized (
               select asked.reference, asked.place, present.key
               from unnest($1::text[]) with ordinality as asked (reference, place)
               left join read.property as present
                   on present.locale = 'en' and present.reference = asked.reference
           ), wanted as materialized (
               select coalesce(called.key, last.key) as key, min(called.place) as place
               from called
               left join lateral (
                   select o.key from read.offer as o
                   where called.key is null and o.reference = called.reference
                   order by o.changed_at desc limit 1) as last on true
               group by 1
           )
           select
               (select sequence from read.checkpoint where live) as "sequence!",
               (select settings ->> 'province' from read.site_settings
                where locale = 'en' limit 1) as province,
               array(select to_jsonb(english)
                     from wanted
                     join read.property as english
                         on english.key = wanted.key and english.locale = 'en'
                     order by wanted.place
                    ) as "homes!: Vec<Json<PropertyRow>>",
               array(select jsonb_build_object(
                         'key', spanish.key, 'title', spanish.title,
                         'description', spanish.description)
                     from wanted
                     join read.property as spanish
                         on spanish.key = wanted.key and spanish.locale = 'es'
                     where 'es' = any(spanish.locales)
                    ) as "spanish!: Vec<Json<Spanish>>""#,
        &references,
    );
    let row = read_rows("SELECT read.property", statement.fetch_one(&node.pool)).await?;
    let read_at = Sequence::from_i64(row.sequence);
    if read_at < min {
        return Err(Error::LaggingServer);
    }
    let province = row.province.ok_or(Error::NoProvince)?;
    let homes = row.homes.iter().filter_map(|Json(home)| {
        let spanish = row.spanish.iter().find(|Json(spanish)| spanish.key == home.card.key);
        Home::of(home, spanish.map(|Json(spanish)| spanish), &province, &node.origin)
    });
    let xml = homes.map(|home| home.xml()).collect::<Result<String, _>>()?;
    Ok((xml, read_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_has_homes_for_sale_unless_the_filters_name_a_status() {
        assert_eq!(parse(None, 0).expect("all").statuses, [ListingStatus::ForSale]);
        let offers = parse(Some("status=for_sale&status=under_offer"), 0).expect("these");
        assert_eq!(offers.statuses, [ListingStatus::ForSale, ListingStatus::UnderOffer]);
        let Err(ApiError::Invalid(refused)) = parse(Some("page=2&minPrice=x"), 0) else {
            panic!("a feed has no pages");
        };
        let fields: Vec<&str> = refused.iter().map(|error| &*error.field).collect();
        assert_eq!(fields, ["minPrice", "page"]);
    }

    #[test]
    fn a_feed_with_too_many_homes_is_refused_by_its_filters() {
        let refusal = too_many(12_000);
        assert_eq!(refusal.field, "query");
        assert!(refusal.detail.contains("10000") && refusal.detail.contains("12000"));
    }
}
