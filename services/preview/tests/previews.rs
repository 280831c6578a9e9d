//! The preview role, against mocks of the content service and the query service.
#![expect(clippy::expect_used, reason = "a test that can't set itself up must fail loudly")]

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use chrono::{TimeDelta, Utc};
use preview::{Config, TICKET_HEADER};
use preview_ticket::{LIFETIME, Purpose, Signer};
use reqwest::StatusCode;
use runtime::Process;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use wiremock::{
    Mock, MockServer, Request, ResponseTemplate,
    matchers::{header, method, path, path_regex, query_param, query_param_is_missing},
};

const SECRET: &str = "a-secret-of-more-than-32-characters";
const TOKEN: &str = "reads-drafts";
const HOME: &str = "/api/properties/AH-7?locale=en";
/// The maximum time that a test waits for anything.
const DEADLINE: Duration = Duration::from_secs(30);

struct Role {
    content: MockServer,
    query: MockServer,
    process: Process,
    address: SocketAddr,
}

impl Role {
    async fn start() -> Self {
        runtime::install_crypto_provider();
        let (content, query) = (MockServer::start().await, MockServer::start().await);
        let process = Process::new();
        let port = local_servers::free_port().expect("a free port");
        let config = Config {
            preview_secret: SECRET.into(),
            content_url: content.uri().parse().expect("a URL"),
            preview_token: TOKEN.into(),
            query_url: query.uri().parse().expect("a URL"),
            studio_url: "https://studio.example".parse().expect("a URL"),
            host: [127, 0, 0, 1].into(),
            port,
        };
        preview::run(config, &process).await.expect("it starts");
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        while tokio::net::TcpStream::connect(address).await.is_err() {
            tokio::task::yield_now().await;
        }
        Self { content, query, process, address }
    }

    /// Mocks a content service that has the item `main` in `collection`, and its `draft`, if any.
    async fn content_has(&self, collection: &str, main: Value, draft: Option<Value>) {
        let items = || Mock::given(method("GET")).and(path(format!("/items/{collection}")));
        let of = |items: Value| ResponseTemplate::new(200).set_body_json(json!({ "data": items }));
        items()
            .and(header("authorization", format!("Bearer {TOKEN}").as_str()))
            .and(query_param_is_missing("version"))
            .respond_with(of(json!([main])))
            .mount(&self.content)
            .await;
        let by_key = format!("/items/{collection}/{}", main["id"]);
        let response = match &draft {
            Some(draft) => ResponseTemplate::new(200).set_body_json(json!({ "data": draft })),
            None => forbidden(),
        };
        Mock::given(path(by_key))
            .and(query_param("version", "draft"))
            .respond_with(response)
            .mount(&self.content)
            .await;
        let versions: Vec<Value> = draft.iter().map(|_| json!({ "id": "a-version" })).collect();
        Mock::given(path("/versions")).respond_with(of(json!(versions))).mount(&self.content).await;
    }

    /// Starts the role with a home that is published at 300,000 and has a draft with a lower price and another
    /// title.
    async fn with_a_draft() -> Self {
        let role = Self::start().await;
        let draft = home("published", 280_000, "Zanzibar");
        role.content_has("properties", home("published", 300_000, "A house"), Some(draft)).await;
        role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
        role
    }

    /// Mocks a query service that answers `route` with `answer`, or with a 404.
    async fn query_answers(&self, route: &str, answer: Option<Value>) {
        let response = match answer {
            Some(answer) => ResponseTemplate::new(200).set_body_json(answer),
            None => ResponseTemplate::new(404),
        };
        let request = Mock::given(path(route));
        request.respond_with(response).mount(&self.query).await;
    }

    async fn ask(&self, path: &str, ticket: &str) -> (StatusCode, Value) {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let url = format!("http://{}{path}", self.address);
        let answer = client.get(url).header(TICKET_HEADER, ticket).send().await.expect("an answer");
        assert_eq!(answer.headers()["cache-control"], "no-store");
        assert_eq!(answer.headers()["x-robots-tag"], "noindex");
        let status = answer.status();
        (status, answer.json().await.unwrap_or_default())
    }

    /// Returns the requests to the content service, except those of the health check.
    async fn content_requests(&self) -> Vec<Request> {
        let mut requests = self.content.received_requests().await.expect("they are recorded");
        requests.retain(|request| request.url.query() != Some("fields=id&limit=1"));
        requests
    }

