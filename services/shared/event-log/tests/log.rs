//! The log on a real server that is killed, wiped and started again.
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
    Delivered, EndedEpoch, Error, EventLog, Lag, Lineage, Outgoing, Published, Reader,
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

/// A connection that knows nothing of the log.
async fn raw(nats: &Nats) -> async_nats::Client {
    let url = url::Url::parse(nats.url().expose_secret()).expect("an address");
    let password = url.password().expect("a password").to_owned();
    async_nats::ConnectOptions::with_user_and_password(url.username().into(), password)
        .connect(format!("nats://127.0.0.1:{}", url.port().expect("a port")))
        .await
        .expect("it is there")
}

/// A stream of one ledger that was made in `epoch`.
fn lineage(epoch: Epoch) -> Lineage {
    Lineage { ledger: LEDGER, born: epoch, epoch, ended: Vec::new(), complete: true }
}

/// One that was filled again in the second epoch, when the first had `last` messages.
fn filled_again(last: u64) -> Lineage {
    Lineage { ended: vec![EndedEpoch { epoch: FIRST, last }], ..lineage(SECOND) }
}

async fn recreate(log: &EventLog, epoch: Epoch) {
    log.publisher().recreate(&lineage(epoch)).await.expect("a stream can be made");
}

/// Version `version` of a moved path of its own.
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

/// Publishes `events` behind whatever is the last one.
async fn send(log: &EventLog, epoch: Epoch, events: impl IntoIterator<Item = Event>) -> Published {
    let state = log.stream_state().await.expect("it answers").expect("a stream");
    let events: Vec<Outgoing> = events.into_iter().map(|event| outgoing(event, None)).collect();
    log.publisher().publish(epoch, state.last, &events).await
}

async fn publish(log: &EventLog, epoch: Epoch, versions: std::ops::RangeInclusive<i64>) {
    let published = send(log, epoch, versions.map(event)).await;
    assert!(published.failure.is_none(), "{:?}", published.failure);
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
    let error =
        log.publisher().recreate(&lineage(FIRST)).await.expect_err("seven are left, eight wanted");
    assert!(matches!(error, event_log::Error::NoRoom), "{error}");
    assert!(error.to_string().contains("max_file_store"), "{error}");

    jetstream.delete_stream("NEIGHBOUR").await.expect("it is ours");
    log.publisher().recreate(&lineage(FIRST)).await.expect("now there is room");
}

#[tokio::test]
async fn the_stream_tells_the_bound_that_it_has() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let most =
        async || log.stream_state().await.expect("it answers").expect("it is there").max_bytes;
    assert_eq!(most().await, Some(8 << 30));

    let jetstream = async_nats::jetstream::new(raw(&nats).await);
    let stream = jetstream.get_stream("CONTENT").await.expect("it is there");
    for (max_bytes, expected) in [(1 << 20, Some(1 << 20)), (-1, None)] {
        let mut config = stream.cached_info().config.clone();
        config.max_bytes = max_bytes;
        jetstream.update_stream(config).await.expect("an operator may");
        assert_eq!(most().await, expected);
    }
}

#[tokio::test]
async fn what_visitors_ended_is_remembered_for_longer_than_any_backup_is_kept() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    let jetstream = async_nats::jetstream::new(raw(&nats).await);
    let config = async || {
        let stream = jetstream.get_stream("VISITOR").await.expect("it is there");
        stream.cached_info().config.clone()
    };
    let made = log.make_visitor_stream().await.expect("a stream can be made");
    // `deploy/package/backup.sh` refuses to keep a file for longer.
    let age = Duration::from_hours(400 * 24);
    assert_eq!(config().await.max_age, age);

    // As another build made it.
    for max_age in [age / 2, Duration::ZERO] {
        let other = async_nats::jetstream::stream::Config { max_age, ..config().await };
        jetstream.update_stream(other).await.expect("an operator may");
        assert_eq!(config().await.max_age, max_age);
        let changed = log.make_visitor_stream().await.expect("the stream can be changed");
        assert_eq!((config().await.max_age, changed), (age, made));
    }

    // What is made anew says so.
    jetstream.delete_stream("VISITOR").await.expect("it is ours");
    let anew = log.make_visitor_stream().await.expect("a stream can be made");
    assert!(anew > made, "{anew}, {made}");
}

