//! The admin API: what is parked and why, what was published, and pausing, resuming and comparing.

use chrono::{DateTime, Utc};
use event_log::EventLog;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::{Nats, eventually};

use crate::{
    content::{Mood, house},
    live_status::with_a_house_that_is_shown,
    role::{HINTS_ONLY, Role, World},
};

/// A world with house 1 at 100 in the ledger, and a running role.
async fn with_a_house(name: &str) -> (World, Role) {
    let world = World::new(name).await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.wait_until_published().await;
    (world, role)
}

/// Sets the price of house 1, without a hint.
fn price(world: &World, price: i64) {
    world.content.change("properties", "1", |house| house["price"] = json!(price));
}

/// Waits until the state of the role is as `wanted`.
async fn state(role: &Role, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    eventually(what, async || Some(role.operator.get("/admin/state").await).filter(&wanted)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parked_item_is_listed_beside_its_last_good_version_and_read_on_request() {
    let (world, role) = with_a_house("op_parked").await;
    price(&world, -5);
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    // Otherwise the recheck after the hint would find it corrected.
    world.wait_until_idle().await;
    let parked = role.operator.get("/admin/parked").await;
    let difference = json!({ "field": "price", "parked": "-5", "lastGood": "100" });
    assert_eq!(parked["items"][0]["differences"], json!([difference]), "{parked}");
    assert_eq!(parked["items"][0]["violations"][0]["field"], "price");

    // Corrected, without a hint.
    price(&world, 200);
    let others = json!({ "items": [{ "collection": "properties", "key": "2" }], "hints": [] });
    assert_eq!(role.operator.act("/admin/parked/retry", &others).await["retried"], 0);
    for nothing in [json!({}), json!({ "items": [], "hints": [] }), json!({ "all": true })] {
        let (status, _) = role.operator.post("/admin/parked/retry", &nothing).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{nothing}");
    }
    assert_eq!(world.parked().await.items.len(), 1, "what was not listed is left as it is");
    let listed = json!({ "items": [{ "collection": "properties", "key": "1" }] });
    assert_eq!(role.operator.act("/admin/parked/retry", &listed).await["retried"], 1);
    world.wait_for_price("1", 200).await;
    world.wait_until_none_is_parked().await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_current_differences_of_a_parked_item_are_listed() {
    let (world, role) = with_a_house("op_compared").await;
    let path = "/admin/parked/item?collection=properties&key=1";
    let ask = async |path: &str| role.operator.ask(path, Some(testkit::ADMIN_TOKEN)).await;
    let (status, answer) = ask(path).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "it is not parked: {answer}");
    world.content.change("properties", "1", |house| {
        house["price"] = json!(-5);
        house["bedrooms"] = json!(4);
        house["translations"][0]["summary"] = json!("Bright");
    });
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    // This change has no hint, and is listed all the same.
    price(&world, -6);
    let (status, compared) = ask(path).await;
    assert_eq!(status, StatusCode::OK, "{compared}");
    let fields = json!([
        { "field": "price", "now": "-6", "lastGood": "100", "broken": true },
        { "field": "bedrooms", "now": "4", "lastGood": null, "broken": false },
        { "field": "translations.en-GB.summary", "now": "\"Bright\"", "lastGood": "\"Light\"",
          "broken": false },
    ]);
    let expected = json!({ "fields": fields, "more": 0, "whole": true, "personal": false });
    assert_eq!(compared, expected);

    for (path, expected) in [
        ("/admin/parked/item?collection=properties", StatusCode::BAD_REQUEST),
        ("/admin/parked/item?collection=properties&key=1&all=1", StatusCode::BAD_REQUEST),
        ("/admin/parked/item?collection=properties&key=2", StatusCode::UNPROCESSABLE_ENTITY),
        ("/admin/parked/item?collection=people&key=1", StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        assert_eq!(ask(path).await.0, expected, "{path}");
    }
    world.content.forbid("properties");
    assert_eq!(ask(path).await.0, StatusCode::SERVICE_UNAVAILABLE);
    world.content.allow("properties");
    world.content.change("properties", "1", |house| house["status"] = json!("draft"));
    let (status, answer) = ask(path).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "of a draft nothing is told: {answer}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unresolved_hint_is_retried_or_dropped_by_its_id() {
    let (world, role) = with_a_house("op_hints").await;
    world.content.forbid("team_translations");
    role.hint("team_translations", "7").await;
    role.hint("team_translations", "8").await;
    let hints = eventually("both being put off", async || {
        let parked = role.operator.get("/admin/parked").await;
        parked["hints"].as_array().filter(|hints| hints.len() == 2).cloned()
    })
    .await;
    let ids: Vec<i64> = hints.iter().filter_map(|hint| hint["id"].as_i64()).collect();
    let dropped = role.operator.act("/admin/parked/drop", &json!({ "hints": [ids[0]] })).await;
    assert_eq!(dropped["dropped"], 1);
    let left = world.parked().await.hints;
    assert_eq!(left.iter().map(|hint| hint.id).collect::<Vec<_>>(), [ids[1]]);

    // Not before the operator retries it.
    world
        .sql(
            "update ledger.inbox set due_at = now() + interval '1 hour'
             where resolved_at is null",
        )
        .await;
    world.content.allow("team_translations");
    let retried = role.operator.act("/admin/parked/retry", &json!({ "hints": ids })).await;
    assert_eq!(retried["retried"], 1, "what was dropped is no more");
    eventually("it being resolved", async || world.parked().await.hints.is_empty().then_some(()))
        .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_capture_keeps_hints_through_a_restart_until_it_is_resumed() {
    runtime::metrics::install(sync::METRICS);
    let (world, role) = with_a_house("op_capture").await;
    let capture = json!({ "what": "capture" });
    role.operator.act("/admin/pause", &capture).await;
    price(&world, 200);
    role.hint("properties", "1").await;
    let paused = state(&role, "the hint being kept", |it| it["dirty"]["count"] == 1).await;
    assert_eq!(paused["paused"], json!({ "capture": true, "relay": false }));
    role.stop().await;

    let role = Role::start(world.config(HINTS_ONLY)).await;
    let told = eventually("the health saying so", async || role.health_details("paused")).await;
    assert!(told["capture"].is_string(), "{told}");
    let hand = world.operator().await;
    assert_eq!(hand.capture_due().await.expect("the ledger answers"), 0, "nobody captures");
    assert_eq!(world.property("1").await.and_then(|entry| entry.price()), Some(100));

    // These are the limits of the alerts StepPaused and CaptureWaits. What the house refers to may still
    // be captured or drawn, which marks the house again as of now.
    for (metric, limit) in [
        ("sync_paused_seconds{step=\"capture\"}", 1_800.0),
        ("sync_aggregates_due_oldest_seconds", 60.0),
    ] {
        eventually(metric, async || {
            world.sql("update ledger.pause set since = now() - interval '1 hour'").await;
            world
                .sql(
                    "update ledger.aggregate set due_at = now() - interval '1 hour'
                     where dirty_gen > clean_gen",
                )
                .await;
            role.operator.metric(metric).await.filter(|seconds| *seconds > limit)
        })
        .await;
    }

    role.operator.act("/admin/resume", &capture).await;
    world.wait_for_price("1", 200).await;
    eventually("the health saying nothing", async || {
        role.health_details("paused").is_none().then_some(())
    })
    .await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_relay_keeps_entries_and_publishes_them_when_resumed() {
    let (world, role) = with_a_house("op_relay").await;
    let relay = json!({ "what": "relay" });
    role.operator.act("/admin/pause", &relay).await;
    price(&world, 200);
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    let paused = state(&role, "the entry waiting", |it| it["outbox"]["fresh"] == 1).await;
    assert_eq!((&paused["leads"], &paused["paused"]["relay"]), (&json!(true), &json!(true)));
    let latest = &role.operator.get("/admin/publishes?limit=1").await["items"][0];
    assert_eq!((&latest["version"], &latest["sequence"]), (&json!(2), &Value::Null));

    role.operator.act("/admin/resume", &relay).await;
    world.wait_until_published().await;
    let versions: Vec<i64> =
        world.log().await.into_iter().map(|(_, event)| event.version.0).collect();
    assert!(versions.contains(&2), "{versions:?}");
    let latest = &role.operator.get("/admin/publishes?limit=1").await["items"][0];
    assert!(latest["sequence"].is_u64(), "{latest}");
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_log_is_not_marked_complete_while_its_relay_is_paused() {
    let (mut world, role) = with_a_house("op_refill").await;
    role.operator.act("/admin/pause", &json!({ "what": "relay" })).await;
    role.stop().await;
    world.nats = Nats::start().await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    state(&role, "what the new log will be filled with", |it| {
        let is_waiting = it["outbox"]["refill"].as_u64().is_some_and(|left| left >= 2);
        it["leads"] == true && it["stream"]["messages"] == 0 && is_waiting
    })
    .await;
    let log = EventLog::connect(&world.nats.url(), "test").await.expect("an address");
    let complete = async || {
        let lineage = log.stream_state().await.ok().flatten().and_then(|state| state.lineage);
        lineage.is_some_and(|lineage| lineage.complete)
    };
    // Some rounds of the relay pass, and each finds nothing to publish.
    for _ in 0..3 {
        state(&role, "a round", |it| it["outbox"]["fresh"] == 0).await;
        assert!(!complete().await);
    }
    role.operator.act("/admin/resume", &json!({ "what": "relay" })).await;
    eventually("the log being complete", async || complete().await.then_some(())).await;
    assert_eq!(world.log().await.len(), world.latest().await.len());
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requested_comparison_finds_a_change_without_a_hint() {
    let (world, role) = with_a_house("op_reconcile").await;
    price(&world, 200);
    let wrong = json!({ "allowMassRemoval": false, "collection": "team" });
    let (status, _) = role.operator.post("/admin/reconcile", &wrong).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let asked = json!({ "allowMassRemoval": false });
    world.content.set(Mood::Stalling);
    let (status, _) = role.operator.post("/admin/reconcile", &asked).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let (status, answer) = role.operator.post("/admin/reconcile", &asked).await;
    assert_eq!(status, StatusCode::CONFLICT, "one is under way: {answer}");
    assert_eq!(role.operator.get("/admin/state").await["reconcile"]["running"], true);
    world.content.set(Mood::Fair);
    let compared = state(&role, "its end", |it| it["reconcile"]["endedAt"].is_string()).await;
    let told = &compared["reconcile"];
    assert_eq!((&told["running"], &told["error"]), (&json!(false), &Value::Null), "{told}");
    assert_eq!((&told["differing"], &told["missing"]), (&json!(1), &json!(0)), "{told}");
    world.wait_for_price("1", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn publishes_are_listed_with_their_steps_newest_first_in_pages() {
    let (world, role) = with_a_house_that_is_shown("op_publishes").await;
    price(&world, 200);
    role.hint("properties", "1").await;
    world.wait_for_price("1", 200).await;
    let newest = eventually("the site being seen to show it", async || {
        let page = role.operator.get("/admin/publishes?limit=1").await;
        page["items"][0]["live"].is_object().then_some(page)
    })
    .await;
    let item = &newest["items"][0];
    assert_eq!((&item["collection"], &item["key"]), (&json!("properties"), &json!("1")));
    assert_eq!((&item["version"], &item["change"]), (&json!(2), &json!("upserted")));
    assert!(item["title"].is_string() && item["hintedAt"].is_string(), "{item}");
    assert!(item["sequence"].is_u64() && item["refused"].is_null(), "{item}");
    assert_eq!(item["overtaken"], false, "{item}");
    let moment = |field: &str| {
        let time = item[field].as_str().and_then(|time| time.parse::<DateTime<Utc>>().ok());
        time.unwrap_or_else(|| panic!("{field} of {item}"))
    };
    // Editors are told the same time, also after thousands of later hints.
    world
        .sql(
            "insert into ledger.inbox (event, collection, keys, resolved_at)
             select 'items.update', 'properties', '{9}', now() from generate_series(1, 2000)",
        )
        .await;
    let hinted_at: Option<DateTime<Utc>> = sqlx::query_scalar(
        "select ledger.hinted_at(collection, key, version, captured_at) from ledger.entry
         where collection = 'properties' and key = '1' and version = 2",
    )
    .fetch_one(&world.pool)
    .await
    .expect("the ledger answers");
    assert_eq!(hinted_at, Some(moment("hintedAt")));
    let steps = [moment("hintedAt"), moment("capturedAt"), moment("publishedAt")];
    assert!(steps.is_sorted(), "{item}");
    let address = item["live"]["addresses"][0].as_str().expect("an address");
    assert!(address.starts_with("https://homes.example/property-for-sale/"), "{address}");

    let before = newest["next"].as_i64().expect("there are more");
    let rest = role.operator.get(&format!("/admin/publishes?before={before}")).await;
    let ids: Vec<i64> = rest["items"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["id"].as_i64())
        .collect();
    assert!(ids.len() >= 3 && ids.is_sorted_by(|a, b| a > b) && ids[0] < before, "{ids:?}");
    assert_eq!(rest["next"], Value::Null);
    let first_is_overtaken = |page: &Value| {
        let of_it = |it: &&Value| it["collection"] == "properties" && it["version"] == 1;
        page["items"].as_array().and_then(|items| items.iter().find(of_it)?["overtaken"].as_bool())
    };
    assert_eq!(first_is_overtaken(&rest), Some(true), "{rest}");
    for wrong in ["limit=0", "limit=201", "page=2"] {
        let path = format!("/admin/publishes?{wrong}");
        let (status, _) = role.operator.ask(&path, Some(testkit::ADMIN_TOKEN)).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    world
        .sql("update ledger.entry set refused = 'too large' where key = '1' and version = 2")
        .await;
    let all = role.operator.get("/admin/publishes").await;
    assert_eq!(first_is_overtaken(&all), Some(false), "what is refused takes no place: {all}");
    role.stop().await;
}
