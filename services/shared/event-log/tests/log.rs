//! Tests the log on a real server that is killed, wiped and restarted.
#![expect(clippy::expect_used, reason = "a test that cannot do its part must fail loudly")]

use std::{
    net::Ipv4Addr,
    time::{Duration, Instant, SystemTime},
};

use chrono::Utc;
use contracts::{
    AggregateId, Change, Checkpoint, Collection, Epoch, Event, LedgerId, SCHEMA_VERSION, Sequence,
    Version,
    content::{Redirect, Snapshot},
};
use event_log::{
    Delivered, EndedEpoch, Error, EventLog, Lag, Lineage, Outgoing, Published, Reader, VisitorEvent,
};
use futures::StreamExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use testkit::Nats;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
};
use uuid::Uuid;

const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const WAIT: Duration = Duration::from_secs(10);
const FIRST: Epoch = Epoch(1);
const SECOND: Epoch = Epoch(2);
const LEDGER: LedgerId = LedgerId(Uuid::from_u128(7));

async fn connect(nats: &Nats) -> EventLog {
    EventLog::connect(&nats.url(), "test").await.expect("the address is one of NATS")
}

/// A plain NATS connection.
async fn raw_client(nats: &Nats) -> async_nats::Client {
    let url = url::Url::parse(nats.url().expose_secret()).expect("an address");
    let password = url.password().expect("a password").to_owned();
    async_nats::ConnectOptions::with_user_and_password(url.username().into(), password)
        .connect(format!("nats://127.0.0.1:{}", url.port().expect("a port")))
        .await
        .expect("it is there")
}

/// The lineage of a stream of [`LEDGER`] that was created in `epoch`.
fn lineage(epoch: Epoch) -> Lineage {
    Lineage { ledger: LEDGER, born: epoch, epoch, ended: Vec::new(), complete: true }
}

/// The lineage of a stream that was recreated in the second epoch, after the first had `last` messages.
fn recreated(last: u64) -> Lineage {
    Lineage { ended: vec![EndedEpoch { epoch: FIRST, last }], ..lineage(SECOND) }
}

async fn recreate(log: &EventLog, epoch: Epoch) {
    log.publisher().recreate(&lineage(epoch)).await.expect("a stream can be made");
}

/// An event with version `version` of a redirect whose key is that number.
fn event(version: i64) -> Event {
    let snapshot = Snapshot::Redirects(Redirect {
        from_path: "/old".to_owned(),
        to_path: Some(format!("/new/{version}")),
        code: 301,
    });
    Event {
        id: Uuid::new_v4(),
        schema_version: SCHEMA_VERSION,
        aggregate: AggregateId::new(Collection::Redirects, version.to_string()),
        version: Version(version),
        captured_at: Utc::now(),
        change: Change::Upserted { snapshot: Box::new(snapshot) },
        offers: Vec::new(),
    }
}

fn outgoing(event: Event, traceparent: Option<&str>) -> Outgoing {
    let event = event.recorded().expect("it can be written");
    Outgoing { event, traceparent: traceparent.map(str::to_owned) }
}

/// Publishes `events` after the stream's last message.
async fn send(log: &EventLog, epoch: Epoch, events: impl IntoIterator<Item = Event>) -> Published {
    let state = log.stream_state().await.expect("it answers").expect("a stream");
    let events: Vec<Outgoing> = events.into_iter().map(|event| outgoing(event, None)).collect();
    log.publisher().publish(epoch, state.last, &events).await
}

async fn publish(log: &EventLog, epoch: Epoch, versions: std::ops::RangeInclusive<i64>) {
    let published = send(log, epoch, versions.map(event)).await;
    assert!(published.failure.is_none(), "{:?}", published.failure);
}

