//! Calls that name one item in their path.

use serde_json::{Value, json};

use crate::node::World;

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_address_and_other_errors_are_reported_together() {
    let world = World::start("query_addresses").await;
    for (call, expected) in [
        ("properties/a%20b?locale=fr", json!(["ref", "locale"])),
        ("properties/a%20b/comparable?page=2", json!(["ref", "page"])),
        ("locations/a%20b", json!(["slug"])),
        ("pages/a%20b?locale=es", json!(["slug"])),
        ("articles/spring?locale=fr", json!(["locale"])),
        ("articles/%ff?locale=fr", json!(["path"])),
        ("docs/buying/a%20b?locale=fr", json!(["slugPath", "locale"])),
        ("docs?page=2", json!(["page"])),
    ] {
        let answer = reqwest::get(format!("{}/api/{call}", world.node.url)).await;
        let answer = answer.expect("an answer");
        let status = answer.status().as_u16();
        let problem: Value = answer.json().await.expect("JSON");
        let errors = problem["errors"].as_array().expect("the errors");
        let fields = errors.iter().map(|error| &error["field"]).collect::<Vec<_>>();
        assert_eq!((status, json!(fields)), (400, expected), "{call}");
    }
}
