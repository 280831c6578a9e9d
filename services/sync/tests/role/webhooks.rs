//! How webhooks are answered, and what they lead to.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::{Postgres, eventually};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    content::{FILE, Mood, house, location},
    role::{HINTS_ONLY, OTHER_SECRET, Role, SECRET, World, hint},
};

/// The forms of webhooks that Directus 12.3 was observed to send, each with the action of the editor.
const FORMS: &str = include_str!("../fixtures/webhooks.json");

async fn kept(world: &World) -> i64 {
    sqlx::query_scalar("select count(*) from ledger.inbox")
        .fetch_one(&world.pool)
        .await
        .expect("the ledger answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn each_form_of_webhook_captures_its_change() {
    let world = World::new("forms").await;
    for id in 1..=5 {
        world.content.put("properties", &id.to_string(), house(id, 100_000));
    }
    world.content.put("team", "1", member(1, 1));
    world.content.put("team", "2", member(2, 2));
    let role = world.start(HINTS_ONLY).await;
    let forms: Vec<Value> = serde_json::from_str(FORMS).expect("the fixture is JSON");
    for form in forms {
        let done = form["done"].as_str().expect("what the editor did");
        let (aggregate, field) = act(&world, done);
        let before = world.latest().await;
        let answer = role.post(&form["webhook"]).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT, "{done}");
        let before = before.get(aggregate).map_or(0, |entry| entry.version);
        let entry = eventually(done, async || {
            world.latest().await.remove(aggregate).filter(|entry| entry.version > before)
        })
        .await;
        assert!(field(&entry.change), "{done}: {}", entry.change);
        // The recheck of this hint must not be what captures the next change.
        world.wait_until_idle().await;
    }
    role.stop().await;
}

/// Applies the action of an editor without a hint; returns the aggregate that shows it, and a check for
/// it.
fn act(world: &World, done: &str) -> (&'static str, fn(&Value) -> bool) {
    let content = &world.content;
    match done {
        "changed a price" => {
            content.change("properties", "1", |house| house["price"] = json!(111));
            ("properties/1", |change| change["snapshot"]["price"] == 111)
        }
        "changed a batch" => {
            content.change("properties", "2", |house| house["featured"] = json!(true));
            ("properties/2", |change| change["snapshot"]["featured"] == true)
        }
        "created a house" => {
            content.put("properties", "9", house(9, 999));
            ("properties/9", |change| change["snapshot"]["price"] == 999)
        }
        "changed a translation directly" => {
            content.change("properties", "1", |house| {
                house["translations"][0]["title"] = json!("Casa");
            });
            ("properties/1", |change| change["snapshot"]["text"]["en"]["title"] == "Casa")
        }
        "created a translation" => {
            content.change("properties", "1", |house| {
                let row = json!({ "id": 77, "languages_code": "es-ES", "title": "Nueva" });
                house["translations"].as_array_mut().expect("rows").push(row);
            });
            ("properties/1", |change| change["snapshot"]["text"]["es"]["title"] == "Nueva")
        }
        "deleted a translation" => {
            content.change("properties", "1", |house| {
                house["translations"].as_array_mut().expect("rows").pop();
            });
            ("properties/1", |change| change["snapshot"]["text"]["es"].is_null())
        }
        "took a picture off" => {
            content.change("properties", "3", |house| house["images"] = json!([]));
            ("properties/3", |change| change["snapshot"]["images"] == json!([]))
        }
        "described a picture" => {
            content.put("directus_files", FILE, crate::content::file("The sea"));
            ("properties/4", |change| change["snapshot"]["images"][0]["alt"] == "The sea")
        }
        "replaced a picture" => {
            content.change("directus_files", FILE, |file| {
                file["modified_on"] = json!("2026-06-01T10:00:00.000Z");
            });
            ("properties/5", |change| change["kind"] == "upserted")
        }
        "renamed a place" => {
            content.put("locations", "4", location(4, "nerja", "Nerja town"));
            ("properties/5", |change| change["snapshot"]["location"]["name"]["en"] == "Nerja town")
        }
        "sorted the team" => {
            content.change("team", "1", |member| member["sort"] = json!(2));
            content.change("team", "2", |member| member["sort"] = json!(1));
            ("team/2", |change| change["snapshot"]["sort"] == 1)
        }
        "changed the settings" => {
            content.change("site_settings", "1", |settings| {
                settings["company_name"] = json!("Almijara");
            });
            ("site_settings/1", |change| change["snapshot"]["companyName"] == "Almijara")
        }
        "promoted a draft" => {
            content.change("properties", "2", |house| house["price"] = json!(222));
            ("properties/2", |change| change["snapshot"]["price"] == 222)
        }
        "archived a house" => {
            content.change("properties", "2", |house| house["status"] = json!("archived"));
            ("properties/2", |change| change["kind"] == "removed")
        }
        "deleted a house" => {
            content.delete("properties", "3");
            ("properties/3", |change| change["kind"] == "removed")
        }
        other => panic!("no editor {other}"),
    }
}

