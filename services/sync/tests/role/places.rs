//! Homes, and the places in which they lie.

use serde_json::json;
use sqlx::PgConnection;
use testkit::eventually;

use crate::{
    content::{house, location},
    role::{HINTS_ONLY, World},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_house_moves_with_the_places_around_its_own() {
    let world = World::new("around").await;
    world.content.put("locations", "8", location(8, "axarquia", "Axarquía"));
    world.content.put("locations", "9", location(9, "malaga", "Málaga"));
    world.content.change("locations", "4", |place| place["part_of"] = json!(8));
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    role.hint("locations", "4").await;
    role.hint("properties", "1").await;
    all_lie_in(&world, &["axarquia"]).await;
    // Only the outer place gets a hint.
    world.content.change("locations", "8", |place| place["part_of"] = json!(9));
    role.hint("locations", "8").await;
    all_lie_in(&world, &["axarquia", "malaga"]).await;

    // A place inside itself is parked, and nothing in it moves.
    world.content.change("locations", "9", |place| place["part_of"] = json!(4));
    role.hint("locations", "9").await;
    world.wait_until_parked("locations", "9", "part_of").await;
    world.wait_until_idle().await;
    all_lie_in(&world, &["axarquia", "malaga"]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_moves_with_a_place_around_its_own_that_is_a_draft_or_deleted() {
    let world = World::new("around_a_draft").await;
    world.content.put("locations", "8", location(8, "axarquia", "Axarquía"));
    world.content.put("locations", "9", location(9, "malaga", "Málaga"));
    let mut between = location(7, "costa", "Costa");
    between["status"] = json!("draft");
    between["part_of"] = json!(8);
    world.content.put("locations", "7", between);
    world.content.change("locations", "4", |place| place["part_of"] = json!(7));
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    for (collection, key) in [("locations", "7"), ("locations", "4"), ("properties", "1")] {
        role.hint(collection, key).await;
    }
    all_lie_in(&world, &["axarquia"]).await;
    // It was read before, and is published neither then nor now.
    world.wait_until_idle().await;
    world.content.change("locations", "7", |place| place["part_of"] = json!(9));
    role.hint("locations", "7").await;
    all_lie_in(&world, &["malaga"]).await;

    // A deletion has a hint only for the deleted place: references to it are emptied without a hint.
    world.wait_until_idle().await;
    world.content.change("locations", "4", |place| place["part_of"] = json!(null));
    world.content.delete("locations", "7");
    role.hint("locations", "7").await;
    all_lie_in(&world, &[]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_house_in_a_draft_place_appears_with_its_place() {
    let world = World::new("draft_place").await;
    let mut place = location(7, "maro", "Maro");
    place["status"] = json!("draft");
    world.content.put("locations", "7", place);
    let mut waiting = house(1, 100);
    waiting["location"] = json!(7);
    world.content.put("properties", "1", waiting);
    let role = world.start(HINTS_ONLY).await;
    eventually("the house being heard of", async || {
        let known: i64 = sqlx::query_scalar(
            "select count(*) from ledger.part where part_collection = 'locations'",
        )
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers");
        (known == 1).then_some(())
    })
    .await;
    world.content.change("locations", "7", |place| place["status"] = json!("published"));
    role.hint("locations", "7").await;
    world.wait_for_price("1", 100).await;
    role.stop().await;
}

/// Hints lock homes in the order of their keys as text, in which 10 is before 2.
#[tokio::test(flavor = "multi_thread")]
async fn the_homes_of_a_place_are_locked_in_the_same_order_as_by_hints() {
    let world = World::new("in_order").await;
    for id in [2, 10] {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    let mut config = world.config(HINTS_ONLY);
    // Rows are returned in their physical order, whatever plan the planner prefers.
    let options =
        ["indexscan", "indexonlyscan", "mergejoin"].map(|it| format!("-cenable_{it}%3Doff"));
    config.database_url =
        format!("{}?options={}", world.database.plain_url(), options.join("%20")).into();
    let role = world.start_with(config).await;
    rewrite_in_reverse(&world, "aggregate").await;
    rewrite_in_reverse(&world, "part").await;

    let mut held = world.pool.begin().await.expect("a transaction");
    lock(&mut held, "10").await.expect("home 10 is held");
    world
        .content
        .change("locations", "4", |place| place["translations"][0]["name"] = json!("Maro"));
    role.hint("locations", "4").await;
    world.wait_until_locked_out("with held as%").await;
    let mut other = world.pool.begin().await.expect("a transaction");
    lock(&mut other, "2").await.expect("home 2 is not held by who waits for home 10");
    other.rollback().await.expect("home 2 is let go");
    held.rollback().await.expect("home 10 is let go");
    role.stop().await;
}

/// Rewrites a table of the ledger with its rows in reverse order of their keys.
async fn rewrite_in_reverse(world: &World, table: &str) {
    let mut transaction = world.pool.begin().await.expect("a transaction");
    for statement in [
        format!("lock table ledger.{table} in access exclusive mode"),
        format!("create table ledger.was_{table} as select * from ledger.{table}"),
        format!("truncate ledger.{table}"),
        format!("insert into ledger.{table} select * from ledger.was_{table} order by key desc"),
    ] {
        let statement = sqlx::AssertSqlSafe(statement);
        sqlx::query(statement).execute(&mut *transaction).await.expect("the statement is right");
    }
    transaction.commit().await.expect("it is written");
}

async fn lock(transaction: &mut PgConnection, home: &str) -> sqlx::Result<()> {
    sqlx::query(
        "select from ledger.aggregate where collection = 'properties' and key = $1
         for update nowait",
    )
    .bind(home)
    .execute(transaction)
    .await?;
    Ok(())
}

/// Waits until the place of the house, and the house, lie in `around`.
async fn all_lie_in(world: &World, around: &[&str]) {
    for (aggregate, path) in
        [("locations/4", "/snapshot/ancestors"), ("properties/1", "/snapshot/location/ancestors")]
    {
        eventually(&format!("{aggregate} in {around:?}"), async || {
            let entry = world.latest().await.remove(aggregate)?;
            let found = entry.change.pointer(path).cloned().unwrap_or_else(|| json!([]));
            (found == json!(around)).then_some(())
        })
        .await;
    }
}
