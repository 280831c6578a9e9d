//! The same question in one statement of Postgres, as a careful engineer would write it.
//!
//! A narrow table of what is filtered, sorted and counted, with its indexes; the cards, made
//! beforehand in each language, in another. One pass over what fails at most one of the filters
//! that have a facet: what fails none gives items, total and the facets of filters that are not
//! set, by grouping sets; each filter that is set gives one more count, without itself.

use std::sync::Arc;

use anyhow::Result;
use contracts::Locale;
use search_index::{PropertyQuery, Sort, covers};
use serde_json::{Value, json};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, Row as _, postgres::PgConnectOptions,
};

use crate::{catalogue::Listing, load::Client, stack::Stack};

const DATABASE: &str = "almijara_bench";
const BATCH: usize = 1_000;
/// More than there are questions: each is prepared once a connection.
const STATEMENTS: usize = 2_000;
const SCHEMA: &str = "
    create table listing (
        id int primary key, ref text not null, status text not null, property_type text not null,
        location text not null, price bigint, bedrooms int, bathrooms int, built int,
        features bigint not null, reduced boolean not null, featured boolean not null,
        listed_at timestamptz not null, lat double precision, lng double precision,
        words_en tsvector not null, words_es tsvector not null
    );
    create table card (id int primary key, en jsonb not null, es jsonb not null);
    create index on listing (location, price);
    create index on listing (price, ref);
    create index on listing (listed_at desc, ref);
    create index on listing (property_type, price);
    create index on listing (bedrooms, price);
    create index on listing (lat, lng);
    create index on listing (ref) where reduced;
    create index on listing (ref) where featured;
    create index on listing using gin (words_en);
    create index on listing using gin (words_es);";

/// What is counted, by the column (or expression) and the name of its filter.
const FACETS: [(&str, &str); 8] = [
    ("property_type", "property_type"),
    ("location", "location"),
    ("status", "status"),
    ("bedrooms", "bedrooms"),
    ("bathrooms", "bathrooms"),
    ("reduced", "reduced"),
    ("featured", "featured"),
    ("features", "features"),
];

/// The database, filled with listings.
pub struct Postgres {
    options: PgConnectOptions,
    /// Each feature is a bit.
    features: Vec<String>,
    places: Vec<String>,
}

impl Postgres {
    /// Makes it, beside the stack's own databases.
    pub async fn make(stack: &Stack) -> Result<Self> {
        let options = PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(stack.port_of("postgres")?)
            .username("almijara")
            .password(&stack.secret("postgres")?)
            .statement_cache_capacity(STATEMENTS);
        let mut server = PgConnection::connect_with(&options.clone().database("postgres")).await?;
        server.execute(AssertSqlSafe(format!("create database {DATABASE}"))).await?;
        let options = options.database(DATABASE);
        let mut connection = PgConnection::connect_with(&options).await?;
        sqlx::raw_sql(SCHEMA).execute(&mut connection).await?;
        Ok(Self { options, features: Vec::new(), places: Vec::new() })
    }