/// Reads until `count` messages have arrived. Ignores errors, which an unreachable server causes.
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
async fn published_events_are_read_in_order_from_any_position() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    assert_eq!(log.stream_state().await.expect("it answers"), None);
    recreate(&log, FIRST).await;
    let first = event(1);
    let traced = outgoing(first.clone(), Some(TRACEPARENT));
    let published = log.publisher().publish(FIRST, 0, &[traced]).await;
    assert_eq!(published.sequences, [Sequence::new(FIRST, 1)]);
    publish(&log, FIRST, 2..=5).await;

    let all = read(&mut log.reader(Checkpoint::START), 5).await;
    assert_eq!(versions(&all), [1, 2, 3, 4, 5]);
    assert_eq!(all[0].event.as_ref().ok(), Some(&first));
    assert_eq!(all[0].traceparent.as_deref(), Some(TRACEPARENT));
    assert_eq!(all[1].traceparent, None);

    let mut later = log.reader(Checkpoint::new(LEDGER, Sequence::new(FIRST, 3)));
    assert!(!later.is_caught_up(), "nothing is known of the log yet");
    assert_eq!(later.behind(), u64::MAX);
    assert_eq!(versions(&read(&mut later, 2).await), [4, 5]);
    assert_eq!(later.behind(), 0);
    assert_eq!(later.checkpoint(), Checkpoint::new(LEDGER, Sequence::new(FIRST, 5)));
    assert!(later.is_caught_up());
    let nothing = later.next_batch(64, Duration::from_millis(50)).await.expect("it waits");
    assert!(nothing.is_empty());
}

#[tokio::test]
async fn without_enough_storage_creating_the_stream_fails_and_names_the_setting() {
    let nats = Nats::start().await;
    let jetstream = async_nats::jetstream::new(raw_client(&nats).await);
    // The server's storage limit is configured, so the space left does not depend on this machine's disk.
    let neighbour = async_nats::jetstream::stream::Config {
        name: "NEIGHBOUR".to_owned(),
        max_bytes: 3 << 30,
        ..Default::default()
    };
    jetstream.create_stream(neighbour).await.expect("there is room for three of ten");

    let log = connect(&nats).await;
    let error =
        log.publisher().recreate(&lineage(FIRST)).await.expect_err("seven are left, eight wanted");
    assert!(matches!(error, event_log::Error::InsufficientStorage), "{error}");
    assert!(error.to_string().contains("max_file_store"), "{error}");

    jetstream.delete_stream("NEIGHBOUR").await.expect("it is ours");
    log.publisher().recreate(&lineage(FIRST)).await.expect("now there is room");
}

#[tokio::test]
async fn the_stream_state_reports_the_configured_size_limit() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let max_bytes =
        async || log.stream_state().await.expect("it answers").expect("it is there").max_bytes;
    assert_eq!(max_bytes().await, Some(8 << 30));

    let jetstream = async_nats::jetstream::new(raw_client(&nats).await);
    let stream = jetstream.get_stream("CONTENT").await.expect("it is there");
    for (limit, expected) in [(1 << 20, Some(1 << 20)), (-1, None)] {
        let mut config = stream.cached_info().config.clone();
        config.max_bytes = limit;
        jetstream.update_stream(config).await.expect("an operator may");
        assert_eq!(max_bytes().await, expected);
    }
}

#[tokio::test]
async fn visitor_events_are_retained_for_longer_than_any_backup() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    let jetstream = async_nats::jetstream::new(raw_client(&nats).await);
    let config = async || {
        let stream = jetstream.get_stream("VISITOR").await.expect("it is there");
        stream.cached_info().config.clone()
    };
    let created = log.ensure_visitor_stream().await.expect("a stream can be made");
    // `deploy/package/backup.sh` refuses to retain a file for longer.
    let age = Duration::from_hours(400 * 24);
    assert_eq!(config().await.max_age, age);

    // As another build would have created it.
    for max_age in [age / 2, Duration::ZERO] {
        let other = async_nats::jetstream::stream::Config { max_age, ..config().await };
        jetstream.update_stream(other).await.expect("an operator may");
        assert_eq!(config().await.max_age, max_age);
        let changed = log.ensure_visitor_stream().await.expect("the stream can be changed");
        assert_eq!((config().await.max_age, changed), (age, created));
    }

    // A recreated stream has a later creation time.
    jetstream.delete_stream("VISITOR").await.expect("it is ours");
    let recreated = log.ensure_visitor_stream().await.expect("a stream can be made");
    assert!(recreated > created, "{recreated}, {created}");
}

