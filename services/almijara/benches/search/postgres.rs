//! Answers the same queries with Postgres, from tables made for them, with the same listings.

use std::sync::Arc;

use anyhow::Result;
use contracts::{Locale, content::Coordinates};
use search_index::{FacetCount, PropertyQuery, SearchAnswer};
use serde_json::{Value, json};
use sqlx::{
    AssertSqlSafe, Connection, Executor, PgConnection, Row as _, postgres::PgConnectOptions,
};

use crate::{
    catalogue::Listing,
    load::Client,
    sql::{Names, SCHEMA},
    stack::Stack,
};

const DATABASE: &str = "almijara_bench";
const BATCH: usize = 1_000;
/// More than there are queries, so that each is prepared once per connection.
const STATEMENTS: usize = 2_000;

/// The database with the listings.
pub struct Postgres {
    options: PgConnectOptions,
    names: Names,
}

impl Postgres {
    /// Creates the database in the stack's Postgres.
    pub async fn create(stack: &Stack) -> Result<Self> {
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
        Ok(Self { options, names: Names::default() })
    }

    /// Adds `listings`.
    pub async fn add(&mut self, listings: &[Listing]) -> Result<()> {
        let mut connection = PgConnection::connect_with(&self.options).await?;
        for batch in listings.chunks(BATCH) {
            let rows: Vec<Value> = batch.iter().map(|listing| self.row(listing)).collect();
            sqlx::query(
                "with new as (
                     select * from jsonb_to_recordset($1) as r(
                         id int, ref text, status text, property_type text, kind text,
                         location text, price bigint, bedrooms int, bathrooms int, built int,
                         plot int, energy text, features bigint,
                         reduced boolean, featured boolean, listed_at timestamptz,
                         lat double precision, lng double precision,
                         text_en text, text_es text, en jsonb, es jsonb)
                 ), cards as (insert into card select id, en, es from new)
                 insert into listing
                 select id, ref, status, property_type, kind, location, price, bedrooms, bathrooms,
                     built, plot, energy, features, reduced, featured, listed_at, lat, lng,
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

    /// Returns the statement that answers `query`.
    pub fn statement(&self, query: &PropertyQuery) -> String {
        self.names.statement(query)
    }

    /// Returns whether Postgres answers `query` as the index does (`found`): total, homes in order, and
    /// the counts of types, kinds, energy ratings and features.
    pub async fn agrees(&self, query: &PropertyQuery, found: &SearchAnswer) -> Result<bool> {
        let mut connection = PgConnection::connect_with(&self.options).await?;
        let statement = AssertSqlSafe(self.statement(query));
        let answer: String = sqlx::query_scalar(statement).fetch_one(&mut connection).await?;
        let answer: Value = serde_json::from_str(&answer)?;
        connection.close().await?;
        let rows = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let total = rows("plain").into_iter().max_by_key(|row| row["grouped_by"].as_i64());
        let homes: Vec<_> = rows("items").into_iter().map(|card| card["ref"].clone()).collect();
        let counts = |facet: &[FacetCount], count: &dyn Fn(&str) -> u64| {
            facet.iter().all(|known| known.count == count(&known.value))
        };
        let of = |facet: &str, name: &str| {
            let rows = [rows(facet), rows("plain")].concat();
            let row = rows.into_iter().find(|row| row[facet] == name);
            row.map_or(0, |row| row["count"].as_u64().unwrap_or_default())
        };
        let of_feature = |name: &str| answer["features"][name].as_u64().unwrap_or_default();
        // If nothing is within the rectangle, there are no groups.
        let total = total.map_or(0, |row| row["count"].as_u64().unwrap_or_default());
        Ok(total == found.total
            && homes.iter().eq(found.hits.iter().map(|hit| &hit.reference))
            && counts(&found.facets.property_type, &|name| of("property_type", name))
            && counts(&found.facets.kind, &|name| of("kind", name))
            && counts(&found.facets.energy, &|name| of("energy", name))
            && counts(&found.facets.features, &of_feature))
    }

    /// Returns a function that creates clients, which run `statements` in turn.
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
        let bits = self.names.bits(&home.features);
        self.names.add_place(&home.location);
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
        // The rectangle of a map filters by the points that the site shows, which are approximate.
        let point = home.coordinates.map(Coordinates::rounded);
        json!({
            "id": listing.key, "ref": home.reference, "status": home.status,
            "property_type": home.property_type, "kind": home.kind, "plot": home.plot_area,
            "energy": home.energy.as_ref().map(|energy| energy.rating), "location": home.location.slug,
            "price": home.price, "bedrooms": home.bedrooms, "bathrooms": home.bathrooms,
            "built": home.built_area, "features": bits, "reduced": home.reduced,
            "featured": home.featured, "listed_at": home.listed_at,
            "lat": point.map(|point| point.lat), "lng": point.map(|point| point.lng),
            "text_en": text(Locale::En), "text_es": text(Locale::Es),
            "en": card(Locale::En), "es": card(Locale::Es),
        })
    }
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
