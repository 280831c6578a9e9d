//! Redirects of addresses that have no page.

use serde_json::{Value, json};

use crate::node::World;

/// Returns the status and the body of the answer to `query`.
async fn ask(world: &World, query: &str) -> (u16, Value) {
    let address = format!("{}/api/moved{query}", world.node.url);
    let answer = reqwest::get(address).await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_path_is_one_error() {
    let world = World::start("query_wrong_paths").await;
    for query in ["", "?path=", "?path=a", "?path=/%00"] {
        let (status, problem) = ask(&world, query).await;
        let errors = problem["errors"].as_array().expect("the errors");
        let fields = errors.iter().map(|error| &error["field"]).collect::<Vec<_>>();
        assert_eq!((status, json!(fields)), (400, json!(["path"])), "{query}");
    }
}