#[tokio::test]
async fn frequent_visitor_events_do_not_displace_others() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    let publish = async |kind: &str| {
        let kind = kind.to_owned();
        let event =
            VisitorEvent { id: Uuid::now_v7(), kind, subject: Uuid::new_v4(), traceparent: None };
        log.publish_visitor_event(&event).await.expect("it is published");
        event.subject
    };
    log.ensure_visitor_stream().await.expect("a stream can be made");
    // As an earlier version created it, except for the number.
    let jetstream = async_nats::jetstream::new(raw_client(&nats).await);
    let stream = jetstream.get_stream("VISITOR").await.expect("it is there");
    let mut config = stream.cached_info().config.clone();
    (config.max_messages, config.max_messages_per_subject) = (3, -1);
    jetstream.update_stream(config).await.expect("an operator may");
    let erased = publish("account.deleted").await;

    log.ensure_visitor_stream().await.expect("the stream can be changed");
    for _ in 0..5 {
        publish("sign_in.asked").await;
    }
    let kept = log.visitor_records("account.deleted").await.expect("the stream");
    assert_eq!(kept.iter().map(|record| record.subject).collect::<Vec<_>>(), [erased]);
    assert_eq!(log.visitor_records("sign_in.asked").await.expect("the stream").len(), 5);
}

#[tokio::test]
async fn a_batch_is_at_most_as_long_as_requested() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=700).await;
    let mut reader = log.reader(Checkpoint::START);
    let mut seen = Vec::new();
    while seen.len() < 700 {
        let batch = reader.next_batch(50, WAIT).await.expect("the log");
        assert!((1..=50).contains(&batch.len()));
        seen.extend(versions(&batch));
    }
    assert_eq!(seen, (1..=700).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_log_retains_only_the_latest_message_of_each_aggregate() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let versions_of_one = (1..=50).map(|version| Event {
        aggregate: AggregateId::new(Collection::Redirects, "7"),
        ..event(version)
    });
    assert_eq!(send(&log, FIRST, versions_of_one).await.sequences.len(), 50);
    publish(&log, FIRST, 51..=52).await;
    let all = read(&mut log.reader(Checkpoint::START), 3).await;
    assert_eq!(versions(&all), [50, 51, 52]);
    let stored = log.publisher().stored(48..=52).await.expect("it answers");
    let sequences: Vec<_> = stored.iter().map(|stored| stored.sequence.stream()).collect();
    assert_eq!(sequences, [50, 51, 52]);
    assert_eq!(stored[0].event, all[0].event.as_ref().ok().map(|event| event.id));
}

#[tokio::test]
async fn a_publisher_with_an_outdated_last_sequence_writes_nothing() {
    let nats = Nats::start().await;
    let (log, other) = (connect(&nats).await, connect(&nats).await);
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    // Another relay became the leader, and published.
    publish(&other, SECOND, 4..=4).await;
    let events = [5, 6, 7].map(|version| outgoing(event(version), None));
    let published = log.publisher().publish(FIRST, 3, &events).await;
    assert!(published.sequences.is_empty());
    assert!(matches!(published.failure, Some(Error::Overtaken(_))), "{:?}", published.failure);
    assert_eq!(versions(&read(&mut log.reader(Checkpoint::START), 4).await), [1, 2, 3, 4]);
    assert_eq!(log_back(&log).await, 4);
}