    /// Waits until exactly these `checks` fail.
    async fn wait_for_failing(&self, checks: &[&str]) {
        let until = Instant::now() + DEADLINE;
        loop {
            let failing = self.process.health().failing();
            if failing.keys().eq(checks) {
                return;
            }
            assert!(Instant::now() < until, "{failing:?} fail, not {checks:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn stop(self) {
        self.process.finish().await.expect("a clean shutdown");
    }
}

fn forbidden() -> ResponseTemplate {
    let errors =
        json!([{ "message": "You don't have permission", "extensions": { "code": "FORBIDDEN" } }]);
    ResponseTemplate::new(403).set_body_json(json!({ "errors": errors }))
}

fn ticket(purpose: Purpose, ends: TimeDelta) -> String {
    let signer = Signer::new(SECRET.into()).expect("a secret");
    signer.sign(
        purpose,
        "0f8470da-8519-4420-8d5d-ae4d58b58e5f".parse().expect("an id"),
        Utc::now() + ends,
    )
}

fn good() -> String {
    ticket(Purpose::Preview, LIFETIME)
}

fn home(status: &str, price: i64, title: &str) -> Value {
    json!({
        "id": 7, "status": status, "ref": "AH-7", "listing_status": "for_sale",
        "property_type": "house", "kind": "villa", "price": price, "images": [],
        "energy_rating": "B", "date_created": "2026-01-01T00:00:00Z",
        "location": { "id": 1, "status": "published", "slug": "nerja",
                      "translations": [{ "languages_code": "en-GB", "name": "Nerja" }] },
        "translations": [{ "id": 1, "languages_code": "en-GB", "title": title,
                           "summary": "", "description": "<p>Light.</p><script>x</script>" }],
    })
}

/// Returns the part of the read API's answer about the home that a preview uses.
fn published(price: i64, title: &str) -> Value {
    json!({ "ref": "AH-7", "title": title, "price": price, "summary": "", "sequence": 12,
            "history": [{ "at": "2026-01-01T00:00:00Z", "price": price, "status": "for_sale" }],
            "similar": [], "images": [] })
}

#[tokio::test]
async fn a_draft_is_answered_as_the_read_api_would() {
    let role = Role::with_a_draft().await;
    let (status, body) = role.ask(HOME, &good()).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let answer = &body["answer"];
    assert_eq!((&answer["title"], &answer["price"]), (&json!("Zanzibar"), &json!(280_000)));
    assert_eq!(answer["url"], "/property-for-sale/nerja/AH-7");
    assert_eq!(
        answer["description"], "<p>Light.</p>",
        "scripts are removed from the editors' HTML"
    );
    assert_eq!(answer["summary"], "Light.", "made from the description");
    assert_eq!(answer["history"][0]["price"], 300_000, "the published history");
    let told = &body["preview"];
    assert_eq!((&told["collection"], &told["item"]), (&json!("properties"), &json!("7")));
    assert_eq!((&told["draft"], &told["published"]), (&json!(true), &json!(true)));
    assert_eq!(told["studio"], "https://studio.example");
    let differs = |field: &str| {
        let all = told["differences"].as_array().expect("a list");
        all.iter().find(|it| it["field"] == field).cloned().unwrap_or_default()
    };
    assert_eq!(differs("price"), json!({ "field": "price", "old": 300_000, "new": 280_000 }));
    assert_eq!(differs("title")["new"], "Zanzibar");
    assert_eq!(told["refused"], json!([]));

    let (_, body) = role.ask("/api/properties/AH-7?locale=en&version=published", &good()).await;
    assert_eq!(body["answer"]["title"], "A house");
    assert_eq!(body["preview"]["draft"], false);
    role.stop().await;
}

#[tokio::test]
async fn without_a_draft_the_item_itself_is_shown_published_or_not() {
    let role = Role::start().await;
    role.content_has("properties", home("draft", 300_000, "Not yet"), None).await;
    role.query_answers("/api/properties/AH-7", None).await;
    let (status, body) = role.ask(HOME, &good()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["answer"]["title"], "Not yet");
    assert_eq!(
        (&body["preview"]["published"], &body["preview"]["status"]),
        (&json!(false), &json!("draft"))
    );
    role.stop().await;
}

#[tokio::test]
async fn a_draft_that_changes_its_reference_is_compared_with_what_is_published_under_the_old_one() {
    let role = Role::start().await;
    let items = || Mock::given(path("/items/properties"));
    let of = |items: Value| ResponseTemplate::new(200).set_body_json(json!({ "data": items }));
    let mut draft = home("published", 300_000, "A house");
    draft["ref"] = json!("AH-8");
    for (filter, found) in [
        (json!({ "ref": { "_eq": "AH-8" } }), json!([])),
        (json!({ "id": { "_eq": "7" } }), json!([{ "ref": "AH-7" }])),
    ] {
        items()
            .and(query_param("filter", filter.to_string()))
            .respond_with(of(found))
            .mount(&role.content)
            .await;
    }
    let is_a_draft = || query_param("version", "draft");
    items().and(is_a_draft()).respond_with(of(json!([draft]))).mount(&role.content).await;
    Mock::given(path("/items/properties/7"))
        .and(is_a_draft())
        .respond_with(of(draft))
        .mount(&role.content)
        .await;
    role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
    role.query_answers("/api/properties/AH-8", None).await;
    let (status, body) = role.ask("/api/properties/AH-8?locale=en", &good()).await;
    assert_eq!((status, &body["answer"]["ref"]), (StatusCode::OK, &json!("AH-8")), "{body}");
    let told = &body["preview"];
    assert_eq!((&told["draft"], &told["published"]), (&json!(true), &json!(true)));
    let differs = told["differences"].as_array().expect("a list");
    let name = json!({ "field": "ref", "old": "AH-7", "new": "AH-8" });
    assert!(differs.contains(&name), "{body}");
    role.stop().await;
}

/// For a list the content service computes the versions of all items, whatever the filter.
#[tokio::test]
async fn only_the_version_of_one_item_is_requested() {
    let role = Role::with_a_draft().await;
    let (status, body) = role.ask(HOME, &good()).await;
    assert_eq!((status, &body["answer"]["title"]), (StatusCode::OK, &json!("Zanzibar")));
    let requests = role.content_requests().await;
    let requests: Vec<(&str, bool)> = requests
        .iter()
        .map(|request| {
            let has_version = request.url.query_pairs().any(|(name, _)| name == "version");
            (request.url.path(), has_version)
        })
        .collect();
    assert_eq!(requests, [("/items/properties", false), ("/items/properties/7", true)]);
    role.stop().await;
}

#[tokio::test]
async fn a_version_that_can_t_be_stored_is_found_in_the_list() {
    let role = Role::start().await;
    let refused = json!({ "errors": [{ "message": "Invalid foreign key",
                                       "extensions": { "code": "INVALID_FOREIGN_KEY" } }] });
    Mock::given(path("/items/properties/7"))
        .respond_with(ResponseTemplate::new(400).set_body_json(refused))
        .mount(&role.content)
        .await;
    let of = |item: Value| ResponseTemplate::new(200).set_body_json(json!({ "data": [item] }));
    let items = || Mock::given(path("/items/properties"));
    items()
        .and(query_param_is_missing("version"))
        .respond_with(of(home("published", 300_000, "A house")))
        .mount(&role.content)
        .await;
    items()
        .and(query_param("version", "draft"))
        .respond_with(of(home("published", 280_000, "Zanzibar")))
        .mount(&role.content)
        .await;
    role.query_answers("/api/properties/AH-7", None).await;
    let (status, body) = role.ask(HOME, &good()).await;
    assert_eq!((status, &body["answer"]["title"]), (StatusCode::OK, &json!("Zanzibar")));
    assert_eq!(body["preview"]["draft"], true);
    role.stop().await;
}

#[tokio::test]
async fn a_version_that_may_not_be_read_does_not_count_as_missing() {
    let role = Role::start().await;
    let item = json!({ "data": [home("published", 300_000, "A house")] });
    Mock::given(path("/items/properties"))
        .respond_with(ResponseTemplate::new(200).set_body_json(item))
        .mount(&role.content)
        .await;
    for refused in ["/items/properties/7", "/versions"] {
        Mock::given(path(refused)).respond_with(forbidden()).mount(&role.content).await;
    }
    role.query_answers("/api/properties/AH-7", None).await;
    assert_eq!(role.ask(HOME, &good()).await.0, StatusCode::SERVICE_UNAVAILABLE);
    role.stop().await;
}

#[tokio::test]
async fn refused_values_are_reported_in_the_readers_language_and_keep_the_published_value() {
    let role = Role::start().await;
    role.content_has(
        "properties",
        home("published", 300_000, "A house"),
        Some(home("published", -5, "Zanzibar")),
    )
    .await;
    role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
    let (_, english) = role.ask(HOME, &good()).await;
    assert_eq!(english["answer"]["title"], "Zanzibar");
    assert_eq!(english["answer"]["price"], 300_000, "as it was");
    let refused = &english["preview"]["refused"][0];
    assert_eq!((&refused["field"], &refused["value"]), (&json!("price"), &json!("-5")));
    let (_, spanish) = role.ask("/api/properties/AH-7?locale=es", &good()).await;
    let words = |body: &Value| body["preview"]["refused"][0]["rule"].as_str().map(str::to_owned);
    assert_ne!(words(&english), words(&spanish));
    role.stop().await;
}

#[tokio::test]
async fn omitted_pictures_are_reported_in_the_readers_language() {
    let role = Role::start().await;
    let mut draft = home("published", 300_000, "Zanzibar");
    draft["images"] = json!([{ "id": 1, "sort": 1, "directus_files_id": {
        "id": "9d5a1d1c-6f43-4a52-8f0e-0f6f6b1f2c11", "modified_on": null, "type": "image/heic",
        "filename_download": "IMG_0007.HEIC", "width": null, "height": null,
    } }]);
    role.content_has("properties", home("published", 300_000, "A house"), Some(draft)).await;
    role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
    for (locale, words) in [("en", "must be a picture"), ("es", "debe ser una imagen")] {
        let path = format!("/api/properties/AH-7?locale={locale}");
        let (_, body) = role.ask(&path, &good()).await;
        let left_out = &body["preview"]["leftOut"];
        assert_eq!(left_out.as_array().map(Vec::len), Some(1), "{body}");
        assert_eq!(left_out[0]["field"], "images[1]");
        assert!(left_out[0]["value"].as_str().is_some_and(|value| value.contains("IMG_0007.HEIC")));
        assert!(left_out[0]["rule"].as_str().is_some_and(|rule| rule.starts_with(words)), "{body}");
        assert_eq!(body["preview"]["refused"], json!([]), "it can be published");
    }
    role.stop().await;
}

fn guide(slug: &Value, title: &str) -> Value {
    json!({ "id": 3, "status": "published", "slug": slug, "sort": 1,
            "translations": [{ "languages_code": "en-GB", "title": title, "summary": "", "body": "" }] })
}

#[tokio::test]
async fn a_guide_is_previewed_at_its_path_and_the_first_one_at_the_empty_path() {
    for (address, slug) in
        [("/api/docs/buying/nie-number", json!("buying/nie-number")), ("/api/docs", Value::Null)]
    {
        let role = Role::start().await;
        let contents =
            json!([{ "slug": "", "title": "Guides" }, { "slug": "buying", "title": "B" }]);
        let published = json!({ "title": "A guide", "slug": slug.as_str().unwrap_or_default(),
                                "summary": "", "body": "", "contents": contents });
        role.content_has("docs", guide(&slug, "A guide"), Some(guide(&slug, "Zanzibar"))).await;
        role.query_answers(address, Some(published)).await;
        let (status, body) = role.ask(&format!("{address}?locale=en"), &good()).await;
        assert_eq!(status, StatusCode::OK, "{address}: {body}");
        assert_eq!(body["answer"]["title"], "Zanzibar", "{address}");
        assert_eq!(body["answer"]["contents"], contents, "the list is as it is published");
        let differs = body["preview"]["differences"].as_array().expect("a list");
        let fields: Vec<&Value> = differs.iter().map(|difference| &difference["field"]).collect();
        assert_eq!(fields, ["title"], "{address}");
        let requests = role.content_requests().await;
        let filter = requests[0].url.query_pairs().find(|(name, _)| name == "filter");
        let filter: Value = serde_json::from_str(&filter.expect("a filter").1).expect("JSON");
        let looks_for_none = filter["slug"] == json!({ "_empty": true });
        assert_eq!(looks_for_none, address == "/api/docs", "{filter}");
        role.stop().await;
    }
}

#[tokio::test]
async fn a_place_is_previewed_with_its_published_prices() {
    let role = Role::start().await;
    let place = |intro: &str| {
        json!({ "id": 2, "status": "published", "slug": "nerja", "sort": 1, "part_of": null,
                "lat": null, "lng": null, "image": null,
                "translations": [{ "languages_code": "en-GB", "name": "Nerja", "intro": intro,
                                   "description": "" }] })
    };
    let prices = json!({ "at": "2026-01-01T00:00:00Z", "price": { "homes": 9, "euros": 1 },
                         "metreOfFlats": null, "metreOfHouses": null });
    let published = json!({ "slug": "nerja", "name": "Nerja", "intro": "A town.", "description": "",
                            "language": "en", "prices": prices });
    role.content_has("locations", place("A town."), Some(place("Zanzibar"))).await;
    role.query_answers("/api/locations/nerja", Some(published)).await;
    let (status, body) = role.ask("/api/locations/nerja?locale=en", &good()).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["answer"]["intro"], "Zanzibar");
    assert_eq!(body["answer"]["prices"], prices);
    let differs = body["preview"]["differences"].as_array().expect("a list");
    let fields: Vec<&Value> = differs.iter().map(|difference| &difference["field"]).collect();
    assert_eq!(fields, ["intro"]);
    role.stop().await;
}

/// A place in Nerja.
fn place(status: &str, name: &str) -> Value {
    json!({ "id": 2, "status": status, "slug": "maro", "sort": 1, "lat": null, "lng": null,
            "image": null,
            "part_of": { "id": 1, "status": "published", "slug": "nerja", "part_of": null },
            "translations": [{ "languages_code": "en-GB", "name": name, "intro": "",
                               "description": "" }] })
}

/// The answer of `/api/site`, with these places.
fn site(locations: &Value) -> Value {
    json!({ "settings": null, "navigation": {}, "locations": locations, "sequence": 12 })
}

#[tokio::test]
async fn an_unpublished_place_is_added_to_the_site_for_its_page() {
    let role = Role::start().await;
    let nerja = json!({ "slug": "nerja", "name": "Nerja" });
    role.content_has("locations", place("draft", "Maro"), None).await;
    role.query_answers("/api/locations/maro", None).await;
    role.query_answers("/api/site", Some(site(&json!([nerja])))).await;
    let (status, body) = role.ask("/api/locations/maro?locale=en", &good()).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["answer"]["name"], "Maro");
    let told = &body["preview"];
    assert_eq!((&told["status"], &told["published"]), (&json!("draft"), &json!(false)));

