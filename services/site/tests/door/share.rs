//! Sharing pictures: the preview images of links to homes.

use std::sync::atomic::Ordering;

use http::{Method, StatusCode, header};
use image::RgbImage;
use serde_json::{Value, json};

use crate::{
    media::{FILE, photo},
    world::World,
};

/// The background of the band under the photograph.
const STONE_WHITE: [u8; 3] = [252, 250, 246];

fn home(price: Option<i64>, images: &Value) -> Value {
    json!({
        "ref": "AH-1", "kind": "villa", "status": "for_sale", "reduced": false, "price": price,
        "bedrooms": 3, "location": { "slug": "nerja", "name": "Nerja" }, "images": images,
        "title": "A villa",
    })
}

async fn world_with(price: Option<i64>, images: &Value) -> World {
    let world = World::start().await.connected().await;
    set_home(&world, price, images);
    world
}

fn set_home(world: &World, price: Option<i64>, images: &Value) {
    world.backend.homes.lock().expect("homes").insert("AH-1".to_owned(), home(price, images));
}

fn cover() -> Value {
    json!([{ "file": FILE, "version": "1a", "width": 1_500, "height": 1_000, "alt": "" }])
}

/// Returns the picture at `path`, read by a decoder that is independent of the encoder, and the headers
/// of the answer.
async fn shared(world: &World, path: &str) -> (RgbImage, reqwest::header::HeaderMap) {
    let answer = world.site.picture(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "image/jpeg");
    let headers = answer.headers().clone();
    let bytes = answer.bytes().await.expect("a body");
    assert!(bytes.len() < 300_000, "{} bytes", bytes.len());
    let image = image::load_from_memory(&bytes).expect("a picture").into_rgb8();
    assert_eq!(image.dimensions(), (1_200, 630));
    (image, headers)
}

/// Returns the number of dark pixels in the band, left of the logo.
fn ink(image: &RgbImage) -> usize {
    let band = image.enumerate_pixels().filter(|(x, y, _)| *y > 470 && *x < 800);
    band.filter(|(_, _, pixel)| pixel.0.iter().all(|channel| *channel < 120)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_is_shared_with_its_cover_and_its_price() {
    let world = world_with(Some(385_000), &cover()).await;
    world.backend.pictures.lock().expect("pictures").insert(FILE.to_owned(), photo(1_500, 1_000));
    let (first, headers) = shared(&world, "/share/en/AH-1.jpg?v=1").await;
    assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=3600");
    assert_eq!(headers["cross-origin-resource-policy"], "cross-origin");
    let ground = first.get_pixel(600, 620).0;
    assert!(ground.iter().zip(STONE_WHITE).all(|(a, b)| a.abs_diff(b) < 6), "{ground:?}");
    // The photograph is there, and not a single colour.
    assert_ne!(first.get_pixel(100, 200), first.get_pixel(1_100, 200));
    assert!(ink(&first) > 1_000, "nothing is written");

    let etag = headers[header::ETAG].clone();
    let again = world.site.request(Method::GET, "/share/en/AH-1.jpg?v=1");
    let again = again.header(header::IF_NONE_MATCH, &etag).send().await.expect("an answer");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);

    let (spanish, headers) = shared(&world, "/share/es/AH-1.jpg?v=1").await;
    assert_ne!(headers[header::ETAG], etag);
    assert_ne!(ink(&spanish), ink(&first));

    set_home(&world, Some(365_000), &cover());
    let (reduced, headers) = shared(&world, "/share/en/AH-1.jpg?v=2").await;
    assert_ne!(headers[header::ETAG], etag, "the new price is not on it");
    assert_ne!(reduced, first);
    set_home(&world, None, &cover());
    let (_, on_request) = shared(&world, "/share/en/AH-1.jpg?v=3").await;
    assert_ne!(on_request[header::ETAG], headers[header::ETAG]);
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 1, "the cover came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn drawn_pictures_survive_a_restart_without_the_originals() {
    let mut world = world_with(Some(385_000), &cover()).await;
    world.backend.pictures.lock().expect("pictures").insert(FILE.to_owned(), photo(900, 1_200));
    let (_, first) = shared(&world, "/share/en/AH-1.jpg").await;
    world.close().await;
    world.content.stop().await;
    world.open(|_| {}).await;
    let (_, again) = shared(&world, "/share/en/AH-1.jpg").await;
    assert_eq!(first[header::ETAG], again[header::ETAG]);
    set_home(&world, Some(1), &cover());
    let away = world.site.get("/share/en/AH-1.jpg").await;
    assert_eq!(away.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_of_an_outdated_home_is_cached_only_briefly() {
    let world = world_with(Some(385_000), &json!([])).await;
    world.backend.lag_at(Some(0));
    let (_, headers) = shared(&world, "/share/en/AH-1.jpg?v=2").await;
    assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=60");
    world.backend.lag_at(None);
    let (_, headers) = shared(&world, "/share/en/AH-1.jpg?v=2").await;
    assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=3600");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_without_a_cover_has_a_plain_card() {
    let world = world_with(Some(385_000), &json!([])).await;
    let (plain, headers) = shared(&world, "/share/en/AH-1.jpg").await;
    assert!(ink(&plain) > 1_000);
    // A home whose cover can't be read gets the same.
    set_home(&world, Some(385_000), &cover());
    let (_, unreadable) = shared(&world, "/share/en/AH-1.jpg").await;
    assert_eq!(headers[header::ETAG], unreadable[header::ETAG]);
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_no_picture_of_an_unknown_home() {
    let world = world_with(Some(385_000), &json!([])).await;
    let status = async |path: &str| world.site.get(path).await.status();
    for path in
        ["/share/en/AH-2.jpg", "/share/de/AH-1.jpg", "/share/en/AH-1.png", "/share/AH-1.jpg"]
    {
        assert_eq!(status(path).await, StatusCode::NOT_FOUND, "{path}");
    }
    let posted = world.site.request(Method::POST, "/share/en/AH-1.jpg").send().await;
    assert_eq!(posted.expect("an answer").status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_one_address_are_rate_limited() {
    let mut world = world_with(Some(385_000), &json!([])).await;
    world.close().await;
    world.open(|config| config.rate_limit = 1).await;
    let mut refused = None;
    for _ in 0..20 {
        let answer = world.site.get("/share/en/AH-1.jpg").await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
            break;
        }
    }
    assert_eq!(refused.expect("a limit").headers()[header::RETRY_AFTER], "2");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_query_service_the_answer_is_unavailable() {
    let mut world = world_with(Some(385_000), &json!([])).await;
    world.query.stop().await;
    let answer = world.site.get("/share/en/AH-1.jpg").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.headers()[header::RETRY_AFTER], "3");
}
