//! The change stream: cut, resumed, begun anew, or never there.

use std::sync::atomic::Ordering;

use http::header;

use crate::world::{World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_while_the_stream_was_cut_is_made_up_for() {
    let mut world = World::start().await.followed().await;
    for path in ["/one", "/two", "/three"] {
        world.site.get(path).await;
    }
    world.query.stop().await;
    world.truth.publish(&["page:one"]);
    let position = world.truth.publish(&["page:two"]);
    assert_eq!(world.site.shows("/one").await, 1, "a short cut is no reason to render");
    world.query.restart().await;
    for path in ["/one", "/two"] {
        eventually("the missed change shows", async || world.site.shows(path).await == position)
            .await;
    }
    assert_eq!(world.site.shows("/three").await, 1);
    assert_eq!(world.truth.renders("/three"), 1, "what did not change was not dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_stream_can_not_resume_everything_is_dropped() {
    let mut world = World::start().await.followed().await;
    world.site.get("/one").await;
    world.site.get("/two").await;
    world.query.stop().await;
    let position = world.truth.publish(&["page:one"]);
    world.truth.forgotten.store(position, Ordering::SeqCst);
    world.query.restart().await;
    for path in ["/one", "/two"] {
        eventually("it is rendered anew", async || world.site.shows(path).await == position).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_stream_is_away_the_node_is_not_ready_and_renders_what_it_gives() {
    let mut world = World::start().await.followed().await;
    assert_eq!(world.site.shows("/one").await, 1);
    world.query.stop().await;
    let position = world.truth.publish(&["page:one"]);
    eventually("it says that it is not ready", async || {
        world.site.process.health().failing().contains_key("change stream")
    })
    .await;
    eventually("the change shows all the same", async || {
        world.site.shows("/one").await == position
    })
    .await;

    world.renderer.stop().await;
    eventually("pages are given with a warning", async || {
        world.site.get("/one").await.headers().contains_key(header::WARNING)
    })
    .await;
    assert_eq!(world.site.shows("/one").await, position);

    world.renderer.restart().await;
    world.query.restart().await;
    world.site.is_ready().await;
    assert!(!world.site.get("/one").await.headers().contains_key(header::WARNING));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_door_that_never_heard_of_changes_keeps_no_page_for_long() {
    let mut world = World::start().await.followed().await;
    world.close().await;
    world.query.stop().await;
    world.open(|_| {}).await;
    assert_eq!(world.site.shows("/one").await, 1);
    let position = world.truth.publish(&["page:one"]);
    eventually("the change shows", async || world.site.shows("/one").await == position).await;
    world.query.restart().await;
    world.site.is_ready().await;
    assert_eq!(world.site.shows("/one").await, position);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_began_again_is_followed() {
    let mut world = World::start().await.followed().await;
    for _ in 0..5 {
        world.truth.publish(&["page:one"]);
    }
    eventually("the changes show", async || world.site.shows("/one").await == 6).await;
    world.query.stop().await;
    world.truth.begin_again(2);
    world.query.restart().await;
    eventually("it shows what is true now", async || world.site.shows("/one").await == 2).await;
    let position = world.truth.publish(&["page:one"]);
    eventually("and what comes then", async || world.site.shows("/one").await == position).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_no_node_has_come_so_far_what_they_have_is_better_than_nothing() {
    let world = World::start().await.followed().await;
    world.truth.render_from(Some(1));
    let position = world.truth.publish(&["page:two"]);
    eventually("an older page is given, and said to be one", async || {
        let page = world.site.get("/two").await;
        assert_eq!(page.status(), 200);
        page.headers().contains_key(header::WARNING)
    })
    .await;
    // What did not change is as good as ever, and kept.
    let page = world.site.get("/three").await;
    assert_eq!(page.status(), 200);
    assert!(!page.headers().contains_key(header::WARNING));
    let renders = world.truth.renders("/three");
    assert_eq!(world.site.shows("/three").await, 1);
    assert_eq!(world.truth.renders("/three"), renders);

    world.truth.render_from(None);
    eventually("the change shows", async || world.site.shows("/two").await == position).await;
    assert!(!world.site.get("/two").await.headers().contains_key(header::WARNING));
}
