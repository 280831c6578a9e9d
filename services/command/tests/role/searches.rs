//! Counts of place searches: stored by day, erased when old, and visible to the query service.

use http::StatusCode;
use serde_json::{Value, json};
use sqlx::Executor as _;

use crate::world::World;

async fn report(world: &World, counts: &Value) -> StatusCode {
    let call = format!("{}/internal/searches", world.url);
    let answer = reqwest::Client::new().post(call).json(counts).send().await.expect("an answer");
    answer.status()
}

/// Returns the stored counts: place, age in days, and count.
async fn stored(world: &World) -> Vec<(String, i32, i64)> {
    sqlx::query_as(
        "select place, current_date - day, searches from visitor.place_search order by 1, 2",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers")
}

#[tokio::test]
async fn counts_are_added_by_place_and_day_and_erased_when_old() {
    let world = World::start().await;
    for counts in
        [json!({ "nerja": 3, "atlantis": 9 }), json!({ "maro": 1, "nerja": 2 }), json!({})]
    {
        assert_eq!(report(&world, &counts).await, StatusCode::NO_CONTENT, "{counts}");
    }
    for counts in [json!({ "nerja": -1 }), json!({ "no place": 1 }), json!(["nerja"])] {
        assert_eq!(report(&world, &counts).await, StatusCode::BAD_REQUEST, "{counts}");
    }
    let today = [("maro".to_owned(), 0, 1), ("nerja".to_owned(), 0, 5)];
    assert_eq!(stored(&world).await, today, "unknown places are ignored");

    // The role erases periodically too.
    world.process.clone().finish().await.expect("it ends well");
    for age in [90, 91] {
        sqlx::query("insert into visitor.place_search values ('nerja', current_date - $1, 7)")
            .bind(age)
            .execute(&world.pool)
            .await
            .expect("postgres answers");
    }
    let erased = command::erase_old(&world.pool).await.expect("it runs");
    assert!(erased.contains(&("place_search", 1)), "{erased:?}");
    let [maro, nerja] = today;
    assert_eq!(stored(&world).await, [maro, nerja, ("nerja".to_owned(), 90, 7)]);
}

#[tokio::test]
async fn the_query_role_may_see_these_counts_and_nothing_else_of_visitors() {
    let database = testkit::postgres().await.database("command_grants").await;
    let pool = database.pool();
    pool.execute(
        "do $$ begin
            create role almijara_query;
         exception when duplicate_object then null; end $$",
    )
    .await
    .expect("the role can be made");
    // Twice, because every start does it.
    for _ in 0..2 {
        command::migrate(&pool).await.expect("the schema can be made");
    }
    let mut connection = pool.acquire().await.expect("postgres answers");
    connection.execute("set role almijara_query").await.expect("the role can be taken on");
    let allowed = "select place, day, searches from visitor.place_search";
    connection.execute(allowed).await.expect(allowed);
    for refused in [
        "delete from visitor.place_search",
        "insert into visitor.place_search values ('nerja', current_date, 1)",
        "select * from visitor.enquiry",
        "select * from visitor.account",
        "create table visitor.mine (a int)",
    ] {
        let error = connection.execute(refused).await.expect_err(refused).to_string();
        assert!(error.contains("permission denied"), "{refused}: {error}");
    }
}