#[tokio::test]
async fn an_event_that_the_previous_leader_published_is_not_counted_as_published_again() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let events = [1, 2].map(|version| outgoing(event(version), None));
    let published = log.publisher().publish(FIRST, 0, &events).await;
    assert!(published.failure.is_none(), "{:?}", published.failure);
    // The second event arrived late: the new leader has seen only the first.
    let led = Lineage {
        epoch: SECOND,
        ended: vec![EndedEpoch { epoch: FIRST, last: 1 }],
        ..lineage(FIRST)
    };
    log.publisher().describe(&led).await.expect("it answers");
    let again = log.publisher().publish(SECOND, 1, &events[1..]).await;
    assert!(again.sequences.is_empty(), "{:?}", again.sequences);
    assert!(matches!(again.failure, Some(Error::Overtaken(_))), "{:?}", again.failure);
    let all = read(&mut log.reader(Checkpoint::START), 2).await;
    assert_eq!(positions(&all), [Sequence::new(FIRST, 1), Sequence::new(FIRST, 2)]);
}

#[tokio::test]
async fn a_reader_ahead_of_a_new_leader_waits_before_it_reports_divergence() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    // Epochs follow the clock. An epoch in the future gives a slow machine the most time.
    let now = Epoch(Epoch::at(SystemTime::now()).0 + 8);
    let before = Epoch(now.0 - 1_000);
    recreate(&log, before).await;
    publish(&log, before, 1..=2).await;
    let mut reader = log.reader(Checkpoint::START);
    assert_eq!(versions(&read(&mut reader, 2).await), [1, 2]);
    let led = |epoch: Epoch, last: u64| Lineage {
        epoch,
        ended: vec![EndedEpoch { epoch: before, last }],
        ..lineage(before)
    };
    log.publisher().describe(&led(now, 1)).await.expect("it answers");
    let failure = async {
        loop {
            match reader.next_batch(64, Duration::from_millis(200)).await {
                Ok(batch) => assert!(batch.is_empty(), "{batch:?}"),
                Err(error) => return error,
            }
        }
    };
    let error = tokio::time::timeout(WAIT, failure).await.expect("it checks each second");
    assert!(matches!(error, Error::OlderStream(_)), "{error}");
    // The leader has found the second message.
    log.publisher().describe(&led(Epoch(now.0 + 1), 2)).await.expect("it answers");
    publish(&log, Epoch(now.0 + 1), 3..=3).await;
    assert_eq!(versions(&read(&mut reader, 1).await), [3]);
    // If the leader still has not found the message after the settling time, the reader has diverged.
    log.publisher().describe(&led(Epoch(now.0 - 500), 2)).await.expect("it answers");
    let lost = Checkpoint::new(LEDGER, Sequence::new(before, 3));
    wait_until_diverged(&mut log.reader(lost)).await;
}

#[tokio::test]
async fn each_message_has_the_epoch_that_it_was_published_in() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=2).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 2).await;
    let second_leader = Lineage {
        epoch: SECOND,
        ended: vec![EndedEpoch { epoch: FIRST, last: 2 }],
        ..lineage(FIRST)
    };
    log.publisher().describe(&second_leader).await.expect("it answers");
    publish(&log, SECOND, 3..=3).await;
    assert_eq!(positions(&read(&mut reader, 1).await), [Sequence::new(SECOND, 3)]);
    // A reader at a position of the previous epoch continues from there.
    let mut earlier = log.reader(Checkpoint::new(LEDGER, Sequence::new(FIRST, 1)));
    assert_eq!(versions(&read(&mut earlier, 2).await), [2, 3]);
}

/// Waits until `reader` reports that its position is no longer part of the log.
async fn wait_until_diverged(reader: &mut Reader) {
    let diverged = async {
        loop {
            match reader.next_batch(64, WAIT).await {
                Err(Error::Diverged(_)) => return,
                other => assert!(other.is_ok_and(|batch| batch.is_empty())),
            }
        }
    };
    tokio::time::timeout(Duration::from_mins(1), diverged).await.expect("it diverges in time");
}

