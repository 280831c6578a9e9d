//! Sends the same queries to a real Directus over its REST API: the items with their total, and an
//! aggregate for each facet, all at the same time.
//!
//! What Directus can't do is left out: the facet of features (it can't group by tags), features other
//! than `pool` and `garden` as filters, ranking by relevance, the histograms of prices and sizes, and
//! the counts of new listings.

use std::sync::Arc;

use anyhow::Result;
use contracts::{Locale, content::PropertyType};
use futures::future::try_join_all;
use search_index::{PropertyQuery, Sort};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::{
    catalogue::Listing,
    http::{Connection as Http, Request},
    load::Client,
    stack::Stack,
};

const BATCH: usize = 500;
const FACETS: [&str; 11] = [
    "property_type",
    "kind",
    "energy_rating",
    "location",
    "listing_status",
    "bedrooms",
    "bathrooms",
    "reduced",
    "featured",
    "has_pool",
    "has_garden",
];
const CARD: &str = "ref,listing_status,property_type,kind,price,previous_price,reduced,featured,\
    new_build,listed_on,date_updated,bedrooms,bathrooms,built_m2,plot_m2,has_pool,has_garden,views,\
    features,lat,lng,location.slug,location.translations.name,translations.languages_code,\
    translations.title,translations.summary,images.directus_files_id.id,\
    images.directus_files_id.width,images.directus_files_id.height";

/// Inserts `listings` into Directus's own tables.
pub async fn fill(stack: &Stack, listings: &[Listing]) -> Result<()> {
    let name = "almijara_directus";
    let mut connection = stack.connect(name, name, name).await?;
    for batch in listings.chunks(BATCH) {
        insert(&mut connection, "properties", batch.iter().map(item).collect()).await?;
        let texts = batch.iter().flat_map(texts).collect();
        insert(&mut connection, "properties_translations", texts).await?;
        let pictures = batch.iter().flat_map(pictures).collect();
        insert(&mut connection, "properties_files", pictures).await?;
    }
    connection.execute("analyze").await?;
    Ok(())
}

async fn insert(connection: &mut PgConnection, table: &str, rows: Vec<Value>) -> Result<()> {
    let Some(Value::Object(first)) = rows.first() else { return Ok(()) };
    let columns = first.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let sql = format!(
        "insert into {table} ({columns})
         select {columns} from jsonb_populate_recordset(null::{table}, $1)"
    );
    sqlx::query(AssertSqlSafe(sql)).bind(sqlx::types::Json(rows)).execute(connection).await?;
    Ok(())
}

fn item(listing: &Listing) -> Value {
    let home = &listing.property;
    let has = |feature: &str| home.features.iter().any(|known| known == feature);
    let is_view = |feature: &&String| feature.ends_with("-view");
    let views: Vec<&str> =
        home.features.iter().filter_map(|feature| feature.strip_suffix("-view")).collect();
    let features: Vec<&String> =
        home.features.iter().filter(|f| !is_view(f) && *f != "pool" && *f != "garden").collect();
    json!({
        "id": listing.key, "status": "published", "ref": home.reference,
        "listing_status": home.status, "property_type": home.property_type.name().to_lowercase(),
        "kind": home.kind, "price": home.price, "previous_price": home.previous_price,
        "reduced": home.reduced, "featured": home.featured, "new_build": home.new_build,
        "listed_on": home.listed_at.date_naive(), "bedrooms": home.bedrooms, "bathrooms": home.bathrooms,
        "built_m2": home.built_area, "plot_m2": home.plot_area, "terrace_m2": home.terrace_area,
        "year_built": home.year_built, "floor": home.floor, "has_garden": has("garden"),
        "has_pool": has("pool"), "views": views, "features": features,
        "energy_rating": home.energy.as_ref().map(|energy| energy.rating),
        "lat": home.coordinates.map(|point| point.lat),
        "lng": home.coordinates.map(|point| point.lng),
        "location": home.location.key.parse::<i64>().ok(),
        "date_created": home.listed_at, "date_updated": home.updated_at,
    })
}

