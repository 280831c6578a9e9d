//! `GET /api/properties`: filters, facets, sorts and pages.

use std::collections::{BTreeMap, HashMap};

use axum::extract::{RawQuery, State};
use contracts::{
    Locale, Tag,
    content::{ListingStatus, PropertyType},
};
use runtime::problem::Problem;
use search_index::{BoundingBox, FacetCount, PropertyQuery, Sort};
use serde::Deserialize;
use utoipa::IntoParams;

use super::cards::{COLUMNS, CardRow, ON_CARD};
use crate::{
    Node,
    answer::{Answer, Fresh},
    database::{fetch, statement},
    error::ApiError,
    parameters::Parameters,
    schema::{FacetValue, Facets, PropertyList},
};

const DEFAULT_PER_PAGE: u32 = 24;
const MOST_PER_PAGE: u32 = 100;
/// The furthest item that pages reach: deeper ones are for machines, which have the sitemap.
const DEEPEST: u32 = 10_000;
const LONGEST_TEXT: usize = 200;
const MOST_EUROS: i64 = 1_000_000_000;

/// The parameters, for the document; [`parse`] reads them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the parameters, which are read one by one")]
pub(crate) struct ListParameters {
    /// The language of texts and words.
    locale: Option<Locale>,
    /// Words that must all be found.
    #[param(max_length = 200)]
    q: Option<String>,
    /// Types, any of which may hold.
    property_type: Option<Vec<PropertyType>>,
    /// Slugs of places, any of which may hold; a municipality covers its parts.
    location: Option<Vec<String>>,
    /// Statuses; all but sold where none is given.
    status: Option<Vec<ListingStatus>>,
    /// Euros at least.
    #[param(minimum = 0)]
    min_price: Option<i64>,
    /// Euros at most.
    #[param(minimum = 0)]
    max_price: Option<i64>,
    /// Bedrooms at least.
    #[param(minimum = 0, maximum = 50)]
    min_bedrooms: Option<i64>,
    /// Bathrooms at least.
    #[param(minimum = 0, maximum = 50)]
    min_bathrooms: Option<i64>,
    /// Built size at least, m².
    #[param(minimum = 0)]
    min_built: Option<i64>,
    /// Features, all of which must hold.
    features: Option<Vec<String>>,
    /// Only what is reduced, or what is not.
    reduced: Option<bool>,
    /// Only what is featured, or what is not.
    featured: Option<bool>,
    /// A map area: west,south,east,north in degrees.
    bbox: Option<String>,
    /// `newest`, `oldest`, `price-asc`, `price-desc`, `relevance`.
    sort: Option<String>,
    /// From 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// 24 where it is not given.
    #[param(minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}

#[derive(Deserialize)]
struct Rows {
    cards: Vec<CardRow>,
    names: HashMap<String, String>,
}

/// Properties for sale.
#[utoipa::path(
    get,
    path = "/api/properties",
    tag = "properties",
    params(ListParameters),
    responses(
        (status = 200, body = PropertyList),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list_properties(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<PropertyList>, ApiError> {
    let (query, page, per_page) = parse(query.as_deref())?;
    let locale = query.locale;
    let view = node.view()?;
    // Milliseconds of pure computation at the most, so off the threads that serve others.
    let found = tokio::task::spawn_blocking(move || view.search(&query)).await??;
    let references: Vec<String> = found.hits.into_iter().map(|hit| hit.reference).collect();
    let sql = format!(
        "select json_build_object(
            'cards', (select coalesce(json_agg(c), '[]') from (
                select {COLUMNS} from read.property where locale = $1 and reference = any($2)) as c),
            'names', (select coalesce(json_object_agg(slug, name), '{{}}')
                      from read.location where locale = $1))"
    );
    let asked = statement(&sql).bind(locale.code()).bind(references.clone());
    let (rows, sequence): (Rows, _) = fetch(&node.pool, asked).await?;
    let mut cards: BTreeMap<String, CardRow> =
        rows.cards.into_iter().map(|card| (card.reference.clone(), card)).collect();
    // In the index's order. One that the read models no longer have is left out: the index, which
    // reads the same log, is about to say so too.
    let items: Vec<_> = references
        .iter()
        .filter_map(|reference| cards.remove(reference))
        .map(|card| card.into_item(locale, ON_CARD))
        .collect();
    let gone = references.len() - items.len();
    let names = rows.names;
    let with_labels = |counts: Vec<FacetCount>| {
        counts
            .into_iter()
            .map(|facet| FacetValue {
                label: Some(names.get(&facet.value).unwrap_or(&facet.value).clone()),
                value: facet.value,
                count: facet.count,
            })
            .collect()
    };
    let facets = found.facets;
    let sequence = sequence.min(found.sequence);
    let body = PropertyList {
        items,
        total: found.total.saturating_sub(gone as u64),
        page,
        per_page,
        facets: Facets {
            property_type: plain(facets.property_type),
            location: with_labels(facets.location),
            status: plain(facets.status),
            features: plain(facets.features),
            bedrooms: plain(facets.bedrooms),
            bathrooms: plain(facets.bathrooms),
            reduced: facets.reduced,
            featured: facets.featured,
        },
        sequence,
    };
    Ok(Answer { body, sequence, tags: vec![Tag::PropertyList, Tag::LocationList] })
}

fn plain(counts: Vec<FacetCount>) -> Vec<FacetValue> {
    counts
        .into_iter()
        .map(|facet| FacetValue { value: facet.value, label: None, count: facet.count })
        .collect()
}

/// Reads the parameters: what is asked of the index, the page, and how many a page has.
fn parse(query: Option<&str>) -> Result<(PropertyQuery, u32, u32), ApiError> {
    let mut given = Parameters::parse(query);
    let locale = given.locale();
    let text = given.text("q", LONGEST_TEXT);
    let sort = given.one("sort", "newest, oldest, price-asc, price-desc or relevance");
    let sort = sort.map(|Named(sort)| sort);
    let page = given.number("page", &(1..=DEEPEST)).unwrap_or(1);
    let per_page = given.number("perPage", &(1..=MOST_PER_PAGE)).unwrap_or(DEFAULT_PER_PAGE);
    if page.saturating_mul(per_page) > DEEPEST {
        given.refuse("page", format!("pages reach up to item {DEEPEST}; narrow the search"));
    }
    let euros = 0..=MOST_EUROS;
    let rooms = 0..=50_i64;
    let query = PropertyQuery {
        locale,
        property_types: given.all("propertyType", "House, Apartment or Commercial"),
        locations: given.all("location", "a place's slug"),
        statuses: given.all("status", "for_sale, under_offer, sale_agreed, pending or sold"),
        min_price: given.number("minPrice", &euros),
        max_price: given.number("maxPrice", &euros),
        min_bedrooms: given.number("minBedrooms", &rooms),
        min_bathrooms: given.number("minBathrooms", &rooms),
        min_built: given.number("minBuilt", &(0..=1_000_000)),
        features: given.all("features", "a feature's name"),
        reduced: given.one("reduced", "true or false"),
        featured: given.one("featured", "true or false"),
        bounds: given.one("bbox", "west,south,east,north in degrees").map(|Area(bounds)| bounds),
        sort: sort.unwrap_or(if text.is_some() { Sort::Relevance } else { Sort::Newest }),
        text,
        offset: ((page - 1) * per_page) as usize,
        limit: per_page as usize,
    };
    given.finish()?;
    Ok((query, page, per_page))
}

struct Named(Sort);

impl std::str::FromStr for Named {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Ok(Self(match name {
            "newest" => Sort::Newest,
            "oldest" => Sort::Oldest,
            "price-asc" => Sort::PriceAscending,
            "price-desc" => Sort::PriceDescending,
            "relevance" => Sort::Relevance,
            _ => return Err(()),
        }))
    }
}

struct Area(BoundingBox);

impl std::str::FromStr for Area {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let degrees: Vec<f64> = text
            .split(',')
            .map(|part| part.trim().parse().map_err(drop))
            .collect::<Result<_, _>>()?;
        let [west, south, east, north] = degrees[..] else { return Err(()) };
        let longitudes = [west, east].iter().all(|degrees| (-180.0..=180.0).contains(degrees));
        let latitudes = [south, north].iter().all(|degrees| (-90.0..=90.0).contains(degrees));
        if longitudes && latitudes && south <= north {
            Ok(Self(BoundingBox { west, south, east, north }))
        } else {
            Err(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(query: &str) -> Vec<String> {
        match parse(Some(query)) {
            Err(ApiError::Invalid(errors)) => errors.into_iter().map(|error| error.field).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn the_names_of_the_contract_are_understood() {
        let (query, page, per_page) = parse(Some(
            "locale=es&q=piscina&propertyType=House&propertyType=Apartment&location=nerja\
             &status=for_sale&minPrice=100000&maxPrice=500000&minBedrooms=2&minBathrooms=1\
             &minBuilt=80&features=pool&features=garden&reduced=true&featured=false\
             &bbox=-4,36,-3,37&sort=price-asc&page=2&perPage=10",
        ))
        .expect("every name is of the contract");
        assert_eq!((query.locale, page, per_page), (Locale::Es, 2, 10));
        assert_eq!((query.offset, query.limit), (10, 10));
        assert_eq!(query.property_types, [PropertyType::House, PropertyType::Apartment]);
        assert_eq!(query.features, ["pool", "garden"]);
        assert_eq!(query.sort, Sort::PriceAscending);
        assert!(query.bounds.is_some_and(|bounds| bounds.contains(36.5, -3.5)));
    }

    #[test]
    fn words_are_sorted_by_relevance_unless_told_otherwise() {
        let sort = |query| parse(Some(query)).map(|(query, ..)| query.sort).ok();
        assert_eq!(sort("q=sea"), Some(Sort::Relevance));
        assert_eq!(sort("q=sea&sort=oldest"), Some(Sort::Oldest));
        assert_eq!(sort(""), Some(Sort::Newest));
    }

    #[test]
    fn bad_values_are_named() {
        for (query, field) in [
            ("propertyType=Castle", "propertyType"),
            ("sort=random", "sort"),
            ("bbox=1,2,3", "bbox"),
            ("bbox=-3,37,-4,36", "bbox"),
            ("minPrice=-1", "minPrice"),
            ("page=0", "page"),
            ("perPage=101", "perPage"),
            ("page=500&perPage=100", "page"),
            ("reduced=yes", "reduced"),
            ("colour=red", "colour"),
        ] {
            assert_eq!(refused(query), [field], "{query}");
        }
    }
}
