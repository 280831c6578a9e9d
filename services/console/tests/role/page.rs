//! Tests of the console's files and their security headers.

use http::{Method, StatusCode};

use crate::world::World;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; form-action 'none'; \
                      frame-ancestors 'none'; base-uri 'none'";

#[tokio::test]
async fn every_path_returns_the_page_and_every_response_has_security_headers() {
    let world = World::start(&[]).await;
    let browser = world.browser();
    for path in ["/", "/publishes", "/parked/properties/12", "/index.html"] {
        let page = browser.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        assert!(page.text.contains("<title>Console"), "{path}: {page:?}");
        assert!(page.header("content-type").starts_with("text/html"), "{path}: {page:?}");
        assert_eq!(page.header("cache-control"), "no-cache");
        assert_eq!(page.header("content-security-policy"), POLICY);
        assert_eq!(page.header("x-content-type-options"), "nosniff");
    }
    let script = browser.get("/assets/app-1a2b.js").await;
    assert_eq!((script.status, &*script.text), (StatusCode::OK, "export {}"));
    assert!(script.header("cache-control").contains("immutable"), "{script:?}");
    let gone = browser.get("/assets/app-0000.js").await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "a page would be taken for a script");
    assert!(!gone.header("cache-control").contains("immutable"), "{gone:?}");
    for path in ["/api/session", "/api/nothing", "/assets/app-0000.js"] {
        let answer = browser.get(path).await;
        assert_eq!(answer.header("content-security-policy"), POLICY, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    for outside in ["/assets/../../secret", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd"]
    {
        assert!(!browser.get(outside).await.text.contains("root:"), "{outside}");
    }
    let written = browser.request(Method::POST, "/publishes", None).await;
    assert_eq!(written.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn on_https_the_cookie_is_secure_and_hsts_is_set() {
    let world = World::start(&["--console-url=https://console.example"]).await;
    let codes = world.operator("ann", false).await;
    let mut browser = world.browser();
    let code = codes.generate_current().to_string();
    let answer = browser.sign_in("ann", crate::world::PASSWORD, &code).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-") && cookie.contains("Secure"), "{answer:?}");
    assert_eq!(browser.get("/api/session").await.status, StatusCode::OK);
    assert!(answer.header("strict-transport-security").contains("max-age"), "{answer:?}");
}
