//! What operators see of the door, and purges by operators.

use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};
use testkit::Operator;

use crate::world::{World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn the_doors_state_is_shown_to_operators_only() {
    let world = World::start().await.connected().await;
    let operator = Operator::of(&world.site.process).await;
    for path in ["/admin/state", "/admin/slow-renders", "/admin/not-found", "/admin/purged"] {
        assert_eq!(operator.ask(path, None).await.0, StatusCode::UNAUTHORIZED, "{path}");
        let public = world.site.text(path).await;
        assert!(public.starts_with("<h1>"), "the public door knows no such call: {public}");
    }
    world.site.get("/one").await;
    world.site.get("/one").await;
    let state = operator.get("/admin/state").await;
    assert!(state["cache"]["pages"].as_u64().is_some_and(|pages| pages >= 1), "{state}");
    assert_eq!(state["cache"]["hits"], 1, "{state}");
    assert_eq!(state["cache"]["limitBytes"], 64 << 20, "{state}");
    assert_eq!(state["feed"], json!({ "connected": true, "position": 1 }), "{state}");
    assert_eq!(state["purge"], json!({ "sequence": 1, "last": null }), "{state}");
    assert_eq!(state["renders"], json!({ "running": 0, "waiting": 0 }), "{state}");
    let slow = operator.get("/admin/slow-renders").await;
    let paths: Vec<_> = slow.as_array().expect("a list").iter().map(|it| &it["path"]).collect();
    assert!(paths.contains(&&json!("/one")), "{slow}");

    let position = world.backend.publish(&["page:one"]);
    eventually("the purge being told", async || {
        let state = operator.get("/admin/state").await;
        state["purge"]["sequence"] == position && state["purge"]["last"].is_string()
    })
    .await;
    let purged = operator.get(&format!("/admin/purged?sequences={position},99")).await;
    assert_eq!(purged[0]["sequence"], position, "{purged}");
    assert!(purged[0]["at"].is_string(), "{purged}");
    assert_eq!(purged[1], json!({ "sequence": 99, "at": null }), "it is not reached");
}

#[tokio::test(flavor = "multi_thread")]
async fn not_found_addresses_are_counted_with_their_referrer() {
    let world = World::start().await.connected().await;
    let operator = Operator::of(&world.site.process).await;
    let referred = HeaderMap::from_iter([(
        header::REFERER,
        "https://portal.example/homes?user=ann".parse().expect("a value"),
    )]);
    world.site.get("/gone?utm_source=letter").await;
    world.site.get_with("/gone", &referred).await;
    world.site.get("/one").await;
    // A page of a list that has become shorter: the path itself exists.
    assert_eq!(world.site.get("/news?page=9").await.status(), StatusCode::NOT_FOUND);
    let missed = operator.get("/admin/not-found").await;
    assert_eq!(missed.as_array().map(Vec::len), Some(1), "{missed}");
    assert_eq!((&missed[0]["path"], &missed[0]["count"]), (&json!("/gone"), &json!(2)));
    assert_eq!(missed[0]["referrer"], "https://portal.example/homes", "{missed}");
    assert!(missed[0]["lastAt"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operators_purge_renders_pages_again_without_a_publish() {
    let world = World::start().await.connected().await;
    let operator = Operator::of(&world.site.process).await;
    let (backend, site) = (&world.backend, &world.site);
    for path in ["/one", "/two"] {
        site.get(path).await;
    }
    for wrong in [
        json!({}),
        json!({ "tags": [] }),
        json!({ "tags": ["no such tag"] }),
        json!({ "tags": ["page:one"], "everything": true }),
        json!({ "pages": ["/one"] }),
    ] {
        let (status, _) = operator.post("/admin/purge", &wrong).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let before = operator.get("/admin/state").await;
    let purged = operator.act("/admin/purge", &json!({ "tags": ["page:one"] })).await;
    assert_eq!(purged["purged"], 1);
    let after = operator.get("/admin/state").await;
    let counts = |state: &Value| {
        ["pages", "current"].map(|name| state["cache"][name].as_u64().expect("a number"))
    };
    let [pages, current] = counts(&before);
    assert_eq!(counts(&after), [pages, current - 1], "it may still be shown as stale: {after}");
    assert!(before["purge"]["last"].is_null() && after["purge"]["last"].is_string(), "{after}");
    assert_eq!((site.shown_position("/one").await, site.shown_position("/two").await), (1, 1));
    assert_eq!((backend.renders("/one"), backend.renders("/two")), (2, 1));
    // It is cached again: an operator's purge only affects earlier renders.
    site.get("/one").await;
    assert_eq!(backend.renders("/one"), 2);

    let purged = operator.act("/admin/purge", &json!({ "everything": true })).await;
    assert_eq!(purged["purged"], 2);
    eventually("both being rendered again", async || {
        site.get("/one").await;
        site.get("/two").await;
        backend.renders("/one") == 3 && backend.renders("/two") == 2
    })
    .await;
}
