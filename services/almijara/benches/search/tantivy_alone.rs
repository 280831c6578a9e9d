//! Answers the queries with plain tantivy in this process: with its own queries, orders and
//! aggregations, on the columns of the node's index.
//!
//! A facet ignores its own filter, so each filter that is set needs another search. The documents that
//! are found are not read, which favours tantivy.

use std::{ops::Bound, path::Path};

use anyhow::Result;
use contracts::content::{EnergyRating, ListingStatus, PropertyKind, PropertyType};
use search_index::{BUILT_AREA_EDGES, PLOT_AREA_EDGES, PRICE_EDGES, PropertyQuery, Sort};
use serde_json::{Value, json};
use tantivy::{
    Index, IndexReader, Order, ReloadPolicy, Searcher, Term,
    aggregation::{AggContextParams, AggregationCollector, agg_req::Aggregations},
    collector::{Count, TopDocs},
    query::{BooleanQuery, Occur, Query, RangeQuery},
};

/// The columns that are counted.
const FACETS: [&str; 14] = [
    "status",
    "property_type",
    "kind",
    "energy",
    "location",
    "features",
    "bedrooms",
    "bathrooms",
    "reduced",
    "featured",
    "price",
    "built_area",
    "plot_area",
    "listed_at",
];
const DAY: i64 = 86_400_000_000;

/// A committed state of the index, read with plain tantivy.
pub struct TantivyAlone {
    searcher: Searcher,
}

/// A filter: its column, and the query for what passes it.
type Filter = (&'static str, Box<dyn Query>);

impl TantivyAlone {
    /// Opens the current state of the index in `folder`.
    pub fn open(folder: &Path) -> Result<Self> {
        let index = Index::open_in_dir(folder)?;
        let reader: IndexReader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { searcher: reader.searcher() })
    }

    /// Returns whether plain tantivy can answer `query`: not with words, which the index stores in its
    /// own form, and not with boolean filters, because tantivy does not look up their columns by value.
    pub const fn supports(query: &PropertyQuery) -> bool {
        query.text.is_none() && query.reduced.is_none() && query.featured.is_none()
    }

    /// Finds the total, a page and every facet for `query`. Returns the total.
    pub fn find(&self, query: &PropertyQuery) -> Result<usize> {
        let filters = self.filters(query)?;
        let is_set = |facet: &&str| filters.iter().any(|(column, _)| column == facet);
        let (column, order) = match query.sort {
            Sort::Newest | Sort::Relevance | Sort::ReducedLately => ("listed_at", Order::Desc),
            Sort::Oldest => ("listed_at", Order::Asc),
            // No query sorts by price per square metre or by date of reduction.
            Sort::PriceAscending | Sort::PricePerMetre => ("price", Order::Asc),
            Sort::PriceDescending => ("price", Order::Desc),
        };
        let page = TopDocs::with_limit(query.limit)
            .and_offset(query.offset)
            .order_by_fast_field::<i64>(column, order);
        let rest: Vec<&str> = FACETS.into_iter().filter(|facet| !is_set(facet)).collect();
        let collectors = (Count, page, counts(&rest, query)?);
        let (total, _, _) = self.searcher.search(&all_but(None, &filters), &collectors)?;
        for facet in FACETS.into_iter().filter(is_set) {
            let counted = counts(&[facet], query)?;
            self.searcher.search(&all_but(Some(facet), &filters), &counted)?;
        }
        Ok(total)
    }

    fn filters(&self, query: &PropertyQuery) -> Result<Vec<Filter>> {
        let listed: Vec<_> = ListingStatus::ALL
            .iter()
            .copied()
            .filter(|status| status.is_listed_by_default())
            .collect();
        let statuses = if query.statuses.is_empty() { &listed } else { &query.statuses };
        let mut filters = Vec::new();
        let mut members = |column, positions: Vec<u64>| -> Result<()> {
            if !positions.is_empty() {
                let terms = positions.into_iter().map(|position| self.u64(column, position));
                filters.push((column, any(terms.map(|term| Ok(exactly(term?))))?));
            }
            Ok(())
        };
        members("status", positions(ListingStatus::ALL, statuses))?;
        members("property_type", positions(PropertyType::ALL, &query.property_types))?;
        members("kind", positions(PropertyKind::ALL, &query.kinds))?;
        members("energy", positions(EnergyRating::ALL, &query.energy))?;
        let since = query.listed_within.map(|days| (query.today - days) * DAY);
        for (column, min, max) in [
            ("price", query.min_price, query.max_price),
            ("built_area", query.min_built, query.max_built),
            ("plot_area", query.min_plot, query.max_plot),
            ("bedrooms", query.min_bedrooms, None),
            ("bathrooms", query.min_bathrooms, None),
            ("listed_at", since, None),
        ] {
            if min.is_some() || max.is_some() {
                let end = |figure: Option<i64>| -> Result<_> {
                    let term = figure.map(|figure| self.i64(column, figure)).transpose()?;
                    Ok(term.map_or(Bound::Unbounded, Bound::Included))
                };
                filters.push((column, Box::new(RangeQuery::new(end(min)?, end(max)?))));
            }
        }
        if !query.locations.is_empty() {
            // A document has its place and all places that contain it.
            let slugs = query.locations.iter().map(|slug| self.text("location", slug).map(exactly));
            filters.push(("location", any(slugs)?));
        }
        for feature in &query.features {
            filters.push(("features", exactly(self.text("features", feature)?)));
        }
        if let Some(bounds) = query.bounds {
            for (column, from, to) in
                [("lat", bounds.south, bounds.north), ("lng", bounds.west, bounds.east)]
            {
                let field = self.searcher.schema().get_field(column)?;
                let end = |degrees| Bound::Included(Term::from_field_f64(field, degrees));
                filters.push((column, Box::new(RangeQuery::new(end(from), end(to)))));
            }
        }
        Ok(filters)
    }

    fn u64(&self, column: &str, value: u64) -> Result<Term> {
        Ok(Term::from_field_u64(self.searcher.schema().get_field(column)?, value))
    }

    fn i64(&self, column: &str, value: i64) -> Result<Term> {
        Ok(Term::from_field_i64(self.searcher.schema().get_field(column)?, value))
    }

    fn text(&self, column: &str, value: &str) -> Result<Term> {
        Ok(Term::from_field_text(self.searcher.schema().get_field(column)?, value))
    }
}

