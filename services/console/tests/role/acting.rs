//! What changes something: by whom, from where, and with what trace.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::json;
use testkit::eventually;

use crate::world::World;

#[tokio::test]
async fn what_somebody_does_is_noted_before_and_after() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    world.sync.answer("/admin/parked/retry", StatusCode::OK, json!({ "retried": 1 }));
    let items = json!({ "items": [{ "collection": "properties", "key": "12" }], "hints": [] });
    let answer = browser.post("/api/sync/parked/retry", items.clone()).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "retried": 1 })));
    let [done] = &world.sync.done()[..] else { panic!("{:?}", world.sync.done()) };
    assert_eq!(*done, format!("/admin/parked/retry {items}"), "it is handed on as it was sent");

    let conflict = json!({ "title": "One runs", "detail": "a reconcile runs already" });
    world.sync.answer("/admin/reconcile", StatusCode::CONFLICT, conflict);
    let refused = browser.post("/api/sync/reconcile", json!({ "allowMassRemoval": true })).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(refused.json()["detail"], "a reconcile runs already");

    let trail = world.trail().await;
    let lines: Vec<_> = trail[2..].iter().map(|line| line.each_ref().map(|it| &**it)).collect();
    let items = items.to_string();
    let all = r#"{"allowMassRemoval":true}"#;
    assert_eq!(
        lines,
        [
            ["ann", "sync/parked/retry", &items, "begun"],
            ["ann", "sync/parked/retry", &items, "done (200)"],
            ["ann", "sync/reconcile", all, "begun"],
            ["ann", "sync/reconcile", all, "refused (409) a reconcile runs already"],
        ]
    );
    let page = browser.get("/api/audit").await.json();
    assert_eq!(page["items"][0]["outcome"], "refused (409) a reconcile runs already");
    assert_eq!(page["items"][0]["address"], "127.0.0.1");
    assert_eq!(page["items"][0]["begun"], page["items"][1]["id"]);
    assert!(page["next"].is_null());
}

#[tokio::test]
async fn a_console_that_ends_waits_for_a_deed_whose_browser_has_left() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    world.sync.answer("/admin/reconcile", StatusCode::ACCEPTED, json!({}));
    let let_go = world.sync.hold("/admin/reconcile");
    let asking = tokio::spawn(async move { browser.post("/api/sync/reconcile", json!({})).await });
    eventually("sync is asked", async || (!world.sync.done().is_empty()).then_some(())).await;
    asking.abort();
    assert!(asking.await.is_err_and(|left| left.is_cancelled()));

    let mut ended = tokio::spawn(world.process.clone().finish());
    let early = tokio::time::timeout(Duration::from_secs(1), &mut ended).await;
    assert!(early.is_err(), "it waits: {early:?}");
    let_go.notify_one();
    ended.await.expect("it does not panic").expect("it ends well");
    let trail = world.trail().await;
    let of_it: Vec<_> =
        trail.iter().filter(|line| line[1] == "sync/reconcile").map(|line| &*line[3]).collect();
    assert_eq!(of_it, ["begun", "done (202)"]);
}

#[tokio::test]
async fn who_may_only_look_changes_nothing() {
    let world = World::start(&[]).await;
    let viewer = world.signed_in("ann", false).await;
    for path in ["/api/sync/reconcile", "/api/site/purge", "/api/redirects"] {
        let refused = viewer.post(path, json!({})).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}: {refused:?}");
        assert_eq!(refused.json()["type"], "urn:almijara:problem:may-not-act");
    }
    let nobody = world.browser().post("/api/sync/reconcile", json!({})).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    assert!(world.sync.done().is_empty(), "{:?}", world.sync.done());
}