#[tokio::test]
async fn a_reader_beyond_a_restored_copy_has_diverged() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    // Ledger and stream were restored together from a copy that ends at 3, and continue from there.
    log.publisher().recreate(&recreated(3)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=9).await;
    wait_until_diverged(&mut reader).await;
    let mut slow = log.reader(Checkpoint::new(LEDGER, Sequence::new(FIRST, 3)));
    let messages = read(&mut slow, 9).await;
    assert_eq!(versions(&messages), (1..=9).collect::<Vec<_>>(), "nothing that it read was lost");
    // A position of another ledger is invalid.
    let other = Lineage { ledger: LedgerId(Uuid::from_u128(8)), ..lineage(Epoch(3)) };
    log.publisher().recreate(&other).await.expect("a stream can be made");
    wait_until_diverged(&mut slow).await;
}

#[tokio::test]
async fn a_reader_ahead_of_a_restored_stream_waits_for_the_relay() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    // The stream was restored from a copy of the first epoch; this reader is in the second.
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    let mut reader = log.reader(Checkpoint::new(LEDGER, Sequence::new(SECOND, 2)));
    let result = reader.next_batch(64, WAIT).await;
    assert!(matches!(result, Err(Error::OlderStream(_))), "{result:?}");
    // The ledger knows the second epoch and the stream is refilled: nothing that was read is lost.
    let third = Epoch(3);
    let ended = [(FIRST, 3), (SECOND, 2)].map(|(epoch, last)| EndedEpoch { epoch, last });
    let filled = Lineage { ended: ended.into(), ..lineage(third) };
    log.publisher().recreate(&filled).await.expect("a stream can be made");
    publish(&log, third, 1..=4).await;
    assert_eq!(versions(&read(&mut reader, 4).await), [1, 2, 3, 4]);
    // Another stream, whose ledger was restored from that copy too: what was read is lost.
    let mut reader = log.reader(Checkpoint::new(LEDGER, Sequence::new(SECOND, 2)));
    let led = Lineage { ended: vec![EndedEpoch { epoch: FIRST, last: 3 }], ..lineage(third) };
    log.publisher().describe(&led).await.expect("it answers");
    wait_until_diverged(&mut reader).await;
}

#[tokio::test]
async fn a_frozen_server_causes_an_error_instead_of_an_empty_batch() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=1).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 1).await;
    assert!(reader.next_batch(64, Duration::from_millis(100)).await.is_ok_and(|b| b.is_empty()));
    nats.freeze();
    let failure = async {
        loop {
            if let Err(error) = reader.next_batch(64, Duration::from_millis(500)).await {
                return error;
            }
        }
    };
    let error = tokio::time::timeout(Duration::from_mins(1), failure).await.expect("it fails");
    assert!(matches!(error, Error::Unavailable(_)), "{error}");
    nats.thaw();
    publish_when_back(&log).await;
    assert_eq!(versions(&read(&mut reader, 1).await), [2]);
}

#[tokio::test]
async fn a_frozen_server_of_several_is_left_for_another() {
    let servers = [Nats::start().await, Nats::start().await];
    for nats in &servers {
        recreate(&connect(nats).await, FIRST).await;
    }
    let urls = servers.each_ref().map(|nats| nats.url().expose_secret().to_owned());
    let log = EventLog::connect(&urls.join(",").into(), "test").await.expect("addresses");
    log_back(&log).await;
    // The client is connected to one of them.
    for nats in &servers {
        nats.freeze();
        log_back(&log).await;
        nats.thaw();
    }
}