#[tokio::test]
async fn a_batch_is_no_longer_than_was_asked_for() {
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
async fn the_log_keeps_the_latest_of_each_aggregate_and_no_more() {
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
async fn a_publisher_that_is_not_up_to_date_writes_nothing() {
    let nats = Nats::start().await;
    let (log, other) = (connect(&nats).await, connect(&nats).await);
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    // Another relay took the lead, and published.
    publish(&other, SECOND, 4..=4).await;
    let events = [5, 6, 7].map(|version| outgoing(event(version), None));
    let published = log.publisher().publish(FIRST, 3, &events).await;
    assert!(published.sequences.is_empty());
    assert!(matches!(published.failure, Some(Error::Overtaken(_))), "{:?}", published.failure);
    assert_eq!(versions(&read(&mut log.reader(Checkpoint::START), 4).await), [1, 2, 3, 4]);
    assert_eq!(log_back(&log).await, 4);
}

#[tokio::test]
async fn what_a_lead_before_published_is_not_taken_for_this_ones() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let events = [1, 2].map(|version| outgoing(event(version), None));
    let published = log.publisher().publish(FIRST, 0, &events).await;
    assert!(published.failure.is_none(), "{:?}", published.failure);
    // The second one came late: who leads now has seen the first alone.
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
async fn a_message_that_came_late_is_no_other_history_until_its_relay_has_looked() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    // By the clock, with as much room for a slow machine as there is.
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
    let told = async {
        loop {
            match reader.next_batch(64, Duration::from_millis(200)).await {
                Ok(batch) => assert!(batch.is_empty(), "{batch:?}"),
                Err(error) => return error,
            }
        }
    };
    let waits = tokio::time::timeout(WAIT, told).await.expect("it looks each second");
    assert!(matches!(waits, Error::OlderStream(_)), "{waits}");
    // It has found the second one.
    log.publisher().describe(&led(Epoch(now.0 + 1), 2)).await.expect("it answers");
    publish(&log, Epoch(now.0 + 1), 3..=3).await;
    assert_eq!(versions(&read(&mut reader, 1).await), [3]);
    // Where it finds nothing for as long as that takes, it is another history.
    log.publisher().describe(&led(Epoch(now.0 - 500), 2)).await.expect("it answers");
    let lost = Checkpoint::new(LEDGER, Sequence::new(before, 3));
    diverged(&mut log.reader(lost)).await;
}

#[tokio::test]
async fn each_message_tells_the_epoch_that_it_was_published_in() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=2).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 2).await;
    let led_anew = Lineage {
        epoch: SECOND,
        ended: vec![EndedEpoch { epoch: FIRST, last: 2 }],
        ..lineage(FIRST)
    };
    log.publisher().describe(&led_anew).await.expect("it answers");
    publish(&log, SECOND, 3..=3).await;
    assert_eq!(positions(&read(&mut reader, 1).await), [Sequence::new(SECOND, 3)]);
    // Who stands in the epoch before goes on from there.
    let mut earlier = log.reader(Checkpoint::new(LEDGER, Sequence::new(FIRST, 1)));
    assert_eq!(versions(&read(&mut earlier, 2).await), [2, 3]);
}

/// Waits until `reader` says that what it has read is part of no log any more.
async fn diverged(reader: &mut Reader) {
    let told = async {
        loop {
            match reader.next_batch(64, WAIT).await {
                Err(Error::Diverged(_)) => return,
                other => assert!(other.is_ok_and(|batch| batch.is_empty())),
            }
        }
    };
    tokio::time::timeout(Duration::from_mins(1), told).await.expect("it sees that it is elsewhere");
}

#[tokio::test]
async fn who_has_read_what_was_lost_is_told_so() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    // Ledger and stream were restored together from a copy that ends at 3, and go on from there.
    log.publisher().recreate(&filled_again(3)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=9).await;
    diverged(&mut reader).await;
    let mut slow = log.reader(Checkpoint::new(LEDGER, Sequence::new(FIRST, 3)));
    let told = read(&mut slow, 9).await;
    assert_eq!(versions(&told), (1..=9).collect::<Vec<_>>(), "what it has read was not lost");
    // A ledger that began anew says nothing about what was read before.
    let other = Lineage { ledger: LedgerId(Uuid::from_u128(8)), ..lineage(Epoch(3)) };
    log.publisher().recreate(&other).await.expect("a stream can be made");
    diverged(&mut slow).await;
}

