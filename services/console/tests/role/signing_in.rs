//! Tests of accounts and sessions.

use http::{Method, StatusCode};
use testkit::eventually;

use crate::world::{PASSWORD, World, codes};

fn now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.expect("a time").as_secs()
}

#[tokio::test]
async fn an_operator_signs_in_with_a_code_and_signs_out() {
    let world = World::start(&[]).await;
    let codes = world.operator("ann", false).await;
    let mut browser = world.browser();
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);

    let code = codes.generate(now()).to_string();
    let answer = browser.sign_in("Ann", PASSWORD, &code).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.json()["operator"], serde_json::json!({ "name": "ann", "mayAct": false }));
    let cookie = answer.header("set-cookie");
    for part in ["almijara_console=", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "it is not on https: {cookie}");
    let session = browser.get("/api/session").await.json();
    assert_eq!(
        (&session["operator"]["name"], &session["viaProxy"]),
        (&"ann".into(), &false.into())
    );

    // A code is valid only once, even in another browser; the next code is valid.
    let mut other = world.browser();
    let again = other.sign_in("ann", PASSWORD, &code).await;
    assert_eq!(again.status, StatusCode::UNAUTHORIZED, "{again:?}");
    let next = codes.generate(now() + 30).to_string();
    assert_eq!(other.sign_in("ann", PASSWORD, &next).await.status, StatusCode::OK);

    let out = browser.request(Method::DELETE, "/api/session", None).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT);
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(other.get("/api/session").await.status, StatusCode::OK, "the other one stays");

    let trail = world.trail().await;
    let actions: Vec<_> = trail.iter().map(|line| (&*line[1], &*line[3])).collect();
    let expected = [
        ("operator add", "done"),
        ("sign-in", "done"),
        ("sign-in", "refused"),
        ("sign-in", "done"),
        ("sign-out", "done"),
    ];
    assert_eq!(actions, expected);
}

#[tokio::test]
async fn all_failures_get_the_same_answer_and_the_sixth_attempt_has_to_wait() {
    let world = World::start(&[]).await;
    let codes = world.operator("ann", false).await;
    let mut browser = world.browser();
    let valid_code = codes.generate(now()).to_string();
    let mut answers = Vec::new();
    for (name, password, code) in [
        ("nobody", PASSWORD, &*valid_code),
        ("ann", "another-password", &*valid_code),
        ("ann", PASSWORD, "000000"),
        ("an operator", PASSWORD, &*valid_code),
        ("ann", PASSWORD, ""),
    ] {
        answers.push(browser.sign_in(name, password, code).await);
    }
    for answer in &answers {
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{answer:?}");
        assert_eq!(answer.text, answers[0].text, "the answer does not reveal what was wrong");
    }
    // The wait applies to all attempts from this address, even with correct credentials.
    let late = browser.sign_in("ann", PASSWORD, &valid_code).await;
    assert_eq!(late.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = late.header("retry-after").parse().expect("seconds");
    assert!((1..=31).contains(&wait), "{wait}");
    assert!(browser.cookie.is_none());
    let names = world.trail().await;
    assert!(!names.iter().any(|line| line.join(" ").contains("an operator")), "{names:?}");
}

#[tokio::test]
async fn if_the_audit_trail_cannot_be_written_no_attempt_is_counted_and_no_session_changes() {
    let world = World::start(&[]).await;
    let codes = world.operator("ann", false).await;
    let mut browser = world.browser();
    let rename = async |from: &str, to: &str| {
        let sql = sqlx::AssertSqlSafe(format!("alter table operator.{from} rename to {to}"));
        sqlx::query(sql).execute(&world.pool).await.expect("postgres answers");
    };
    rename("audit", "audit_away").await;
    let valid_code = codes.generate(now()).to_string();
    for password in [PASSWORD, "another-password", PASSWORD, PASSWORD, PASSWORD, PASSWORD] {
        let tried = browser.sign_in("ann", password, &valid_code).await;
        assert_eq!(tried.status, StatusCode::SERVICE_UNAVAILABLE, "{tried:?}");
    }
    rename("audit_away", "audit").await;
    let signed_in = browser.sign_in("ann", PASSWORD, &codes.generate(now()).to_string()).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{signed_in:?}");

    rename("audit", "audit_away").await;
    let out = browser.request(Method::DELETE, "/api/session", None).await;
    assert_eq!(out.status, StatusCode::SERVICE_UNAVAILABLE, "{out:?}");
    assert_eq!(browser.get("/api/session").await.status, StatusCode::OK, "it goes on");
    rename("audit_away", "audit").await;
    let out = browser.request(Method::DELETE, "/api/session", None).await;
    assert_eq!(out.status, StatusCode::NO_CONTENT, "{out:?}");
    let trail = world.trail().await;
    assert_eq!(trail.iter().filter(|line| line[1] == "sign-out").count(), 1, "{trail:?}");
}

#[tokio::test]
async fn background_requests_do_not_extend_a_session() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    eventually("the first sample", async || {
        (browser.get("/api/overview").await.status == StatusCode::OK).then_some(())
    })
    .await;
    sqlx::query("update operator.session set seen_at = now() - interval '30 minutes'")
        .execute(&world.pool)
        .await
        .expect("postgres answers");
    let is_old = async || {
        let sql = "select seen_at < now() - interval '29 minutes' from operator.session";
        sqlx::query_scalar::<_, bool>(sql).fetch_one(&world.pool).await.expect("postgres answers")
    };
    for path in ["/api/overview", "/api/events"] {
        assert_eq!(browser.send(Method::GET, path, None).await.status(), StatusCode::OK, "{path}");
        assert!(is_old().await, "{path} extends it");
    }
    assert_eq!(browser.get("/api/session").await.status, StatusCode::OK);
    assert!(!is_old().await, "the operator is active");
}

