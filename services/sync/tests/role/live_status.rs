//! Whatever becomes of an item is noted, so that its editors are told.

use axum::{Router, http::HeaderMap};
use chrono::{DateTime, Utc};
use contracts::{SEQUENCE_HEADER, Sequence};
use serde_json::{Value, json};
use sync::LiveStatusConfig;
use testkit::eventually;
use tokio::net::TcpListener;

use crate::{
    content::{FILE, file, house},
    placeholders::photo,
    role::{HINTS_ONLY, Role, World},
};

/// Waits until house 1 is noted, and forgets that it was, as who tells its editors does; gives the
/// version that was recorded.
async fn is_noted(world: &World, after_what: &str) -> Option<i64> {
    eventually(after_what, async || {
        sqlx::query_scalar(
            "delete from ledger.untold where collection = 'properties' and key = '1'
                 and not exists (select from ledger.outbox where key = '1')
             returning version",
        )
        .fetch_optional(&world.pool)
        .await
        .expect("it can be forgotten")
    })
    .await
}

async fn noted(world: &World) -> i64 {
    sqlx::query_scalar("select count(*) from ledger.untold where collection = 'properties'")
        .fetch_one(&world.pool)
        .await
        .expect("a count")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_recorded_parked_mended_and_removed_is_noted_for_its_editors() {
    let world = World::new("live_status").await;
    world.content.put("properties", "1", house(1, 100));
    let role = world.start(HINTS_ONLY).await;
    world.wait_for_price("1", 100).await;
    world.quiet().await;
    assert_eq!(is_noted(&world, "it is recorded").await, Some(1));

    world.content.change("properties", "1", |house| house["price"] = json!(-5));
    role.hint("properties", "1").await;
    world.wait_until_parked("properties", "1", "price").await;
    assert_eq!(is_noted(&world, "it is parked").await, None);
    // Read once more with the same result, it is no news.
    role.hint("properties", "1").await;
    world.quiet().await;
    assert_eq!(noted(&world).await, 0);

    world.content.change("properties", "1", |house| house["price"] = json!(100));
    role.hint("properties", "1").await;
    world.wait_until_none_is_parked().await;
    assert_eq!(is_noted(&world, "it is as it was, which makes no version").await, None);

    world.content.delete("properties", "1");
    role.hint("properties", "1").await;
    assert_eq!(is_noted(&world, "it is gone").await, Some(2));
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placeholder_takes_nothing_back_of_when_the_site_was_seen_to_show_a_home() {
    let (world, role) = with_a_house_that_is_shown("seen_before").await;
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let published = seen(&role, 2).await;

    world.content.put_original(FILE, photo());
    world.sql("update ledger.placeholder set due_at = now()").await;
    assert_eq!(seen(&role, 3).await, published);
    let version = world.property("1").await.expect("it is published");
    assert!(version.change["snapshot"]["images"][0]["placeholder"].is_string(), "{version:?}");

    world.content.change("properties", "1", |house| house["price"] = json!(300));
    role.hint("properties", "1").await;
    assert_ne!(seen(&role, 4).await, published);
    role.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_told_which_picture_is_left_out_and_when_it_no_longer_is() {
    let (world, role) = with_a_house_whose_editors_are_told("told_left_out", Some("for it")).await;
    let told = async |what, is_it: &dyn Fn(&Value) -> bool| {
        eventually(what, async || world.content.told("1").filter(is_it)).await
    };
    world.content.change("properties", "1", |house| house["price"] = json!(200));
    role.hint("properties", "1").await;
    let since = moment(&seen(&role, 2).await["since"]);
    let live = told("it is live", &|row| moment(&row["live_since"]) == since).await;
    assert_eq!((&live["state"], &live["reasons"]), (&json!("live"), &json!([])));

    let other = "9d5a1d1c-6f43-4a52-8f0e-0f6f6b1f2c11";
    let mut photo_of_a_telephone = file("A pool");
    photo_of_a_telephone["id"] = json!(other);
    photo_of_a_telephone["type"] = json!("image/heic");
    world.content.put("directus_files", other, photo_of_a_telephone);
    world.content.change("properties", "1", |house| {
        let images = house["images"].as_array_mut().expect("a gallery");
        images.push(json!({ "id": 11, "sort": 2, "directus_files_id": other }));
    });
    role.hint("properties", "1").await;
    let without = told("one is left out", &|row| row["reasons"] != json!([])).await;
    let reason = &without["reasons"][0];
    assert_eq!(
        (&without["state"], &reason["field"]),
        (&json!("live_in_part"), &json!("images[2]"))
    );
    for (language, word) in [("en", "must be a picture"), ("es", "debe ser una imagen")] {
        let words = reason["rule"][language].as_str().unwrap_or_default();
        assert!(words.starts_with(word), "{without}");
    }
    let shown = |row: &Value| (moment(&row["live_since"]), row["milliseconds"].clone());
    assert_eq!(shown(&without), shown(&live), "the site shows what it showed");

    world.content.change("directus_files", other, |file| file["type"] = json!("image/jpeg"));
    role.hint("directus_files", other).await;
    let whole = told("none is left out", &|row| row["reasons"] == json!([])).await;
    assert_eq!(whole["state"], "live");
    role.stop().await;
}

/// A moment as exact as the ledger keeps it.
fn moment(text: &Value) -> Option<i64> {
    let moment: DateTime<Utc> = text.as_str()?.parse().ok()?;
    Some(moment.timestamp_micros())
}

/// Waits until the site was seen to show the `version` of house 1 that was published last, and gives
/// what is told of that.
async fn seen(role: &Role, version: i64) -> Value {
    eventually("the site being seen to show it", async || {
        let newest = role.operator.get("/admin/publishes?limit=1").await["items"][0].take();
        (newest["version"] == version && newest["live"].is_object()).then(|| newest["live"].clone())
    })
    .await
}

/// A world with house 1 at 100, and a role that asks a site which shows whatever there is, at once, and
/// tells operators alone.
pub async fn with_a_house_that_is_shown(name: &str) -> (World, Role) {
    with_a_house_whose_editors_are_told(name, None).await
}

/// The same, and editors by `token`.
async fn with_a_house_whose_editors_are_told(name: &str, token: Option<&str>) -> (World, Role) {
    let world = World::new(name).await;
    world.content.put("properties", "1", house(1, 100));
    let mut config = world.config(HINTS_ONLY);
    config.live_status = LiveStatusConfig {
        live_status_token: token.map(Into::into),
        site_url: Some(site_that_shows_everything().await.parse().expect("a URL")),
        public_url: "https://homes.example".parse().expect("a URL"),
    };
    world.operator().await;
    let role = Role::start(config).await;
    world.wait_for_price("1", 100).await;
    world.quiet().await;
    (world, role)
}

async fn site_that_shows_everything() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let made_from = Sequence::LAST.to_string();
    let router = Router::new().fallback(async move || {
        HeaderMap::from_iter([(
            SEQUENCE_HEADER.parse().expect("a name"),
            made_from.parse().expect("a value"),
        )])
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}