    let (status, body) = role.ask("/api/site?locale=en&place=maro", &good()).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let maro = json!({ "slug": "maro", "name": "Maro", "partOf": "nerja" });
    assert_eq!(body["answer"], site(&json!([nerja, maro])));
    assert_eq!(body["preview"], Value::Null, "it is in the place's own answer");
    for odd in ["/api/site?locale=en", "/api/site?place=maro&colour=red"] {
        assert_eq!(role.ask(odd, &good()).await.0, StatusCode::BAD_REQUEST, "{odd}");
    }
    role.stop().await;
}

#[tokio::test]
async fn the_site_has_the_name_of_the_drafted_place() {
    let role = Role::start().await;
    let published = json!([{ "slug": "maro", "name": "Maro", "partOf": "nerja" },
                           { "slug": "nerja", "name": "Nerja" }]);
    role.content_has("locations", place("published", "Maro"), Some(place("published", "Zanzibar")))
        .await;
    role.query_answers("/api/site", Some(site(&published))).await;
    let (_, body) = role.ask("/api/site?locale=en&place=maro", &good()).await;
    let names = |body: &Value| -> Vec<Value> {
        let places = body["answer"]["locations"].as_array().cloned().unwrap_or_default();
        places.iter().map(|place| place["name"].clone()).collect()
    };
    assert_eq!(names(&body), ["Zanzibar", "Nerja"], "{body}");
    let (_, body) = role.ask("/api/site?locale=en&place=maro&version=published", &good()).await;
    assert_eq!(names(&body), ["Maro", "Nerja"], "{body}");
    role.stop().await;
}

