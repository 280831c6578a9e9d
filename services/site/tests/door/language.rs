//! The language of a first visit.

use http::{StatusCode, header};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use crate::world::World;

const FIREFOX: (&str, &str) = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0");
const CRAWLER: (&str, &str) = ("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)");
const SPANISH: (&str, &str) = ("accept-language", "es-ES,es;q=0.9,en;q=0.8");
const ENGLISH: (&str, &str) = ("accept-language", "en-GB,en;q=0.9,es;q=0.8");

async fn visit(world: &World, path: &str, headers: &[(&'static str, &str)]) -> reqwest::Response {
    let headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| {
            (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
        })
        .collect();
    world.site.get_with(path, &headers).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_visit_is_redirected_to_its_language_without_a_cookie() {
    let world = World::start().await.connected().await;
    // The second round runs while the English page is cached.
    for _ in 0..2 {
        let english = visit(&world, "/", &[FIREFOX, ENGLISH]).await;
        assert_eq!(english.status(), StatusCode::OK);
        let spanish = visit(&world, "/", &[FIREFOX, SPANISH]).await;
        assert_eq!(spanish.status(), StatusCode::FOUND);
        assert_eq!(spanish.headers()[header::LOCATION], "/es");
        assert_eq!(spanish.headers()[header::CACHE_CONTROL], "no-store");
        for answer in [english, spanish] {
            assert!(!answer.headers().contains_key(header::SET_COOKIE), "nobody chose anything");
        }
    }
    let with_query = visit(&world, "/?utm_source=x", &[FIREFOX, SPANISH]).await;
    assert_eq!(with_query.headers()[header::LOCATION], "/es?utm_source=x");
    // Every other address has a fixed language.
    for path in ["/es", "/one"] {
        assert_eq!(visit(&world, path, &[FIREFOX, SPANISH]).await.status(), StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn choices_internal_links_and_crawlers_are_not_redirected() {
    let world = World::start().await.connected().await;
    for (headers, status) in [
        (&[FIREFOX, SPANISH, ("cookie", "language=en")][..], StatusCode::OK),
        (&[FIREFOX, ENGLISH, ("cookie", "language=es")], StatusCode::FOUND),
        (&[FIREFOX, SPANISH, ("sec-fetch-site", "same-origin")], StatusCode::OK),
        (&[FIREFOX, SPANISH, ("sec-fetch-site", "cross-site")], StatusCode::FOUND),
        (&[CRAWLER, SPANISH], StatusCode::OK),
    ] {
        assert_eq!(visit(&world, "/", headers).await.status(), status, "{headers:?}");
    }
}
