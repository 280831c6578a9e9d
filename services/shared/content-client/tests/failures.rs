//! Results of calls when the service misbehaves.
#![expect(clippy::expect_used, reason = "a test fails loudly")]

use std::time::{Duration, Instant};

use content_client::{Client, Error, Reading, Writer};
use contracts::{AggregateId, Collection};
use runtime::Disposition;
use serde_json::{Value, json};
use wiremock::{Mock, MockServer, ResponseTemplate, matchers::any};

async fn service_with(answers: Vec<ResponseTemplate>) -> (MockServer, Client) {
    runtime::install_crypto_provider();
    let server = MockServer::start().await;
    let last = answers.len().saturating_sub(1);
    for (index, answer) in answers.into_iter().enumerate() {
        let mock = Mock::given(any()).respond_with(answer).with_priority(to_priority(index));
        if index == last {
            mock.mount(&server).await;
        } else {
            mock.up_to_n_times(1).mount(&server).await;
        }
    }
    let url = server.uri().parse().expect("an address");
    let client = Client::new(url, "token".into()).expect("a client");
    (server, client)
}

fn to_priority(index: usize) -> u8 {
    u8::try_from(index + 1).expect("few answers")
}

fn answer(status: u16, body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(body)
}

fn failure(status: u16, code: &str) -> ResponseTemplate {
    answer(status, &json!({ "errors": [{ "message": "No.", "extensions": { "code": code } }] }))
}

fn nothing() -> ResponseTemplate {
    answer(200, &json!({ "data": [] }))
}

fn property() -> AggregateId {
    AggregateId::new(Collection::Properties, "42")
}

async fn requests(server: &MockServer) -> usize {
    server.received_requests().await.expect("requests are recorded").len()
}

#[tokio::test]
async fn a_short_failure_is_retried() {
    let unavailable = || failure(503, "SERVICE_UNAVAILABLE");
    let (server, client) = service_with(vec![unavailable(), unavailable(), nothing()]).await;
    assert_eq!(client.read(&property()).await.expect("a reading"), Reading::Absent);
    assert_eq!(requests(&server).await, 3);
}

#[tokio::test]
async fn a_lasting_failure_is_returned_after_a_few_attempts() {
    let (server, client) = service_with(vec![failure(503, "SERVICE_UNAVAILABLE")]).await;
    let error = client.read(&property()).await.expect_err("it never answers");
    assert!(matches!(&error, Error::Unavailable(it) if it.has("SERVICE_UNAVAILABLE")), "{error:?}");
    assert_eq!(error.disposition(), Disposition::Retry);
    assert_eq!(requests(&server).await, 4);
}

#[tokio::test]
async fn a_call_waits_until_the_rate_limit_resets() {
    let reset = chrono::Utc::now() + chrono::TimeDelta::milliseconds(700);
    let limited = answer(
        429,
        &json!({ "errors": [{ "message": "Too many.", "extensions": {
            "code": "REQUESTS_EXCEEDED", "limit": 50, "reset": reset.to_rfc3339(),
        } }] }),
    )
    .insert_header("retry-after", "0");
    let (_server, client) = service_with(vec![limited, nothing()]).await;
    client.read(&property()).await.expect("a reading");
    assert!(chrono::Utc::now() >= reset, "it was asked again too early");
}

