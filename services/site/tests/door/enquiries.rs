//! Requests of visitors that are forwarded to the write side.

use http::StatusCode;
use reqwest::Method;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::world::World;

#[tokio::test]
async fn an_enquiry_reaches_the_write_side_with_the_visitors_address() {
    let world = World::start().await;
    let answer = world
        .site
        .request(Method::POST, "/api/enquiries")
        .header("origin", "http://localhost")
        .header("content-type", "application/json")
        .header("idempotency-key", "0123456789abcdef")
        .header("x-forwarded-for", "6.6.6.6")
        .header("cookie", "__Host-session=theirs")
        .header("referer", "http://localhost/es/contact")
        .body("{\"kind\":\"general\"}")
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    let seen: Value = answer.json().await.expect("JSON");
    assert_eq!(seen["path"], "/api/enquiries");
    assert_eq!(seen["body"], "{\"kind\":\"general\"}");
    assert_eq!(seen["key"], "0123456789abcdef");
    assert_eq!(seen["visitor"], "127.0.0.1", "what the visitor says of it is not believed");
    assert_eq!(seen["cookie"], "__Host-session=theirs");
    assert_eq!(seen["page"], "http://localhost/es/contact", "where it was agreed to");
}

#[tokio::test]
async fn only_small_bodies_from_pages_of_this_site_are_accepted() {
    let world = World::start().await;
    let send = async |method: Method, origin: &'static str, length: usize| {
        let request = world.site.request(method, "/api/enquiries").header("origin", origin);
        let request = request.header("content-type", "application/json");
        request.body("x".repeat(length)).send().await.expect("an answer")
    };
    let theirs = send(Method::POST, "https://evil.example", 2).await;
    assert_eq!(theirs.status(), StatusCode::FORBIDDEN);
    assert_eq!(theirs.headers()["content-type"], "application/problem+json");
    let long = send(Method::POST, "http://localhost", 40 << 10).await;
    assert_eq!(long.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        send(Method::DELETE, "https://evil.example", 0).await.status(),
        StatusCode::FORBIDDEN
    );
}

#[tokio::test]
async fn slow_uploads_of_one_address_do_not_block_others() {
    let world = World::start_with(|config| {
        config.rate_limit = 1_000;
        config.trusted_proxies = 1;
    })
    .await;
    let head = "POST /api/enquiries/pictures HTTP/1.1\r\nhost: localhost\r\n\
                origin: http://localhost\r\nx-forwarded-for: 192.0.2.1\r\n\
                expect: 100-continue\r\ncontent-length: 1000\r\n\r\n";
    let (mut lines, mut statuses) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        let mut line = TcpStream::connect(world.site.address).await.expect("a connection");
        line.write_all(head.as_bytes()).await.expect("a head");
        // The server answers 100 when it starts to read the picture.
        let mut status = [0; "HTTP/1.1 100".len()];
        line.read_exact(&mut status).await.expect("a status");
        statuses.push(String::from_utf8_lossy(&status).into_owned());
        lines.push(line);
    }
    let waited_for = statuses.iter().filter(|status| status.ends_with("100")).count();
    let refused = statuses.iter().filter(|status| status.ends_with("429")).count();
    assert_eq!((waited_for, refused), (2, 6), "{statuses:?}");

    let other_visitor = world
        .site
        .request(Method::POST, "/api/enquiries/pictures")
        .header("origin", "http://localhost")
        .header("x-forwarded-for", "192.0.2.2")
        .body("a picture")
        .send()
        .await
        .expect("an answer");
    assert_eq!(other_visitor.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn mail_programs_may_unsubscribe_and_nothing_else() {
    let world = World::start().await;
    let press = async |path: &'static str| {
        let request =
            world.site.request(Method::POST, path).header("origin", "https://mail.example");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request.body("List-Unsubscribe=One-Click");
        request.send().await.expect("an answer").status()
    };
    assert_eq!(press("/api/alerts/unsubscribe/a-token").await, StatusCode::CREATED);
    assert_eq!(press("/api/alerts/change").await, StatusCode::FORBIDDEN);
    assert_eq!(press("/api/alerts/../account/sign-out").await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn cookies_are_returned_and_answers_are_not_cached() {
    let world = World::start().await;
    let me = world.site.request(Method::GET, "/api/me").header("cookie", "__Host-session=theirs");
    let me = me.send().await.expect("an answer");
    let given: Vec<_> = me.headers().get_all("set-cookie").iter().collect();
    assert_eq!(given, ["a=1; HttpOnly", "b=2; HttpOnly"]);
    assert_eq!(me.headers()["cache-control"], "no-store");
    let seen: Value = me.json().await.expect("JSON");
    assert_eq!(seen["cookie"], "__Host-session=theirs");
}

#[tokio::test]
async fn redirects_of_the_write_side_stay_on_this_site() {
    let world = World::start().await;
    let location_of = async |place: &str| {
        let path = format!("/api/alerts/unsubscribe/a-token?to={place}");
        let answer = world.site.request(Method::GET, &path).send().await.expect("an answer");
        answer.headers().get("location").map(|place| place.to_str().expect("text").to_owned())
    };
    let page = "/es/alerts?token=a-token";
    assert_eq!(location_of(page).await.as_deref(), Some(page));
    for elsewhere in ["//evil.example", "https://evil.example/alerts"] {
        assert_eq!(location_of(elsewhere).await, None, "{elsewhere}");
    }
}
