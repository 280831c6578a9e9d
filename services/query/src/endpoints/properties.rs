//! `GET /api/properties`: filters, facets, sorts and pages.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use contracts::Tag;
use search_index::{FacetCount, Filter, Loosened, PropertyQuery, SearchAnswer, Sort, View};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::{card_cache::CardCache, understood};
use search_parameters::{FilterParameters, Parameters, filters, parameters_of, today};

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    query_context::QueryContextCache,
    schema::{CardList, Counts, Facets, Histogram, ListPage, Loosen, PropertyAnswer, PropertyList},
};

const DEFAULT_PER_PAGE: u32 = 24;
const MAX_PER_PAGE: u32 = 100;
/// The last page that is served: only crawlers go further, and those have the sitemap.
const LAST_PAGE: u32 = 400;
/// The sort orders, by their names in URLs.
const ORDERS: [(&str, Sort); 7] = [
    ("newest", Sort::Newest),
    ("oldest", Sort::Oldest),
    ("price-asc", Sort::PriceAscending),
    ("price-desc", Sort::PriceDescending),
    ("price-per-m2", Sort::PricePerMetre),
    ("reduced", Sort::ReducedLately),
    ("relevance", Sort::Relevance),
];

/// The parameters beside the filters, for the document; [`parse`] reads them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the parameters, which are read one by one")]
pub(crate) struct PageParameters {
    /// The order. Defaults to relevance if there are words to match, else to newest first. In every
    /// order except relevance, homes come before garages, land and premises.
    sort: Option<Order>,
    /// From 1.
    #[param(minimum = 1, maximum = 400)]
    page: Option<u32>,
    /// Defaults to 24.
    #[param(minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    /// Which fields the answer has for each property: those of a card, or all of them if omitted.
    fields: Option<Fields>,
}

/// Returns a page of the properties that match the filters.
#[utoipa::path(
    get,
    path = "/api/properties",
    tag = "properties",
    params(FilterParameters, PageParameters),
    responses((status = 200, body = PropertyAnswer))
)]
pub(crate) async fn list_properties(
    State(node): State<Node>,
    _: Fresh,
    RawQuery(query): RawQuery,
) -> Result<Answer<PropertyAnswer>, ApiError> {
    let (mut query, page, per_page, fields) = parse(query.as_deref(), today())?;
    let (context, context_at) = QueryContextCache::get(&node, query.locale).await?;
    let text = query.text.clone();
    let locale = query.locale;
    let view = node.view()?;
    let narrowed = {
        let view = view.clone();
        move || {
            understood::narrow(&context, &view, &mut query).map(|interpreted| (interpreted, query))
        }
    };
    // Interpreting text may take a while. Without text there is no need to wait for a permit.
    let (mut interpreted, mut query) =
        if text.is_some() { node.compute("understand", narrowed).await?? } else { narrowed()? };
    let mut found = search(&node, &view, &query).await?;
    if let (0, Some(text)) = (found.total, text) {
        node.diagnostics.record_empty_search(&text, locale);
    }
    let only_words_fail = found.loosen.iter().any(|loosened| loosened.filter == Filter::Words);
    if only_words_fail && interpreted.drop_words(&mut query) {
        found = search(&node, &view, &query).await?;
    }
    let references: Vec<String> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
    let (cards, sequence) = CardCache::get(&node, locale, &references).await?;
    // Homes that the read models no longer have. The index reads the same log, and is about to drop them too.
    let gone = references.len() - cards.len();
    let facets = &found.facets;
    let sequence = sequence.min(found.sequence).min(context_at);
    let page = ListPage {
        total: found.total.saturating_sub(gone as u64),
        page,
        per_page,
        facets: Facets {
            property_type: counts(&facets.property_type),
            kind: counts(&facets.kind),
            location: counts(&facets.location),
            status: counts(&facets.status),
            features: counts(&facets.features),
            bedrooms: counts(&facets.bedrooms),
            bathrooms: counts(&facets.bathrooms),
            energy: counts(&facets.energy),
            new_within: counts(&facets.listed_within),
            reduced: facets.reduced,
            featured: facets.featured,
            new_build: facets.new_build,
            price: histogram(&facets.price),
            built_area: histogram(&facets.built_area),
            plot_area: histogram(&facets.plot_area),
        },
        loosen: loosen(&found.loosen, &query),
        words: query.text.unwrap_or_default(),
        understood: interpreted.parts,
        left_out: interpreted.left_out,
        ruled_out: interpreted.ruled_out,
        sequence,
    };
    let body = match fields {
        None => {
            let items = cards.iter().map(|card| Arc::clone(&card.item_json)).collect();
            PropertyAnswer::Whole(PropertyList { items, page })
        }
        Some(Fields::Card) => {
            let items = cards.iter().map(|card| Arc::clone(&card.card_json)).collect();
            PropertyAnswer::Cards(CardList { items, page })
        }
    };
    Ok(Answer {
        body,
        sequence,
        tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Site, Tag::Day],
    })
}

