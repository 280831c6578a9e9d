//! The frontend's files, and attempts to escape from their folder.

use std::fs;

use http::{Method, StatusCode, header};

use crate::world::{World, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn hashed_files_are_immutable_and_others_cached_briefly() {
    let world = World::start().await.connected().await;
    let script = world.site.get("/assets/app-1a2b.js").await;
    assert_eq!(script.status(), StatusCode::OK);
    assert_eq!(script.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    assert_eq!(script.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
    let etag = script.headers()[header::ETAG].clone();
    let again = world.site.request(Method::GET, "/assets/app-1a2b.js");
    let again = again.header(header::IF_NONE_MATCH, etag).send().await.expect("an answer");
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    for (accepted, encoding, body) in [("gzip, br", "br", "as Brotli"), ("gzip", "gzip", "as gzip")]
    {
        let packed = world.site.request(Method::GET, "/assets/app-1a2b.js");
        let packed = packed.header(header::ACCEPT_ENCODING, accepted);
        let packed = packed.send().await.expect("an answer");
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], encoding);
        assert_eq!(packed.headers()[header::CONTENT_LENGTH], body.len().to_string().as_str());
        assert_eq!(packed.text().await.expect("a body"), body);
    }
    let form = world.site.get("/assets/app-1a2b.js.br").await;
    assert_eq!(form.status(), StatusCode::NOT_FOUND, "it is not served as a file");

    let icon = world.site.get("/favicon.ico").await;
    assert_eq!(icon.headers()[header::CACHE_CONTROL], "public, max-age=3600");
    assert_eq!(icon.text().await.expect("a body"), "icon");
    assert_eq!(world.backend.renders("/favicon.ico"), 0);
    let worker = world.site.get("/sw.js").await;
    assert_eq!(worker.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
    assert_eq!(worker.headers()[header::CACHE_CONTROL], "no-cache");
    assert_eq!(world.site.get("/assets/no-such.js").await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_build_is_found_and_the_previous_one_stays() {
    let world = World::start().await.connected().await;
    let assets = world.folder.path().join("client/assets");
    fs::write(assets.join("app-3c4d.js"), "let b = 2;").expect("a file");
    fs::remove_file(assets.join("app-1a2b.js")).expect("a file");
    eventually("the new file is given", async || {
        world.site.get("/assets/app-3c4d.js").await.status() == StatusCode::OK
    })
    .await;
    assert_eq!(world.site.get("/assets/app-1a2b.js").await.status(), StatusCode::OK);

    // The build compresses its files last, so a file may be requested before.
    fs::write(assets.join("app-3c4d.js.br"), "less").expect("a file");
    eventually("its smaller form is given", async || {
        world.site.get("/assets/not-known.js").await;
        let packed = world.site.request(Method::GET, "/assets/app-3c4d.js");
        let packed = packed.header(header::ACCEPT_ENCODING, "br").send().await.expect("an answer");
        packed.headers().get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding == "br")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_another_build_is_fetched_from_its_renderer_and_cached() {
    let mut world = World::start().await.connected().await;
    let asked = async |encoding: &str| {
        let file = world.site.request(Method::GET, "/assets/app-5e6f.js");
        let file = file.header(header::ACCEPT_ENCODING, encoding).send().await.expect("an answer");
        assert_eq!(file.status(), StatusCode::OK);
        assert_eq!(file.headers()[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
        assert_eq!(file.headers()[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        file.text().await.expect("a body")
    };
    assert_eq!(asked("identity").await, "let c = 3;");
    world.renderer.stop().await;
    assert_eq!(asked("br").await, "c as Brotli");
    let form = world.site.get("/assets/app-5e6f.js.br").await;
    assert_eq!(form.status(), StatusCode::NOT_FOUND, "it is not served as a file");
}

#[tokio::test(flavor = "multi_thread")]
async fn lookups_of_unknown_files_are_rate_limited() {
    let world = World::start_with(|config| config.rate_limit = 1).await.connected().await;
    let mut refused = 0;
    for number in 0..20 {
        let answer = world.site.get(&format!("/assets/none-{number}.js")).await;
        refused += usize::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 0);
    for _ in 0..50 {
        let known = world.site.get("/assets/app-1a2b.js").await;
        assert_eq!(known.status(), StatusCode::OK, "known files are not limited");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leads_out_of_the_folder() {
    let world = World::start().await.connected().await;
    let link = world.folder.path().join("client/assets/link.txt");
    std::os::unix::fs::symlink(world.folder.path().join("secret.txt"), link).expect("a link");
    for path in [
        "/assets/../../secret.txt",
        "/assets/../secret.txt",
        "/../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/assets//../../secret.txt",
        "/assets/%252e%252e/secret.txt",
        "/assets/link.txt",
        "/media/../../secret.txt",
        "/api/../secret.txt",
    ] {
        let answer = world.site.raw(path).await;
        assert!(answer.starts_with("HTTP/1.1 4"), "{path}: {answer}");
        assert!(!answer.contains("nobody may read this"), "{path}");
    }
}
