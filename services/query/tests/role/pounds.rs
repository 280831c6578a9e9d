//! Amounts in pounds, converted at the editors' rate.

use serde_json::{Value, json};

use crate::{
    homes::{home, publish},
    node::World,
    settings::settings,
};

/// Searches below £100k. Returns the total, the remaining words, and the filter made from the amount.
async fn found(world: &World) -> Value {
    let address = format!("{}/api/properties?q=under+%C2%A3100k", world.node.url);
    let answer = reqwest::get(address).await.expect("an answer");
    let list: Value = answer.error_for_status().expect("found").json().await.expect("JSON");
    json!([list["total"], list["words"], list["understood"][0]])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_exchange_rate_applies_at_once() {
    let mut world = World::start("query_pounds").await;
    publish(&mut world, &[home("AH-1", 110_000, 1), home("AH-2", 120_000, 1)]).await;
    assert_eq!(found(&world).await, json!([0, "under £100k", null]));
    for (version, rate, value, total) in [(1, 0.8, "125000", 2), (2, 0.86, "116000", 1)] {
        let figure = json!([{ "key": "pounds_per_euro", "value": rate, "date": "2026-11-25" }]);
        let fields = json!({ "figures": { "exchange": figure } });
        let position = world.log.publish(&settings(version, fields)).await;
        world.wait_for(position).await;
        let pounds = json!({ "amount": 100_000, "rate": rate, "asOf": "2026-11-25" });
        let understood = json!({
            "text": "under £100k", "parameter": "maxPrice", "value": value, "pounds": pounds,
        });
        assert_eq!(found(&world).await, json!([total, "", understood]));
    }
}