#[tokio::test]
async fn a_long_rate_limit_is_returned_to_the_caller() {
    let reset = chrono::Utc::now() + chrono::TimeDelta::minutes(10);
    let extensions = json!({ "code": "REQUESTS_EXCEEDED", "reset": reset.to_rfc3339() });
    let body = json!({ "errors": [{ "message": "Too many.", "extensions": extensions }] });
    let (server, client) = service_with(vec![answer(429, &body)]).await;
    match client.read(&property()).await.expect_err("it is refused") {
        Error::RateLimited { wait } => assert!(wait > Duration::from_mins(5), "{wait:?}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn forbidden_is_not_absent() {
    let (server, client) = service_with(vec![failure(403, "FORBIDDEN")]).await;
    let error = client.read(&property()).await.expect_err("it is refused");
    assert!(matches!(error, Error::NotFoundOrForbidden(_)), "{error:?}");
    assert_eq!(error.disposition(), Disposition::Halt);
    assert_eq!(requests(&server).await, 1, "a refusal does not pass");
}

#[tokio::test]
async fn a_malformed_response_is_an_error() {
    for nonsense in [
        ResponseTemplate::new(200).set_body_string("<html>Welcome</html>"),
        answer(200, &json!({ "data": null })),
        answer(200, &json!({ "data": [{ "status": "published" }] })),
        ResponseTemplate::new(204),
    ] {
        let (_server, client) = service_with(vec![nonsense]).await;
        let error = client.read(&property()).await.expect_err("it makes no sense");
        assert!(matches!(error, Error::Malformed { .. }), "{error:?}");
        assert_eq!(error.disposition(), Disposition::Park);
    }
}

#[tokio::test]
async fn a_response_with_errors_fails_with_all_of_them() {
    let errors = json!([
        { "message": "No price.", "extensions": { "code": "FAILED_VALIDATION" } },
        { "message": "No place." },
    ]);
    let expected = [("FAILED_VALIDATION", "No price."), ("", "No place.")];
    for (status, body) in [
        (400, json!({ "errors": errors })),
        // Data beside errors is ignored.
        (200, json!({ "data": [], "errors": errors })),
        (200, json!({ "data": null, "errors": errors })),
    ] {
        let (_server, client) = service_with(vec![answer(status, &body)]).await;
        let error = client.read(&property()).await.expect_err("it tells of errors");
        let Error::Refused(refusal) = &error else { panic!("{error:?}") };
        let found: Vec<_> =
            refusal.errors.iter().map(|it| (it.code.as_str(), it.message.as_str())).collect();
        assert_eq!((refusal.status.as_u16(), found.as_slice()), (status, &expected[..]));
        let words = format!("{status} FAILED_VALIDATION: No price.; No place.");
        assert_eq!(error.to_string(), format!("the content service answered {words}"));
    }
    let none = answer(200, &json!({ "data": [], "errors": null }));
    let (_server, client) = service_with(vec![none]).await;
    assert_eq!(client.read(&property()).await.expect("a reading"), Reading::Absent);
}

#[tokio::test]
async fn a_text_response_is_quoted_in_the_error() {
    let page = "<html>\n  <title>502 Bad Gateway</title>\n</html>";
    let text = "<html> <title>502 Bad Gateway</title> </html>";
    for (status, kind) in [(200, "text/html"), (500, "text/html"), (404, "text/plain")] {
        let body = ResponseTemplate::new(status).set_body_raw(page, kind);
        let (_server, client) = service_with(vec![body]).await;
        let error = client.read(&property()).await.expect_err("it is no content");
        let message = runtime::error_text(&error);
        assert!(message.ends_with(text), "{status}: {message}");
    }
    // A truncated JSON response may contain a draft, which must not be logged.
    let cut = ResponseTemplate::new(200).set_body_string(r#"{ "data": [{ "title": "Secret""#);
    let (_server, client) = service_with(vec![cut]).await;
    let error = client.read(&property()).await.expect_err("it is cut off");
    let message = runtime::error_text(&error);
    assert!(!message.contains("Secret"), "{message}");
}

#[tokio::test]
async fn requests_are_authorized_only_with_a_token() {
    let (server, client) = service_with(vec![nothing()]).await;
    client.read(&property()).await.expect("a reading");
    let anonymous = Client::new(server.uri().parse().expect("an address"), "".into());
    anonymous.expect("a client").read(&property()).await.expect("a reading");
    let asked = server.received_requests().await.expect("requests are recorded");
    let header = |at: usize, name: &str| {
        asked[at].headers.get(name).map(|value| value.to_str().expect("a text").to_owned())
    };
    assert_eq!(header(0, "authorization").as_deref(), Some("Bearer token"));
    assert_eq!(header(1, "authorization"), None);
    for at in [0, 1] {
        assert_eq!(header(at, "content-type").as_deref(), Some("application/json"));
    }
}

#[tokio::test]
async fn a_truncated_list_is_an_error() {
    let cut = |counted: u64| {
        answer(
            200,
            &json!({
                "meta": { "filter_count": counted },
                "data": [{ "id": 1, "status": "published" }],
            }),
        )
    };
    let (_server, client) = service_with(vec![cut(2)]).await;
    let error = client.ids(Collection::Pages).await.expect_err("it is cut off");
    assert!(matches!(error, Error::Partial { listed: 1, counted: 2, .. }), "{error:?}");
    assert!(error.is_transient());

    let (_server, client) = service_with(vec![cut(2), cut(1)]).await;
    assert_eq!(client.ids(Collection::Pages).await.expect("a whole list").len(), 1);
}

#[tokio::test]
async fn a_call_to_a_hanging_service_times_out() {
    let (server, client) = service_with(vec![nothing().set_delay(Duration::from_mins(1))]).await;
    let started = Instant::now();
    let error = client.read(&property()).await.expect_err("it hangs");
    assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(requests(&server).await, 1);
}

#[tokio::test]
async fn the_error_states_why_the_service_is_unreachable() {
    runtime::install_crypto_provider();
    // The port is bound, but nothing listens on it.
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 0, 1], 0).into()).expect("a free port");
    let url = format!("http://{}", socket.local_addr().expect("it is bound"));
    let client = Client::new(url.parse().expect("an address"), "token".into());
    let error = client.expect("a client").read(&property()).await.expect_err("nobody listens");
    assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
    let message = runtime::error_text(&error);
    assert!(message.starts_with("the content service can't be reached: "), "{message}");
    assert_eq!(message.matches("refused").count(), 1, "{message}");
}

