//! The change stream: interrupted, resumed, restarted, or never connected.

use std::sync::atomic::Ordering;

use http::header;

use crate::world::{World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn missed_changes_are_applied_after_a_reconnect() {
    let mut world = World::start().await.connected().await;
    for path in ["/one", "/two", "/three"] {
        world.site.get(path).await;
    }
    world.query.stop().await;
    world.backend.publish(&["page:one"]);
    let position = world.backend.publish(&["page:two"]);
    assert_eq!(world.site.shown_position("/one").await, 1, "a short cut is no reason to render");
    world.query.restart().await;
    for path in ["/one", "/two"] {
        eventually("the missed change shows", async || {
            world.site.shown_position(path).await == position
        })
        .await;
    }
    assert_eq!(world.site.shown_position("/three").await, 1);
    assert_eq!(world.backend.renders("/three"), 1, "what did not change was not dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_can_not_resume_drops_everything() {
    let mut world = World::start().await.connected().await;
    world.site.get("/one").await;
    world.site.get("/two").await;
    world.query.stop().await;
    let position = world.backend.publish(&["page:one"]);
    world.backend.forgotten_up_to.store(position, Ordering::SeqCst);
    world.query.restart().await;
    for path in ["/one", "/two"] {
        eventually("it is rendered again", async || {
            world.site.shown_position(path).await == position
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_stream_the_node_is_not_ready_and_renders_every_page() {
    let mut world = World::start().await.connected().await;
    assert_eq!(world.site.shown_position("/one").await, 1);
    world.query.stop().await;
    let position = world.backend.publish(&["page:one"]);
    eventually("it says that it is not ready", async || {
        world.site.process.health().failing().contains_key("change stream")
    })
    .await;
    eventually("the change shows all the same", async || {
        world.site.shown_position("/one").await == position
    })
    .await;

    world.renderer.stop().await;
    eventually("pages are given with a warning", async || {
        world.site.get("/one").await.headers().contains_key(header::WARNING)
    })
    .await;
    assert_eq!(world.site.shown_position("/one").await, position);

    world.renderer.restart().await;
    world.query.restart().await;
    world.site.is_ready().await;
    assert!(!world.site.get("/one").await.headers().contains_key(header::WARNING));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_door_that_never_had_the_stream_caches_pages_only_briefly() {
    let mut world = World::start().await.connected().await;
    world.close().await;
    world.query.stop().await;
    world.open(|_| {}).await;
    assert_eq!(world.site.shown_position("/one").await, 1);
    let position = world.backend.publish(&["page:one"]);
    eventually("the change shows", async || world.site.shown_position("/one").await == position)
        .await;
    world.query.restart().await;
    world.site.is_ready().await;
    assert_eq!(world.site.shown_position("/one").await, position);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_restarted_is_followed() {
    let mut world = World::start().await.connected().await;
    for _ in 0..5 {
        world.backend.publish(&["page:one"]);
    }
    eventually("the changes show", async || world.site.shown_position("/one").await == 6).await;
    world.query.stop().await;
    world.backend.restart_at(2);
    world.query.restart().await;
    eventually("it shows what is true now", async || world.site.shown_position("/one").await == 2)
        .await;
    let position = world.backend.publish(&["page:one"]);
    eventually("and what comes then", async || world.site.shown_position("/one").await == position)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_all_nodes_lag_behind_older_pages_are_served_as_stale() {
    let world = World::start().await.connected().await;
    world.backend.lag_at(Some(1));
    let position = world.backend.publish(&["page:two"]);
    eventually("an older page is given, and said to be one", async || {
        let page = world.site.get("/two").await;
        assert_eq!(page.status(), 200);
        page.headers().contains_key(header::WARNING)
    })
    .await;
    // A page that did not change is current, and cached.
    let page = world.site.get("/three").await;
    assert_eq!(page.status(), 200);
    assert!(!page.headers().contains_key(header::WARNING));
    let renders = world.backend.renders("/three");
    assert_eq!(world.site.shown_position("/three").await, 1);
    assert_eq!(world.backend.renders("/three"), renders);

    world.backend.lag_at(None);
    eventually("the change shows", async || world.site.shown_position("/two").await == position)
        .await;
    assert!(!world.site.get("/two").await.headers().contains_key(header::WARNING));
}