#[tokio::test]
async fn an_unknown_place_leaves_the_site_as_published() {
    let role = Role::start().await;
    let none = ResponseTemplate::new(200).set_body_json(json!({ "data": [] }));
    Mock::given(path("/items/locations")).respond_with(none).mount(&role.content).await;
    let published = site(&json!([{ "slug": "nerja", "name": "Nerja" }]));
    role.query_answers("/api/site", Some(published.clone())).await;
    let (status, body) = role.ask("/api/site?locale=en&place=maro", &good()).await;
    assert_eq!((status, &body["answer"]), (StatusCode::OK, &published));
    role.stop().await;
}

#[tokio::test]
async fn nothing_is_answered_without_a_valid_ticket() {
    let role = Role::start().await;
    role.content_has(
        "properties",
        home("published", 300_000, "A house"),
        Some(home("published", 1, "Zanzibar")),
    )
    .await;
    role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
    let whole = good();
    let (payload, _) = whole.split_once('.').expect("two parts");
    for refused in [
        String::new(),
        "draft".to_owned(),
        format!("{payload}.AAAA"),
        ticket(Purpose::Preview, TimeDelta::seconds(-1)),
        ticket(Purpose::Handover, TimeDelta::seconds(50)),
    ] {
        for path in [HOME, "/media/0f8470da-8519-4420-8d5d-ae4d58b58e5f/1/160.jpg"] {
            let (status, body) = role.ask(path, &refused).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED, "{refused}: {path}");
            assert!(!body.to_string().contains("Zanzibar"));
        }
    }
    let requests = role.content_requests().await;
    assert!(requests.is_empty(), "the content service was called without a valid ticket");
    role.stop().await;
}

