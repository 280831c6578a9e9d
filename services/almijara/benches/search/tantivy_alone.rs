//! The question as tantivy alone answers it, in this process: its own queries, orders and
//! aggregations over the columns of the node's own index.
//!
//! A facet leaves its own filter out, so each filter that is set takes a search of its own. What is
//! found is not read, which is in tantivy's favour.

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

/// What is counted, each by the column that it counts.
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

/// One committed state of the index, read by nothing but tantivy.
pub struct TantivyAlone {
    searcher: Searcher,
}

/// One filter: the column that it is about, and what passes it.
type Filter = (&'static str, Box<dyn Query>);

impl TantivyAlone {
    /// What the index in `folder` holds now.
    pub fn open(folder: &Path) -> Result<Self> {
        let index = Index::open_in_dir(folder)?;
        let reader: IndexReader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { searcher: reader.searcher() })
    }

    /// Whether `asked` can be asked of it: without words, which the index keeps in a form of its own,
    /// and without a yes or no, whose columns tantivy does not look up by value.
    pub const fn takes(asked: &PropertyQuery) -> bool {
        asked.text.is_none() && asked.reduced.is_none() && asked.featured.is_none()
    }

    /// Finds what `asked` asks for: total, a page and every facet. Gives the total.
    pub fn find(&self, asked: &PropertyQuery) -> Result<usize> {
        let filters = self.filters(asked)?;
        let is_set = |facet: &&str| filters.iter().any(|(column, _)| column == facet);
        let (column, order) = match asked.sort {
            Sort::Newest | Sort::Relevance | Sort::ReducedLately => ("listed_at", Order::Desc),
            Sort::Oldest => ("listed_at", Order::Asc),
            // No question asks for the price of a square metre, or what was reduced lately.
            Sort::PriceAscending | Sort::PricePerMetre => ("price", Order::Asc),
            Sort::PriceDescending => ("price", Order::Desc),
        };
        let page = TopDocs::with_limit(asked.limit)
            .and_offset(asked.offset)
            .order_by_fast_field::<i64>(column, order);
        let rest: Vec<&str> = FACETS.into_iter().filter(|facet| !is_set(facet)).collect();
        let collectors = (Count, page, counts(&rest, asked)?);
        let (total, _, _) = self.searcher.search(&all_but(None, &filters), &collectors)?;
        for facet in FACETS.into_iter().filter(is_set) {
            let counted = counts(&[facet], asked)?;
            self.searcher.search(&all_but(Some(facet), &filters), &counted)?;
        }
        Ok(total)
    }

    fn filters(&self, asked: &PropertyQuery) -> Result<Vec<Filter>> {
        let listed: Vec<_> = ListingStatus::ALL
            .iter()
            .copied()
            .filter(|status| status.is_listed_by_default())
            .collect();
        let statuses = if asked.statuses.is_empty() { &listed } else { &asked.statuses };
        let mut filters = Vec::new();
        let mut members = |column, positions: Vec<u64>| -> Result<()> {
            if !positions.is_empty() {
                let terms = positions.into_iter().map(|position| self.u64(column, position));
                filters.push((column, any(terms.map(|term| Ok(exactly(term?))))?));
            }
            Ok(())
        };
        members("status", positions(ListingStatus::ALL, statuses))?;
        members("property_type", positions(PropertyType::ALL, &asked.property_types))?;
        members("kind", positions(PropertyKind::ALL, &asked.kinds))?;
        members("energy", positions(EnergyRating::ALL, &asked.energy))?;
        let since = asked.listed_within.map(|days| (asked.today - days) * DAY);
        for (column, least, most) in [
            ("price", asked.min_price, asked.max_price),
            ("built_area", asked.min_built, asked.max_built),
            ("plot_area", asked.min_plot, asked.max_plot),
            ("bedrooms", asked.min_bedrooms, None),
            ("bathrooms", asked.min_bathrooms, None),
            ("listed_at", since, None),
        ] {
            if least.is_some() || most.is_some() {
                let end = |figure: Option<i64>| -> Result<_> {
                    let term = figure.map(|figure| self.i64(column, figure)).transpose()?;
                    Ok(term.map_or(Bound::Unbounded, Bound::Included))
                };
                filters.push((column, Box::new(RangeQuery::new(end(least)?, end(most)?))));
            }
        }
        if !asked.locations.is_empty() {
            // A document names its place and all that this is part of.
            let slugs = asked.locations.iter().map(|slug| self.text("location", slug).map(exactly));
            filters.push(("location", any(slugs)?));
        }
        for feature in &asked.features {
            filters.push(("features", exactly(self.text("features", feature)?)));
        }
        if let Some(bounds) = asked.bounds {
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

/// Every filter, but for those about `facet`.
fn all_but(facet: Option<&str>, filters: &[Filter]) -> BooleanQuery {
    let kept = filters.iter().filter(|(column, _)| Some(*column) != facet);
    BooleanQuery::new(kept.map(|(_, query)| (Occur::Must, query.box_clone())).collect())
}

fn counts(facets: &[&str], asked: &PropertyQuery) -> Result<AggregationCollector> {
    let aggregations: serde_json::Map<String, Value> =
        facets.iter().map(|facet| ((*facet).to_owned(), aggregation(facet, asked))).collect();
    let aggregations: Aggregations = serde_json::from_value(aggregations.into())?;
    Ok(AggregationCollector::from_aggs(aggregations, AggContextParams::default()))
}

fn aggregation(facet: &str, asked: &PropertyQuery) -> Value {
    let ranges = |edges: &[i64]| {
        let ranges = edges.windows(2).map(|edges| json!({ "from": edges[0], "to": edges[1] }));
        json!({ "range": { "field": facet, "ranges": ranges.collect::<Vec<_>>() } })
    };
    match facet {
        "price" => ranges(&PRICE_EDGES),
        "built_area" => ranges(&BUILT_AREA_EDGES),
        "plot_area" => ranges(&PLOT_AREA_EDGES),
        "listed_at" => ranges(&[90, 30, 7, -1].map(|days| (asked.today - days) * DAY)),
        _ => json!({ "terms": { "field": facet, "size": 500 } }),
    }
}