fn texts(listing: &Listing) -> Vec<Value> {
    let in_language = |locale: Locale| {
        listing.property.text.get(locale).map(|text| {
            json!({
                "properties_id": listing.key, "languages_code": locale.language_tag(),
                "title": text.title, "summary": text.summary, "description": text.description,
            })
        })
    };
    Locale::ALL.into_iter().filter_map(in_language).collect()
}

fn pictures(listing: &Listing) -> Vec<Value> {
    let images = listing.property.images.iter().enumerate();
    images
        .map(|(sort, image)| {
            json!({
                "sort": sort, "properties_id": listing.key, "directus_files_id": image.file,
            })
        })
        .collect()
}

/// The requests for one page of results.
#[derive(Clone)]
pub struct PageRequests {
    list: Request,
    facets: Vec<Request>,
}

impl PageRequests {
    /// Creates the requests that answer `query`, with the reader's `token`.
    pub fn of(query: &PropertyQuery, token: &str) -> Self {
        let filters = filters(query);
        let bearer = format!("Bearer {token}");
        let get = |pairs: &[(&str, String)]| {
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(pairs.iter().map(|(name, value)| (*name, value.as_str())));
            let path = format!("/items/properties?{}", query.finish());
            Request::get(&path, &[("authorization", &bearer)])
        };
        let language = query.locale.language_tag();
        let deep = json!({
            "translations": { "_filter": { "languages_code": { "_eq": language } } },
            "location": { "translations": { "_filter": { "languages_code": { "_eq": language } } } },
            "images": { "_sort": "sort" },
        });
        let list = get(&[
            ("fields", CARD.to_owned()),
            ("filter", all(&filters, None)),
            ("deep", deep.to_string()),
            ("sort", sort(query.sort).to_owned()),
            ("limit", query.limit.to_string()),
            ("offset", query.offset.to_string()),
            ("meta", "filter_count".to_owned()),
        ]);
        let facets = FACETS.map(|facet| {
            get(&[
                ("aggregate[count]", "*".to_owned()),
                ("groupBy[]", facet.to_owned()),
                ("filter", all(&filters, Some(facet))),
            ])
        });
        Self { list, facets: facets.to_vec() }
    }
}

/// Returns all filters except that of the facet `without`.
fn all(filters: &[(&str, Value)], without: Option<&str>) -> String {
    let kept = filters.iter().filter(|(name, _)| Some(*name) != without);
    json!({ "_and": kept.map(|(_, filter)| filter).collect::<Vec<_>>() }).to_string()
}

