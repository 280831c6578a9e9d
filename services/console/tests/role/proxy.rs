//! Tests of sign-in by a trusted proxy.

use http::StatusCode;

use crate::world::World;

#[tokio::test]
async fn a_trusted_proxy_signs_an_operator_in_without_a_password() {
    let world = World::start(&["--trusted-proxy=127.0.0.1", "--trusted-header=x-user"]).await;
    world.operator("ann@example.com", true).await;
    let mut browser = world.browser();
    assert_eq!(
        browser.get("/api/session").await.status,
        StatusCode::UNAUTHORIZED,
        "nobody is named"
    );
    browser.headers.push(("x-user", "Ann@example.com".to_owned()));
    browser.headers.push(("x-forwarded-for", "192.0.2.7".to_owned()));
    let session = browser.get("/api/session").await;
    assert_eq!(session.status, StatusCode::OK, "{session:?}");
    let session = session.json();
    assert_eq!(session["operator"]["name"], "ann@example.com");
    assert_eq!((&session["viaProxy"], &session["expiresAt"]), (&true.into(), &().into()));

    world.sync.answer("/admin/reconcile", StatusCode::ACCEPTED, serde_json::json!({}));
    let body = serde_json::json!({ "allowMassRemoval": false });
    assert_eq!(browser.post("/api/sync/reconcile", body).await.status, StatusCode::ACCEPTED);
    let addresses: Vec<String> = sqlx::query_scalar(
        "select distinct address from operator.audit where action = 'sync/reconcile'",
    )
    .fetch_all(&world.pool)
    .await
    .expect("postgres answers");
    assert_eq!(addresses, ["192.0.2.7"], "the address from the proxy");

    console::operators::set_enabled(&world.pool, "ann@example.com", false)
        .await
        .expect("she is there");
    // A 403, since signing in would not help an operator whom the proxy names.
    assert_eq!(browser.get("/api/session").await.status, StatusCode::FORBIDDEN);
    for (name, status) in [
        ("bea", StatusCode::FORBIDDEN),
        ("ann@example.com, bea", StatusCode::FORBIDDEN),
        ("", StatusCode::UNAUTHORIZED),
    ] {
        let mut browser = world.browser();
        browser.headers.push(("x-user", name.to_owned()));
        assert_eq!(browser.get("/api/session").await.status, status, "{name}");
    }
}

#[tokio::test]
async fn a_proxy_without_a_name_header_still_provides_the_client_address() {
    let world = World::start(&["--trusted-proxy=127.0.0.1"]).await;
    let codes = world.operator("ann", false).await;
    let mut browser = world.browser();
    browser.headers.push(("x-forwarded-for", "192.0.2.7".to_owned()));
    browser.headers.push(("x-user", "ann".to_owned()));
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);
    let code = codes.generate_current().to_string();
    let signed_in = browser.sign_in("ann", crate::world::PASSWORD, &code).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{signed_in:?}");
    let address: Option<String> =
        sqlx::query_scalar("select address from operator.audit where action = 'sign-in'")
            .fetch_one(&world.pool)
            .await
            .expect("postgres answers");
    assert_eq!(address.as_deref(), Some("192.0.2.7"));
}

#[tokio::test]
async fn the_header_is_ignored_from_untrusted_addresses() {
    let world = World::start(&["--trusted-proxy=10.0.0.9", "--trusted-header=x-user"]).await;
    let signed_in = world.signed_in("ann", false).await;
    let mut browser = world.browser();
    browser.headers.push(("x-user", "ann".to_owned()));
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);
    let mut other = signed_in.clone();
    other.headers.push(("x-user", "bea".to_owned()));
    assert_eq!(other.get("/api/session").await.json()["operator"]["name"], "ann");

    let world = World::start(&[]).await;
    world.operator("ann", false).await;
    let mut browser = world.browser();
    browser.headers.push(("x-user", "ann".to_owned()));
    assert_eq!(browser.get("/api/session").await.status, StatusCode::UNAUTHORIZED);
}
