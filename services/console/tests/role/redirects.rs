//! Tests of creating redirects in the content service.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, extract::State, response::IntoResponse, routing::post};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::world::World;

type Items = Arc<Mutex<Vec<Value>>>;

/// Responds like Directus to a token that may only create.
async fn create(
    State(items): State<Items>,
    headers: HeaderMap,
    Json(item): Json<Value>,
) -> impl IntoResponse {
    assert_eq!(headers["authorization"], "Bearer makes-redirects");
    let mut items = items.lock().expect("nobody panicked");
    if items.iter().any(|known| known["from_path"] == item["from_path"]) {
        let error = json!({ "errors": [{ "extensions": { "code": "RECORD_NOT_UNIQUE" } }] });
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    }
    items.push(item);
    StatusCode::NO_CONTENT.into_response()
}

#[tokio::test]
async fn a_redirect_is_created_once_per_address() {
    let items = Items::default();
    let port = local_servers::free_port().expect("a free port");
    let router = Router::new().route("/items/redirects", post(create)).with_state(items.clone());
    let address = ([127, 0, 0, 1], port).into();
    tokio::spawn(runtime::http::serve(address, router, CancellationToken::new()));
    let content = format!("--content-url=http://127.0.0.1:{port}");
    let world = World::start(&[&content, "--content-token=makes-redirects"]).await;
    let browser = world.signed_in("ann", true).await;
    assert_eq!(browser.get("/api/session").await.json()["redirects"], true);

    let redirect = json!({ "from": "/old", "to": "/property-for-sale", "permanent": true });
    let made = browser.post("/api/redirects", redirect.clone()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    let item = json!({
        "status": "published", "from_path": "/old", "to_path": "/property-for-sale", "code": 308,
    });
    assert_eq!(*items.lock().expect("nobody panicked"), [item]);
    let again = browser.post("/api/redirects", redirect.clone()).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{again:?}");
    let elsewhere = json!({ "from": "/old", "to": "//evil.example", "permanent": true });
    let refused = browser.post("/api/redirects", elsewhere).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert_eq!(refused.json()["errors"][0]["field"], "to");
    let trail = world.trail().await;
    let outcomes: Vec<_> = trail[2..].iter().map(|line| &*line[3]).collect();
    let begun = "begun";
    assert_eq!(outcomes[..3], [begun, "done", begun]);
    assert!(outcomes[3].starts_with("failed (409)"), "{outcomes:?}");
    assert_eq!(trail[2][2], redirect.to_string());
}

#[tokio::test]
async fn without_a_content_service_redirects_are_not_available() {
    let world = World::start(&[]).await;
    let browser = world.signed_in("ann", true).await;
    assert_eq!(browser.get("/api/session").await.json()["redirects"], false);
    let redirect = json!({ "from": "/old", "to": "/new", "permanent": true });
    let refused = browser.post("/api/redirects", redirect).await;
    assert_eq!(refused.status, StatusCode::NOT_IMPLEMENTED, "{refused:?}");
    assert_eq!(world.trail().await.len(), 2, "nothing was begun");
}
