//! The order of suggested places: the most searched for first, and towns before their parts.

use contracts::content::Property;
use sqlx::PgPool;

use crate::{
    homes::publish,
    node::World,
    places::{ask, at, place},
};

/// The write side's table.
const TABLE: &str = include_str!("../../../command/migrations/0011_place_searches.sql");

/// Returns the labels of the suggestions for `text`, except homes.
async fn suggested(world: &World, text: &str) -> Vec<String> {
    let found = ask(world, &format!("/api/suggest?q={text}")).await;
    let items = found["items"].as_array().expect("suggestions").iter();
    let items = items.filter(|item| item["kind"] != "property");
    items.map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
}

async fn search(pool: &PgPool, place: &str, days_ago: i32, times: i64) {
    let counted = "insert into visitor.place_search values ($1, current_date - $2, $3)";
    let counted = sqlx::query(counted).bind(place).bind(days_ago).bind(times);
    counted.execute(pool).await.expect("postgres answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn among_equal_matches_the_most_searched_places_of_the_month_come_first() {
    let mut world = World::start("query_searched").await;
    let slugs = ["el-torreon", "torreblanca", "torremar", "torrox"];
    for slug in slugs {
        let position = world.log.publish(&place(slug, &[])).await;
        world.wait_for(position).await;
    }
    let homes: Vec<Property> = slugs.map(|slug| at(&format!("AH-{slug}"), slug, &[])).into();
    publish(&mut world, &homes).await;

    // Suggestions also work with an older write side, which has no counts.
    assert_eq!(
        suggested(&world, "torr").await,
        ["TORREBLANCA", "TORREMAR", "TORROX", "EL-TORREON"],
        "best match first, then in the editors' order"
    );

    world.stop_node().await;
    sqlx::raw_sql("create schema visitor").execute(&world.pool).await.expect("a schema");
    sqlx::raw_sql(TABLE).execute(&world.pool).await.expect("a table");
    for (place, days_ago, times) in [
        ("torrox", 0, 5),
        ("torrox", 29, 4),
        ("torremar", 0, 3),
        ("torremar", 30, 20),
        ("el-torreon", 0, 50),
        ("atlantis", 0, 99),
    ] {
        search(&world.pool, place, days_ago, times).await;
    }
    world.start_node().await;
    let position = world.publish("last").await;
    world.wait_for(position).await;
    assert_eq!(
        suggested(&world, "torr").await,
        ["TORROX", "TORREMAR", "TORREBLANCA", "EL-TORREON"],
        "a better match still comes first"
    );
    assert_eq!(
        suggested(&world, "villa+torr").await[..2],
        ["Villas in TORROX", "Villas in TORREMAR"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn among_equal_matches_a_town_comes_before_its_parts() {
    let mut world = World::start("query_depths").await;
    // In alphabetical order each part would come before the town.
    let around = ["torrox", "axarquia"];
    for (slug, ancestors) in [
        ("axarquia", &[][..]),
        ("torreblanca", &around),
        ("torremar", &around),
        ("torrox", &around[1..]),
    ] {
        let position = world.log.publish(&place(slug, ancestors)).await;
        world.wait_for(position).await;
    }
    publish(&mut world, &[at("AH-1", "torreblanca", &around)]).await;
    assert_eq!(suggested(&world, "torr").await, ["TORROX", "TORREBLANCA", "TORREMAR"]);
    assert_eq!(
        suggested(&world, "villa+torr").await[..2],
        ["Villas in TORROX", "Villas in TORREBLANCA"]
    );
}