#[tokio::test]
async fn an_unavailable_content_service_does_not_count_as_a_missing_draft() {
    let role = Role::start().await;
    role.query_answers("/api/properties/AH-7", Some(published(300_000, "A house"))).await;
    let refuses = ResponseTemplate::new(403).set_body_json(json!({ "errors": [] }));
    Mock::given(path("/items/properties")).respond_with(refuses).mount(&role.content).await;
    let (status, _) = role.ask(HOME, &good()).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    role.stop().await;
}

#[tokio::test]
async fn an_invalid_name_is_refused_without_calling_the_content_service() {
    let role = Role::start().await;
    for path in ["/api/properties/a%20b", "/api/pages/a%20b", "/api/articles/..%2f"] {
        let (status, _) = role.ask(path, &good()).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
    let odd = "/api/properties/AH-7?locale=en&colour=red";
    assert_eq!(role.ask(odd, &good()).await.0, StatusCode::BAD_REQUEST);
    assert!(role.content_requests().await.is_empty());
    role.stop().await;
}

#[tokio::test]
async fn pictures_wait_in_a_queue_that_does_not_delay_pages() {
    let role = Role::with_a_draft().await;
    let scaled = ResponseTemplate::new(200).set_body_bytes(b"a picture".to_vec());
    let scaled = scaled.set_delay(Duration::from_millis(500));
    Mock::given(path_regex("^/assets/")).respond_with(scaled).mount(&role.content).await;
    let client = reqwest::Client::builder().no_proxy().build().expect("a client");
    let mut pictures = JoinSet::new();
    for version in 0..20 {
        let path = format!("/media/0f8470da-8519-4420-8d5d-ae4d58b58e5f/{version}/160.webp");
        let url = format!("http://{}{path}", role.address);
        pictures.spawn(client.get(url).header(TICKET_HEADER, good()).send());
    }
    let until = Instant::now() + DEADLINE;
    while role.content_requests().await.is_empty() {
        assert!(Instant::now() < until, "no picture is requested");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (status, body) = role.ask(HOME, &good()).await;
    assert_eq!((status, &body["answer"]["title"]), (StatusCode::OK, &json!("Zanzibar")));
    while let Some(picture) = pictures.join_next().await {
        let picture = picture.expect("a task").expect("an answer");
        assert_eq!(picture.status(), StatusCode::OK);
    }
    role.stop().await;
}

#[tokio::test]
async fn the_role_is_ready_while_both_services_can_be_read() {
    let role = Role::start().await;
    role.wait_for_failing(&["content service"]).await;
    let content = async |token: &str| {
        let answer = ResponseTemplate::new(200).set_body_json(json!({ "data": [{ "id": 1 }] }));
        Mock::given(path("/items/pages"))
            .and(header("authorization", format!("Bearer {token}").as_str()))
            .respond_with(answer)
            .mount(&role.content)
            .await;
    };
    content(TOKEN).await;
    role.wait_for_failing(&[]).await;

    let away = || Mock::given(path("/api/site")).respond_with(ResponseTemplate::new(503));
    away().mount(&role.query).await;
    role.wait_for_failing(&["query service"]).await;
    role.query.reset().await;
    role.wait_for_failing(&[]).await;

    role.content.reset().await;
    content("another-token").await;
    role.wait_for_failing(&["content service"]).await;
    role.stop().await;
}
