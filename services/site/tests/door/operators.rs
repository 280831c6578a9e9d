//! What operators see of the door, and what they have it drop.

use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};
use testkit::Operator;

use crate::world::{World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn the_door_tells_where_it_stands_and_only_to_operators() {
    let world = World::start().await.followed().await;
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

    let position = world.truth.publish(&["page:one"]);
    eventually("the purge being told", async || {
        let state = operator.get("/admin/state").await;
        state["purge"]["sequence"] == position && state["purge"]["last"].is_string()
    })
    .await;
    let purged = operator.get(&format!("/admin/purged?sequences={position},99")).await;
    assert_eq!(purged.as_array().map(Vec::len), Some(1), "{purged}");
    assert_eq!(purged[0]["sequence"], position, "{purged}");
    assert!(purged[0]["at"].is_string(), "{purged}");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_without_a_page_are_counted_with_who_led_there_and_bounded() {
    let world = World::start().await.followed().await;
    let operator = Operator::of(&world.site.process).await;
    let led = HeaderMap::from_iter([(
        header::REFERER,
        "https://portal.example/homes?user=ann".parse().expect("a value"),
    )]);
    world.site.get("/gone?utm_source=letter").await;
    world.site.get_with("/gone", &led).await;
    world.site.get("/one").await;
    // A part of a list that has become shorter: its path leads somewhere.
    assert_eq!(world.site.get("/news?page=9").await.status(), StatusCode::NOT_FOUND);
    let missed = operator.get("/admin/not-found").await;
    assert_eq!(missed.as_array().map(Vec::len), Some(1), "{missed}");
    assert_eq!((&missed[0]["path"], &missed[0]["count"]), (&json!("/gone"), &json!(2)));
    assert_eq!(missed[0]["referrer"], "https://portal.example/homes", "{missed}");
    assert!(missed[0]["lastAt"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_operator_purges_is_rendered_again_though_nothing_was_published() {
    let world = World::start().await.followed().await;
    let operator = Operator::of(&world.site.process).await;
    let (truth, site) = (&world.truth, &world.site);
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
    let counted = |state: &Value| {
        ["pages", "current"].map(|name| state["cache"][name].as_u64().expect("a number"))
    };
    let [pages, current] = counted(&before);
    assert_eq!(counted(&after), [pages, current - 1], "it stands by: {after}");
    assert!(before["purge"]["last"].is_null() && after["purge"]["last"].is_string(), "{after}");
    assert_eq!((site.shows("/one").await, site.shows("/two").await), (1, 1));
    assert_eq!((truth.renders("/one"), truth.renders("/two")), (2, 1));
    // It is kept again: an operator's purge is of its moment.
    site.get("/one").await;
    assert_eq!(truth.renders("/one"), 2);

    let purged = operator.act("/admin/purge", &json!({ "everything": true })).await;
    assert_eq!(purged["purged"], 2);
    eventually("both being rendered again", async || {
        site.get("/one").await;
        site.get("/two").await;
        truth.renders("/one") == 3 && truth.renders("/two") == 2
    })
    .await;
}