#[tokio::test]
async fn an_older_stream_is_waited_for_until_its_relay_has_led_it() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    // It came back from a copy of the first epoch, and this reader stands in the second.
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    let mut reader = log.reader(Checkpoint::new(LEDGER, Sequence::new(SECOND, 2)));
    let told = reader.next_batch(64, WAIT).await;
    assert!(matches!(told, Err(Error::OlderStream(_))), "{told:?}");
    // Its ledger knows of the second epoch, and fills it again: nothing that was read is lost.
    let third = Epoch(3);
    let ended = [(FIRST, 3), (SECOND, 2)].map(|(epoch, last)| EndedEpoch { epoch, last });
    let filled = Lineage { ended: ended.into(), ..lineage(third) };
    log.publisher().recreate(&filled).await.expect("a stream can be made");
    publish(&log, third, 1..=4).await;
    assert_eq!(versions(&read(&mut reader, 4).await), [1, 2, 3, 4]);
    // Another one, whose ledger came back from that copy too: what was read is lost.
    let mut reader = log.reader(Checkpoint::new(LEDGER, Sequence::new(SECOND, 2)));
    let led = Lineage { ended: vec![EndedEpoch { epoch: FIRST, last: 3 }], ..lineage(third) };
    log.publisher().describe(&led).await.expect("it answers");
    diverged(&mut reader).await;
}

#[tokio::test]
async fn a_frozen_server_is_not_taken_for_one_that_has_nothing_new() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=1).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 1).await;
    assert!(reader.next_batch(64, Duration::from_millis(100)).await.is_ok_and(|b| b.is_empty()));
    nats.freeze();
    let told = async {
        loop {
            if let Err(error) = reader.next_batch(64, Duration::from_millis(500)).await {
                return error;
            }
        }
    };
    let silence = tokio::time::timeout(Duration::from_mins(1), told).await.expect("it is told");
    assert!(matches!(silence, Error::Unavailable(_)), "{silence}");
    nats.thaw();
    publish_when_back(&log).await;
    assert_eq!(versions(&read(&mut reader, 1).await), [2]);
}

