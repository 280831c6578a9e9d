//! How often the homes of each place are looked for, by day: sites count it, and query nodes order by it
//! what completes visitors' typing. Numbers alone, nothing of anybody.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, routing::post};
use contracts::Slug;
use http::StatusCode;
use runtime::{JsonBody, problem::Problem};
use sqlx::PgPool;

use crate::{Error, failure::away, read_api::ReadApi, storage::Storage};

/// For how many days a count is kept.
const DAYS: i32 = 90;
/// What the role that the query service connects as may see of the schema, if it exists. Several processes
/// may start at once; the lock ends with the statement.
const GRANT_TO_QUERY: &str = "
    do $$ begin
        if exists (select from pg_roles where rolname = 'almijara_query') then
            lock table visitor.place_search in exclusive mode;
            grant usage on schema visitor to almijara_query;
            grant select on visitor.place_search to almijara_query;
        end if;
    end $$";

/// Takes counts.
#[derive(Debug)]
struct Searches {
    storage: Storage,
    read_api: ReadApi,
}

/// The route, for the sites: the door lets no visitor reach it.
pub fn router(storage: Storage, read_api: ReadApi) -> Router {
    Router::new()
        .route("/internal/searches", post(take))
        .with_state(Arc::new(Searches { storage, read_api }))
}

/// Lets the query service see the counts.
pub async fn grant_to_query(pool: &PgPool) -> Result<(), Error> {
    sqlx::raw_sql(GRANT_TO_QUERY).execute(pool).await?;
    Ok(())
}

/// Takes how often each place was looked for since the caller told last. What is no place of the site is
/// left out: anybody can make up a name.
async fn take(
    State(searches): State<Arc<Searches>>,
    JsonBody(mut counts): JsonBody<BTreeMap<Slug, u32>>,
) -> Result<StatusCode, Problem> {
    let places = searches.read_api.places().await.ok_or_else(away)?;
    counts.retain(|place, _| places.contains(place.as_str()));
    let added = add(searches.storage.pool(), counts);
    searches.storage.kept("counts of searches could not be kept", added).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Adds `counts` to those of today. Rows are locked in their order, so that several who add only wait.
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

/// Erases what is old; how many rows.
pub async fn erase_old(pool: &PgPool) -> Result<u64, Error> {
    let erased =
        sqlx::query!("delete from visitor.place_search where day < current_date - $1::int", DAYS);
    Ok(erased.execute(pool).await?.rows_affected())
}