/// Returns the listener of a proxy to the server, the server's address, and the URL of the log through
/// the proxy.
async fn proxy(nats: &Nats) -> (TcpListener, (Ipv4Addr, u16), SecretString) {
    let mut url = url::Url::parse(nats.url().expose_secret()).expect("an address");
    let server = (Ipv4Addr::LOCALHOST, url.port().expect("a port"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    url.set_port(Some(listener.local_addr().expect("an address").port())).expect("it may have one");
    (listener, server, url.to_string().into())
}

/// Connects through a proxy that delays each request to create a consumer by `pause`.
async fn with_slow_consumers(nats: &Nats, pause: Duration) -> EventLog {
    let (listener, server, url) = proxy(nats).await;
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(server).await.expect("nats answers");
            let (mut from_client, mut to_client) = client.into_split();
            let (mut from_server, mut to_server) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut from_server, &mut to_client).await });
            tokio::spawn(async move {
                let mut bytes = vec![0_u8; 1 << 16];
                while let Ok(read @ 1..) = from_client.read(&mut bytes).await {
                    if String::from_utf8_lossy(&bytes[..read]).contains("CONSUMER.CREATE") {
                        tokio::time::sleep(pause).await;
                    }
                    if to_server.write_all(&bytes[..read]).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    EventLog::connect(&url, "test").await.expect("the address is one of NATS")
}

/// Connects through a proxy that cuts the connection once, after the first 20 kB. What the server sends
/// until it notices is lost.
async fn with_one_cut_connection(nats: &Nats) -> EventLog {
    let (listener, server, url) = proxy(nats).await;
    tokio::spawn(async move {
        let mut limit = 20_000;
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(server).await.expect("nats answers");
            let limit = std::mem::replace(&mut limit, u64::MAX);
            tokio::spawn(async move {
                let (mut from_client, mut to_client) = client.into_split();
                let (mut from_server, mut to_server) = server.into_split();
                let to_client = async {
                    let mut forwarded = (&mut from_server).take(limit);
                    tokio::io::copy(&mut forwarded, &mut to_client).await?;
                    let mut nowhere = tokio::io::sink();
                    let lost = tokio::io::copy(&mut from_server, &mut nowhere);
                    tokio::time::timeout(Duration::from_millis(200), lost).await?
                };
                // Both connections are closed as soon as either copy ends.
                tokio::select! {
                    ended = to_client => ended,
                    ended = tokio::io::copy(&mut from_client, &mut to_server) => ended,
                }
            });
        }
    });
    EventLog::connect(&url, "test").await.expect("the address is one of NATS")
}

#[tokio::test]
async fn messages_in_flight_during_a_cut_connection_are_read_again() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=400).await;
    let mut reader = with_one_cut_connection(&nats).await.reader(Checkpoint::START);
    assert_eq!(versions(&read(&mut reader, 400).await), (1..=400).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_slow_consumer_is_waited_for_and_a_missing_one_is_an_error() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    let slow = with_slow_consumers(&nats, Duration::from_millis(1_500)).await;
    assert_eq!(versions(&read(&mut slow.reader(Checkpoint::START), 3).await), [1, 2, 3]);
    let none = with_slow_consumers(&nats, Duration::from_mins(5)).await;
    let result = none.reader(Checkpoint::START).next_batch(64, Duration::from_secs(1)).await;
    assert!(matches!(result, Err(Error::Unavailable(_))), "{result:?}");
}

#[tokio::test]
async fn the_lag_of_a_stalled_follower_grows() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let (position, position_receiver) = watch::channel(None);
    let (reported, mut lag) = watch::channel(None);
    let measuring = Lag::measure(log.clone(), position_receiver, move |lag| {
        reported.send_replace(Some(lag.messages));
    });
    let measuring = tokio::spawn(measuring);
    let mut becomes = async |messages| {
        let changed = lag.wait_for(|lag| *lag == Some(messages));
        tokio::time::timeout(Duration::from_mins(1), changed).await.expect("in time").is_ok()
    };
    publish(&log, FIRST, 1..=3).await;
    position.send_replace(Some(Sequence::new(FIRST, 1)));
    assert!(becomes(2).await);
    // The follower neither reads nor sends requests.
    publish(&log, FIRST, 4..=5).await;
    assert!(becomes(4).await);
    position.send_replace(Some(Sequence::new(FIRST, 5)));
    assert!(becomes(0).await);
    measuring.abort();
}

