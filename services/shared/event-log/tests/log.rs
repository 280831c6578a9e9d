//! The log on a real server that is killed, wiped and started again.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

use std::time::{Duration, Instant};

use chrono::Utc;
use contracts::{
    AggregateId, Change, Collection, Epoch, Event, SCHEMA_VERSION, Sequence, Version,
    content::{Redirect, Snapshot},
};
use event_log::{Delivered, EventLog, Reader};
use futures::StreamExt as _;
use secrecy::ExposeSecret as _;
use testkit::Nats;
use uuid::Uuid;

const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const WAIT: Duration = Duration::from_secs(10);
const FIRST: Epoch = Epoch(0);

async fn connect(nats: &Nats) -> EventLog {
    EventLog::connect(&nats.url(), "test").await.expect("the address is one of NATS")
}

/// A connection that knows nothing of the log.
async fn raw(nats: &Nats) -> async_nats::Client {
    let url = url::Url::parse(nats.url().expose_secret()).expect("an address");
    let password = url.password().expect("a password").to_owned();
    async_nats::ConnectOptions::with_user_and_password(url.username().into(), password)
        .connect(format!("nats://127.0.0.1:{}", url.port().expect("a port")))
        .await
        .expect("it is there")
}

/// Version `version` of a moved path.
fn event(version: i64) -> Event {
    let snapshot = Snapshot::Redirects(Redirect {
        from_path: "/old".to_owned(),
        to_path: Some(format!("/new/{version}")),
        code: 301,
    });
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Redirects, "7"),
        version: Version(version),
        captured_at: Utc::now(),
        change: Change::Upserted { snapshot: Box::new(snapshot) },
    }
}

async fn publish(log: &EventLog, epoch: Epoch, versions: std::ops::RangeInclusive<i64>) {
    for version in versions {
        log.publisher().publish(&event(version), epoch, None).await.expect("the server takes it");
    }
}

/// Reads until `count` messages came; errors meanwhile are what a server that is away gives.
async fn read(reader: &mut Reader, count: usize) -> Vec<Delivered> {
    let deadline = Instant::now() + 2 * WAIT;
    let mut messages = Vec::new();
    while messages.len() < count {
        assert!(Instant::now() < deadline, "{} of {count} messages came", messages.len());
        if let Ok(batch) = reader.next_batch(64, Duration::from_secs(1)).await {
            messages.extend(batch);
        }
    }
    messages
}

fn versions(messages: &[Delivered]) -> Vec<i64> {
    let events = messages.iter().map(|delivered| delivered.event.as_ref());
    events.map(|event| event.expect("it can be read").version.0).collect()
}

fn positions(messages: &[Delivered]) -> Vec<Sequence> {
    messages.iter().map(|delivered| delivered.sequence).collect()
}

#[tokio::test]
async fn what_is_published_is_read_in_order_from_any_position() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    assert_eq!(log.stream_state().await.expect("it answers"), None);
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    let first = event(1);
    let position = log.publisher().publish(&first, FIRST, Some(TRACEPARENT)).await;
    assert_eq!(position.expect("it is taken"), Sequence::new(FIRST, 1));
    publish(&log, FIRST, 2..=5).await;

    let all = read(&mut log.reader(Sequence::START), 5).await;
    assert_eq!(versions(&all), [1, 2, 3, 4, 5]);
    assert_eq!(all[0].event.as_ref().ok(), Some(&first));
    assert_eq!(all[0].traceparent.as_deref(), Some(TRACEPARENT));
    assert_eq!(all[1].traceparent, None);

    let mut later = log.reader(Sequence::new(FIRST, 3));
    assert_eq!(versions(&read(&mut later, 2).await), [4, 5]);
    assert_eq!(later.position(), Sequence::new(FIRST, 5));
    let nothing = later.next_batch(64, Duration::from_millis(50)).await.expect("it waits");
    assert!(nothing.is_empty());
}

#[tokio::test]
async fn a_stream_without_room_is_refused_with_a_way_out() {
    let nats = Nats::start().await;
    let jetstream = async_nats::jetstream::new(raw(&nats).await);
    // The server's bound is told to it, so what is left does not hang on this machine's disk.
    let neighbour = async_nats::jetstream::stream::Config {
        name: "NEIGHBOUR".to_owned(),
        max_bytes: 3 << 30,
        ..Default::default()
    };
    jetstream.create_stream(neighbour).await.expect("there is room for three of ten");

    let log = connect(&nats).await;
    let error = log.publisher().recreate(FIRST).await.expect_err("seven are left, eight wanted");
    assert!(matches!(error, event_log::Error::NoRoom), "{error}");
    assert!(error.to_string().contains("max_file_store"), "{error}");

    jetstream.delete_stream("NEIGHBOUR").await.expect("it is ours");
    log.publisher().recreate(FIRST).await.expect("now there is room");
}

