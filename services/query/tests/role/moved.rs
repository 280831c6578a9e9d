//! Where the editors lead from addresses that have no page.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Collection, Event, SCHEMA_VERSION, Version,
    content::{Redirect, Snapshot},
};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::node::World;

/// A redirect from one path to another.
fn redirect((from, to): (&str, &str)) -> Event {
    let redirect = Redirect { from_path: from.to_owned(), to_path: Some(to.to_owned()), code: 308 };
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Redirects, from.trim_start_matches('/')),
        version: Version(1),
        captured_at: DateTime::<Utc>::UNIX_EPOCH,
        change: Change::Upserted { snapshot: Box::new(Snapshot::Redirects(redirect)) },
        offers: Vec::new(),
    }
}

/// The status and the body of the answer about `query`.
async fn asked(world: &World, query: &str) -> (u16, Value) {
    let address = format!("{}/api/moved{query}", world.node.url);
    let answer = reqwest::get(address).await.expect("an answer");
    (answer.status().as_u16(), answer.json().await.expect("JSON"))
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_led_round_in_a_ring() {
    let mut world = World::start("query_rings").await;
    for paths in [
        ("/a", "/b"),
        ("/b", "/c?q=1"),
        ("/c", "/a#part"),
        ("/into", "/a"),
        ("/old", "/step"),
        ("/step", "/end"),
        // A page that was renamed, and then had its old name again.
        ("/guide", "/handbook"),
        ("/handbook", "/guide"),
    ] {
        world.log.publish(&redirect(paths)).await;
    }
    let position = world.publish("guide").await;
    world.told(position).await;
    for round in ["/a", "/b", "/c"] {
        assert_eq!(asked(&world, &format!("?path={round}")).await.0, 404, "{round}");
    }
    for (from, to) in
        [("/into", "/a"), ("/old", "/step"), ("/step", "/end"), ("/handbook", "/guide")]
    {
        let moved = asked(&world, &format!("?path={from}")).await;
        assert_eq!(moved, (200, json!({ "to": to, "code": 308 })));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_wrong_is_named_once() {
    let world = World::start("query_wrong_paths").await;
    for query in ["", "?path=", "?path=a", "?path=/%00"] {
        let (status, problem) = asked(&world, query).await;
        let errors = problem["errors"].as_array().expect("what is wrong");
        let fields = errors.iter().map(|error| &error["field"]).collect::<Vec<_>>();
        assert_eq!((status, json!(fields)), (400, json!(["path"])), "{query}");
    }
}