async fn publish_when_back(log: &EventLog) {
    log_back(log).await;
    publish(log, FIRST, 2..=2).await;
}

#[tokio::test]
async fn a_waiting_reader_receives_a_message_without_delay() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=1).await;
    let mut reader = connect(&nats).await.reader(Checkpoint::START);
    read(&mut reader, 1).await;
    let mut waits = Vec::new();
    for version in 2..=51 {
        let sending = async { (send(&log, FIRST, [event(version)]).await, Instant::now()) };
        let reading = async { (reader.next_batch(64, WAIT).await, Instant::now()) };
        let ((published, sent), (batch, received)) = tokio::join!(sending, reading);
        assert_eq!(positions(&batch.expect("the log")), published.sequences);
        waits.push(received.saturating_duration_since(sent));
    }
    waits.sort();
    // A reader that only polled at its own intervals, of at least a second, would mostly wait for nearly a
    // second. The median ignores the time of a publish and single slow waits on a slow machine.
    assert!(waits[25] < Duration::from_millis(500), "{waits:?}");
}

#[tokio::test]
async fn a_reader_outlives_a_killed_server_and_misses_nothing() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    let mut reader = log.reader(Checkpoint::START);
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

/// Waits for the stream to answer, and returns its last sequence.
async fn log_back(log: &EventLog) -> u64 {
    testkit::eventually("the stream being back", async || {
        log.stream_state().await.ok().flatten().map(|state| state.last)
    })
    .await
}

#[tokio::test]
async fn a_reader_waits_for_a_missing_server_and_a_missing_stream() {
    let mut nats = Nats::start().await;
    nats.kill().await;
    let log = connect(&nats).await;
    let mut reader = log.reader(Checkpoint::START);
    let result = reader.next_batch(64, Duration::from_millis(200)).await;
    assert!(matches!(result, Err(Error::Unavailable(_))), "{result:?}");
    nats.restart().await;
    testkit::eventually("a stream", async || log.publisher().recreate(&lineage(FIRST)).await.ok())
        .await;
    publish(&log, FIRST, 1..=2).await;
    assert_eq!(versions(&read(&mut reader, 2).await), [1, 2]);
}