fn filters(query: &PropertyQuery) -> Vec<(&'static str, Value)> {
    let mut filters = vec![("status", json!({ "status": { "_eq": "published" } }))];
    let mut add = |name: &'static str, field: &str, operator: &str, value: Option<Value>| {
        let Some(value) = value else { return };
        let condition = Map::from_iter([(operator.to_owned(), value)]);
        filters.push((name, Value::Object(Map::from_iter([(field.to_owned(), condition.into())]))));
    };
    let number = |number: Option<i64>| number.map(Value::from);
    let types: Vec<String> =
        query.property_types.iter().map(|t: &PropertyType| t.name().to_lowercase()).collect();
    add("property_type", "property_type", "_in", (!types.is_empty()).then(|| json!(types)));
    add("kind", "kind", "_in", (!query.kinds.is_empty()).then(|| json!(query.kinds)));
    add(
        "energy_rating",
        "energy_rating",
        "_in",
        (!query.energy.is_empty()).then(|| json!(query.energy)),
    );
    let sold = query.statuses.is_empty().then(|| json!("sold"));
    add("listing_status", "listing_status", "_neq", sold);
    let statuses = (!query.statuses.is_empty()).then(|| json!(query.statuses));
    add("listing_status", "listing_status", "_in", statuses);
    add("price", "price", "_gte", number(query.min_price));
    add("price", "price", "_lte", number(query.max_price));
    add("bedrooms", "bedrooms", "_gte", number(query.min_bedrooms));
    add("bathrooms", "bathrooms", "_gte", number(query.min_bathrooms));
    add("built", "built_m2", "_gte", number(query.min_built));
    add("built", "built_m2", "_lte", number(query.max_built));
    add("plot", "plot_m2", "_gte", number(query.min_plot));
    add("plot", "plot_m2", "_lte", number(query.max_plot));
    add(
        "listed_on",
        "listed_on",
        "_gte",
        query.listed_within.map(|days| json!(format!("$NOW(-{days} days)"))),
    );
    add("reduced", "reduced", "_eq", query.reduced.map(Value::from));
    add("featured", "featured", "_eq", query.featured.map(Value::from));
    for (feature, field) in [("pool", "has_pool"), ("garden", "has_garden")] {
        let wanted = query.features.iter().any(|known| known == feature);
        add(field, field, "_eq", wanted.then_some(Value::Bool(true)));
    }
    if let Some(area) = query.bounds {
        add("bounds", "lat", "_between", Some(json!([area.south, area.north])));
        add("bounds", "lng", "_between", Some(json!([area.west, area.east])));
    }
    if !query.locations.is_empty() {
        // Directus can't filter by a tree, so each level is a condition.
        let slug = json!({ "slug": { "_in": query.locations } });
        let part = |inner: &Value| json!({ "part_of": inner });
        let levels = [slug.clone(), part(&slug), part(&part(&slug))];
        let places = levels.map(|place| json!({ "location": place }));
        filters.push(("location", json!({ "_or": places })));
    }
    for word in query.text.iter().flat_map(|text| text.split_whitespace()) {
        let in_field = |field: &str| json!({ "translations": { field: { "_icontains": word } } });
        let anywhere = ["title", "summary", "description"].map(in_field);
        filters.push(("words", json!({ "_or": anywhere })));
    }
    filters
}

const fn sort(sort: Sort) -> &'static str {
    match sort {
        // Directus has no date of reduction; no query sorts by it.
        Sort::Newest | Sort::Relevance | Sort::ReducedLately => "-listed_on,ref",
        Sort::Oldest => "listed_on,ref",
        // Directus sorts only by fields; no query sorts by the price per square metre.
        Sort::PriceAscending | Sort::PricePerMetre => "price,ref",
        Sort::PriceDescending => "-price,ref",
    }
}

/// What a client of Directus requests.
#[derive(Clone, Copy, Debug)]
pub enum RequestPart {
    /// The list and every facet.
    All,
    /// The list with its `filter_count`.
    List,
    /// One facet.
    Facet,
}

/// A client that requests pages of results.
pub struct DirectusClient {
    connections: Vec<Http>,
    requests: Arc<Vec<PageRequests>>,
    part: RequestPart,
}

impl DirectusClient {
    pub fn new(server: u16, requests: Arc<Vec<PageRequests>>, part: RequestPart) -> Self {
        let connections = if matches!(part, RequestPart::All) { FACETS.len() + 1 } else { 1 };
        let connections = (0..connections).map(|_| Http::to(server)).collect();
        Self { connections, requests, part }
    }
}

impl Client for DirectusClient {
    async fn ask(&mut self, number: usize) -> Result<usize> {
        let page = &self.requests[number % self.requests.len()];
        let facet = number / self.requests.len() % page.facets.len();
        let requests: Vec<&Request> = match self.part {
            RequestPart::All => std::iter::once(&page.list).chain(&page.facets).collect(),
            RequestPart::List => vec![&page.list],
            RequestPart::Facet => vec![&page.facets[facet]],
        };
        let answers =
            self.connections.iter_mut().zip(requests).map(async |(connection, request)| {
                Ok::<_, anyhow::Error>(connection.ask(request).await?.len())
            });
        Ok(try_join_all(answers).await?.into_iter().sum())
    }
}