#[tokio::test]
async fn an_impossible_key_is_absent_without_a_request() {
    let (server, client) = service_with(vec![nothing()]).await;
    for key in ["abc", "99999999999", "1.5", "", "-1"] {
        let id = AggregateId::new(Collection::Properties, key);
        assert_eq!(client.read(&id).await.expect("a reading"), Reading::Absent);
    }
    assert_eq!(requests(&server).await, 0);
}

fn redirects(server: &MockServer) -> Writer {
    let url = format!("{}/content/", server.uri()).parse().expect("an address");
    Writer::new(url, "token".into(), "redirects", Duration::from_secs(5)).expect("a client")
}

#[tokio::test]
async fn what_is_written_is_sent_once_with_the_token() {
    let (server, _) = service_with(vec![ResponseTemplate::new(204)]).await;
    let writer = redirects(&server);
    writer.create(&json!({ "to_path": "/new" })).await.expect("it is created");
    writer.update("7", &json!({ "to_path": "/newer" })).await.expect("it is updated");
    writer.delete(&json!({ "id": { "_in": ["7"] } })).await.expect("it is deleted");
    let received = server.received_requests().await.expect("requests are recorded");
    let calls: Vec<_> = received
        .iter()
        .map(|call| {
            assert_eq!(call.headers["authorization"], "Bearer token");
            let body: Value = call.body_json().expect("JSON");
            (call.method.as_str(), call.url.path(), body)
        })
        .collect();
    let all = json!({ "query": { "filter": { "id": { "_in": ["7"] } }, "limit": -1 } });
    assert_eq!(
        calls,
        [
            ("POST", "/content/items/redirects", json!({ "to_path": "/new" })),
            ("PATCH", "/content/items/redirects/7", json!({ "to_path": "/newer" })),
            ("DELETE", "/content/items/redirects", all),
        ]
    );
}

#[tokio::test]
async fn a_refused_item_is_not_sent_again_and_the_error_has_its_code() {
    for (status, code) in [(400, Writer::NOT_UNIQUE), (403, "FORBIDDEN"), (503, "UNAVAILABLE")] {
        let (server, _) = service_with(vec![failure(status, code)]).await;
        let error = redirects(&server).create(&json!({})).await.expect_err("it is refused");
        let refusal = error.refusal().expect("an answer");
        assert_eq!((refusal.status.as_u16(), refusal.code()), (status, code));
        assert_eq!(requests(&server).await, 1, "{status}");
    }
}