#[tokio::test]
async fn each_read_of_a_missing_stream_takes_its_wait_time() {
    let nats = Nats::start().await;
    let mut reader = connect(&nats).await.reader(Checkpoint::START);
    let wait = Duration::from_millis(200);
    let began = Instant::now();
    for _ in 0..3 {
        let result = reader.next_batch(64, wait).await;
        assert!(matches!(result, Err(Error::NoStream)), "{result:?}");
    }
    assert!(began.elapsed() >= 3 * wait, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_new_epoch_is_read_from_its_start_with_positions_that_only_rise() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    let before = read(&mut reader, 5).await;

    nats.kill().await;
    nats.wipe();
    nats.restart().await;
    testkit::eventually("a stream", async || log.publisher().recreate(&recreated(5)).await.ok())
        .await;
    publish(&log, SECOND, 1..=2).await;
    let after = read(&mut reader, 2).await;
    assert_eq!(versions(&after), [1, 2]);
    assert_eq!(positions(&after), [Sequence::new(SECOND, 1), Sequence::new(SECOND, 2)]);
    assert!(after[0].sequence > before[4].sequence);
}

#[tokio::test]
async fn a_waiting_reader_notices_a_recreated_stream() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    log.publisher().recreate(&recreated(5)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=7).await;
    assert_eq!(versions(&read(&mut reader, 7).await), [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn a_stream_that_ends_before_the_readers_position_returns_no_messages() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    nats.kill().await;
    nats.wipe();
    nats.restart().await;
    // Like a restored copy: the same epoch, with fewer messages than were read.
    testkit::eventually("a stream", async || log.publisher().recreate(&lineage(FIRST)).await.ok())
        .await;
    publish(&log, FIRST, 11..=13).await;
    let refused = async {
        while let Ok(batch) = reader.next_batch(64, WAIT).await {
            assert!(batch.is_empty(), "{batch:?}");
        }
    };
    tokio::time::timeout(Duration::from_mins(1), refused).await.expect("it sees that it is older");
    log.publisher().recreate(&recreated(5)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=6).await;
    assert_eq!(versions(&read(&mut reader, 6).await), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn unreadable_messages_are_delivered_with_their_raw_body() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let mut future = serde_json::to_value(event(1)).expect("an event is JSON");
    future["schemaVersion"] = (SCHEMA_VERSION + 1).into();
    let raw = raw_client(&nats).await;
    for body in ["not json".to_owned(), future.to_string()] {
        let subject = format!("content.redirects.{}", body.len());
        raw.publish(subject, body.into()).await.expect("it is sent");
    }
    raw.flush().await.expect("it is sent");
    testkit::eventually("both in the stream", async || (log_back(&log).await == 2).then_some(()))
        .await;
    publish(&log, FIRST, 2..=2).await;
    let messages = read(&mut log.reader(Checkpoint::START), 3).await;
    let poison = messages[0].event.as_ref().expect_err("it is no event");
    assert_eq!((poison.subject.as_str(), &*poison.body), ("content.redirects.8", &b"not json"[..]));
    let poison = messages[1].event.as_ref().expect_err("it is of the future");
    assert!(poison.reason.contains("schema version"), "{poison}");
    assert_eq!(versions(&messages[2..]), [2]);
}

#[tokio::test]
async fn an_event_that_is_too_long_is_refused_without_retry() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    for mebibytes in [3, 5] {
        let mut oversized = event(1);
        oversized.change = Change::Upserted {
            snapshot: Box::new(Snapshot::Redirects(Redirect {
                from_path: "/".repeat(mebibytes << 20),
                to_path: None,
                code: 410,
            })),
        };
        let refusal = send(&log, FIRST, [oversized]).await.failure.expect("too long");
        assert_eq!(refusal.disposition(), event_log::LogDisposition::Halt, "{refusal}");
    }
    // It does not block other events.
    publish(&log, FIRST, 1..=1).await;
}

#[tokio::test]
async fn a_hint_reaches_its_subscriber() {
    let mut nats = Nats::start().await;
    let (log, listener) = (connect(&nats).await, connect(&nats).await);
    let mut hints = listener.hints("projected").await.expect("it is there");
    let next_hint = async |hints: &mut event_log::Hints| {
        tokio::time::timeout(WAIT, hints.next()).await.expect("in time").expect("connected")
    };
    // The subscription may reach the server after the first hint.
    let wake = async || {
        loop {
            let _away = log.hint("projected", Sequence::new(FIRST, 42)).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let first =
        tokio::select! { hint = next_hint(&mut hints) => hint, () = wake() => unreachable!() };
    assert_eq!(first, Sequence::new(FIRST, 42));
    nats.kill().await;
    nats.restart().await;
    while let Ok(Some(_)) = tokio::time::timeout(Duration::from_millis(100), hints.next()).await {}
    let again =
        tokio::select! { hint = next_hint(&mut hints) => hint, () = wake() => unreachable!() };
    assert_eq!(again, first);
}

#[tokio::test]
async fn readers_of_one_connection_do_not_block_each_other() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=300).await;
    let readers =
        (0..4).map(async |_| versions(&read(&mut log.reader(Checkpoint::START), 300).await));
    let all: Vec<Vec<i64>> = futures::stream::iter(readers).buffer_unordered(4).collect().await;
    assert!(all.iter().all(|one| *one == (1..=300).collect::<Vec<_>>()));
}
