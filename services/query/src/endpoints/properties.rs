//! `GET /api/properties`: filters, facets, sorts and pages.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use contracts::Tag;
use search_index::{FacetCount, Filter, Loosened, PropertyQuery, SearchAnswer, Sort, View};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use super::{kept_cards::KeptCards, understood};
use search_parameters::{FilterParameters, Parameters, filters, parameters_of, today};

use crate::{
    Node,
    answer::{Answer, Fresh},
    error::ApiError,
    places::Places,
    schema::{CardList, Counts, Facets, Histogram, ListPage, Loosen, PropertyAnswer, PropertyList},
};

const DEFAULT_PER_PAGE: u32 = 24;
const MAX_PER_PAGE: u32 = 100;
/// The last page that is answered: deeper ones are for machines, which have the sitemap.
const LAST_PAGE: u32 = 400;
/// The orders by the names that addresses give them.
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
    /// The order: where it is not given by relevance if there are words, else the newest first. In
    /// every one but that by relevance, homes come before garages, land and premises.
    sort: Option<Order>,
    /// From 1.
    #[param(minimum = 1, maximum = 400)]
    page: Option<u32>,
    /// 24 where it is not given.
    #[param(minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    /// What to tell of each home: what a card shows of it, or everything where it is not given.
    fields: Option<Fields>,
}

/// Properties for sale.
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
    let (known, known_at) = Places::of(&node, query.locale).await?;
    let text = query.text.clone();
    let locale = query.locale;
    let view = node.view()?;
    let narrowed = {
        let view = view.clone();
        move || understood::narrow(&known, &view, &mut query).map(|typed| (typed, query))
    };
    // What is typed may take a while to be understood; without it nothing has to wait for a place.
    let (mut typed, mut query) =
        if text.is_some() { node.compute(narrowed).await?? } else { narrowed()? };
    let mut found = search(&node, &view, &query).await?;
    if let (0, Some(text)) = (found.total, text) {
        node.watched.found_nothing(&text, locale);
    }
    let only_words_fail = found.loosen.iter().any(|loosened| loosened.filter == Filter::Words);
    if only_words_fail && typed.leave_words_out(&mut query) {
        found = search(&node, &view, &query).await?;
    }
    let references: Vec<String> = found.hits.iter().map(|hit| hit.reference.clone()).collect();
    let (cards, sequence) = KeptCards::of(&node, locale, &references).await?;
    // The index, which reads the same log, is about to say so of those that are missing too.
    let gone = references.len() - cards.len();
    let facets = &found.facets;
    let sequence = sequence.min(found.sequence).min(known_at);
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
        understood: typed.parts,
        left_out: typed.left_out,
        ruled_out: typed.ruled_out,
        sequence,
    };
    let body = match fields {
        None => {
            let items = cards.iter().map(|card| Arc::clone(&card.whole)).collect();
            PropertyAnswer::Whole(PropertyList { items, page })
        }
        Some(Fields::Card) => {
            let items = cards.iter().map(|card| Arc::clone(&card.brief)).collect();
            PropertyAnswer::Cards(CardList { items, page })
        }
    };
    Ok(Answer {
        body,
        sequence,
        tags: vec![Tag::PropertyList, Tag::LocationList, Tag::Site, Tag::Day],
    })
}

/// What `query` finds in `view`. What was found before is given from memory.
async fn search(
    node: &Node,
    view: &View,
    query: &PropertyQuery,
) -> Result<Arc<SearchAnswer>, ApiError> {
    if let Some(found) = view.answered(query) {
        return Ok(found);
    }
    let (view, query) = (view.clone(), query.clone());
    Ok(node.compute(move || view.search(&query)).await??)
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

/// Reads the parameters: what is asked of the index on the day `today`, the page, how many a page
/// has, and what to tell of each.
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

/// What to tell of each home of a list.
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
    fn a_page_is_a_window_on_what_fits() {
        let (query, page, per_page, _) =
            parse(Some("sort=price-asc&page=2&perPage=10&minPrice=5"), 0).expect("good names");
        assert_eq!((page, per_page), (2, 10));
        assert_eq!((query.offset, query.limit), (10, 10));
        assert_eq!((query.sort, query.min_price), (Sort::PriceAscending, Some(5)));
    }

    #[test]
    fn words_are_sorted_by_relevance_unless_told_otherwise() {
        let sort = |query| parse(Some(query), 0).map(|(query, ..)| query.sort).ok();
        assert_eq!(sort("q=sea"), Some(Sort::Relevance));
        assert_eq!(sort("q=sea&sort=oldest"), Some(Sort::Oldest));
        assert_eq!(sort("sort=price-per-m2"), Some(Sort::PricePerMetre));
        assert_eq!(sort("sort=reduced"), Some(Sort::ReducedLately));
        assert_eq!(sort(""), Some(Sort::Newest));
    }

    #[test]
    fn everything_is_told_unless_a_card_is_asked_for() {
        let fields = |query| parse(Some(query), 0).map(|(.., fields)| fields).ok();
        assert_eq!(fields("q=sea"), Some(None));
        assert_eq!(fields("q=sea&fields=card"), Some(Some(Fields::Card)));
    }

    #[test]
    fn bad_values_are_named() {
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
