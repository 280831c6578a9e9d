//! Daily counts of searches for each place. The sites report them, and query nodes order their search
//! suggestions by them. The counts contain no personal data.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, routing::post};
use contracts::Slug;
use http::StatusCode;
use runtime::{JsonBody, problem::Problem};
use sqlx::PgPool;

use crate::{Error, failure::unavailable, read_api::ReadApi, storage::Storage};

/// For how many days a count is stored.
const RETENTION_DAYS: i32 = 90;
/// Grants the query service's role, if it exists, access to the counts. Several processes may start at
/// once; the lock ends with the statement.
const GRANT_TO_QUERY: &str = "
    do $$ begin
        if exists (select from pg_roles where rolname = 'almijara_query') then
            lock table visitor.place_search in exclusive mode;
            grant usage on schema visitor to almijara_query;
            grant select on visitor.place_search to almijara_query;
        end if;
    end $$";

/// The state of the call.
#[derive(Debug)]
struct PlaceSearches {
    storage: Storage,
    read_api: ReadApi,
}

/// Returns the route for the sites. The door does not expose it to visitors.
pub fn router(storage: Storage, read_api: ReadApi) -> Router {
    Router::new()
        .route("/internal/searches", post(record_counts))
        .with_state(Arc::new(PlaceSearches { storage, read_api }))
}

/// Grants the query service access to the counts.
pub async fn grant_to_query(pool: &PgPool) -> Result<(), Error> {
    sqlx::raw_sql(GRANT_TO_QUERY).execute(pool).await?;
    Ok(())
}

/// Adds the number of searches for each place since the caller's last report. Unknown places are
/// ignored, because anybody can make up a name.
async fn record_counts(
    State(searches): State<Arc<PlaceSearches>>,
    JsonBody(mut counts): JsonBody<BTreeMap<Slug, u32>>,
) -> Result<StatusCode, Problem> {
    let places = searches.read_api.places().await.ok_or_else(unavailable)?;
    counts.retain(|place, _| places.contains(place.as_str()));
    let added = add(searches.storage.pool(), counts);
    searches.storage.run("counts of searches could not be kept", added).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds `counts` to those of today. Rows are locked in key order, so that concurrent calls wait and do
/// not deadlock.
async fn add(pool: &PgPool, counts: BTreeMap<Slug, u32>) -> Result<(), Error> {
    let (places, counts): (Vec<String>, Vec<i64>) =
        counts.into_iter().map(|(place, count)| (place.into(), i64::from(count))).unzip();
    sqlx::query!(
        "insert into visitor.place_search (place, day, searches)
         select place, current_date, searches from unnest($1::text[], $2::bigint[])
            as counted (place, searches)
         on conflict (place, day) do update
            set searches = place_search.searches + excluded.searches",
        &places,
        &counts,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Erases old counts. Returns the number of rows.
pub async fn erase_old(pool: &PgPool) -> Result<u64, Error> {
    let erased = sqlx::query!(
        "delete from visitor.place_search where day < current_date - $1::int",
        RETENTION_DAYS
    );
    Ok(erased.execute(pool).await?.rows_affected())
}