#[tokio::test]
async fn a_batch_is_no_longer_than_was_asked_for() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=700).await;
    let mut reader = log.reader(Sequence::START);
    let mut seen = Vec::new();
    while seen.len() < 700 {
        let batch = reader.next_batch(50, WAIT).await.expect("the log");
        assert!((1..=50).contains(&batch.len()));
        seen.extend(versions(&batch));
    }
    assert_eq!(seen, (1..=700).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_same_event_twice_stands_in_the_log_once() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    let event = event(1);
    let first = log.publisher().publish(&event, FIRST, None).await.expect("it is taken");
    let again = log.publisher().publish(&event, FIRST, None).await.expect("it is taken");
    assert_eq!(first, again);
    let state = log.stream_state().await.expect("it answers").expect("a stream");
    assert_eq!((state.first, state.last), (1, 1));
}

#[tokio::test]
async fn a_waiting_reader_has_a_message_when_it_comes() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=1).await;
    let mut reader = connect(&nats).await.reader(Sequence::START);
    read(&mut reader, 1).await;
    let began = Instant::now();
    for version in 2..=51 {
        let publisher = log.publisher();
        let event = event(version);
        let (position, batch) =
            tokio::join!(publisher.publish(&event, FIRST, None), reader.next_batch(64, WAIT));
        assert_eq!(positions(&batch.expect("the log")), [position.expect("it is taken")]);
    }
    // A reader that looked only at its own intervals, the least of which is a second, would need
    // 50 of them.
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_reader_outlives_a_killed_server_and_misses_nothing() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=3).await;
    let mut reader = log.reader(Sequence::START);
    assert_eq!(versions(&read(&mut reader, 3).await), [1, 2, 3]);
    for round in 0..2 {
        nats.kill().await;
        nats.restart().await;
        let first: i64 = 4 + round * 3;
        let from = log_back(&log).await;
        assert_eq!(from, first.cast_unsigned() - 1);
        publish(&log, FIRST, first..=first + 2).await;
        assert_eq!(versions(&read(&mut reader, 3).await), [first, first + 1, first + 2]);
    }
}

/// Waits for the stream to answer; gives its last sequence.
async fn log_back(log: &EventLog) -> u64 {
    testkit::eventually("the stream being back", async || {
        log.stream_state().await.ok().flatten().map(|state| state.last)
    })
    .await
}

#[tokio::test]
async fn a_reader_waits_for_a_server_and_a_stream_that_are_not_there_yet() {
    let mut nats = Nats::start().await;
    nats.kill().await;
    let log = connect(&nats).await;
    assert!(!log.is_connected());
    let mut reader = log.reader(Sequence::START);
    assert!(reader.next_batch(64, Duration::from_millis(200)).await.is_ok_and(|b| b.is_empty()));
    nats.restart().await;
    testkit::eventually("a stream", async || log.publisher().recreate(FIRST).await.ok()).await;
    publish(&log, FIRST, 1..=2).await;
    assert_eq!(versions(&read(&mut reader, 2).await), [1, 2]);
}

#[tokio::test]
async fn a_new_epoch_is_read_from_its_start_with_positions_that_only_rise() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Sequence::START);
    let before = read(&mut reader, 5).await;

    nats.kill().await;
    nats.wipe();
    nats.restart().await;
    testkit::eventually("a stream", async || log.publisher().recreate(Epoch(1)).await.ok()).await;
    publish(&log, Epoch(1), 1..=2).await;
    let after = read(&mut reader, 2).await;
    assert_eq!(versions(&after), [1, 2]);
    assert_eq!(positions(&after), [Sequence::new(Epoch(1), 1), Sequence::new(Epoch(1), 2)]);
    assert!(after[0].sequence > before[4].sequence);
}