/// Where a line to the server begins, which it leads to, and how the log is reached by it.
async fn line(nats: &Nats) -> (TcpListener, (Ipv4Addr, u16), SecretString) {
    let mut url = url::Url::parse(nats.url().expose_secret()).expect("an address");
    let server = (Ipv4Addr::LOCALHOST, url.port().expect("a port"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    url.set_port(Some(listener.local_addr().expect("an address").port())).expect("it may have one");
    (listener, server, url.to_string().into())
}

/// The log through a line that holds whatever asks for a consumer for `pause`.
async fn with_slow_consumers(nats: &Nats, pause: Duration) -> EventLog {
    let (listener, server, url) = line(nats).await;
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

/// The log through a line that is cut once, after the first 20 kB: what the server sends until it notices
/// is lost.
async fn with_a_line_that_is_cut(nats: &Nats) -> EventLog {
    let (listener, server, url) = line(nats).await;
    tokio::spawn(async move {
        let mut most = 20_000;
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(server).await.expect("nats answers");
            let first = std::mem::replace(&mut most, u64::MAX);
            tokio::spawn(async move {
                let (mut from_client, mut to_client) = client.into_split();
                let (mut from_server, mut to_server) = server.into_split();
                let to_client = async {
                    let mut handed_on = (&mut from_server).take(first);
                    tokio::io::copy(&mut handed_on, &mut to_client).await?;
                    let mut nowhere = tokio::io::sink();
                    let lost = tokio::io::copy(&mut from_server, &mut nowhere);
                    tokio::time::timeout(Duration::from_millis(200), lost).await?
                };
                // Both ends are closed with the first of the two.
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
async fn what_was_on_its_way_when_the_line_was_cut_is_read_all_the_same() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=400).await;
    let mut reader = with_a_line_that_is_cut(&nats).await.reader(Checkpoint::START);
    assert_eq!(versions(&read(&mut reader, 400).await), (1..=400).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_consumer_that_is_slow_to_come_is_waited_for_and_none_is_not_nothing_new() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=3).await;
    let slow = with_slow_consumers(&nats, Duration::from_millis(1_500)).await;
    assert_eq!(versions(&read(&mut slow.reader(Checkpoint::START), 3).await), [1, 2, 3]);
    let none = with_slow_consumers(&nats, Duration::from_mins(5)).await;
    let told = none.reader(Checkpoint::START).next_batch(64, Duration::from_secs(1)).await;
    assert!(matches!(told, Err(Error::Unavailable(_))), "{told:?}");
}

#[tokio::test]
async fn a_follower_that_stands_still_is_known_to_be_behind() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let (position, stands_at) = watch::channel(None);
    let (told, mut lag) = watch::channel(None);
    let measuring = Lag::measure(log.clone(), stands_at, move |lag| {
        told.send_replace(Some(lag.messages));
    });
    let measuring = tokio::spawn(measuring);
    let mut becomes = async |messages| {
        let changed = lag.wait_for(|lag| *lag == Some(messages));
        tokio::time::timeout(Duration::from_mins(1), changed).await.expect("in time").is_ok()
    };
    publish(&log, FIRST, 1..=3).await;
    position.send_replace(Some(Sequence::new(FIRST, 1)));
    assert!(becomes(2).await);
    // It reads nothing, and asks nothing.
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
async fn a_waiting_reader_has_a_message_when_it_comes() {
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
        let ((published, sent), (batch, came)) = tokio::join!(sending, reading);
        assert_eq!(positions(&batch.expect("the log")), published.sequences);
        waits.push(came.saturating_duration_since(sent));
    }
    waits.sort();
    // A reader that looked only at its own intervals, the least of which is a second, would mostly wait
    // for nearly that. How long a publish takes, or one wait on a slow machine, says nothing of it.
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
    let mut reader = log.reader(Checkpoint::START);
    let away = reader.next_batch(64, Duration::from_millis(200)).await;
    assert!(matches!(away, Err(Error::Unavailable(_))), "{away:?}");
    nats.restart().await;
    testkit::eventually("a stream", async || log.publisher().recreate(&lineage(FIRST)).await.ok())
        .await;
    publish(&log, FIRST, 1..=2).await;
    assert_eq!(versions(&read(&mut reader, 2).await), [1, 2]);
}

#[tokio::test]
async fn a_log_that_is_not_there_is_waited_for_each_time() {
    let nats = Nats::start().await;
    let mut reader = connect(&nats).await.reader(Checkpoint::START);
    let wait = Duration::from_millis(200);
    let began = Instant::now();
    for _ in 0..3 {
        let told = reader.next_batch(64, wait).await;
        assert!(matches!(told, Err(Error::NoStream)), "{told:?}");
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
    testkit::eventually("a stream", async || log.publisher().recreate(&filled_again(5)).await.ok())
        .await;
    publish(&log, SECOND, 1..=2).await;
    let after = read(&mut reader, 2).await;
    assert_eq!(versions(&after), [1, 2]);
    assert_eq!(positions(&after), [Sequence::new(SECOND, 1), Sequence::new(SECOND, 2)]);
    assert!(after[0].sequence > before[4].sequence);
}

#[tokio::test]
async fn a_stream_that_is_made_anew_under_a_waiting_reader_is_noticed() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    log.publisher().recreate(&filled_again(5)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=7).await;
    assert_eq!(versions(&read(&mut reader, 7).await), [1, 2, 3, 4, 5, 6, 7]);
}

#[tokio::test]
async fn a_stream_older_than_its_reader_gives_nothing_in_the_place_of_something_else() {
    let mut nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=5).await;
    let mut reader = log.reader(Checkpoint::START);
    read(&mut reader, 5).await;
    nats.kill().await;
    nats.wipe();
    nats.restart().await;
    // As a restored copy looks: the same epoch, and less in it than was read.
    testkit::eventually("a stream", async || log.publisher().recreate(&lineage(FIRST)).await.ok())
        .await;
    publish(&log, FIRST, 11..=13).await;
    let refused = async {
        while let Ok(batch) = reader.next_batch(64, WAIT).await {
            assert!(batch.is_empty(), "{batch:?}");
        }
    };
    tokio::time::timeout(Duration::from_mins(1), refused).await.expect("it sees that it is older");
    log.publisher().recreate(&filled_again(5)).await.expect("a stream can be made");
    publish(&log, SECOND, 1..=6).await;
    assert_eq!(versions(&read(&mut reader, 6).await), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn what_can_not_be_read_is_handed_on_as_it_is() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    let mut future = serde_json::to_value(event(1)).expect("an event is JSON");
    future["schemaVersion"] = (SCHEMA_VERSION + 1).into();
    let raw = raw(&nats).await;
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
async fn an_event_that_is_too_long_is_refused_for_good() {
    let nats = Nats::start().await;
    let log = connect(&nats).await;
    recreate(&log, FIRST).await;
    for mebibytes in [3, 5] {
        let mut endless = event(1);
        endless.change = Change::Upserted {
            snapshot: Box::new(Snapshot::Redirects(Redirect {
                from_path: "/".repeat(mebibytes << 20),
                to_path: None,
                code: 410,
            })),
        };
        let refusal = send(&log, FIRST, [endless]).await.failure.expect("too long");
        assert_eq!(refusal.disposition(), event_log::LogDisposition::Halt, "{refusal}");
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
    recreate(&log, FIRST).await;
    publish(&log, FIRST, 1..=300).await;
    let readers =
        (0..4).map(async |_| versions(&read(&mut log.reader(Checkpoint::START), 300).await));
    let all: Vec<Vec<i64>> = futures::stream::iter(readers).buffer_unordered(4).collect().await;
    assert!(all.iter().all(|one| *one == (1..=300).collect::<Vec<_>>()));
}