fn member(id: i64, sort: i64) -> Value {
    let text = json!({ "id": id, "languages_code": "en-GB", "role": "Sales" });
    json!({ "id": id, "status": "published", "sort": sort, "name": format!("Person {id}"),
            "photo": null, "translations": [text] })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_webhook_is_refused_with_the_reason_and_not_stored() {
    let world = World::new("refused").await;
    let role = world.start(HINTS_ONLY).await;
    let right = hint("properties", "1").to_string();
    let bearer = format!("Bearer {SECRET}");
    let good: &[(&str, &str)] = &[("authorization", &bearer)];
    let many = json!({ "event": "e", "collection": "properties", "keys": vec![1; 10_001] });
    let refusals = [
        ("no secret", right.clone(), &[][..], 401, ""),
        (
            "a wrong secret",
            right.clone(),
            &[("authorization", "Bearer a-secret-for-the-test")],
            401,
            "",
        ),
        ("no scheme", right.clone(), &[("authorization", SECRET)], 401, ""),
        ("no JSON", "{".to_owned(), good, 400, "body"),
        ("a list", "[]".to_owned(), good, 400, "body"),
        ("no event", r#"{"collection":"properties","keys":[1]}"#.to_owned(), good, 400, "event"),
        ("no collection", r#"{"event":"e","keys":[1]}"#.to_owned(), good, 400, "collection"),
        (
            "an unknown collection",
            r#"{"event":"e","collection":"directus_users","keys":[1]}"#.to_owned(),
            good,
            400,
            "collection",
        ),
        ("no key", r#"{"event":"e","collection":"properties"}"#.to_owned(), good, 400, "keys"),
        (
            "a key that breaks a subject",
            r#"{"event":"e","collection":"properties","keys":["a.>"]}"#.to_owned(),
            good,
            400,
            "keys",
        ),
        ("more keys than a hint may name", many.to_string(), good, 400, "keys"),
    ];
    for (what, body, headers, status, field) in refusals {
        let answer = role.post_with(body, headers).await;
        assert_eq!(answer.status(), status, "{what}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json", "{what}");
        let problem: Value = answer.json().await.expect("a problem");
        assert!(problem["type"].as_str().is_some_and(|kind| kind.starts_with("urn:")), "{what}");
        if !field.is_empty() {
            assert_eq!(problem["errors"][0]["field"], field, "{what}: {problem}");
        }
    }
    let long = format!("{right}{}", " ".repeat(1 << 20));
    let answer = role.post_with(long, good).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(kept(&world).await, 0);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_of_ignored_collections_are_accepted_and_skipped() {
    let world = World::new("ignored").await;
    let role = world.start(HINTS_ONLY).await;
    for collection in ["enquiries", "languages"] {
        assert_eq!(role.post(&hint(collection, "1")).await.status(), StatusCode::NO_CONTENT);
    }
    assert_eq!(kept(&world).await, 0);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_standard_webhooks_signature_replaces_the_secret() {
    let world = World::new("signed").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    let body = hint("properties", "1").to_string();
    let now = chrono::Utc::now().timestamp();
    let oracle = standardwebhooks::Webhook::new(OTHER_SECRET).expect("the secret is base64");
    let cases = [
        ("another body", hint("properties", "2").to_string(), now, StatusCode::UNAUTHORIZED),
        ("too old", body.clone(), now - 600, StatusCode::UNAUTHORIZED),
        ("too new", body.clone(), now + 600, StatusCode::UNAUTHORIZED),
        ("right", body.clone(), now, StatusCode::NO_CONTENT),
    ];
    for (what, sent, time, status) in cases {
        let signature = oracle.sign("msg_1", time, body.as_bytes()).expect("it signs");
        let headers = [
            ("webhook-id", "msg_1"),
            ("webhook-timestamp", &time.to_string()),
            ("webhook-signature", &signature),
        ];
        assert_eq!(role.post_with(sent, &headers).await.status(), status, "{what}");
    }
    world.wait_for_price("1", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_on_disk_before_it_is_answered_whatever_the_content_service_does() {
    let world = World::new("kept").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.content.set(Mood::Stalling);
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    tokio::time::timeout(Duration::from_secs(20), role.hint("properties", "1"))
        .await
        .expect("an answer at once");
    assert_eq!(kept(&world).await, 1);
    // The role ends with the read in flight, and the next role finds the hint.
    role.stop().await;
    world.sql("update ledger.aggregate set lease_until = now()").await;
    world.content.set(Mood::Fair);
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 200).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sender_that_disconnects_loses_nothing() {
    let world = World::new("hangup").await;
    let role = world.start(HINTS_ONLY).await;
    let mut hold = world.pool.begin().await.expect("the ledger answers");
    sqlx::query("lock table ledger.inbox in exclusive mode")
        .execute(&mut *hold)
        .await
        .expect("the lock is free");
    let body = hint("properties", "1").to_string();
    let request = format!(
        "POST /webhooks/content HTTP/1.1\r\nhost: sync\r\nauthorization: Bearer {SECRET}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut sender = TcpStream::connect(("127.0.0.1", role.port())).await.expect("listening");
    sender.write_all(request.as_bytes()).await.expect("it is read");
    eventually("the hint being written", async || {
        let waiting: i64 = sqlx::query_scalar(
            "select count(*) from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'",
        )
        .fetch_one(&world.pool)
        .await
        .expect("postgres answers");
        (waiting > 0).then_some(())
    })
    .await;
    let port = sender.local_addr().expect("it is connected").port();
    drop(sender);
    eventually("the server seeing the end of the connection", async || {
        (!is_connected(role.port(), port)).then_some(())
    })
    .await;
    hold.rollback().await.expect("the lock is let go");
    eventually("the hint kept", async || (kept(&world).await == 1).then_some(())).await;
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_postgres_is_unreachable_a_hint_is_refused_and_not_lost() {
    let mut world = World::new("unused").await;
    let cluster: &'static Postgres = Box::leak(Box::new(Postgres::start().await));
    world.database = cluster.database("away").await;
    world.pool = world.database.pool();
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    cluster.kill().await;
    let answer = role.post(&hint("properties", "1")).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key("retry-after"));
    cluster.restart().await;
    // The connections of the test ended with the server.
    world.pool = world.database.pool();
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    eventually("a hint being taken again", async || {
        let answer = role.post(&hint("properties", "1")).await;
        (answer.status() == StatusCode::NO_CONTENT).then_some(())
    })
    .await;
    world.wait_for_price("1", 200).await;
    world.wait_until_published().await;
    role.stop().await;
    cluster.kill().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn before_postgres_is_reachable_a_hint_is_refused() {
    let mut world = World::new("unused").await;
    let cluster: &'static Postgres = Box::leak(Box::new(Postgres::start().await));
    world.database = cluster.database("late").await;
    world.pool = world.database.pool();
    cluster.kill().await;
    let role = Role::start(world.config(HINTS_ONLY)).await;
    let answer = role.post(&hint("properties", "1")).await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(!role.is_ready());
    cluster.restart().await;
    eventually("the role being ready", async || role.is_ready().then_some(())).await;
    role.stop().await;
    cluster.kill().await;
}

/// Returns whether a process of this machine holds the connection from `local` to `remote`, both on
/// 127.0.0.1.
fn is_connected(local: u16, remote: u16) -> bool {
    /// States in which only the kernel still knows the connection, as numbered in
    /// `include/net/tcp_states.h`: the five states after one side has closed it.
    const ENDED: [&str; 5] = ["04", "05", "06", "09", "0B"];
    let table = std::fs::read_to_string("/proc/net/tcp").expect("Linux");
    let ends = (format!(":{local:04X}"), format!(":{remote:04X}"));
    table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).any(|fields| {
        matches!(&fields[..], [_, from, to, state, ..]
            if from.ends_with(&ends.0) && to.ends_with(&ends.1) && !ENDED.contains(state))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_rolled_back_by_a_deadlock_is_stored_by_a_retry() {
    let world = World::new("lost_race").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.sql("create sequence ledger.tries").await;
    world
        .sql(
            "create function ledger.lose_once() returns trigger language plpgsql as $$
             begin
                if nextval('ledger.tries') = 1 then
                    raise exception 'a deadlock' using errcode = '40P01';
                end if;
                return new;
             end $$",
        )
        .await;
    world
        .sql(
            "create trigger lose_once before insert on ledger.inbox
             for each row execute function ledger.lose_once()",
        )
        .await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    let answer = role.post(&hint("properties", "1")).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT, "its sender does not try again");
    world.wait_for_price("1", 200).await;
    role.stop().await;
}
