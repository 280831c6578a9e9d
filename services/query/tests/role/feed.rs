//! The change stream: how it starts, resumes and resets.

use std::time::{Duration, Instant};

use contracts::{LedgerId, MIN_SEQUENCE_HEADER, Sequence};
use event_log::Lineage;
use serde_json::json;
use testkit::{
    eventually,
    log::{lineage, page_event},
};
use uuid::Uuid;

use crate::{
    node::{FeedEvent, World},
    settings::settings,
};

fn tags(event: &FeedEvent) -> Vec<&str> {
    event.data["tags"].as_array().expect("tags").iter().filter_map(|tag| tag.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscriber_that_resumes_gets_what_it_missed_and_then_resumed() {
    let mut world = World::start("query_resume").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    assert_eq!(hello.name, "hello");
    let one = world.publish("one").await;
    let changed = listener.next().await;
    assert_eq!(
        (changed.name.as_str(), changed.data["sequence"].as_u64()),
        ("changed", Some(one.get()))
    );
    assert!(tags(&changed).contains(&"page:one"), "{changed:?}");
    drop(listener);

    let (_, resumed) = world.listen(Some(&changed.id)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &changed.id), "nothing was missed");

    world.publish("two").await;
    let three = world.publish("three").await;
    world.wait_for(three).await;
    // The same after the node was stopped meanwhile.
    world.stop_node().await;
    world.start_node().await;
    world.wait_for(three).await;
    let (mut listener, two) = world.listen(Some(&changed.id)).await.expect("a stream");
    assert!(tags(&two).contains(&"page:two"), "{two:?}");
    assert!(tags(&listener.next().await).contains(&"page:three"));
    let resumed = listener.next().await;
    assert_eq!((&*resumed.name, resumed.data["sequence"].as_u64()), ("resumed", Some(three.get())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscriber_that_missed_many_changes_gets_each_of_them() {
    let mut world = World::start("query_missed").await;
    let (_, hello) = world.listen(None).await.expect("a stream");
    let mut published = Vec::new();
    for number in 0..1_100 {
        published.push(Some(world.publish(&format!("page-{number}")).await.get()));
    }
    let last = *published.last().expect("some were published");
    world.wait_for(last.expect("a position").into()).await;
    let (mut listener, mut event) = world.listen(Some(&hello.id)).await.expect("a stream");
    let mut missed = Vec::new();
    while event.name == "changed" {
        missed.push(event.data["sequence"].as_u64());
        event = listener.next().await;
    }
    assert_eq!((&*event.name, event.data["sequence"].as_u64()), ("resumed", last));
    assert_eq!(missed, published);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscriber_from_before_the_cut_of_the_feed_is_reset() {
    let mut world = World::start("query_gap").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    world.publish("one").await;
    let one = listener.next().await;
    // The projections cut a long feed like this.
    sqlx::raw_sql(
        "with gone as (delete from read.change returning sequence)
         update read.change_cut set sequence = (select max(sequence) from gone)",
    )
    .execute(&world.pool)
    .await
    .expect("the feed can be cut");
    let (_, reset) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!((&*reset.name, &reset.id), ("reset", &one.id));
    let (_, resumed) = world.listen(Some(&one.id)).await.expect("a stream");
    assert_eq!(resumed.name, "resumed", "nothing after this one was cut");
    for unknown in ["", "12", "ñ", "0-99999@00000000-0000-0000-0000-000000000001"] {
        let (_, reset) = world.listen(Some(unknown)).await.expect("a stream");
        assert_eq!(reset.name, "reset", "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_missed_changes_resets_its_subscribers() {
    let mut world = World::start("query_behind").await;
    let (mut listener, _) = world.listen(None).await.expect("a stream");
    // From here on every change is cut as soon as it is written, as if the node polled too late.
    sqlx::raw_sql(
        "create function read.cut() returns trigger language plpgsql as $$ begin
             update read.change_cut set sequence = new.sequence;
             return null;
         end $$;
         create trigger cut before insert on read.change for each row execute function read.cut()",
    )
    .execute(&world.pool)
    .await
    .expect("a trigger");
    let lost = world.publish("one").await;
    let event = listener.next().await;
    assert_eq!((&*event.name, event.data["sequence"].as_u64()), ("reset", Some(lost.get())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_revision_resets_subscribers() {
    let world = World::start("query_revision").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    let began = Instant::now();
    // Like a replayed dead letter.
    sqlx::query("update read.checkpoint set revision = revision + 1 where live")
        .execute(&world.pool)
        .await
        .expect("the checkpoint");
    let reset = listener.next().await;
    assert_eq!(reset.name, "reset");
    // Another node may be unable to poll, and uses its cache for five seconds.
    assert!(
        began.elapsed() >= Duration::from_secs(5),
        "another node may still answer from its cache"
    );
    let (_, again) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!(again.name, "reset", "a subscriber that was away is reset too");
    let (_, resumed) = world.listen(Some(&reset.id)).await.expect("a stream");
    assert_eq!(resumed.name, "resumed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_lags_by_a_revision_does_not_count_as_another_history() {
    let mut world = World::start("query_laggard").await;
    let (mut listener, _) = world.listen(None).await.expect("a stream");
    let pool = world.pool.clone();
    let revise = async |by: i64| {
        sqlx::query("update read.checkpoint set revision = revision + $1 where live")
            .bind(by)
            .execute(&pool)
            .await
            .expect("the checkpoint");
    };
    revise(1).await;
    let reset = listener.next().await;
    assert_eq!(reset.name, "reset");
    // Like polls that are answered by a lagging replica, until it has caught up.
    revise(-1).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    revise(1).await;
    // Subscribers may have read old rows there, so they are reset once more.
    let again = listener.next().await;
    assert_eq!((&*again.name, &again.id), ("reset", &reset.id));
    let position = world.publish("one").await;
    let changed = listener.next().await;
    assert_eq!(
        (&*changed.name, changed.data["sequence"].as_u64()),
        ("changed", Some(position.get()))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscriber_from_a_node_that_is_ahead_waits_for_this_one() {
    let mut world = World::start("query_ahead").await;
    let (_, hello) = world.listen(None).await.expect("a stream");
    let position = hello.data["sequence"].as_u64().expect("a position");
    let ahead = hello.id.replace(&position.to_string(), &(position + 1).to_string());
    assert!(world.listen(Some(&ahead)).await.is_none(), "it is not another history");
    let one = world.publish("one").await;
    assert_eq!(one.get(), position + 1);
    world.wait_for(one).await;
    let (_, resumed) = world.listen(Some(&ahead)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &ahead));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_advances_without_a_change_is_announced() {
    let mut world = World::start("query_moved").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    let end: Sequence = hello.data["sequence"].as_u64().expect("a position").into();
    // The stream is lost and refilled with messages that are already applied.
    world.log.recreate(lineage(2, &[(1, end.stream())])).await;
    let again = world.log.publish(&page_event("first", 1, "Version 1")).await;
    let moved = listener.next().await;
    assert_eq!((&*moved.name, moved.data["sequence"].as_u64()), ("resumed", Some(again.get())));
    let (_, resumed) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &moved.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_an_abandoned_history_are_reset() {
    let mut world = World::start("query_undone").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    world.publish("one").await;
    let undone = listener.next().await;
    drop(listener);

    // The same ledger continues from a copy that ended before the last change.
    let end: Sequence = hello.data["sequence"].as_u64().expect("a position").into();
    world.log.recreate(lineage(2, &[(1, end.stream())])).await;
    let next = world.publish("two").await;
    world.wait_for(next).await;
    let (_, reset) = world.listen(Some(&undone.id)).await.expect("a stream");
    assert_eq!(reset.name, "reset", "it has received a change that no longer exists");

    // Another ledger replaces it, and the read models are rebuilt from it.
    let (mut listener, before) = world.listen(None).await.expect("a stream");
    let other = Lineage { ledger: LedgerId(Uuid::from_u128(2)), ..lineage(3, &[]) };
    world.log.recreate(other).await;
    let last = world.publish("three").await;
    let mut event = listener.next().await;
    while event.data["sequence"].as_u64() != Some(last.get()) {
        event = listener.next().await;
    }
    assert_eq!(event.name, "reset");
    let (_, reset) = world.listen(Some(&before.id)).await.expect("a stream");
    assert_eq!(reset.name, "reset");
    world.wait_for(last).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_for_the_minimum_position_or_is_a_503() {
    let mut world = World::start("query_least").await;
    let ask = async |url: &str, min: Sequence| {
        let request = reqwest::Client::new().get(format!("{url}/api/pages/one"));
        let answer = request.header(MIN_SEQUENCE_HEADER, min.get()).send().await;
        answer.expect("an answer").status().as_u16()
    };
    let one = world.publish("one").await;
    eventually("it is there", async || (ask(&world.node.url, one).await == 200).then_some(()))
        .await;

    world.stop_projections().await;
    let two = world.publish("one").await;
    assert_eq!(ask(&world.node.url, two).await, 503, "the index has it, but not the read models");
    assert_eq!(ask(&world.node.url, one).await, 200);
    let (mut listener, first) = world.listen(None).await.expect("a stream");
    assert_eq!(
        first.data["sequence"].as_u64(),
        Some(one.get()),
        "nothing is announced before both have it"
    );
    world.start_projections().await;
    assert_eq!(listener.next().await.data["sequence"].as_u64(), Some(two.get()));
    assert_eq!(ask(&world.node.url, two).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_from_before_the_minimum_position_is_replaced_by_a_503() {
    let mut world = World::start("query_older_server").await;
    world.log.publish(&settings(1, json!({ "province": "Granada" }))).await;
    let one = world.publish("one").await;
    world.wait_for(one).await;
    world.stop_projections().await;
    let ask = async |path: &str, min: u64| {
        let request = reqwest::Client::new().get(format!("{}{path}", world.node.url));
        let answer = request.header(MIN_SEQUENCE_HEADER, min).send().await;
        answer.expect("an answer").status().as_u16()
    };
    let move_by = async |by: i64| {
        sqlx::query("update read.checkpoint set sequence = sequence + $1 where live")
            .bind(by)
            .execute(&world.pool)
            .await
            .expect("the checkpoint");
    };
    let picture = format!("/internal/pictures/{}/1", Uuid::from_u128(1));
    let asked = [("/api/pages/one", 200), ("/api/pages/none", 404), (picture.as_str(), 404)];
    // Like answers of a server that lags behind the one from which the node knows its position.
    move_by(-1).await;
    for (path, found) in asked {
        assert_eq!(ask(path, one.get()).await, 503, "{path}");
        assert_eq!(ask(path, one.get() - 1).await, found, "{path}");
    }
    assert_eq!(ask("/feeds/kyero.xml", 0).await, 503, "portals would delete what it lacks");
    move_by(1).await;
    for (path, found) in asked {
        assert_eq!(ask(path, one.get()).await, found, "{path}");
    }
    assert_eq!(ask("/feeds/kyero.xml", 0).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_without_an_index_catches_up() {
    let mut world = World::start("query_replica").await;
    let mut last = world.publish("one").await;
    for number in 0..300 {
        last = world.publish(&format!("page-{number}")).await;
    }
    world.wait_for(last).await;
    world.stop_node().await;
    world.node.delete_index();
    world.start_node().await;
    world.wait_for(last).await;
}
