//! Duplicate redirects: the content service treats two spellings of an address as different.

use futures::future::join_all;
use serde_json::{Value, json};
use sync::{Depth, MassRemoval};
use testkit::eventually;

use crate::role::{HINTS_ONLY, Role, World};

fn redirect(id: i64, from: &str) -> Value {
    json!({ "id": id, "status": "published", "from_path": from, "to_path": "/new", "code": 301 })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_redirect_from_an_address_is_parked_until_the_first_moves_away() {
    let world = World::new("doubles").await;
    world.content.put("redirects", "1", redirect(1, "/old"));
    let role = world.start(HINTS_ONLY).await;
    world.content.put("redirects", "2", redirect(2, "/%6Fld/"));
    role.hint("redirects", "2").await;
    let item = world.wait_until_parked("redirects", "2", "from_path").await;
    assert_eq!(item.violations[0].value, r#""/old""#);
    assert!(!world.latest().await.contains_key("redirects/2"));
    world.wait_until_idle().await;
    let operator = world.operator().await;
    let report = operator.reconcile(Depth::Contents, MassRemoval::Refuse).await.expect("compared");
    assert_eq!(report.differing, 0, "it is parked as it is");

    world.content.put("redirects", "1", redirect(1, "/older"));
    role.hint("redirects", "1").await;
    world.wait_until_none_is_parked().await;
    eventually("the second one", async || world.latest().await.remove("redirects/2")).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_redirects_in_the_same_read_is_shown() {
    let world = World::new("doubles_at_once").await;
    world.content.put("redirects", "1", redirect(1, "/old/"));
    world.content.put("redirects", "2", redirect(2, "/old"));
    world.content.put("redirects", "3", redirect(3, "/Old"));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_parked("redirects", "2", "from_path").await;
    let parked = world.parked().await.items;
    assert_eq!(parked.len(), 1, "a capital makes another address: {parked:?}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_redirects_saved_concurrently_is_recorded() {
    let world = World::new("doubles_saved").await;
    let role = world.start(HINTS_ONLY).await;
    assert_one_of_each_pair_is_recorded(&world, [&role, &role]).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_redirects_captured_by_two_processes_is_recorded() {
    let world = World::new("doubles_of_two").await;
    let (first, second) = (world.start(HINTS_ONLY).await, world.start(HINTS_ONLY).await);
    assert_one_of_each_pair_is_recorded(&world, [&first, &second]).await;
    first.stop().await;
    second.stop().await;
}

/// Saves pairs of redirects from the same address, in two spellings; of each pair, each of `roles` gets the
/// hint for one.
async fn assert_one_of_each_pair_is_recorded(world: &World, roles: [&Role; 2]) {
    const PAIRS: usize = 20;
    let ids = 1..=40;
    for id in ids.clone() {
        let slash = if id % 2 == 0 { "/" } else { "" };
        let from = format!("/old-{}{slash}", (id + 1) / 2);
        world.content.put("redirects", &id.to_string(), redirect(id, &from));
    }
    let hints = ids.map(async |id: i64| {
        let role = if id % 2 == 0 { roles[0] } else { roles[1] };
        role.hint("redirects", &id.to_string()).await;
    });
    join_all(hints).await;
    let (recorded, parked) = eventually("each read", async || {
        let parked = world.parked().await.items.len();
        let latest = world.latest().await;
        let recorded = latest.keys().filter(|id| id.starts_with("redirects/")).count();
        (recorded + parked >= 2 * PAIRS).then_some((recorded, parked))
    })
    .await;
    assert_eq!((recorded, parked), (PAIRS, PAIRS));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_redirect_keeps_its_address() {
    let world = World::new("doubles_slip").await;
    world.content.put("redirects", "1", redirect(1, "/old"));
    world.content.put("redirects", "2", redirect(2, "/old/"));
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_parked("redirects", "2", "from_path").await;
    let mut nowhere = redirect(1, "/old");
    nowhere["to_path"] = Value::Null;
    world.content.put("redirects", "1", nowhere);
    role.hint("redirects", "1").await;
    world.wait_until_parked("redirects", "1", "to_path").await;
    role.hint("redirects", "2").await;
    world.wait_until_idle().await;
    assert!(!world.latest().await.contains_key("redirects/2"), "the site still shows the first");

    let mut elsewhere = redirect(1, "/old");
    elsewhere["to_path"] = json!("/newest");
    world.content.put("redirects", "1", elsewhere);
    role.hint("redirects", "1").await;
    eventually("the first one, mended", async || {
        let parked = world.parked().await.items;
        (parked.len() == 1 && parked[0].key == "2").then_some(())
    })
    .await;
    role.stop().await;
}
