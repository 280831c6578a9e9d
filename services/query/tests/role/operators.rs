//! The admin calls of a node: its state, slow calls, and searches without results.

use reqwest::StatusCode;
use serde_json::json;
use testkit::Operator;

use crate::node::World;

#[tokio::test(flavor = "multi_thread")]
async fn a_node_reports_its_state_only_to_operators() {
    let mut world = World::start("query_operators").await;
    let operator = Operator::of(&world.node.process).await;
    for path in ["/admin/state", "/admin/slow", "/admin/empty-searches", "/admin/indexed"] {
        for token in [None, Some("another-token-for-it")] {
            assert_eq!(operator.ask(path, token).await.0, StatusCode::UNAUTHORIZED, "{path}");
        }
    }
    let position = world.publish("one").await;
    world.wait_for(position).await;
    let (listener, _) = world.listen(None).await.expect("a stream");
    let state = operator.get("/admin/state").await;
    assert_eq!(state["index"]["sequence"], position.get(), "{state}");
    assert_eq!(state["readModels"]["sequence"], position.get(), "{state}");
    assert!(state["index"]["bytes"].is_u64() && state["index"]["segments"].is_u64(), "{state}");
    assert!(state["feed"]["listeners"].as_u64().is_some_and(|count| count >= 1), "{state}");
    drop(listener);

    let (position, after) = (position.get(), position.get() + 1);
    let indexed = operator.get(&format!("/admin/indexed?sequences={position},{after}")).await;
    assert_eq!(indexed[0]["sequence"], position, "{indexed}");
    assert!(indexed[0]["at"].is_string(), "{indexed}");
    assert_eq!(indexed[1], json!({ "sequence": after, "at": null }), "it is not reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_searches_and_slow_calls_are_listed_without_email_addresses() {
    let world = World::start("query_watched").await;
    let operator = Operator::of(&world.node.process).await;
    let ask = async |query: &str| {
        let url = format!("{}/api/properties?{query}", world.node.url);
        assert_eq!(reqwest::get(url).await.expect("an answer").status(), StatusCode::OK);
    };
    // There are no homes, so every search is empty.
    for query in ["q=Igl%C3%BA", "q=iglu&page=2", "q=castillo&locale=es", "minPrice=5"] {
        ask(query).await;
    }
    ask("q=ann%40x.example").await;
    let searches = operator.get("/admin/empty-searches").await;
    assert_eq!((&searches[0]["query"], &searches[0]["count"]), (&json!("iglu"), &json!(2)));
    assert_eq!((&searches[1]["query"], &searches[1]["locale"]), (&json!("castillo"), &json!("es")));
    assert_eq!(searches.as_array().map(Vec::len), Some(2), "{searches}");

    let slow = operator.get("/admin/slow").await;
    let calls = slow.as_array().expect("a list");
    let is_listed = calls
        .iter()
        .any(|call| call["call"] == "/api/properties" && call["query"] == "q=castillo&locale=es");
    assert!(is_listed && calls.len() <= 50, "{slow}");
    assert!(calls.iter().all(|call| call["milliseconds"].is_f64() && call["at"].is_string()));
    assert!(calls.is_sorted_by(|a, b| a["milliseconds"].as_f64() >= b["milliseconds"].as_f64()));
    assert!(!slow.to_string().contains("x.example"), "{slow}");
}
