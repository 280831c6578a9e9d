//! Tests of actions: who may do them, from which pages, and how they are recorded in the audit trail.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::json;
use testkit::eventually;

use crate::world::World;

#[tokio::test]
async fn an_action_is_recorded_before_and_after() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    world.sync.answer("/admin/parked/retry", StatusCode::OK, json!({ "retried": 1 }));
    let items = json!({ "items": [{ "collection": "properties", "key": "12" }], "hints": [] });
    let answer = browser.post("/api/sync/parked/retry", items.clone()).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "retried": 1 })));
    let [done] = &world.sync.posts()[..] else { panic!("{:?}", world.sync.posts()) };
    assert_eq!(*done, format!("/admin/parked/retry {items}"), "it is forwarded unchanged");

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
async fn a_shutdown_waits_for_an_action_whose_browser_has_disconnected() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    world.sync.answer("/admin/reconcile", StatusCode::ACCEPTED, json!({}));
    let release = world.sync.hold("/admin/reconcile");
    let request = tokio::spawn(async move { browser.post("/api/sync/reconcile", json!({})).await });
    eventually("sync is asked", async || (!world.sync.posts().is_empty()).then_some(())).await;
    request.abort();
    assert!(request.await.is_err_and(|error| error.is_cancelled()));

    let mut ended = tokio::spawn(world.process.clone().finish());
    let early = tokio::time::timeout(Duration::from_secs(1), &mut ended).await;
    assert!(early.is_err(), "it waits: {early:?}");
    release.notify_one();
    ended.await.expect("it does not panic").expect("it ends well");
    let trail = world.trail().await;
    let outcomes: Vec<_> =
        trail.iter().filter(|line| line[1] == "sync/reconcile").map(|line| &*line[3]).collect();
    assert_eq!(outcomes, ["begun", "done (202)"]);
}

#[tokio::test]
async fn read_only_operators_can_change_nothing() {
    let world = World::start(&[]).await;
    let viewer = world.signed_in("ann", false).await;
    for path in ["/api/sync/reconcile", "/api/site/purge", "/api/redirects"] {
        let refused = viewer.post(path, json!({})).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}: {refused:?}");
        assert_eq!(refused.json()["type"], "urn:almijara:problem:may-not-act");
    }
    let nobody = world.browser().post("/api/sync/reconcile", json!({})).await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
    assert!(world.sync.posts().is_empty(), "{:?}", world.sync.posts());
}

#[tokio::test]
async fn only_listed_actions_with_known_fields_are_forwarded() {
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
    let refused = browser.request(Method::PUT, "/api/sync/reconcile", Some(json!({}))).await;
    assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(world.sync.posts().is_empty(), "{:?}", world.sync.posts());
    assert_eq!(world.trail().await.len(), 2, "an account and a sign-in");
}

#[tokio::test]
async fn pages_of_other_sites_cannot_act_for_an_operator() {
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
    assert_eq!(world.sync.posts(), ["/admin/reconcile"], "without a body, since it has no fields");
    let mut elsewhere = world.browser();
    elsewhere.headers = vec![("origin", "https://evil.example".to_owned())];
    let refused = elsewhere.sign_in("ann", "a password", "123456").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "nor does it try passwords");
}

#[tokio::test]
async fn every_door_is_purged_and_a_failure_of_one_is_reported() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    for (site, purged) in world.sites.iter().zip([3, 4]) {
        site.answer("/admin/purge", StatusCode::OK, json!({ "purged": purged }));
    }
    let answer = browser.post("/api/site/purge", json!({ "everything": true })).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "purged": 7 })));
    assert!(world.sites.iter().all(|site| site.posts().len() == 1));

    let problem = json!({ "title": "Busy", "status": 503 });
    world.sites[1].answer("/admin/purge", StatusCode::SERVICE_UNAVAILABLE, problem);
    let answer = browser.post("/api/site/purge", json!({ "tags": ["site"] })).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(world.sites.iter().all(|site| site.posts().len() == 2), "the other one is purged");
}

#[tokio::test]
async fn the_audit_trail_is_append_only() {
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
    // Not even the owner of the tables has the privilege.
    let privileges: Vec<String> = sqlx::query_scalar(
        "select privilege_type::text from information_schema.role_table_grants
         where table_schema = 'operator' and table_name = 'audit' and grantee = current_user",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    assert!(privileges.contains(&"INSERT".to_owned()), "{privileges:?}");
    for privilege in ["UPDATE", "DELETE", "TRUNCATE"] {
        assert!(!privileges.contains(&privilege.to_owned()), "{privileges:?}");
    }
}