#[tokio::test]
async fn a_stream_that_is_made_anew_under_a_waiting_reader_is_noticed() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Sequence::START);
    read(&mut reader, 5).await;
    log.publisher().recreate(Epoch(1)).await.expect("a stream can be made");
    publish(&log, Epoch(1), 1..=7).await;
    assert_eq!(versions(&read(&mut reader, 7).await), [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn a_stream_older_than_its_reader_gives_nothing_in_the_place_of_something_else() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Sequence::START);
    read(&mut reader, 5).await;
    nats.kill().await;
    nats.wipe();
    nats.restart().await;
    // As a restored copy looks: the same epoch, and less in it than was read.
    testkit::eventually("a stream", async || log.publisher().recreate(FIRST).await.ok()).await;
    publish(&log, FIRST, 11..=13).await;
    let refused = async {
        while let Ok(batch) = reader.next_batch(64, WAIT).await {
            assert!(batch.is_empty(), "{batch:?}");
        }
    };
    tokio::time::timeout(Duration::from_mins(1), refused).await.expect("it sees that it is older");
    log.publisher().recreate(Epoch(1)).await.expect("a stream can be made");
    publish(&log, Epoch(1), 1..=6).await;
    assert_eq!(versions(&read(&mut reader, 6).await), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn what_can_not_be_read_is_handed_on_as_it_is() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    let mut future = serde_json::to_value(event(1)).expect("an event is JSON");
    future["schemaVersion"] = (SCHEMA_VERSION + 1).into();
    let raw = raw(&nats).await;
    for body in ["not json".to_owned(), future.to_string()] {
        raw.publish("content.redirects.7", body.into()).await.expect("it is sent");
    }
    raw.flush().await.expect("it is sent");
    testkit::eventually("both in the stream", async || (log_back(&log).await == 2).then_some(()))
        .await;
    publish(&log, FIRST, 2..=2).await;
    let messages = read(&mut log.reader(Sequence::START), 3).await;
    let poison = messages[0].event.as_ref().expect_err("it is no event");
    assert_eq!((poison.subject.as_str(), &*poison.body), ("content.redirects.7", &b"not json"[..]));
    let poison = messages[1].event.as_ref().expect_err("it is of the future");
    assert!(poison.reason.contains("schema version"), "{poison}");
    assert_eq!(versions(&messages[2..]), [2]);
}

#[tokio::test]
async fn an_event_that_is_too_long_is_refused_for_good() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    for mebibytes in [3, 5] {
        let mut endless = event(1);
        endless.change = Change::Upserted {
            snapshot: Box::new(Snapshot::Redirects(Redirect {
                from_path: "/".repeat(mebibytes << 20),
                to_path: None,
                code: 410,
            })),
        };
        let refusal = log.publisher().publish(&endless, FIRST, None).await.expect_err("too long");
        assert_eq!(refusal.disposition(), event_log::Disposition::Halt, "{refusal}");
    }
    // It keeps nothing else from being published.
    publish(&log, FIRST, 1..=1).await;
}

#[tokio::test]
async fn a_hint_wakes_who_listens() {
    let mut nats = Nats::start().await;
    let (log, listener) = (connect(&nats).await, connect(&nats).await);
    let mut hints = listener.hints("projected").await.expect("it is there");
    let heard = async |hints: &mut event_log::Hints| {
        tokio::time::timeout(WAIT, hints.next()).await.expect("in time").expect("connected")
    };
    // The subscription may reach the server after the first hint.
    let wake = async || {
        loop {
            let _away = log.hint("projected", Sequence::new(FIRST, 42)).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let first = tokio::select! { hint = heard(&mut hints) => hint, () = wake() => unreachable!() };
    assert_eq!(first, Sequence::new(FIRST, 42));
    nats.kill().await;
    nats.restart().await;
    while let Ok(Some(_)) = tokio::time::timeout(Duration::from_millis(100), hints.next()).await {}
    let again = tokio::select! { hint = heard(&mut hints) => hint, () = wake() => unreachable!() };
    assert_eq!(again, first);
}

#[tokio::test]
async fn readers_of_one_connection_do_not_hinder_each_other() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    log.publisher().recreate(FIRST).await.expect("a stream can be made");
    publish(&log, FIRST, 1..=300).await;
    let readers =
        (0..4).map(async |_| versions(&read(&mut log.reader(Sequence::START), 300).await));
    let all: Vec<Vec<i64>> = futures::stream::iter(readers).buffer_unordered(4).collect().await;
    assert!(all.iter().all(|one| *one == (1..=300).collect::<Vec<_>>()));
}
