//! Pages: cached, purged, rendered once, and served without the renderer.

use std::io::Read;

use flate2::read::GzDecoder;
use futures::future::join_all;
use http::{Method, StatusCode, header};

use crate::world::{World, eventually};

/// Publishes a change of `tag`, and waits until `canary` was rendered again, so that the door has
/// processed the purge.
async fn publish_and_see_it_purged(world: &World, tag: &str, canary: &str) -> u64 {
    let before = world.backend.renders(canary);
    assert!(before > 0, "the canary was visited");
    let position = world.backend.publish(&[tag]);
    eventually("the purge arrives", async || world.backend.renders(canary) > before).await;
    position
}

/// Visits a page that shows `page:one` twice, so that it is re-rendered automatically after a purge.
/// Returns its path.
async fn canary(world: &World) -> &'static str {
    world.site.get("/both/page:one/team").await;
    world.site.get("/both/page:one/team").await;
    "/both/page:one/team"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_rendered_once_until_its_content_changes() {
    let world = World::start().await.connected().await;
    let (backend, site) = (&world.backend, &world.site);
    for path in ["/one", "/one", "/one?utm_source=letter", "/two", "/two"] {
        assert_eq!(site.shown_position(path).await, 1);
    }
    assert_eq!((backend.renders("/one"), backend.renders("/two")), (1, 1));

    let position = backend.publish(&["page:one"]);
    eventually("the change shows", async || site.shown_position("/one").await == position).await;
    assert_eq!(site.shown_position("/two").await, 1);
    assert_eq!((backend.renders("/one"), backend.renders("/two")), (2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visited_page_is_rendered_again_before_anyone_asks() {
    let world = World::start().await.connected().await;
    let (backend, site) = (&world.backend, &world.site);
    site.get("/one").await;
    site.get("/one").await;
    site.get("/es/two").await;
    let position = backend.publish(&["page:one", "page:two"]);
    eventually("it is rendered by itself", async || backend.renders("/one") == 2).await;
    let asked = backend.last_headers("/one");
    assert_eq!(asked["almijara-min-sequence"], position.to_string().as_str());
    assert_eq!(site.shown_position("/one").await, position);
    assert_eq!(backend.renders("/one"), 2);
    assert_eq!(backend.renders("/es/two"), 1, "nobody came back to it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_render_that_a_purge_overtakes_is_not_cached() {
    let world = World::start().await.connected().await;
    let (backend, site) = (&world.backend, &world.site);
    let canary = canary(&world).await;
    backend.hold("/one");
    let early = tokio::spawn(site.request(Method::GET, "/one").send());
    eventually("the render begins", async || backend.renders("/one") == 1).await;

    let position = publish_and_see_it_purged(&world, "page:one", canary).await;
    backend.release("/one");
    let early = early.await.expect("a task").expect("an answer").text().await.expect("a body");
    assert!(early.contains("position 1."), "an earlier request may get the earlier page");
    assert_eq!(site.shown_position("/one").await, position);
    assert_eq!(site.shown_position("/one").await, position);
    assert_eq!(backend.renders("/one"), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_visitors_wait_for_one_render() {
    let world = World::start().await.connected().await;
    let (backend, site) = (&world.backend, &world.site);
    backend.hold("/one");
    let visitors: Vec<_> =
        (0..1_000).map(|_| tokio::spawn(site.request(Method::GET, "/one").send())).collect();
    eventually("the render begins", async || backend.renders("/one") == 1).await;
    backend.release("/one");
    let answers = join_all(visitors).await;
    assert!(
        answers.into_iter().all(|answer| {
            answer.expect("a task").expect("an answer").status() == StatusCode::OK
        })
    );
    assert_eq!(backend.renders("/one"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_renderer_cached_pages_are_served_and_others_are_unavailable() {
    let mut world = World::start().await.connected().await;
    world.site.get("/one").await;
    world.site.get("/two").await;
    world.renderer.stop().await;

    assert_eq!(world.site.shown_position("/one").await, 1);
    assert!(!world.site.get("/one").await.headers().contains_key(header::WARNING));
    let missing = world.site.get("/es/three").await;
    assert_eq!(missing.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(missing.headers()[header::RETRY_AFTER], "5");
    assert_eq!(missing.headers()[header::CACHE_CONTROL], "no-store");
    let text = missing.text().await.expect("a body");
    assert!(text.starts_with("<!doctype html><html lang=\"es-ES\">"));
    // The agency's name is known to the renderer only.
    assert!(text.contains("<title>Volvemos enseguida / Back in a moment</title>"));
    assert!(text.find("<h1>Volvemos") < text.find("<h1>Back in a moment"));

    let position = world.backend.publish(&["page:two"]);
    eventually("the page is known to be old", async || {
        world.site.get("/two").await.headers().contains_key(header::WARNING)
    })
    .await;
    let old = world.site.get("/two").await;
    assert_eq!(
        (old.status(), &old.headers()[header::CACHE_CONTROL]),
        (StatusCode::OK, &"no-store".parse().expect("a value"))
    );
    assert_eq!(world.site.shown_position("/two").await, 1);

    world.renderer.restart().await;
    eventually("the page is new", async || world.site.shown_position("/two").await == position)
        .await;
    assert!(!world.site.get("/two").await.headers().contains_key(header::WARNING));
    assert_eq!(world.site.get("/es/three").await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purged_page_is_served_for_a_limited_time_only() {
    let mut world =
        World::start_with(|config| config.purged_page_limit = 0).await.connected().await;
    world.site.get("/one").await;
    world.renderer.stop().await;
    world.backend.publish(&["page:one"]);
    eventually("it is no longer given", async || {
        world.site.get("/one").await.status() == StatusCode::SERVICE_UNAVAILABLE
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sheets_do_not_take_the_slots_of_pages() {
    let two = 2.try_into().expect("a number");
    let world = World::start_with(|config| config.render_concurrency = two).await.connected().await;
    let sheets = ["/one/sheet.pdf", "/two/sheet.pdf", "/three/sheet.pdf"];
    let asked = sheets.map(|sheet| {
        world.backend.hold(sheet);
        tokio::spawn(world.site.request(Method::GET, sheet).send())
    });
    eventually("two of them are rendered", async || {
        sheets.iter().map(|sheet| world.backend.renders(sheet)).sum::<usize>() == 2
    })
    .await;
    assert_eq!(world.site.get("/one").await.status(), StatusCode::OK);
    for sheet in sheets {
        world.backend.release(sheet);
    }
    for sheet in asked {
        let sheet = sheet.await.expect("a task").expect("an answer");
        assert_eq!(sheet.status(), StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_never_cached() {
    let world = World::start().await.connected().await;
    for status in [StatusCode::INTERNAL_SERVER_ERROR, StatusCode::BAD_GATEWAY] {
        world.backend.fail("/one", Some(status));
        let failed = world.site.get("/one").await;
        assert!(failed.status().is_server_error());
        assert_eq!(failed.headers()[header::CACHE_CONTROL], "no-store");
    }
    world.backend.fail("/one", None);
    assert_eq!(world.site.get("/one").await.status(), StatusCode::OK);

    world.backend.fail("/one", Some(StatusCode::INTERNAL_SERVER_ERROR));
    world.backend.publish(&["page:one"]);
    eventually("the older page stands in", async || {
        let page = world.site.get("/one").await;
        page.status() == StatusCode::OK && page.headers().contains_key(header::WARNING)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_served_in_the_accepted_encoding() {
    let world = World::start().await.connected().await;
    let plain = world.site.text("/one").await;
    let get = async |encoding: &'static str| {
        let request = world.site.request(Method::GET, "/one");
        request.header(header::ACCEPT_ENCODING, encoding).send().await.expect("an answer")
    };
    eventually("the page is packed", async || {
        get("br").await.headers().contains_key(header::CONTENT_ENCODING)
    })
    .await;
    for (asked, given) in [
        ("gzip, deflate, br, zstd", Some("br")),
        // Cached with one encoding, and decompressed for clients that do not accept it.
        ("gzip", Some("gzip")),
        ("br;q=0.1, gzip;q=0.5", Some("gzip")),
        ("br;q=0", None),
        ("identity", None),
        ("zstd", None),
    ] {
        let page = get(asked).await;
        let encoding = page.headers().get(header::CONTENT_ENCODING).cloned();
        assert_eq!(encoding.as_ref().map(|value| value.to_str().expect("text")), given, "{asked}");
        assert_eq!(page.headers()[header::VARY], "accept-encoding");
        let body = page.bytes().await.expect("a body");
        let mut text = String::new();
        let read = match given {
            Some("gzip") => GzDecoder::new(&body[..]).read_to_string(&mut text),
            Some(_) => brotli::Decompressor::new(&body[..], 4_096).read_to_string(&mut text),
            None => (&body[..]).read_to_string(&mut text),
        };
        read.expect("the page");
        assert_eq!(text, plain, "{asked}");
        assert!(given.is_none() || body.len() < plain.len() / 4);
    }
    let head = world.site.request(Method::HEAD, "/one").header(header::ACCEPT_ENCODING, "gzip");
    let head = head.send().await.expect("an answer");
    assert_eq!(head.headers()[header::CONTENT_ENCODING], "gzip");
    assert!(!head.headers().contains_key(header::CONTENT_LENGTH));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_the_current_page_gets_304_and_head_has_no_body() {
    let world = World::start().await.connected().await;
    let page = world.site.get("/one").await;
    let etag = page.headers()[header::ETAG].clone();
    let again = world.site.request(Method::GET, "/one").header(header::IF_NONE_MATCH, &etag);
    let again = again.send().await.expect("an answer");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers()[header::ETAG], etag);
    assert!(again.bytes().await.expect("a body").is_empty());

    let head = world.site.request(Method::HEAD, "/one").send().await.expect("an answer");
    assert_eq!(head.status(), StatusCode::OK);
    let length: usize =
        head.headers()[header::CONTENT_LENGTH].to_str().expect("text").parse().expect("a number");
    assert_eq!(length, page.bytes().await.expect("a body").len());
    assert!(head.bytes().await.expect("a body").is_empty());

    let position = world.backend.publish(&["page:one"]);
    eventually("the page is new", async || world.site.shown_position("/one").await == position)
        .await;
    let changed = world.site.request(Method::GET, "/one").header(header::IF_NONE_MATCH, &etag);
    assert_eq!(changed.send().await.expect("an answer").status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn not_found_and_redirects_are_cached_and_purged() {
    let world = World::start().await.connected().await;
    for _ in 0..2 {
        assert_eq!(world.site.get("/gone").await.status(), StatusCode::NOT_FOUND);
        let old = world.site.get("/old").await;
        assert_eq!(old.status(), StatusCode::MOVED_PERMANENTLY);
        assert_eq!(old.headers()[header::LOCATION], "/new");
    }
    assert_eq!((world.backend.renders("/gone"), world.backend.renders("/old")), (1, 1));
    let position = world.backend.publish(&["page:gone", "page:old"]);
    for path in ["/gone", "/old"] {
        eventually("it is purged", async || world.site.shown_position(path).await == position)
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_headers_do_not_reach_the_renderer_of_a_public_page() {
    let world = World::start().await.connected().await;
    let request = world.site.request(Method::GET, "/one").header(header::COOKIE, "a=b");
    let page = request.header("x-forwarded-host", "evil.example").send().await.expect("an answer");
    assert!(!page.headers().contains_key(header::SET_COOKIE));
    let asked = world.backend.last_headers("/one");
    assert!(!asked.contains_key(header::COOKIE) && !asked.contains_key("x-forwarded-host"));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_renderer_the_site_is_ready_and_reports_it() {
    let mut world = World::start().await.connected().await;
    world.renderer.stop().await;
    eventually("it tells of it", async || {
        world.site.process.health().details().contains_key("renderer")
    })
    .await;
    assert!(world.site.process.health().failing().is_empty(), "no other node could do better");
    world.renderer.restart().await;
    eventually("it tells nothing any more", async || {
        world.site.process.health().details().is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_page_is_requested_with_its_full_address_in_any_case() {
    let world = World::start().await.connected().await;
    for address in [
        "/login?next=%2Faccount",
        "/Login?next=%2Faccount",
        "/ES/LOGIN?next=%2Faccount",
        "/alerts.data?token=a-token",
        "/es/alerts.data?token=a-token",
    ] {
        for times in 1..=2 {
            let given = world.site.get(address).await;
            assert_eq!(given.headers()[header::CACHE_CONTROL], "private, no-store");
            assert_eq!(world.backend.renders(address), times, "{address}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_page_is_rendered_with_cookies_and_not_cached() {
    let world = World::start().await.connected().await;
    for _ in 0..2 {
        let request = world.site.request(Method::GET, "/account").header(header::COOKIE, "a=b");
        let page =
            request.header("x-forwarded-host", "evil.example").send().await.expect("an answer");
        assert_eq!(page.headers()[header::CACHE_CONTROL], "private, no-store");
        assert_eq!(page.headers()[header::SET_COOKIE], "session=1");
        assert!(!page.headers().contains_key("surrogate-key"));
        assert!(page.headers()[header::CONTENT_SECURITY_POLICY].to_str().is_ok_and(|policy| {
            policy.contains("sha256-abc") && policy.contains("frame-ancestors 'none'")
        }));
    }
    assert_eq!(world.backend.renders("/account"), 2);
    let asked = world.backend.last_headers("/account");
    assert_eq!(asked[header::COOKIE], "a=b");
    assert!(!asked.contains_key("x-forwarded-host"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_page_is_rendered_from_lagging_nodes_if_all_lag() {
    let world = World::start().await.connected().await;
    world.backend.lag_at(Some(0));
    assert_eq!(world.site.get("/login").await.status(), StatusCode::OK);
    assert_eq!(world.backend.renders("/login"), 2);
    let own = world.site.url("").trim_end_matches('/').to_owned();
    let sent = world.site.request(Method::POST, "/enquiry").header(header::ORIGIN, own);
    let sent = sent.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = sent.body("message=Sol").send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(world.backend.renders("/enquiry"), 1, "a form is sent once");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sign_in_page_accepts_the_longest_next_path() {
    let world = World::start().await.connected().await;
    // When encoded again, each byte of the path may become three.
    let next = |bytes: usize| format!("/login?next={}", "%25".repeat(bytes));
    assert_eq!(world.site.get(&next(2_000)).await.status(), StatusCode::OK);
    assert_eq!(world.backend.renders(&next(2_000)), 1);
    assert_eq!(world.site.get(&next(2_100)).await.status(), StatusCode::URI_TOO_LONG);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_page_on_127_0_0_1_redirects_to_localhost() {
    let world = World::start().await.connected().await;
    let ask = async |method: Method, path: &str, host: &str| {
        let request = world.site.request(method, path).header(header::HOST, host);
        request.send().await.expect("an answer")
    };
    let page = ask(Method::GET, "/es/login?next=%2Faccount", "127.0.0.1").await;
    assert_eq!(page.status(), StatusCode::TEMPORARY_REDIRECT);
    assert_eq!(page.headers()[header::LOCATION], "http://localhost/es/login?next=%2Faccount");
    for (path, host) in [
        ("/login", "localhost"),
        ("/login", "127.0.0.1:9"),
        ("/login", "127.0.0.1.evil"),
        ("/", "127.0.0.1"),
    ] {
        assert_eq!(ask(Method::GET, path, host).await.status(), StatusCode::OK, "{path} of {host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_page_accepts_forms_of_this_site_only() {
    let world = World::start().await.connected().await;
    let site = &world.site;
    let own = site.url("").trim_end_matches('/').to_owned();
    let post = async |path: &str, origin: &str, kind: &str, body: String| {
        let request = site.request(Method::POST, path).header(header::ORIGIN, origin);
        let request = request.header(header::REFERER, "http://localhost/es/contact");
        let sent = request.header(header::CONTENT_TYPE, kind).body(body).send().await;
        sent.expect("an answer").status()
    };
    let form = "application/x-www-form-urlencoded";
    assert_eq!(post("/login", &own, form, "email=a".into()).await, StatusCode::OK);
    let asked = world.backend.last_headers("/login");
    assert_eq!(asked[header::CONTENT_TYPE], form);
    assert_eq!(asked[header::REFERER], "http://localhost/es/contact", "where it was agreed to");
    let elsewhere = "https://evil.example";
    for (origin, kind, bytes, refusal) in [
        (elsewhere, form, 10, StatusCode::FORBIDDEN),
        ("null", form, 10, StatusCode::FORBIDDEN),
        (own.as_str(), "application/json", 10, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (own.as_str(), form, 65 << 10, StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        assert_eq!(
            post("/login", origin, kind, "a".repeat(bytes)).await,
            refusal,
            "{origin} {kind}"
        );
    }
    assert_eq!(post("/one", &own, form, "a=b".into()).await, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(world.backend.renders("/login"), 1);
    let refused = site.request(Method::DELETE, "/login").send().await.expect("an answer");
    assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(refused.headers()[header::ALLOW], "GET, HEAD, POST");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_form_can_be_sent_again() {
    let mut world = World::start().await.connected().await;
    world.renderer.stop().await;
    let own = world.site.url("").trim_end_matches('/').to_owned();
    let sent = world.site.request(Method::POST, "/es/enquiry").header(header::ORIGIN, own);
    let sent = sent.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = sent.body("message=Sol").send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    let text = answer.text().await.expect("a body");
    // A link would request the page without sending the form.
    assert!(!text.contains("http-equiv") && !text.contains("<a "), "{text}");
    let (spanish, english) = (text.find("Vuelva a enviarlo"), text.find("Please send this again"));
    assert!(spanish.is_some() && spanish < english, "{text}");

    // The page for a GET does not reload by itself, and has a link to retry.
    let asked = world.site.text("/es/enquiry").await;
    assert!(!asked.contains("http-equiv"), "{asked}");
    for again in ["Reintentar", "Try again"] {
        assert!(asked.contains(&format!("<a href=\"\">{again}</a>")), "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_addresses_never_reach_the_renderer() {
    let world = World::start().await.connected().await;
    let long = format!("/one?q={}", "a".repeat(2_000));
    assert_eq!(world.site.get(&long).await.status(), StatusCode::URI_TOO_LONG);
    assert_eq!(world.site.get("/%00").await.status(), StatusCode::BAD_REQUEST);
    let moved = world.site.get("/one/?page=2&x=y").await;
    assert_eq!(moved.status(), StatusCode::PERMANENT_REDIRECT);
    assert_eq!(moved.headers()[header::LOCATION], "/one?page=2");
    let posted =
        world.site.request(Method::POST, "/one").body("x").send().await.expect("an answer");
    assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(posted.headers()[header::ALLOW], "GET, HEAD");
    assert_eq!(world.backend.renders("/one"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_of_one_address_are_rate_limited() {
    let world = World::start_with(|config| config.rate_limit = 1).await.connected().await;
    world.site.get("/one").await;
    let mut answers = Vec::new();
    for number in 0..20 {
        answers.push(world.site.get(&format!("/page-{number}")).await);
    }
    let refused = answers.iter().find(|answer| answer.status() == StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.expect("a refusal").headers()[header::RETRY_AFTER], "5");
    for _ in 0..50 {
        assert_eq!(
            world.site.get("/one").await.status(),
            StatusCode::OK,
            "cached pages are not limited"
        );
    }
}
