//! Tests of what the console shows: read calls and the overview.

use admin_answers::{
    site::{FeedState, SiteState},
    sync::{DirtyState, PausedSteps, SyncState},
};
use http::StatusCode;
use serde_json::{Value, json};
use testkit::eventually;

use crate::{fake_role::FakeRole, world::World};

#[tokio::test]
async fn a_list_is_forwarded_unchanged() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let publishes = json!({ "items": [{ "id": 7, "title": "A house" }], "next": 7 });
    world.sync.answer("/admin/publishes", StatusCode::OK, publishes.clone());
    let answer = browser.get("/api/sync/publishes?limit=50&before=9").await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, publishes));
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(world.sync.gets(), ["/admin/publishes?limit=50&before=9"]);
    world.sync.answer("/admin/parked/item", StatusCode::OK, json!({ "fields": [] }));
    let of_one = "/parked/item?collection=properties&key=AH-1042";
    assert_eq!(browser.get(&format!("/api/sync{of_one}")).await.status, StatusCode::OK);
    assert!(world.sync.gets().contains(&format!("/admin{of_one}")));

    for path in ["/api/sync/publishes?limit=5%26x", "/api/sync/parked?limit=5"] {
        assert_eq!(browser.get(path).await.status, StatusCode::BAD_REQUEST, "{path}");
    }
    for path in ["/api/sync/reconcile", "/api/sync/metrics", "/api/preview/state", "/api/x"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let nobody = world.browser();
    for path in ["/api/sync/publishes", "/api/overview", "/api/audit", "/api/query/slow"] {
        assert_eq!(nobody.get(path).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[tokio::test]
async fn a_refusal_by_a_role_is_reported_and_does_not_sign_the_operator_out() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let unknown = browser.get("/api/query/slow").await;
    assert_eq!(unknown.status, StatusCode::BAD_GATEWAY);
    assert!(unknown.text.contains("ADMIN_TOKEN"), "{unknown:?}");
    world.query.answer("/admin/slow", StatusCode::UNAUTHORIZED, Value::Null);
    let refused = browser.get("/api/query/slow").await;
    assert_eq!(refused.status, StatusCode::BAD_GATEWAY);
    assert!(refused.text.contains("token"), "{refused:?}");
    assert_eq!(browser.get("/api/session").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_lists_of_two_doors_are_merged_and_one_that_is_missing_is_named() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let entry = |path: &str, count: u32| json!({ "path": path, "count": count, "lastAt": "2026-11-25T10:00:00Z", "referrer": null });
    let [one, other] = &world.sites;
    one.answer("/admin/not-found", StatusCode::OK, json!([entry("/a", 3), entry("/b", 2)]));
    other.answer("/admin/not-found", StatusCode::OK, json!([entry("/b", 5)]));
    let found = browser.get("/api/site/not-found").await.json();
    assert_eq!(found, json!({ "entries": [entry("/b", 7), entry("/a", 3)], "missing": [] }));

    let problem = json!({ "title": "Busy", "detail": "it starts", "status": 503 });
    other.answer("/admin/not-found", StatusCode::SERVICE_UNAVAILABLE, problem);
    let found = browser.get("/api/site/not-found").await.json();
    assert_eq!(found["entries"], json!([entry("/a", 3), entry("/b", 2)]));
    let missing = found["missing"].as_array().cloned().unwrap_or_default();
    let [why] = missing.as_slice() else { panic!("one is missing: {found}") };
    let why = why.as_str().expect("a text");
    assert!(why.starts_with("site at 127.0.0.1:"), "{why}");
    assert!(why.ends_with("refuses (503) it starts"), "{why}");
    for site in &world.sites {
        site.answer("/admin/not-found", StatusCode::SERVICE_UNAVAILABLE, Value::Null);
    }
    let none = browser.get("/api/site/not-found").await;
    assert_eq!(none.status, StatusCode::SERVICE_UNAVAILABLE, "{none:?}");
}

#[tokio::test]
async fn a_dead_process_does_not_hide_the_lists_of_the_others() {
    let dead = format!("127.0.0.1:{}", local_servers::free_port().expect("a free port"));
    let world = World::start(&[&format!("--query-admin-url=http://{dead}")]).await;
    let browser = world.signed_in("ann", false).await;
    let slow = json!([{ "call": "/api/properties", "milliseconds": 812.4 }]);
    world.query.answer("/admin/slow", StatusCode::OK, slow.clone());
    let found = browser.get("/api/query/slow").await;
    assert_eq!((found.status, &found.json()["entries"]), (StatusCode::OK, &slow), "{found:?}");
    let missing = found.json()["missing"][0].as_str().map(str::to_owned).unwrap_or_default();
    assert!(missing.starts_with(&format!("query at {dead}: it does not answer")), "{found:?}");
}

#[tokio::test]
async fn a_step_is_reached_when_every_door_has_reached_it() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let reached = |sequence: u64, at: Option<&str>| json!({ "sequence": sequence, "at": at });
    let (early, late) = (Some("2026-11-25T10:00:00.100Z"), Some("2026-11-25T10:00:00.120Z"));
    let [one, other] = &world.sites;
    let all = [reached(7, early), reached(8, early)];
    one.answer("/admin/purged", StatusCode::OK, json!(all));
    other.answer("/admin/purged", StatusCode::OK, json!([reached(7, late), reached(8, None)]));
    let found = browser.get("/api/site/purged?sequences=7,8").await.json();
    assert_eq!(found["entries"], json!([reached(7, late)]), "the second door is not that far");
}

#[tokio::test]
async fn the_overview_has_the_state_of_each_step() {
    let world = World::start(&["--trace-url=http://traces.example/trace/{traceId}"]).await;
    let browser = world.signed_in("ann", false).await;
    let state = |paused: bool| {
        let mut state = json!(SyncState {
            leads: true,
            dirty: DirtyState { count: 2, oldest_seconds: Some(1.0) },
            paused: PausedSteps { capture: paused, relay: false },
            ..SyncState::default()
        });
        state["ofAnotherBuild"] = json!(7);
        state
    };
    world.sync.answer("/admin/state", StatusCode::OK, state(false));
    world.sync.answer("/metrics", StatusCode::OK, "sync_parked{collection=\"pages\"} 3\n".into());
    let failing = json!({ "ready": false, "failing": { "index": "no update for 9 s" } });
    world.query.answer("/readyz", StatusCode::SERVICE_UNAVAILABLE, failing);
    let site =
        SiteState { feed: FeedState { connected: true, position: None }, ..SiteState::default() };
    world.sites[0].answer("/admin/state", StatusCode::OK, json!(site));
    let step = |overview: &Value, name: &str| {
        let flow = overview["flow"].as_array().cloned().unwrap_or_default();
        flow.into_iter().find(|step| step["step"] == name).unwrap_or_default()
    };
    let parked = json!({ "name": "parked", "depth": 3.0, "oldestSeconds": null });
    // A single sample may miss a late response.
    let overview = eventually("a complete sample", async || {
        let overview = browser.get("/api/overview").await.json();
        let list = |name: &str| overview[name].as_array().cloned().unwrap_or_default();
        (step(&overview, "capture")["lag"] == 2.0
            && step(&overview, "capture")["state"] == "well"
            && step(&overview, "index")["state"] == "stopped"
            && list("queues").contains(&parked)
            && list("roles").iter().all(|role| role["reachable"] == true)
            && !list("history").is_empty())
        .then_some(overview)
    })
    .await;
    assert_eq!(step(&overview, "index")["why"], "index: no update for 9 s");
    assert_eq!(overview["traceUrl"], "http://traces.example/trace/{traceId}");
    let roles = overview["roles"].as_array().cloned().unwrap_or_default();
    assert_eq!(roles.len(), 6, "five roles, one of them with two processes: {roles:?}");

    world.sync.answer("/admin/state", StatusCode::OK, state(true));
    eventually("the pause is seen", async || {
        let overview = browser.get("/api/overview").await.json();
        (step(&overview, "capture")["state"] == "paused").then_some(())
    })
    .await;
    world.sync.answer("/admin/state", StatusCode::OK, json!({ "leads": true }));
    eventually("an unreadable state is reported", async || {
        let overview = browser.get("/api/overview").await.json();
        let roles = overview["roles"].as_array().cloned().unwrap_or_default();
        let sync = roles.into_iter().find(|role| role["role"] == "sync")?;
        let why = sync["details"]["console"].as_str()?;
        (why.contains("missing field") && step(&overview, "capture")["state"] == "unknown")
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn preview_is_listed_and_only_its_health_is_requested() {
    let (preview, url) = FakeRole::start();
    let failing = json!({ "content service": "it does not answer" });
    let not_ready = json!({ "ready": false, "failing": failing });
    preview.answer("/readyz", StatusCode::SERVICE_UNAVAILABLE, not_ready);
    let world = World::start(&[&format!("--preview-health-url={url}")]).await;
    let browser = world.signed_in("ann", false).await;
    let process = eventually("a complete sample", async || {
        let overview = browser.get("/api/overview").await.json();
        let roles = overview["roles"].as_array().cloned().unwrap_or_default();
        roles.into_iter().find(|role| role["role"] == "preview" && role["reachable"] == true)
    })
    .await;
    assert_eq!((&process["ready"], &process["failing"]), (&false.into(), &failing));
    // The details would contain the status of a request for its state.
    assert_eq!(process["details"], json!({}));
    assert_eq!(browser.get("/api/preview/state").await.status, StatusCode::NOT_FOUND);
}