#[tokio::test]
async fn disabled_or_inactive_operators_are_signed_out() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let set = async |change: &'static str| {
        sqlx::query(change).execute(&world.pool).await.expect("postgres answers");
    };
    let status = async || browser.get("/api/session").await.status;
    assert_eq!(status().await, StatusCode::OK);
    set("update operator.session set seen_at = now() - interval '61 minutes'").await;
    assert_eq!(status().await, StatusCode::UNAUTHORIZED, "no request for an hour");
    set("update operator.session set seen_at = now()").await;
    assert_eq!(status().await, StatusCode::OK);
    set("update operator.session set expires_at = now() - interval '1 second'").await;
    assert_eq!(status().await, StatusCode::UNAUTHORIZED, "it has expired");
    set("update operator.session set expires_at = now() + interval '1 hour'").await;
    assert_eq!(status().await, StatusCode::OK);

    console::operators::set_enabled(&world.pool, "ann", false).await.expect("there is ann");
    assert_eq!(status().await, StatusCode::UNAUTHORIZED, "her account is disabled");
    let made = console::operators::reset(&world.pool, "ann", PASSWORD.to_owned())
        .await
        .expect("she is there");
    let codes = codes(&made);
    let mut browser = world.browser();
    let refused = browser.sign_in("ann", PASSWORD, &codes.generate(now()).to_string()).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    console::operators::set_enabled(&world.pool, "ann", true).await.expect("there is ann");
    let accepted = browser.sign_in("ann", PASSWORD, &codes.generate(now()).to_string()).await;
    assert_eq!(accepted.status, StatusCode::OK, "the refused attempt did not use up the code");
    console::operators::remove(&world.pool, "ann").await.expect("there is ann");
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);
    assert!(console::operators::list(&world.pool).await.expect("a list").is_empty());
}

#[tokio::test]
async fn names_are_unique_and_weak_passwords_are_refused() {
    let world = World::start(&[]).await;
    world.operator("ann", false).await;
    let add = async |name: &str, password: &str| {
        let made = console::operators::add(&world.pool, name, password.to_owned(), false).await;
        made.map(drop).expect_err("it is refused").to_string()
    };
    assert!(add("ANN", PASSWORD).await.contains("already"));
    assert!(add("bea", "short").await.contains("12"));
    assert!(add("bea", "password1234").await.contains("guessed"));
    assert!(add("bea prior", PASSWORD).await.contains("name"));
    let unknown = console::operators::reset(&world.pool, "bea", PASSWORD.to_owned()).await;
    assert!(matches!(unknown, Err(console::Error::NoSuchOperator(name)) if name == "bea"));
    let stored: Vec<String> = sqlx::query_scalar("select password from operator.account")
        .fetch_all(&world.pool)
        .await
        .expect("postgres answers");
    assert!(stored[0].starts_with("$argon2id$"), "{stored:?}");
}

#[tokio::test]
async fn the_event_stream_ends_with_the_session() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    let mut stream = browser.send(Method::GET, "/api/events", None).await;
    assert_eq!(stream.headers()["content-type"], "text/event-stream");
    let mut received = String::new();
    while !received.contains("\n\n") {
        let chunk = stream.chunk().await.expect("it goes on").expect("it has not ended");
        received.push_str(&String::from_utf8_lossy(&chunk));
    }
    assert!(received.contains("event: overview") && received.contains("\"flow\""), "{received}");
    console::operators::set_enabled(&world.pool, "ann", false).await.expect("there is ann");
    let ended = async { while stream.chunk().await.expect("it is not cut").is_some() {} };
    tokio::time::timeout(std::time::Duration::from_mins(1), ended).await.expect("it ends");
    let without = world.browser().get("/api/events").await;
    assert_eq!(without.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn sessions_survive_a_restart_of_the_console() {
    let mut world = World::start(&[]).await;
    let browser = world.signed_in("ann", false).await;
    world.process.clone().finish().await.expect("it ends");
    world.start_console().await;
    eventually("the session is known", async || {
        (browser.get("/api/session").await.status == StatusCode::OK).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_console_ends_when_its_tables_are_dropped_and_the_next_start_recreates_them() {
    let mut world = World::start(&[]).await;
    // Postgres may abort this statement to resolve a deadlock with the role.
    eventually("it is dropped", async || {
        sqlx::query("drop schema if exists operator cascade").execute(&world.pool).await.ok()
    })
    .await;
    let why = testkit::wait_for_failure(std::mem::take(&mut world.process)).await;
    assert!(why.contains("the tables of the schema operator are gone"), "{why}");
    world.start_console().await;
    let codes = world.operator("ann", false).await;
    let code = codes.generate(now()).to_string();
    let answer = world.browser().sign_in("ann", PASSWORD, &code).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
}
