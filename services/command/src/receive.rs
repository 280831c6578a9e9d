//! `POST /api/enquiries`, and its description.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use chrono::Utc;
use contracts::Reference;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Notify;
use utoipa::{OpenApi, ToSchema};

use crate::{
    consent::Press,
    enquiry::{
        AREA, Code, EnquiryRequest, Kind, LENGTHS, MAX_PICTURES, MAX_TIMES, REQUIRED, Receipt,
        Received, Refusal, check, store,
    },
    failure::away,
    rate::{EVERY, Rate},
    read_api::{Known, ReadApi},
    storage::Storage,
};

/// What a caller names an enquiry by, so that it is kept once however often it is sent.
const KEY_HEADER: &str = "idempotency-key";

/// As many ask about one home at once, and how soon once more, before somebody seems to make them up.
const HOME_BURST: u32 = 30;
const HOME_EVERY: Duration = Duration::from_mins(2);

/// What taking an enquiry needs.
#[derive(Debug)]
pub struct Receiver {
    storage: Storage,
    read_api: ReadApi,
    unpublished: Arc<Notify>,
    rate: Rate,
    rate_of_homes: Rate<Reference>,
}

impl Receiver {
    /// Keeps enquiries in `storage`, at most `burst` at once from one address, and says by `unpublished`
    /// that an event waits.
    pub fn new(storage: Storage, read_api: ReadApi, unpublished: Arc<Notify>, burst: u32) -> Self {
        let rate_of_homes = Rate::new(if burst == 0 { 0 } else { HOME_BURST }, HOME_EVERY);
        Self { storage, read_api, unpublished, rate: Rate::new(burst, EVERY), rate_of_homes }
    }
}

/// Fields that can't be taken, as problem+json.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvalidEnquiry {
    /// A stable name: `urn:almijara:problem:invalid-enquiry`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The same in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// Each field, in the order of the form.
    errors: Vec<Refusal>,
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Almijara write API",
        description = "What visitors send. It answers when what was sent is kept; the rest is done \
                       behind it."
    ),
    paths(take),
    components(schemas(
        EnquiryRequest,
        Kind,
        Receipt,
        InvalidEnquiry,
        Refusal,
        Code,
        Problem,
        FieldError
    ))
)]
struct Document;

/// The OpenAPI document of the calls, with the rules that forms keep too.
pub fn openapi() -> Value {
    let mut document = Document::openapi();
    document.merge(crate::receive_picture::Document::openapi());
    document.merge(crate::account::Document::openapi());
    document.merge(crate::alerts::Document::openapi());
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let enquiry = &mut document["components"]["schemas"]["EnquiryRequest"];
    for (field, least, most) in LENGTHS {
        let field = &mut enquiry["properties"][field];
        field["maxLength"] = json!(most);
        // An empty text counts as none, so the shortest is told beside what the schema allows.
        field["x-minLength"] = json!(least);
    }
    enquiry["properties"]["times"]["maxItems"] = json!(MAX_TIMES);
    enquiry["properties"]["pictures"]["maxItems"] = json!(MAX_PICTURES);
    enquiry["properties"]["builtArea"]["minimum"] = json!(AREA.0);
    enquiry["properties"]["builtArea"]["maximum"] = json!(AREA.1);
    for (kind, fields) in REQUIRED {
        enquiry["x-required"][kind.name()] = json!(fields);
    }
    document
}

/// The routes of the role.
pub fn router(receiver: Receiver) -> Router {
    Router::new()
        .route("/api/enquiries", post(take))
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed("POST") })
        .with_state(Arc::new(receiver))
}

/// Takes an enquiry.
///
/// The same `Idempotency-Key` again gives the first answer; so do the same words of the same sender
/// without one, for a day.
#[utoipa::path(
    post,
    path = "/api/enquiries",
    params(("Idempotency-Key" = Option<String>, Header, min_length = 16, max_length = 100)),
    request_body = EnquiryRequest,
    responses(
        (status = 201, description = "It is kept", body = Receipt),
        (status = 400, description = "It is no enquiry", body = Problem),
        (status = 413, description = "It is too long", body = Problem),
        (status = 415, description = "It is no JSON", body = Problem),
        (status = 422, description = "Fields can't be taken", body = InvalidEnquiry,
            content_type = "application/problem+json"),
        (status = 429, description = "The sender sends too much", body = Problem),
        (status = 503, description = "Nothing can be kept for a moment", body = Problem),
    )
)]
async fn take(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<EnquiryRequest>,
) -> Result<Response, Problem> {
    let key = key(&headers)?;
    let now = Utc::now();
    let hours = match request.kind {
        Kind::Viewing => receiver.read_api.opening_hours().await,
        _ => None,
    };
    let mut enquiry = match check(&request, hours.as_deref(), now) {
        Ok(enquiry) => enquiry,
        Err(refusals) => return Ok(refused(refusals)),
    };
    receiver.rate.check(&headers).inspect_err(|_| {
        metrics::counter!("command_enquiries_limited_total").increment(1);
    })?;
    let home = match &enquiry.home {
        None => None,
        Some(reference) => match receiver.read_api.home(reference, enquiry.locale).await {
            Known::Home(home) => Some(home),
            Known::Unknown => {
                return Ok(refused(vec![Refusal::new("ref", Code::UnknownHome, enquiry.locale)]));
            }
            // What is asked of it may be of use to the office all the same.
            Known::Gone | Known::Unanswered => None,
        },
    };
    // It is kept, for it may be the one that is meant; its sender's address may be anybody's.
    if enquiry.home.as_ref().is_some_and(|home| !receiver.rate_of_homes.allows(home)) {
        enquiry.suspect.get_or_insert("flood");
    }
    runtime::failpoint("command.store").map_err(|_| away())?;
    let press = Press::of(&headers);
    let stored = store(receiver.storage.pool(), &enquiry, home.as_ref(), key, &press);
    match receiver.storage.kept("an enquiry could not be kept", stored).await? {
        Received::New(receipt) => {
            receiver.unpublished.notify_one();
            let kind = enquiry.kind.name();
            metrics::counter!("command_enquiries_total", "kind" => kind).increment(1);
            Ok(created(&receipt))
        }
        Received::Again(receipt) => Ok(created(&receipt)),
        Received::PictureUnknown => {
            let unknown = Refusal::new("pictures", Code::UnknownPicture, enquiry.locale);
            Ok(refused(vec![unknown]))
        }
        Received::KeyReused => {
            let title = "This Idempotency-Key came with another enquiry";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Err(Problem::new(status, "idempotency-key-reused", title))
        }
    }
}

/// What was sent is kept.
pub fn created(receipt: &impl Serialize) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::CREATED, no_store, Json(receipt)).into_response()
}

/// Fields of it can't be taken.
pub fn refused(errors: Vec<Refusal>) -> Response {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    let problem = InvalidEnquiry {
        kind: "urn:almijara:problem:invalid-enquiry",
        title: "The enquiry can't be taken as it is",
        status: status.as_u16(),
        errors,
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, serde_json::to_vec(&problem).unwrap_or_default()).into_response()
}

fn key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(key) = headers.get(KEY_HEADER) else { return Ok(None) };
    let is_key =
        |key: &&str| (16..=100).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
    key.to_str().ok().filter(is_key).map(Some).ok_or_else(|| {
        let right = "16 to 100 visible characters of ASCII";
        Problem::invalid(vec![FieldError::new("Idempotency-Key", right)])
    })
}