/// Returns the results of `query` in `view`, from the cache of the view if it was run before.
async fn search(
    node: &Node,
    view: &View,
    query: &PropertyQuery,
) -> Result<Arc<SearchAnswer>, ApiError> {
    if let Some(found) = view.cached_answer(query) {
        return Ok(found);
    }
    let (view, query) = (view.clone(), query.clone());
    Ok(node.compute("search", move || view.search(&query)).await??)
}

fn counts(facet: &[FacetCount]) -> Counts {
    Counts(facet.iter().map(|choice| (choice.value.clone(), choice.count)).collect())
}

fn histogram(histogram: &search_index::Histogram) -> Histogram {
    let (from, counts) = histogram.buckets.iter().map(|bar| (bar.from, bar.count)).unzip();
    Histogram { from, counts }
}

fn loosen(loosened: &[Loosened], query: &PropertyQuery) -> Vec<Loosen> {
    loosened
        .iter()
        .map(|found| Loosen { parameters: parameters_of(found.filter, query), count: found.count })
        .collect()
}

/// Parses the parameters into the query of the index for the day `today`, the page number, the page size and
/// the fields.
fn parse(
    query: Option<&str>,
    today: i64,
) -> Result<(PropertyQuery, u32, u32, Option<Fields>), ApiError> {
    let mut given = Parameters::parse(query);
    let filters = filters(&mut given, today);
    let sort = given
        .one("sort", "newest, oldest, price-asc, price-desc, price-per-m2, reduced or relevance");
    let sort = sort.map(|Order(sort)| sort);
    let page = given.number("page", &(1..=LAST_PAGE)).unwrap_or(1);
    let per_page = given.number("perPage", &(1..=MAX_PER_PAGE)).unwrap_or(DEFAULT_PER_PAGE);
    let fields = given.one("fields", "card");
    given.finish()?;
    let has_words = filters.text.is_some();
    let query = PropertyQuery {
        sort: sort.unwrap_or(if has_words { Sort::Relevance } else { Sort::Newest }),
        offset: ((page - 1) * per_page) as usize,
        limit: per_page as usize,
        ..filters
    };
    Ok((query, page, per_page, fields))
}

/// An order by its name.
pub(crate) struct Order(Sort);

impl std::str::FromStr for Order {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        ORDERS.into_iter().find(|(name, _)| *name == text).map(|(_, sort)| Self(sort)).ok_or(())
    }
}

impl PartialSchema for Order {
    fn schema() -> RefOr<Schema> {
        let names = ORDERS.map(|(name, _)| name);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

impl ToSchema for Order {}

/// Which fields a list has for each property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum Fields {
    Card,
}

impl std::str::FromStr for Fields {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "card" { Ok(Self::Card) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(query: &str) -> Vec<String> {
        match parse(Some(query), 0) {
            Err(ApiError::Invalid(errors)) => errors.into_iter().map(|error| error.field).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_page_becomes_an_offset_and_a_limit() {
        let (query, page, per_page, _) =
            parse(Some("sort=price-asc&page=2&perPage=10&minPrice=5"), 0)
                .expect("valid parameters");
        assert_eq!((page, per_page), (2, 10));
        assert_eq!((query.offset, query.limit), (10, 10));
        assert_eq!((query.sort, query.min_price), (Sort::PriceAscending, Some(5)));
    }

    #[test]
    fn words_are_sorted_by_relevance_by_default() {
        let sort = |query| parse(Some(query), 0).map(|(query, ..)| query.sort).ok();
        assert_eq!(sort("q=sea"), Some(Sort::Relevance));
        assert_eq!(sort("q=sea&sort=oldest"), Some(Sort::Oldest));
        assert_eq!(sort("sort=price-per-m2"), Some(Sort::PricePerMetre));
        assert_eq!(sort("sort=reduced"), Some(Sort::ReducedLately));
        assert_eq!(sort(""), Some(Sort::Newest));
    }

    #[test]
    fn all_fields_are_returned_by_default() {
        let fields = |query| parse(Some(query), 0).map(|(.., fields)| fields).ok();
        assert_eq!(fields("q=sea"), Some(None));
        assert_eq!(fields("q=sea&fields=card"), Some(Some(Fields::Card)));
    }

    #[test]
    fn errors_name_the_invalid_parameter() {
        for (query, field) in [
            ("sort=random", "sort"),
            ("page=0", "page"),
            ("perPage=101", "perPage"),
            ("page=401", "page"),
            ("sort=", "sort"),
            ("fields=other", "fields"),
            ("fields=Card", "fields"),
            ("colour=red", "colour"),
        ] {
            assert_eq!(refused(query), [field], "{query}");
        }
    }
}
