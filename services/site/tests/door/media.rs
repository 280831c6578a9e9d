//! Pictures: made to measure, made once, and there again after a restart.

use std::{io::Cursor, sync::atomic::Ordering};

use futures::future::join_all;
use http::{Method, StatusCode, header};
use image::{ImageFormat, RgbImage};

use crate::world::World;

pub const FILE: &str = "181084cc-dec9-5203-b896-9b8af8129288";

/// A JPEG of some content, as large as `width` by `height`.
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
    let world = World::start().await.followed().await;
    world.truth.pictures.lock().expect("pictures").insert(FILE.to_owned(), original);
    world
}

/// The size of an encoded picture, by a reader that is not the encoder.
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
async fn a_picture_has_the_size_and_the_format_that_is_asked_for() {
    let world = world_with(photo(1_000, 600)).await;
    for (extension, kind) in [("avif", "image/avif"), ("webp", "image/webp"), ("jpg", "image/jpeg")]
    {
        for (width, expected) in [(160, (160, 96)), (640, (640, 384)), (2_400, (1_000, 600))] {
            let picture = world.site.get(&format!("/media/{FILE}/1a/{width}.{extension}")).await;
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
    assert_eq!(world.truth.pictures_asked.load(Ordering::SeqCst), 1, "the original came once");
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_a_picture_is_made_once_and_kept() {
    let mut world = world_with(photo(800, 600)).await;
    let path = format!("/media/{FILE}/1a/320.webp");
    let answers = join_all((0..50).map(|_| world.site.get(&path))).await;
    assert!(answers.iter().all(|answer| answer.status() == StatusCode::OK));
    assert_eq!(world.truth.pictures_asked.load(Ordering::SeqCst), 1);

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
async fn what_is_no_picture_is_said_clearly() {
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
    let asked = world.truth.pictures_asked.load(Ordering::SeqCst);
    assert_eq!(problem(format!("/media/{FILE}/1a/320.avif")).await.0, 502);
    assert_eq!(
        world.truth.pictures_asked.load(Ordering::SeqCst),
        asked,
        "it is not tried again at once"
    );
}