fn positions<T: PartialEq>(all: &[T], wanted: &[T]) -> Vec<u64> {
    let members = (0..).zip(all).filter(|(_, member)| wanted.contains(member));
    members.map(|(position, _)| position).collect()
}

fn exactly(term: Term) -> Box<dyn Query> {
    Box::new(RangeQuery::new(Bound::Included(term.clone()), Bound::Included(term)))
}

fn any(queries: impl Iterator<Item = Result<Box<dyn Query>>>) -> Result<Box<dyn Query>> {
    let clauses: Result<Vec<_>> = queries.map(|query| Ok((Occur::Should, query?))).collect();
    Ok(Box::new(BooleanQuery::new(clauses?)))
}

/// Returns a query of all filters except those on the column of `facet`.
fn all_but(facet: Option<&str>, filters: &[Filter]) -> BooleanQuery {
    let kept = filters.iter().filter(|(column, _)| Some(*column) != facet);
    BooleanQuery::new(kept.map(|(_, query)| (Occur::Must, query.box_clone())).collect())
}

fn counts(facets: &[&str], query: &PropertyQuery) -> Result<AggregationCollector> {
    let aggregations: serde_json::Map<String, Value> =
        facets.iter().map(|facet| ((*facet).to_owned(), aggregation(facet, query))).collect();
    let aggregations: Aggregations = serde_json::from_value(aggregations.into())?;
    Ok(AggregationCollector::from_aggs(aggregations, AggContextParams::default()))
}

fn aggregation(facet: &str, query: &PropertyQuery) -> Value {
    let ranges = |edges: &[i64]| {
        let ranges = edges.windows(2).map(|edges| json!({ "from": edges[0], "to": edges[1] }));
        json!({ "range": { "field": facet, "ranges": ranges.collect::<Vec<_>>() } })
    };
    match facet {
        "price" => ranges(&PRICE_EDGES),
        "built_area" => ranges(&BUILT_AREA_EDGES),
        "plot_area" => ranges(&PLOT_AREA_EDGES),
        "listed_at" => ranges(&[90, 30, 7, -1].map(|days| (query.today - days) * DAY)),
        _ => json!({ "terms": { "field": facet, "size": 500 } }),
    }
}
