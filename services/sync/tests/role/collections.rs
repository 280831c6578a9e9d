//! A collection that can't be read does not block the others.

use std::time::Duration;

use serde_json::{Value, json};
use sync::{Depth, Error, Intervals, MassRemoval};
use testkit::eventually;

use crate::{
    content::{Mood, house},
    role::{HINTS_ONLY, Role, World},
};

const SECOND: Duration = Duration::from_secs(1);

/// Returns the health report of `collection` if it can't be read.
fn unreadable(role: &Role, collection: &str, task: &str) -> Option<Value> {
    let told = role.health_details("unreadable")?;
    let mut all = told.as_array()?.iter();
    all.rfind(|one| one["collection"] == collection && one["task"] == task).cloned()
}

fn redirect(to: &str) -> Value {
    json!({ "id": 1, "status": "published", "from_path": "/old", "to_path": to, "code": 301 })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_collection_does_not_block_reconciling() {
    let world = World::new("forbidden").await;
    for id in 1..=30 {
        world.content.put("properties", &id.to_string(), house(id, 100));
    }
    world.content.put("redirects", "1", redirect("/new"));
    world.content.forbid("redirects");
    let role = world.start(Intervals { activity: SECOND, sweep: SECOND, ..HINTS_ONLY }).await;
    let told =
        eventually("the health naming it", async || unreadable(&role, "redirects", "full")).await;
    assert!(told["why"].as_str().is_some_and(|why| why.contains("forbids")), "{told}");
    assert!(told["since"].is_string(), "{told}");
    assert!(role.is_ready());

    // Changes without a hint are found all the same: by ids, and by the activity log.
    world.content.put("properties", "99", house(99, 990));
    world.wait_for_price("99", 990).await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    world.content.log_activity("update", "properties", "1");
    world.wait_for_price("1", 200).await;

    let again = unreadable(&role, "redirects", "full").expect("it can't be read");
    assert_eq!(again["since"], told["since"], "it is told since when");
    world.content.allow("redirects");
    eventually("the redirect", async || world.latest().await.remove("redirects/1")).await;
    eventually("the health naming nothing", async || {
        role.health_details("unreadable").is_none().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_that_can_t_be_read_backs_off_and_the_others_are_not_read_again() {
    let world = World::new("alone").await;
    world.content.put("properties", "1", house(1, 100));
    world.content.forbid("redirects");
    let role = world.start(HINTS_ONLY).await;
    world.wait_until_idle().await;
    eventually("the health naming it", async || unreadable(&role, "redirects", "full")).await;
    let before = world.content.readings_of("properties");
    let tried = world.content.readings_of("redirects");
    // The backoff doubles: how many attempts fit into a time depends on how long the start took.
    eventually("another try", async || {
        (world.content.readings_of("redirects") > tried).then_some(())
    })
    .await;
    assert_eq!(world.content.readings_of("properties"), before);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_activity_log_is_reported_and_stops_nothing() {
    let world = World::new("no_activity").await;
    let role = world.start(Intervals { activity: SECOND, ..HINTS_ONLY }).await;
    // Nothing else is read meanwhile.
    world.content.set(Mood::Forbidding);
    let log = "directus_activity";
    let told = eventually("the health naming it", async || unreadable(&role, log, "follow")).await;
    assert!(told["why"].as_str().is_some_and(|why| why.contains("forbids")), "{told}");
    assert!(role.is_ready());
    let troubles = &role.operator.get("/admin/state").await["troubles"];
    assert_eq!((&troubles[0]["collection"], &troubles[0]["since"]), (&json!(log), &told["since"]));
    world.content.set(Mood::Fair);
    eventually("the health naming nothing", async || {
        role.health_details("unreadable").is_none().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_about_a_forbidden_collection_do_not_delay_capture() {
    let world = World::new("hinted").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.put("redirects", "1", redirect("/new"));
    world.content.forbid("redirects");
    role.hint("redirects", "1").await;
    eventually("the health naming it", async || unreadable(&role, "redirects", "capture")).await;
    assert!(role.is_ready());
    // Without a hint, for the capture loop to find: the only hint comes from the comparison of the
    // operator.
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    let operator = world.operator().await;
    let compared = operator.reconcile(Depth::Contents, MassRemoval::Refuse).await;
    assert!(matches!(compared, Err(Error::Content(_))), "{compared:?}");
    world.wait_for_price("1", 200).await;
    world.content.allow("redirects");
    eventually("the redirect", async || world.latest().await.remove("redirects/1")).await;
    role.stop().await;
}