    /// Adds `listings`.
    pub async fn add(&mut self, listings: &[Listing]) -> Result<()> {
        let mut connection = PgConnection::connect_with(&self.options).await?;
        for batch in listings.chunks(BATCH) {
            let rows: Vec<Value> = batch.iter().map(|listing| self.row(listing)).collect();
            sqlx::query(
                "with new as (
                     select * from jsonb_to_recordset($1) as r(
                         id int, ref text, status text, property_type text, location text,
                         price bigint, bedrooms int, bathrooms int, built int, features bigint,
                         reduced boolean, featured boolean, listed_at timestamptz,
                         lat double precision, lng double precision,
                         text_en text, text_es text, en jsonb, es jsonb)
                 ), cards as (insert into card select id, en, es from new)
                 insert into listing
                 select id, ref, status, property_type, location, price, bedrooms, bathrooms, built,
                     features, reduced, featured, listed_at, lat, lng,
                     to_tsvector('english', text_en), to_tsvector('spanish', text_es) from new",
            )
            .bind(sqlx::types::Json(rows))
            .execute(&mut connection)
            .await?;
        }
        connection.execute("vacuum analyze listing").await?;
        connection.execute("vacuum analyze card").await?;
        Ok(())
    }

    /// How to make clients that ask `statements` in turn.
    pub fn clients(&self, statements: Arc<Vec<String>>) -> impl Fn() -> SqlClient + Send + 'static {
        let options = self.options.clone();
        move || SqlClient {
            options: options.clone(),
            connection: None,
            statements: statements.clone(),
        }
    }

    fn row(&mut self, listing: &Listing) -> Value {
        let home = &listing.property;
        let mut bits = 0_i64;
        for feature in &home.features {
            bits |= 1 << position(&mut self.features, feature);
        }
        position(&mut self.places, &home.location.slug);
        let text = |locale: Locale| {
            home.text.get_or_fallback(locale).map_or_else(String::new, |(_, text)| {
                format!("{} {} {}", text.title, text.summary, text.description)
            })
        };
        let card = |locale: Locale| {
            let text = home.text.get_or_fallback(locale).map(|(_, text)| text);
            json!({
                "ref": home.reference, "title": text.map(|text| &text.title),
                "summary": text.map(|text| &text.summary), "location": home.location,
                "propertyType": home.property_type, "kind": home.kind, "status": home.status,
                "price": home.price, "previousPrice": home.previous_price,
                "bedrooms": home.bedrooms, "bathrooms": home.bathrooms,
                "builtArea": home.built_area, "plotArea": home.plot_area,
                "features": home.features, "featured": home.featured, "reduced": home.reduced,
                "newBuild": home.new_build, "publishedAt": home.listed_at,
                "updatedAt": home.updated_at, "coordinates": home.coordinates,
                "images": home.images.iter().map(|image| json!({
                    "file": image.file, "version": image.version, "width": image.width,
                    "height": image.height, "alt": image.alt_in(locale),
                })).collect::<Vec<_>>(),
            })
        };
        json!({
            "id": listing.key, "ref": home.reference, "status": home.status,
            "property_type": home.property_type, "location": home.location.slug,
            "price": home.price, "bedrooms": home.bedrooms, "bathrooms": home.bathrooms,
            "built": home.built_area, "features": bits, "reduced": home.reduced,
            "featured": home.featured, "listed_at": home.listed_at,
            "lat": home.coordinates.map(|point| point.lat),
            "lng": home.coordinates.map(|point| point.lng),
            "text_en": text(Locale::En), "text_es": text(Locale::Es),
            "en": card(Locale::En), "es": card(Locale::Es),
        })
    }

    /// The statement that answers `asked`.
    pub fn statement(&self, asked: &PropertyQuery) -> String {
        let soft = self.facet_filters(asked);
        let fails = |name: &str| format!("(not coalesce({name}_fits, false))::int");
        let fits: Vec<String> =
            soft.iter().map(|(name, condition)| format!("{condition} as {name}_fits")).collect();
        let failed: Vec<String> = soft.iter().map(|(name, _)| fails(name)).collect();
        let failed = if failed.is_empty() { "0".to_owned() } else { failed.join(" + ") };
        let extra = if fits.is_empty() { String::new() } else { format!(", {}", fits.join(", ")) };
        let (words, hard) = hard_filters(asked);
        let rank = words.map_or("0".to_owned(), |words| {
            format!("ts_rank(words_{}, {words})", asked.locale.code())
        });
        let is_set = |facet: &str| soft.iter().any(|(name, _)| *name == facet);
        let plain: Vec<&str> = FACETS
            .iter()
            .filter(|(_, name)| !is_set(name) && *name != "features")
            .map(|(column, _)| *column)
            .collect();
        let sets: Vec<String> = plain.iter().map(|column| format!("({column})")).collect();
        let columns: String = plain.iter().map(|column| format!("{column}, ")).collect();
        let sets = [sets, vec!["()".to_owned()]].concat().join(", ");
        let mut counts = vec![format!(
            "'plain', (select json_agg(f) from (select {columns} count(*) from near
                where failed = 0 group by grouping sets ({sets})) as f)"
        )];
        for (column, name) in FACETS {
            let own = if is_set(name) { fails(name) } else { "0".to_owned() };
            if name == "features" {
                counts.push(self.feature_counts(&own));
            } else if is_set(name) {
                counts.push(format!(
                    "'{name}', (select json_agg(f) from (select {column}, count(*) from near
                        where failed = {own} group by 1) as f)"
                ));
            }
        }
        let order = order(asked.sort);
        format!(
            "with fitting as (
                 select id, ref, property_type, location, status, bedrooms, bathrooms, reduced,
                     featured, features, price, listed_at, {rank} as rank {extra}
                 from listing where {hard}
             ), near as materialized (
                 select * from (select *, {failed} as failed from fitting) as f where failed <= 1
             )
             select json_build_object(
                 'items', (select json_agg(c.{locale} order by {order}) from (
                     select * from near where failed = 0 order by {order} limit {limit} offset {offset}
                 ) as p join card c using (id)), {counts})::text",
            locale = asked.locale.code(),
            limit = asked.limit,
            offset = asked.offset,
            counts = counts.join(", "),
        )
    }

    fn feature_counts(&self, own: &str) -> String {
        let counts: Vec<String> = self
            .features
            .iter()
            .enumerate()
            .map(|(bit, name)| {
                let mask = 1_i64 << bit;
                format!("count(*) filter (where features & {mask} <> 0) as \"{name}\"")
            })
            .collect();
        format!(
            "'features', (select row_to_json(f) from (select {} from near where failed = {own}) as f)",
            counts.join(", ")
        )
    }

    /// The conditions of filters that have a facet.
    fn facet_filters(&self, asked: &PropertyQuery) -> Vec<(&'static str, String)> {
        let mut filters = Vec::new();
        if !asked.property_types.is_empty() {
            filters.push(("property_type", one_of("property_type", &asked.property_types)));
        }
        if !asked.locations.is_empty() {
            let places: Vec<&String> = self
                .places
                .iter()
                .filter(|slug| asked.locations.iter().any(|asked| covers(asked, slug)))
                .collect();
            filters.push(("location", one_of("location", &places)));
        }
        let status = if asked.statuses.is_empty() {
            "status <> 'sold'".to_owned()
        } else {
            one_of("status", &asked.statuses)
        };
        filters.push(("status", status));
        for (name, least) in [("bedrooms", asked.min_bedrooms), ("bathrooms", asked.min_bathrooms)]
        {
            filters.extend(least.map(|least| (name, format!("{name} >= {least}"))));
        }
        for (name, value) in [("reduced", asked.reduced), ("featured", asked.featured)] {
            filters.extend(value.map(|value| (name, format!("{name} = {value}"))));
        }
        if !asked.features.is_empty() {
            let bits = asked.features.iter().map(|asked| {
                self.features
                    .iter()
                    .position(|known| known == asked)
                    .map_or(1 << 62, |bit| 1_i64 << bit)
            });
            let mask = bits.fold(0, |mask, bit| mask | bit);
            filters.push(("features", format!("features & {mask} = {mask}")));
        }
        filters
    }
}

