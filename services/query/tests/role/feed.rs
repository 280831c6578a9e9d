//! The change stream: where it begins, goes on and begins anew.

use std::time::{Duration, Instant};

use contracts::{LedgerId, MIN_SEQUENCE_HEADER, Sequence};
use event_log::Lineage;
use testkit::{
    eventually,
    log::{lineage, page_event},
};
use uuid::Uuid;

use crate::node::{Told, World};

fn tags(told: &Told) -> Vec<&str> {
    told.data["tags"].as_array().expect("tags").iter().filter_map(|tag| tag.as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_is_told_what_was_missed_and_that_this_was_all() {
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
    world.told(three).await;
    // Also where the node itself was away meanwhile.
    world.stop_node().await;
    world.start_node().await;
    world.told(three).await;
    let (mut listener, two) = world.listen(Some(&changed.id)).await.expect("a stream");
    assert!(tags(&two).contains(&"page:two"), "{two:?}");
    assert!(tags(&listener.next().await).contains(&"page:three"));
    let resumed = listener.next().await;
    assert_eq!((&*resumed.name, resumed.data["sequence"].as_u64()), ("resumed", Some(three.get())));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_feed_no_longer_reaches_back_to_is_begun_anew() {
    let mut world = World::start("query_gap").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    world.publish("one").await;
    let one = listener.next().await;
    // As the projections cut it once it is long.
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
async fn a_node_that_fell_behind_the_feed_says_so_to_those_who_listen() {
    let mut world = World::start("query_behind").await;
    let (mut listener, _) = world.listen(None).await.expect("a stream");
    // Every change from here on is cut in the moment it is written, as when a node looks too late.
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
    let told = listener.next().await;
    assert_eq!((&*told.name, told.data["sequence"].as_u64()), ("reset", Some(lost.get())));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_other_than_by_a_message_begins_anew() {
    let world = World::start("query_revision").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    let began = Instant::now();
    // As a replayed dead letter does.
    sqlx::query("update read.checkpoint set revision = revision + 1 where live")
        .execute(&world.pool)
        .await
        .expect("the checkpoint");
    let reset = listener.next().await;
    assert_eq!(reset.name, "reset");
    // Another may be kept from looking, and what it kept counts for so long.
    assert!(began.elapsed() >= Duration::from_secs(5), "another node may give what it kept");
    let (_, again) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!(again.name, "reset", "who was away then is told so too");
    let (_, resumed) = world.listen(Some(&reset.id)).await.expect("a stream");
    assert_eq!(resumed.name, "resumed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_behind_a_revision_is_no_other_history() {
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
    // As looks find it that a replica answers, until it has come.
    revise(-1).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    revise(1).await;
    // What was read there meanwhile goes too, once.
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
async fn who_was_told_more_by_another_node_waits_for_this_one() {
    let mut world = World::start("query_ahead").await;
    let (_, hello) = world.listen(None).await.expect("a stream");
    let told = hello.data["sequence"].as_u64().expect("a position");
    let ahead = hello.id.replace(&told.to_string(), &(told + 1).to_string());
    assert!(world.listen(Some(&ahead)).await.is_none(), "that is no other history");
    let one = world.publish("one").await;
    assert_eq!(one.get(), told + 1);
    world.told(one).await;
    let (_, resumed) = world.listen(Some(&ahead)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &ahead));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_that_moves_without_a_change_is_told() {
    let mut world = World::start("query_moved").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    let end: Sequence = hello.data["sequence"].as_u64().expect("a position").into();
    // The stream is lost and made anew: all that it says is known.
    world.log.make_anew(lineage(2, &[(1, end.stream())])).await;
    let again = world.log.publish(&page_event("first", 1, "Version 1")).await;
    let moved = listener.next().await;
    assert_eq!((&*moved.name, moved.data["sequence"].as_u64()), ("resumed", Some(again.get())));
    let (_, resumed) = world.listen(Some(&hello.id)).await.expect("a stream");
    assert_eq!((&*resumed.name, &resumed.id), ("resumed", &moved.id));
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_of_a_history_that_was_undone_are_worth_nothing() {
    let mut world = World::start("query_undone").await;
    let (mut listener, hello) = world.listen(None).await.expect("a stream");
    world.publish("one").await;
    let undone = listener.next().await;
    drop(listener);

    // The same ledger goes on from a copy that ended before it.
    let end: Sequence = hello.data["sequence"].as_u64().expect("a position").into();
    world.log.make_anew(lineage(2, &[(1, end.stream())])).await;
    let next = world.publish("two").await;
    world.told(next).await;
    let (_, reset) = world.listen(Some(&undone.id)).await.expect("a stream");
    assert_eq!(reset.name, "reset", "it was told of what is no more");

    // Another ledger takes its place, and the read models are made anew from it.
    let (mut listener, before) = world.listen(None).await.expect("a stream");
    let other = Lineage { ledger: LedgerId(Uuid::from_u128(2)), ..lineage(3, &[]) };
    world.log.make_anew(other).await;
    let last = world.publish("three").await;
    let mut told = listener.next().await;
    while told.data["sequence"].as_u64() != Some(last.get()) {
        told = listener.next().await;
    }
    assert_eq!(told.name, "reset");
    let (_, reset) = world.listen(Some(&before.id)).await.expect("a stream");
    assert_eq!(reset.name, "reset");
    world.told(last).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_for_the_position_that_is_asked_for_or_says_that_it_is_behind() {
    let mut world = World::start("query_least").await;
    let ask = async |url: &str, least: Sequence| {
        let request = reqwest::Client::new().get(format!("{url}/api/pages/one"));
        let answer = request.header(MIN_SEQUENCE_HEADER, least.get()).send().await;
        answer.expect("an answer").status().as_u16()
    };
    let one = world.publish("one").await;
    eventually("it is there", async || (ask(&world.node.url, one).await == 200).then_some(()))
        .await;

    world.stop_projections().await;
    let two = world.publish("one").await;
    assert_eq!(ask(&world.node.url, two).await, 503, "the index has it, and the read models not");
    assert_eq!(ask(&world.node.url, one).await, 200);
    let (mut listener, first) = world.listen(None).await.expect("a stream");
    assert_eq!(
        first.data["sequence"].as_u64(),
        Some(one.get()),
        "nothing is told before both have it"
    );
    world.start_projections().await;
    assert_eq!(listener.next().await.data["sequence"].as_u64(), Some(two.get()));
    assert_eq!(ask(&world.node.url, two).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_answered_from_before_the_position_that_is_asked_for() {
    let mut world = World::start("query_older_server").await;
    let one = world.publish("one").await;
    world.told(one).await;
    world.stop_projections().await;
    let ask = async |path: &str, least: u64| {
        let request = reqwest::Client::new().get(format!("{}{path}", world.node.url));
        let answer = request.header(MIN_SEQUENCE_HEADER, least).send().await;
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
    // As a server answers that is behind the one by which the node has come so far.
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
async fn a_node_that_begins_without_an_index_catches_up() {
    let mut world = World::start("query_replica").await;
    let mut last = world.publish("one").await;
    for number in 0..300 {
        last = world.publish(&format!("page-{number}")).await;
    }
    world.told(last).await;
    world.stop_node().await;
    world.node.lose_index();
    world.start_node().await;
    world.told(last).await;
}
