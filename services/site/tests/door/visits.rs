//! Reports of visits: accepted from the site's own pages, limited, and counted.

use axum::{body::Body, body::to_bytes};
use http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use site::METRICS;
use tower::ServiceExt;

use crate::world::{Site, World};

/// Returns the metrics that operators see.
async fn metrics(site: &Site) -> String {
    let ask = Request::get("/metrics").body(Body::empty()).expect("a request");
    let answer = site.process.health().router().oneshot(ask).await.expect("an answer");
    // Prometheus chooses its parser by it.
    let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert_eq!(answer.headers()[header::CONTENT_TYPE], form);
    let body = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
    String::from_utf8(body.into()).expect("text")
}

/// Returns the value of `series`; 0 if it has none yet.
async fn figure(site: &Site, series: &str) -> f64 {
    let text = metrics(site).await;
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0.0, |figure| figure.parse().expect("a number"))
}

async fn send_report(site: &Site, visit: &Value) -> reqwest::Response {
    let report = site.request(Method::POST, "/api/vitals");
    let report = report.header(header::CONTENT_TYPE, "application/json").body(visit.to_string());
    report.send().await.expect("an answer")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visit_is_counted_by_page_and_device() {
    let world = World::start().await.connected().await;
    let site = &world.site;
    runtime::metrics::install(METRICS);
    let visit = json!({
        "page": "home", "phone": true, "lcp": 1_840, "inp": 96.5, "cls": 0.03, "renderedAnew": 2,
    });
    let answer = site
        .request(Method::POST, "/api/vitals")
        .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
        .header(header::ORIGIN, format!("http://{}", site.address))
        .body(visit.to_string())
        .send()
        .await
        .expect("an answer");
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert!(answer.headers().contains_key("x-content-type-options"));
    assert!(!answer.headers().contains_key(header::SET_COOKIE));

    let labels = r#"{page="home",device="phone"}"#;
    let slower = r#"{le="1.5",page="home",device="phone"}"#;
    let quicker = r#"{le="2.0",page="home",device="phone"}"#;
    for (series, expected) in [
        (format!("site_visit_lcp_seconds_count{labels}"), 1.0),
        (format!("site_visit_lcp_seconds_sum{labels}"), 1.84),
        (format!("site_visit_lcp_seconds_bucket{slower}"), 0.0),
        (format!("site_visit_lcp_seconds_bucket{quicker}"), 1.0),
        (format!("site_visit_inp_seconds_sum{labels}"), 0.0965),
        (format!("site_visit_cls_sum{labels}"), 0.03),
        (format!("site_visit_rendered_anew_total{labels}"), 2.0),
    ] {
        let found = figure(site, &series).await;
        assert!((found - expected).abs() < 1e-9, "{series}: {found}");
    }

    let again = send_report(site, &json!({ "page": "home", "phone": true, "lcp": 500 })).await;
    assert_eq!(again.status(), StatusCode::NO_CONTENT);
    for (series, expected) in [("site_visit_lcp_seconds_count", 2.0), ("site_visit_cls_count", 1.0)]
    {
        let found = figure(site, &format!("{series}{labels}")).await;
        assert!((found - expected).abs() < 1e-9, "{series}: {found}");
    }
    assert_eq!(*world.backend.unknown_paths.lock().expect("paths"), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_our_own_programs_are_not_counted() {
    let world = World::start().await.connected().await;
    let site = &world.site;
    runtime::metrics::install(METRICS);
    let counted = concat!(
        "http_server_request_duration_seconds_count",
        r#"{http_request_method="PATCH",http_route="/{*page}",http_response_status_code="405"}"#
    );
    for (agent, times) in [("almijara/0.1.0", 0.0), ("Mozilla/5.0", 1.0)] {
        let asked = site.request(Method::PATCH, "/about").header(header::USER_AGENT, agent);
        let answer = asked.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
        let found = figure(site, counted).await;
        assert!((found - times).abs() < f64::EPSILON, "{agent}: {found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_report_is_rejected_with_its_field() {
    let world = World::start().await.connected().await;
    let site = &world.site;
    runtime::metrics::install(METRICS);
    for (visit, field) in [
        (json!({ "page": "article", "phone": false, "lcp": 10, "address": "/news" }), "address"),
        (json!({ "page": "article", "phone": false, "lcp": 600_001 }), "lcp"),
        (json!({ "page": "article", "phone": false, "lcp": 10, "cls": -0.1 }), "cls"),
        (json!({ "page": "article", "phone": "no", "lcp": 10 }), "phone"),
        (json!({ "page": "/news/one", "phone": false, "lcp": 10 }), "page"),
        (json!([]), "body"),
    ] {
        let answer = send_report(site, &visit).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{visit}");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let right = json!({ "page": "article", "phone": false, "lcp": 10 }).to_string();
    let report = || {
        let report = site.request(Method::POST, "/api/vitals");
        report.header(header::CONTENT_TYPE, "application/json")
    };
    let other = report().header(header::ORIGIN, "https://other.example").body(right.clone());
    let large = report().body(format!("{right}{}", " ".repeat(1_024)));
    let form = site
        .request(Method::POST, "/api/vitals")
        .header(header::CONTENT_TYPE, "text/plain")
        .body(right);
    let asked = site.request(Method::GET, "/api/vitals");
    for (request, status, code) in [
        (other, StatusCode::FORBIDDEN, "other-origin"),
        (large, StatusCode::PAYLOAD_TOO_LARGE, "too-large"),
        (form, StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json"),
        (asked, StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed"),
    ] {
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), status);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
        let problem: Value = answer.json().await.expect("JSON");
        assert_eq!(problem["type"], format!("urn:almijara:problem:{code}"));
    }
    assert!(!metrics(site).await.contains(r#"page="article""#));
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_of_one_address_are_rate_limited() {
    let world = World::start_with(|config| config.rate_limit = 1).await.connected().await;
    let visit = json!({ "page": "other", "phone": false });
    let mut refused = None;
    for _ in 0..20 {
        let answer = send_report(&world.site, &visit).await;
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    assert_eq!(refused.expect("a refusal").headers()[header::RETRY_AFTER], "2");
}
