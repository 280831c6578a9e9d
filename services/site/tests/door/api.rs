//! The API proxy, the change stream, limits by address, and the security headers.

use std::time::Duration;

use futures::StreamExt;
use http::{Method, StatusCode, header};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use uuid::Uuid;

use crate::{
    media::photo,
    world::{World, eventually},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_forwarded_with_listed_headers_only() {
    let mut world = World::start().await.connected().await;
    let request = world.site.request(Method::GET, "/api/properties?page=2");
    let request = request
        .header("almijara-min-sequence", "1")
        .header(header::COOKIE, "a=b")
        .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    let headers = answer.headers().clone();
    assert_eq!(headers["almijara-sequence"], "1");
    assert!(!headers.contains_key("keep-alive"));
    let body: Value = answer.json().await.expect("JSON");
    let seen: Vec<_> = body["seen"].as_array().expect("a list").iter().collect();
    assert!(seen.contains(&&Value::from("almijara-min-sequence")));
    assert!(
        !seen.contains(&&Value::from("cookie")) && !seen.contains(&&Value::from("traceparent"))
    );

    let unknown = world.site.get("/api/internal").await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    assert_eq!(unknown.headers()[header::CONTENT_TYPE], "application/problem+json");
    let posted = world.site.request(Method::POST, "/api/properties").body("x").send().await;
    assert_eq!(posted.expect("an answer").status(), StatusCode::METHOD_NOT_ALLOWED);

    world.query.stop().await;
    let away = world.site.get("/api/properties").await;
    assert_eq!(away.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(away.headers()[header::RETRY_AFTER], "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_description_has_the_calls_of_all_services() {
    let world = World::start().await;
    let answer = world.site.get("/api/openapi.json").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/json");
    let description: Value = answer.json().await.expect("JSON");
    for (call, method) in [
        ("/api/properties", "get"),
        ("/api/changes", "get"),
        ("/feeds/kyero.xml", "get"),
        ("/api/enquiries", "post"),
        ("/api/enquiries/pictures", "post"),
        ("/api/account", "get"),
        ("/api/alerts", "post"),
        ("/api/vitals", "post"),
    ] {
        assert!(description["paths"][call][method].is_object(), "{method} {call}");
    }
    for part in references(&description) {
        assert!(description.pointer(part).is_some(), "{part} is missing");
    }
    let posted = world.site.request(Method::POST, "/api/openapi.json").send().await;
    assert_eq!(posted.expect("an answer").status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_method_is_answered_with_those_that_are_allowed() {
    let world = World::start().await;
    let (problem, text) = ("application/problem+json", "text/plain; charset=utf-8");
    for (method, path, allowed, kind) in [
        (Method::POST, "/api/properties", "GET, HEAD", problem),
        (Method::POST, "/feeds/kyero.xml", "GET, HEAD", problem),
        (Method::PUT, "/api/openapi.json", "GET, HEAD", problem),
        (Method::POST, "/api/changes", "GET", problem),
        (Method::HEAD, "/api/changes", "GET", problem),
        (Method::GET, "/api/vitals", "POST", problem),
        (Method::POST, "/assets/app.js", "GET, HEAD", text),
        (Method::POST, "/map/basemap.pmtiles", "GET, HEAD", text),
        (Method::DELETE, "/media/a/b/640.avif", "GET, HEAD", text),
        (Method::POST, "/share/en/AH-1.jpg", "GET, HEAD", text),
        (Method::PATCH, "/about", "GET, HEAD", text),
        (Method::DELETE, "/account", "GET, HEAD, POST", text),
    ] {
        let answer = world.site.request(method.clone(), path).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        let header = |name| answer.headers()[name].to_str().expect("text").to_owned();
        let answered = [header("allow"), header("content-type"), header("x-content-type-options")];
        assert_eq!(answered, [allowed, kind, "nosniff"], "{method} {path}");
    }
}

/// Returns the parts of the document that `value` refers to.
fn references(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value.as_str() {
                Some(part) if name == "$ref" => part.strip_prefix('#').into_iter().collect(),
                _ => references(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_a_listed_call_reaches_the_query_service() {
    let world = World::start().await.connected().await;
    for path in [
        "/api/site/../internal",
        "/api/site/../../internal/pictures/a/b",
        "/api/site/%2e%2e/internal",
        "/api/site/%2E./internal",
        "/api/site/..%2finternal",
        "/api/site/%252e%252e/internal",
        "/api/site/..%5cinternal",
        "/api/site//internal",
        "//api/internal",
        "/x/../api/internal",
    ] {
        let answer = world.site.raw(path).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{path}: {answer}");
    }
    for path in ["/api/internal", "/api/site/internal", "/%61pi/internal", "/api/site/"] {
        let answer = world.site.raw(path).await;
        let refused = ["HTTP/1.1 404", "HTTP/1.1 308"];
        assert!(refused.iter().any(|start| answer.starts_with(start)), "{path}: {answer}");
    }
    assert!(world.site.raw("/%61pi/properties").await.starts_with("HTTP/1.1 200"));
    assert_eq!(*world.backend.unknown_paths.lock().expect("paths"), Vec::<String>::new());
}

/// Returns a client with another local address.
fn from(address: [u8; 4]) -> reqwest::Client {
    let client = reqwest::Client::builder().local_address(std::net::IpAddr::from(address));
    client.build().expect("a client")
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_no_more_than_its_share_of_change_streams() {
    let world = World::start_with(|config| config.rate_limit = 1_000).await.connected().await;
    let url = world.site.url("/api/changes");
    let greedy = from([127, 0, 0, 2]);
    let mut open = Vec::new();
    let refused = loop {
        let answer = greedy.get(&url).send().await.expect("an answer");
        if answer.status() != StatusCode::OK {
            break answer;
        }
        open.push(answer);
        assert!(open.len() < 500, "there is no limit");
    };
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "2");
    let other = from([127, 0, 0, 3]).get(&url).send().await.expect("an answer");
    assert_eq!(other.status(), StatusCode::OK);
    drop(open);
    eventually("its share is free again", async || {
        greedy.get(&url).send().await.expect("an answer").status() == StatusCode::OK
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_no_more_than_its_share_of_connections() {
    let world = World::start_with(|config| config.rate_limit = 1_000).await.connected().await;
    let mut open = Vec::new();
    let answered = async |connection: &mut TcpStream| {
        let request = b"GET /favicon.ico HTTP/1.1\r\nhost: a\r\n\r\n";
        connection.write_all(request).await.is_ok()
            && connection.read(&mut [0; 64]).await.is_ok_and(|bytes| bytes > 0)
    };
    loop {
        let mut connection = TcpStream::connect(world.site.address).await.expect("a connection");
        if !answered(&mut connection).await {
            break;
        }
        open.push(connection);
        assert!(open.len() < 1_000, "there is no limit");
    }
    let other = from([127, 0, 0, 3]).get(world.site.url("/favicon.ico")).send().await;
    assert_eq!(other.expect("an answer").status(), StatusCode::OK);
    drop(open);
    eventually("its share is free again", async || {
        let mut connection = TcpStream::connect(world.site.address).await.expect("a connection");
        answered(&mut connection).await
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_no_more_than_its_share_of_renders() {
    let world = World::start_with(|config| config.rate_limit = 1_000).await.connected().await;
    let greedy = from([127, 0, 0, 2]);
    let paths: Vec<_> = (0..60).map(|number| format!("/held-{number}")).collect();
    for path in &paths {
        world.backend.hold(path);
    }
    let asking: Vec<_> =
        paths.iter().map(|path| tokio::spawn(greedy.get(world.site.url(path)).send())).collect();
    eventually("some are rejected", async || {
        asking.iter().any(tokio::task::JoinHandle::is_finished)
    })
    .await;
    for path in &paths {
        world.backend.release(path);
    }
    let mut refused = 0;
    for one in asking {
        let status = one.await.expect("a task").expect("an answer").status();
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!((1..=28).contains(&refused), "{refused} of 60");
    // A render's share is released only after its page was compressed too, which no request waits for.
    eventually("its share is free again", async || {
        greedy.get(world.site.url("/one")).send().await.expect("one").status() == StatusCode::OK
    })
    .await;
}

/// Starts a door that serves a JPEG instead of each AVIF, and 101 homes with a cover each.
async fn world_of_pictures() -> (World, Vec<String>) {
    let world = World::start_with(|config| {
        config.rate_limit = 10_000;
        config.picture_patience_ms = 0;
    })
    .await
    .connected()
    .await;
    let files: Vec<_> = (0..=100u128).map(|number| Uuid::from_u128(number).to_string()).collect();
    for (number, file) in files.iter().enumerate() {
        world.backend.pictures.lock().expect("pictures").insert(file.clone(), photo(40, 30));
        world.backend.set_shown(&format!("{file}/1"), Some("property:AH-1"));
        let home = json!({
            "kind": "villa", "status": "for_sale", "reduced": false, "price": 100_000 + number,
            "location": { "name": "Nerja" }, "images": [{ "file": file, "version": "1" }],
        });
        world.backend.homes.lock().expect("homes").insert(format!("AH-{number}"), home);
    }
    (world, files)
}

/// Has one address request all but the last of `paths`, which can't be made meanwhile, and another address
/// the last.
async fn assert_room_for_others(world: &World, mut paths: Vec<String>) {
    const SHARE: usize = 48;
    world.backend.originals_held.send_replace(true);
    let greedy = from([127, 0, 0, 2]);
    let last = paths.pop().expect("a path");
    let asking: Vec<_> = paths
        .iter()
        .map(|path| (greedy.clone(), world.site.url(path)))
        .map(|(greedy, url)| async move {
            loop {
                let answer = greedy.get(&url).send().await.expect("an answer");
                if answer.status() != StatusCode::SERVICE_UNAVAILABLE {
                    return answer.status();
                }
            }
        })
        .map(tokio::spawn)
        .collect();
    eventually("all but its share are rejected", async || {
        asking.iter().filter(|one| one.is_finished()).count() >= paths.len() - SHARE
    })
    .await;
    let release = async || world.backend.originals_held.send_replace(false);
    let (other, _) = tokio::join!(world.site.picture(&last), release());
    assert_eq!(other.status(), StatusCode::OK);
    for (number, one) in asking.into_iter().enumerate() {
        let status = one.await.expect("a task");
        assert!([StatusCode::OK, StatusCode::TOO_MANY_REQUESTS].contains(&status), "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_no_more_than_its_share_of_pictures_made_instead_of_avifs() {
    let (world, files) = world_of_pictures().await;
    let paths = files.iter().map(|file| format!("/media/{file}/1/160.avif"));
    assert_room_for_others(&world, paths.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_holds_no_more_than_its_share_of_sharing_pictures() {
    let (world, files) = world_of_pictures().await;
    let paths = (0..files.len()).map(|number| format!("/share/en/AH-{number}.jpg"));
    assert_room_for_others(&world, paths.collect()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_page_receives_changes_and_does_not_block_shutdown() {
    let world = World::start().await.connected().await;
    let answer = world.site.get("/api/changes").await;
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/event-stream");
    let mut events = answer.bytes_stream();
    let limit = Duration::from_secs(30);
    let hello = timeout(limit, events.next()).await.expect("in time").expect("an event");
    assert!(String::from_utf8_lossy(&hello.expect("bytes")).contains("hello"));
    world.backend.publish(&["page:one"]);
    let changed = timeout(limit, events.next()).await.expect("in time").expect("an event");
    assert!(String::from_utf8_lossy(&changed.expect("bytes")).contains("page:one"));
    timeout(limit, world.close()).await.expect("an open stream does not keep the door open");
}

#[tokio::test(flavor = "multi_thread")]
async fn api_calls_of_one_address_are_rate_limited() {
    let world = World::start_with(|config| config.rate_limit = 1).await.connected().await;
    let mut refused = None;
    for _ in 0..20 {
        let answer = world.site.get("/api/properties").await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    assert_eq!(refused.expect("a refusal").headers()[header::RETRY_AFTER], "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_security_headers() {
    let https = |config: &mut site::Config| {
        config.public_url = "https://almijara.example".parse().expect("a URL");
    };
    let mut world = World::start_with(https).await.connected().await;
    let paths = [
        "/one",
        "/one/",
        "/%00",
        "/favicon.ico",
        "/assets/app-1a2b.js",
        "/assets/none.js",
        "/api/properties",
        "/api/openapi.json",
        "/api/none",
        "/media/none",
        "/gone",
    ];
    for away in [false, true] {
        if away {
            world.renderer.stop().await;
        }
        for path in paths.into_iter().chain(["/not-kept"].into_iter().filter(|_| away)) {
            let headers = world.site.get(path).await.headers().clone();
            for name in [
                "x-content-type-options",
                "referrer-policy",
                "permissions-policy",
                "cross-origin-opener-policy",
                "cross-origin-resource-policy",
                "strict-transport-security",
                "content-security-policy",
            ] {
                assert!(headers.contains_key(name), "{path} has no {name}");
            }
            let policy = headers["content-security-policy"].to_str().expect("text");
            assert!(policy.contains("frame-ancestors"), "{path}: {policy}");
            assert!(!policy.contains('*'), "{path}: {policy}");
        }
    }
    let page = world.site.get("/one").await;
    let policy = &page.headers()["content-security-policy"];
    assert_eq!(policy, "script-src 'self' 'sha256-abc'; frame-ancestors 'none'");
}