/// The search of words, if there are any, and the conditions that every row must meet.
fn hard_filters(asked: &PropertyQuery) -> (Option<String>, String) {
    let mut conditions = vec!["true".to_owned()];
    let mut add = |condition: Option<String>| conditions.extend(condition);
    add(asked.min_price.map(|price| format!("price >= {price}")));
    add(asked.max_price.map(|price| format!("price <= {price}")));
    add(asked.min_built.map(|area| format!("built >= {area}")));
    add(asked.bounds.map(|area| {
        format!(
            "lat between {} and {} and lng between {} and {}",
            area.south, area.north, area.west, area.east
        )
    }));
    let language = if asked.locale == Locale::En { "english" } else { "spanish" };
    // The words are of this bench.
    let words = asked.text.as_ref().map(|text| format!("plainto_tsquery('{language}', '{text}')"));
    add(words.as_ref().map(|words| format!("words_{} @@ {words}", asked.locale.code())));
    (words, conditions.join(" and "))
}

const fn order(sort: Sort) -> &'static str {
    match sort {
        Sort::Newest => "listed_at desc, ref",
        Sort::Oldest => "listed_at, ref",
        Sort::PriceAscending => "price nulls last, ref",
        Sort::PriceDescending => "price desc nulls last, ref",
        Sort::Relevance => "rank desc, listed_at desc, ref",
    }
}

fn one_of<T: std::fmt::Display>(column: &str, values: &[T]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
    if values.is_empty() {
        return "false".to_owned();
    }
    format!("{column} in ({})", values.join(", "))
}

fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// One connection to Postgres.
pub struct SqlClient {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    statements: Arc<Vec<String>>,
}

impl Client for SqlClient {
    async fn ask(&mut self, number: usize) -> Result<usize> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => self.connection.insert(PgConnection::connect_with(&self.options).await?),
        };
        let statement = self.statements[number % self.statements.len()].clone();
        let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(connection).await?;
        Ok(row.try_get::<&str, _>(0)?.len())
    }
}
