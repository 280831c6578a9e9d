//! The map's streets, requested in ranges.

use std::{fs, path::PathBuf};

use http::{Method, StatusCode, header};

use crate::world::World;

const ADDRESS: &str = "/map/basemap.pmtiles";

/// Starts a door with a basemap of `bytes`, and a rate limit. Returns the path of the file.
async fn world_with(bytes: &[u8], rate_limit: u32) -> (World, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let file = folder.join("streets.pmtiles");
    fs::write(&file, bytes).expect("a file");
    let configured = file.clone();
    let change = |config: &mut site::Config| {
        config.map_basemap = Some(configured);
        config.rate_limit = rate_limit;
    };
    (World::start_with(change).await.connected().await, file)
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_of_the_basemap_belong_to_one_version_of_the_file() {
    let (world, _) = world_with(b"PMTiles and what follows", 0).await;
    let get =
        |range: &'static str| world.site.request(Method::GET, ADDRESS).header(header::RANGE, range);

    let part = get("bytes=0-6").send().await.expect("an answer");
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()[header::CONTENT_RANGE], "bytes 0-6/24");
    assert_eq!(part.headers()[header::CACHE_CONTROL], "public, max-age=86400");
    assert_eq!(part.headers()["cross-origin-resource-policy"], "same-origin");
    let etag = part.headers()[header::ETAG].clone();
    assert_eq!(part.text().await.expect("a body"), "PMTiles");

    let beyond = get("bytes=99-120").send().await.expect("an answer");
    assert_eq!(beyond.status(), StatusCode::RANGE_NOT_SATISFIABLE);

    let same = get("bytes=8-10").header(header::IF_RANGE, etag).send().await.expect("an answer");
    assert_eq!(same.status(), StatusCode::PARTIAL_CONTENT);
    let other = get("bytes=8-10").header(header::IF_RANGE, "\"other\"");
    let other = other.send().await.expect("an answer");
    assert_eq!(other.status(), StatusCode::OK);
    assert_eq!(other.text().await.expect("a body"), "PMTiles and what follows");

    let written = world.site.request(Method::POST, ADDRESS).send().await.expect("an answer");
    assert_eq!(written.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replaced_file_is_served_without_a_restart() {
    let (world, file) = world_with(b"PMTiles of last year", 0).await;
    let get = || world.site.request(Method::GET, ADDRESS).header(header::RANGE, "bytes=0-13");
    let old = get().send().await.expect("an answer").headers()[header::ETAG].clone();

    let copied = file.with_extension("copied");
    fs::write(&copied, "PMTiles of this year, which are more").expect("a file");
    fs::rename(&copied, &file).expect("its place");
    let part = get().send().await.expect("an answer");
    let new = part.headers()[header::ETAG].clone();
    assert_ne!(new, old, "by this a reader knows that its parts are of another file");
    assert_eq!(part.headers()[header::CONTENT_RANGE], "bytes 0-13/36");
    assert_eq!(part.text().await.expect("a body"), "PMTiles of thi");

    for (known, status) in [(old, StatusCode::OK), (new, StatusCode::PARTIAL_CONTENT)] {
        let answer = get().header(header::IF_RANGE, known).send().await.expect("an answer");
        assert_eq!(answer.status(), status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ranges_of_one_address_are_rate_limited() {
    let (world, _) = world_with(b"PMTiles", 1).await;
    let mut limited = false;
    for _ in 0..10 {
        let part = world.site.request(Method::GET, ADDRESS).header(header::RANGE, "bytes=0-1");
        let status = part.send().await.expect("an answer").status();
        limited |= status == StatusCode::TOO_MANY_REQUESTS;
    }
    assert!(limited);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_file_there_is_no_basemap() {
    let world = World::start().await.connected().await;
    assert_eq!(world.site.get(ADDRESS).await.status(), StatusCode::NOT_FOUND);
}
