//! Menu entries, and their parents.

use serde_json::{Value, json};
use testkit::eventually;

use crate::role::{Entry, HINTS_ONLY, World};

fn entry(id: i64, url: &str, parent: Option<i64>) -> Value {
    json!({
        "id": id, "status": "published", "menu": "header", "url": url, "parent": parent,
        "translations": [{ "id": id * 10, "languages_code": "en-GB", "label": "Areas" }],
    })
}

/// Waits until each of the entries `keys` is on the site (`shown`), or off it.
async fn wait_until_shown(world: &World, keys: &[&str], shown: bool) {
    eventually(&format!("{keys:?} shown: {shown}"), async || {
        let latest = world.latest().await;
        let is_as_told = |key: &&str| {
            let entry = latest.get(&format!("navigation/{key}"));
            entry.is_some_and(|entry: &Entry| entry.is_removal() != shown)
        };
        keys.iter().all(is_as_told).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_is_removed_and_restored_with_its_parents() {
    let world = World::new("menus").await;
    world.content.put("navigation", "1", entry(1, "/areas", None));
    world.content.put("navigation", "2", entry(2, "/torrox", Some(1)));
    world.content.put("navigation", "3", entry(3, "/torrox-costa", Some(2)));
    let role = world.start(HINTS_ONLY).await;
    wait_until_shown(&world, &["1", "2", "3"], true).await;

    world.content.change("navigation", "1", |entry| entry["status"] = json!("archived"));
    role.hint("navigation", "1").await;
    wait_until_shown(&world, &["1", "2", "3"], false).await;
    let item = world.wait_until_parked("navigation", "2", "parent").await;
    assert_eq!(item.violations[0].value, r#""/torrox under /areas (archived)""#);
    let item = world.wait_until_parked("navigation", "3", "parent").await;
    let way = r#""/torrox-costa under /torrox under /areas (archived)""#;
    assert_eq!(item.violations[0].value, way);

    world.content.change("navigation", "1", |entry| entry["status"] = json!("published"));
    role.hint("navigation", "1").await;
    wait_until_shown(&world, &["1", "2", "3"], true).await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cycle_of_entries_parks_them_whatever_its_length() {
    let world = World::new("menu_rings").await;
    // A cycle of five, and one of seven.
    for (first, last) in [(1, 5), (11, 17)] {
        for id in first..=last {
            let parent = if id == last { first } else { id + 1 };
            let url = format!("/{id}");
            world.content.put("navigation", &id.to_string(), entry(id, &url, Some(parent)));
        }
    }
    let role = world.start(HINTS_ONLY).await;
    for (key, way) in [
        ("1", "/1 under /2 under /3 under /4 under /5 under /1"),
        ("11", "/11 under /12 under /13 under /14 under /15"),
    ] {
        let item = world.wait_until_parked("navigation", key, "parent").await;
        assert_eq!(item.violations[0].value, format!("\"{way}\""));
    }
    eventually("all twelve parked", async || {
        (world.parked().await.items.len() == 12).then_some(())
    })
    .await;
    role.stop().await;
}
