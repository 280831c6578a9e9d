//! Pictures: scaled, made once, and stored across restarts.

use std::{
    fs,
    io::Cursor,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{Router, routing::get};
use futures::future::join_all;
use http::{Method, StatusCode, header};
use image::{ImageFormat, RgbImage};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::world::{World, eventually};

pub const FILE: &str = "181084cc-dec9-5203-b896-9b8af8129288";

/// Returns a JPEG of `width` by `height` pixels with some structure.
pub fn photo(width: u32, height: u32) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| {
        let shade = |value: u32| u8::try_from(value % 256).expect("a byte");
        image::Rgb([shade(x / 3), shade(y / 2), shade((x + y) / 5)])
    });
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Jpeg).expect("a JPEG");
    bytes.into_inner()
}

async fn world_with(original: Vec<u8>) -> World {
    let world = World::start().await.connected().await;
    world.backend.pictures.lock().expect("pictures").insert(FILE.to_owned(), original);
    world.backend.set_shown(&format!("{FILE}/1a"), Some("property:AH-1"));
    world
}

/// Returns the size of an encoded picture, read by a decoder that is independent of the encoder.
fn size_of(kind: &str, bytes: &[u8]) -> (u32, u32) {
    if kind == "image/avif" {
        let parsed = avif_parse::read_avif(&mut &bytes[..]).expect("an AVIF");
        let metadata = parsed.primary_item_metadata().expect("a frame");
        (metadata.max_frame_width.get(), metadata.max_frame_height.get())
    } else {
        let image = image::load_from_memory(bytes).expect("a picture");
        (image.width(), image.height())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_has_the_requested_size_and_format() {
    let world = world_with(photo(1_000, 600)).await;
    for (extension, kind) in [("avif", "image/avif"), ("webp", "image/webp"), ("jpg", "image/jpeg")]
    {
        for (width, expected) in [(160, (160, 96)), (640, (640, 384)), (2_400, (1_000, 600))] {
            let path = format!("/media/{FILE}/1a/{width}.{extension}");
            let picture = world.site.picture(&path).await;
            assert_eq!(picture.status(), StatusCode::OK, "{width}.{extension}");
            assert_eq!(picture.headers()[header::CONTENT_TYPE], kind);
            assert_eq!(
                picture.headers()[header::CACHE_CONTROL],
                "public, max-age=31536000, immutable"
            );
            let bytes = picture.bytes().await.expect("a body");
            assert_eq!(size_of(kind, &bytes), expected, "{width}.{extension}");
        }
    }
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 1, "the original came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jpeg_is_served_while_an_avif_is_being_made() {
    let mut world = World::start().await.connected().await;
    world.close().await;
    world.open(|config| config.picture_patience_ms = 0).await;
    world.backend.pictures.lock().expect("pictures").insert(FILE.to_owned(), photo(1_000, 600));
    world.backend.set_shown(&format!("{FILE}/1a"), Some("property:AH-1"));
    let path = format!("/media/{FILE}/1a/640.avif");
    let stand_in = world.site.picture(&path).await;
    assert_eq!(stand_in.status(), StatusCode::OK);
    assert_eq!(stand_in.headers()[header::CONTENT_TYPE], "image/jpeg");
    assert_eq!(stand_in.headers()[header::CACHE_CONTROL], "public, max-age=60");
    assert_eq!(stand_in.headers()["surrogate-key"], "property:AH-1");
    let bytes = stand_in.bytes().await.expect("a body");
    assert_eq!(size_of("image/jpeg", &bytes), (640, 384));
    eventually("there is the picture itself", async || {
        let picture = world.site.get(&path).await;
        picture.headers()[header::CONTENT_TYPE] == "image/avif"
            && picture.headers()[header::CACHE_CONTROL] == "public, max-age=31536000, immutable"
    })
    .await;
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 1, "the original came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn originals_of_all_accepted_formats_are_decoded() {
    let image = image::DynamicImage::new_rgb8(400, 300);
    let mut gif = Cursor::new(Vec::new());
    image.write_to(&mut gif, ImageFormat::Gif).expect("a GIF");
    let avif = pictures::encode(&image, pictures::Format::Avif).expect("an AVIF");
    for original in [gif.into_inner(), avif.to_vec()] {
        let world = world_with(original).await;
        let path = format!("/media/{FILE}/1a/160.jpg");
        let picture = world.site.picture(&path).await;
        assert_eq!(size_of("image/jpeg", &picture.bytes().await.expect("a body")), (160, 120));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_make_a_picture_once() {
    let mut world = world_with(photo(800, 600)).await;
    let path = format!("/media/{FILE}/1a/320.webp");
    let answers = join_all((0..50).map(|_| world.site.picture(&path))).await;
    assert!(answers.iter().all(|answer| answer.status() == StatusCode::OK));
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 1);

    let etag = answers[0].headers()[header::ETAG].clone();
    let again = world.site.request(Method::GET, &path).header(header::IF_NONE_MATCH, &etag);
    assert_eq!(again.send().await.expect("an answer").status(), StatusCode::NOT_MODIFIED);

    world.close().await;
    world.content.stop().await;
    world.open(|_| {}).await;
    let kept = world.site.get(&path).await;
    assert_eq!((kept.status(), &kept.headers()[header::ETAG]), (StatusCode::OK, &etag));
    let new = world.site.get(&format!("/media/{FILE}/1a/480.webp")).await;
    assert_eq!(new.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(new.headers()[header::RETRY_AFTER], "3");
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_pictures_are_distinguished() {
    let world = world_with(b"\xff\xd8\xff\xe0 but no picture".to_vec()).await;
    let problem = async |path: String| {
        let answer = world.site.get(&path).await;
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
        let body: serde_json::Value = answer.json().await.expect("JSON");
        let status = body["status"].as_u64().expect("a number");
        (status, body["detail"].as_str().unwrap_or_default().to_owned())
    };
    let (status, detail) = problem(format!("/media/{FILE}/1a/641.jpg")).await;
    assert_eq!(status, 404);
    assert!(detail.contains("640, 800"), "{detail}");
    assert_eq!(problem("/media/x/y/640.jpg".to_owned()).await.0, 404);
    assert_eq!(problem(format!("/media/{FILE}/1a/640.jpg")).await.0, 502);
    let missing = "00000000-0000-4000-8000-000000000000";
    assert_eq!(problem(format!("/media/{missing}/1a/640.jpg")).await.0, 404);
    world.backend.set_shown(&format!("{missing}/1a"), Some("property:AH-1"));
    assert_eq!(problem(format!("/media/{missing}/1a/640.jpg")).await.0, 404, "its file is gone");
    let asked = world.backend.original_requests.load(Ordering::SeqCst);
    assert_eq!(problem(format!("/media/{FILE}/1a/320.avif")).await.0, 502);
    assert_eq!(
        world.backend.original_requests.load(Ordering::SeqCst),
        asked,
        "it is not tried again at once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn only_pictures_of_published_content_are_fetched() {
    let world = world_with(photo(400, 300)).await;
    for version in ["1", "1b", &"a".repeat(64)] {
        let answer = world.site.get(&format!("/media/{FILE}/{version}/160.jpg")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{version}");
        assert_ne!(answer.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    }
    let draft = "00000000-0000-4000-8000-000000000000";
    world.backend.pictures.lock().expect("pictures").insert(draft.to_owned(), photo(400, 300));
    let answer = world.site.get(&format!("/media/{draft}/1a/160.jpg")).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 0);
    let kept = fs::read_dir(world.folder.path().join("data/media")).expect("the folder").count();
    assert_eq!(kept, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawn_homes_picture_is_not_served_until_it_is_published_again() {
    let mut world = world_with(photo(400, 300)).await;
    let (picture, path) = (format!("{FILE}/1a"), format!("/media/{FILE}/1a/160.jpg"));
    let first = world.site.picture(&path).await;
    assert_eq!(first.status(), StatusCode::OK);
    assert_eq!(first.headers()["surrogate-key"], "property:AH-1");
    world.backend.set_shown(&picture, None);
    world.backend.publish(&["list:properties", "property:AH-1"]);
    eventually("it is gone from memory", async || {
        world.site.get(&path).await.status() == StatusCode::NOT_FOUND
    })
    .await;
    let etag = &first.headers()[header::ETAG];
    let again = world.site.request(Method::GET, &path).header(header::IF_NONE_MATCH, etag);
    assert_eq!(again.send().await.expect("an answer").status(), StatusCode::NOT_FOUND);

    world.close().await;
    world.open(|_| {}).await;
    let world = world.connected().await;
    assert_eq!(world.site.get(&path).await.status(), StatusCode::NOT_FOUND, "nor from disk");

    world.backend.set_shown(&picture, Some("property:AH-1"));
    world.backend.publish(&["property:AH-1"]);
    assert_eq!(world.site.get(&path).await.status(), StatusCode::OK);
    assert_eq!(world.backend.original_requests.load(Ordering::SeqCst), 1, "it was not made again");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_query_service_is_asked_once_until_the_content_changes() {
    let world = world_with(photo(400, 300)).await;
    let asked = || world.backend.shown_requests.load(Ordering::SeqCst);
    let paths = ["160.jpg", "320.jpg", "160.webp"].map(|name| format!("/media/{FILE}/1a/{name}"));
    let all = async || join_all(paths.iter().map(|path| world.site.picture(path))).await;
    all().await;
    assert_eq!(asked(), 1);
    // A change of another page shows when the door has received the change.
    world.site.get("/property:AH-2").await;
    let position = world.backend.publish(&["page:property:AH-2"]);
    eventually("a change of another home is heard of", async || {
        world.site.shown_position("/property:AH-2").await == position
    })
    .await;
    all().await;
    assert_eq!(asked(), 1);
    world.backend.publish(&["property:AH-1"]);
    eventually("it is asked again", async || {
        assert!(all().await.iter().all(|answer| answer.status() == StatusCode::OK));
        asked() == 2
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_picture_waits_for_a_lagging_query_service() {
    let world = world_with(photo(400, 300)).await;
    world.backend.shown_refusals.store(5, Ordering::SeqCst);
    let answer = world.site.get(&format!("/media/{FILE}/1a/160.jpg")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(world.backend.shown_requests.load(Ordering::SeqCst), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_picture_does_not_wait_for_a_lagging_query_service() {
    let mut world = world_with(photo(400, 300)).await;
    let path = format!("/media/{FILE}/1a/160.jpg");
    assert_eq!(world.site.picture(&path).await.status(), StatusCode::OK);
    world.query.stop().await;
    let asked = Arc::<AtomicU64>::default();
    let counter = asked.clone();
    let behind = async move || {
        counter.fetch_add(1, Ordering::SeqCst);
        StatusCode::SERVICE_UNAVAILABLE
    };
    // The change stream is down too, so that the door can't know whether anything has changed.
    let router = Router::new()
        .route("/internal/pictures/{file}/{version}", get(behind))
        .fallback(async || StatusCode::SERVICE_UNAVAILABLE);
    let listener = TcpListener::bind(world.query.address).await.expect("the address again");
    tokio::spawn(async move { axum::serve(listener, router).await });
    eventually("the picture is asked for", async || {
        assert_eq!(world.site.get(&path).await.status(), StatusCode::OK);
        asked.load(Ordering::SeqCst) > 0
    })
    .await;
    // Once on a pooled connection, and once on a new one, which may reach another node.
    assert_eq!(asked.load(Ordering::SeqCst), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_for_a_known_picture_share_the_wait_for_a_hanging_query_service() {
    let mut world = world_with(photo(400, 300)).await;
    let path = format!("/media/{FILE}/1a/160.jpg");
    assert_eq!(world.site.picture(&path).await.status(), StatusCode::OK);
    world.query.stop().await;
    let asked = Arc::<AtomicU64>::default();
    let counter = asked.clone();
    let hangs = async move || -> StatusCode {
        counter.fetch_add(1, Ordering::SeqCst);
        std::future::pending().await
    };
    let router = Router::new()
        .route("/internal/pictures/{file}/{version}", get(hangs))
        .fallback(async || StatusCode::SERVICE_UNAVAILABLE);
    let listener = TcpListener::bind(world.query.address).await.expect("the address again");
    tokio::spawn(async move { axum::serve(listener, router).await });
    eventually("the picture is asked for", async || {
        assert_eq!(world.site.get(&path).await.status(), StatusCode::OK);
        asked.load(Ordering::SeqCst) > 0
    })
    .await;
    let began = Instant::now();
    let answers = join_all((0..10).map(|_| world.site.get(&path))).await;
    assert!(answers.iter().all(|answer| answer.status() == StatusCode::OK));
    let took = began.elapsed();
    assert!(took < Duration::from_secs(10), "one after the other: {took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_query_service_only_known_pictures_are_served() {
    let mut world = world_with(photo(400, 300)).await;
    let other = format!("{FILE}/2b");
    world.backend.set_shown(&other, Some("property:AH-2"));
    let path = format!("/media/{FILE}/1a/160.jpg");
    assert_eq!(world.site.picture(&path).await.status(), StatusCode::OK);
    world.query.stop().await;
    eventually("the door knows that it hears of no change", async || {
        world.site.process.health().failing().contains_key("change stream")
    })
    .await;
    assert_eq!(world.site.get(&path).await.status(), StatusCode::OK);
    let unknown = world.site.get(&format!("/media/{other}/160.jpg")).await;
    assert_eq!(unknown.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(unknown.headers()[header::RETRY_AFTER], "3");
}

#[tokio::test(flavor = "multi_thread")]
async fn few_originals_are_fetched_at_once_and_excess_requests_are_told_to_retry() {
    let world = World::start().await.connected().await;
    let files: Vec<_> = (0..200u128).map(|n| Uuid::from_u128(n).to_string()).collect();
    let original = photo(40, 30);
    for file in &files {
        world.backend.pictures.lock().expect("pictures").insert(file.clone(), original.clone());
        world.backend.set_shown(&format!("{file}/1"), Some("property:AH-1"));
    }
    world.backend.originals_held.send_replace(true);
    let requests: Vec<_> = files
        .iter()
        .map(|file| world.site.request(Method::GET, &format!("/media/{file}/1/160.jpg")).send())
        .map(tokio::spawn)
        .collect();
    eventually("all have come in, and some were told", async || {
        requests.iter().filter(|one| one.is_finished()).count() >= 100
    })
    .await;
    assert!(world.backend.original_requests.load(Ordering::SeqCst) <= 4);
    world.backend.originals_held.send_replace(false);
    let mut given = 0;
    for one in requests {
        let answer = one.await.expect("a task").expect("an answer");
        match answer.status() {
            StatusCode::OK => given += 1,
            status => {
                assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
                assert_eq!(answer.headers()[header::RETRY_AFTER], "3");
            }
        }
    }
    assert!(given >= 4, "{given}");
    assert!(world.backend.max_open_originals.load(Ordering::SeqCst) <= 4);
}