#[tokio::test]
async fn only_what_is_listed_is_done_and_with_nothing_beside() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    for path in [
        "/api/sync/delete",
        "/api/sync/state",
        "/api/sync/parked%2Fretry%2F..%2Fdrop",
        "/api/sync/parked/../../healthz",
        "/api/query/purge",
        "/api/content-pack/purge",
        "/api/nothing",
    ] {
        let refused = browser.post(path, json!({})).await;
        assert_eq!(refused.status, StatusCode::NOT_FOUND, "{path}: {refused:?}");
    }
    let nul = json!({ "hints": ["\0"] });
    for body in [json!({ "hints": [1], "all": true }), json!([1]), json!("hints"), nul] {
        let refused = browser.post("/api/sync/parked/drop", body.clone()).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{body}: {refused:?}");
    }
    let long = json!({ "hints": ["x".repeat(70_000)] });
    let refused = browser.post("/api/sync/parked/drop", long).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    let refused = browser.ask(Method::PUT, "/api/sync/reconcile", Some(json!({}))).await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(world.sync.done().is_empty(), "{:?}", world.sync.done());
    assert_eq!(world.trail().await.len(), 2, "an account and a sign-in");
}

#[tokio::test]
async fn another_sites_page_does_nothing_in_an_operators_name() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    world.sync.answer("/admin/reconcile", StatusCode::ACCEPTED, json!({}));
    let origin = world.url.replace("127.0.0.1", "localhost");
    for (headers, status) in [
        (vec![("sec-fetch-site", "cross-site".to_owned())], StatusCode::FORBIDDEN),
        (vec![("sec-fetch-site", "same-site".to_owned())], StatusCode::FORBIDDEN),
        (vec![("origin", "https://evil.example".to_owned())], StatusCode::FORBIDDEN),
        (vec![("origin", "null".to_owned())], StatusCode::FORBIDDEN),
        (vec![], StatusCode::FORBIDDEN),
        (vec![("origin", origin)], StatusCode::ACCEPTED),
    ] {
        let mut browser = browser.clone();
        browser.headers = headers;
        let answer = browser.post("/api/sync/reconcile", json!({})).await;
        assert_eq!(answer.status, status, "{:?}: {answer:?}", browser.headers);
    }
    assert_eq!(
        world.sync.done(),
        ["/admin/reconcile"],
        "without a body where nothing is asked for"
    );
    let mut elsewhere = world.browser();
    elsewhere.headers = vec![("origin", "https://evil.example".to_owned())];
    let refused = elsewhere.sign_in("ann", "a password", "123456").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "nor does it try passwords");
}

#[tokio::test]
async fn every_door_is_purged_and_one_that_does_not_is_told() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    for (site, purged) in world.sites.iter().zip([3, 4]) {
        site.answer("/admin/purge", StatusCode::OK, json!({ "purged": purged }));
    }
    let answer = browser.post("/api/site/purge", json!({ "everything": true })).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "purged": 7 })));
    assert!(world.sites.iter().all(|site| site.done().len() == 1));

    let problem = json!({ "title": "Busy", "status": 503 });
    world.sites[1].answer("/admin/purge", StatusCode::SERVICE_UNAVAILABLE, problem);
    let answer = browser.post("/api/site/purge", json!({ "tags": ["site"] })).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(world.sites.iter().all(|site| site.done().len() == 2), "the other one is purged");
}

#[tokio::test]
async fn the_trail_is_only_added_to() {
    let world = World::start(&[]).await;
    world.operator("ann", false).await;
    for change in [
        "update operator.audit set operator = 'bea'",
        "delete from operator.audit",
        "truncate operator.audit",
    ] {
        let refused = sqlx::query(change).execute(&world.pool).await;
        let refused = refused.expect_err("it is refused").to_string();
        assert!(refused.contains("only added to"), "{change}: {refused}");
    }
    // The account that owns the tables has no right to it either.
    let rights: Vec<String> = sqlx::query_scalar(
        "select privilege_type::text from information_schema.role_table_grants
         where table_schema = 'operator' and table_name = 'audit' and grantee = current_user",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    assert!(rights.contains(&"INSERT".to_owned()), "{rights:?}");
    for right in ["UPDATE", "DELETE", "TRUNCATE"] {
        assert!(!rights.contains(&right.to_owned()), "{rights:?}");
    }
}
