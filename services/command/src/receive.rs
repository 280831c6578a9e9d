//! `POST /api/enquiries`, and its description.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use contracts::{Locale, Reference};
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
    Config, account, alerts,
    clock::Clock,
    consent::Submission,
    enquiry::{
        AREA, Code, EnquiryRequest, Kind, LENGTHS, MAX_DAYS, MAX_PICTURES, MAX_TIMES, REQUIRED,
        Receipt, Received, Refusal, check, check_at_any_time, find_stored, store,
    },
    failure::unavailable,
    rate::{REFILL_INTERVAL, RateLimit},
    read_api::{HomeLookup, ReadApi},
    storage::Storage,
};

/// The header by which a caller names an enquiry, so that retries are stored once.
const KEY_HEADER: &str = "idempotency-key";

/// The rate limit of enquiries about one home. Beyond it an enquiry is marked as suspect.
const HOME_BURST: u32 = 30;
const HOME_REFILL_INTERVAL: Duration = Duration::from_mins(2);

/// The state of the calls.
#[derive(Debug)]
pub struct Receiver {
    storage: Storage,
    read_api: ReadApi,
    unpublished: Arc<Notify>,
    rate: RateLimit,
    home_rate: RateLimit<Reference>,
    clock: Clock,
}

impl Receiver {
    /// Stores enquiries in `storage`, and wakes the relay through `unpublished`.
    pub fn new(
        storage: Storage,
        read_api: ReadApi,
        unpublished: Arc<Notify>,
        config: &Config,
    ) -> Self {
        let burst = config.enquiry_burst;
        let home_rate =
            RateLimit::new(if burst == 0 { 0 } else { HOME_BURST }, HOME_REFILL_INTERVAL);
        Self {
            storage,
            read_api,
            unpublished,
            rate: RateLimit::new(burst, REFILL_INTERVAL),
            home_rate,
            clock: config.clock.clone(),
        }
    }
}

/// A problem+json answer that lists the invalid fields.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvalidEnquiry {
    /// A stable identifier: `urn:almijara:problem:invalid-enquiry`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The problem in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// The invalid fields, in the order of the form.
    errors: Vec<Refusal>,
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Almijara write API",
        description = "Receives what visitors send: enquiries, accounts and alerts. A success answer \
                       means that the data is stored; deliveries follow asynchronously."
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

/// Returns the OpenAPI document of the calls, with the validation rules that the forms share.
pub fn openapi() -> Value {
    let mut document = Document::openapi();
    document.merge(crate::receive_picture::Document::openapi());
    document.merge(account::Document::openapi());
    document.merge(alerts::Document::openapi());
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let enquiry = &mut document["components"]["schemas"]["EnquiryRequest"];
    for (field, min, max) in LENGTHS {
        let field = &mut enquiry["properties"][field];
        field["maxLength"] = json!(max);
        // An empty text counts as missing, so the minimum length is given in an extension field and not in
        // the schema.
        field["x-minLength"] = json!(min);
    }
    enquiry["properties"]["times"]["maxItems"] = json!(MAX_TIMES);
    enquiry["properties"]["times"]["x-maxDays"] = json!(MAX_DAYS);
    enquiry["properties"]["pictures"]["maxItems"] = json!(MAX_PICTURES);
    enquiry["properties"]["builtArea"]["minimum"] = json!(AREA.0);
    enquiry["properties"]["builtArea"]["maximum"] = json!(AREA.1);
    for (kind, fields) in REQUIRED {
        enquiry["x-required"][kind.name()] = json!(fields);
    }
    for (schema, field, min, max) in account::LENGTHS.into_iter().chain(alerts::LENGTHS) {
        let field = &mut document["components"]["schemas"][schema]["properties"][field];
        if min > 0 {
            field["minLength"] = json!(min);
        }
        field["maxLength"] = json!(max);
    }
    document
}

/// Returns the routes of enquiries.
pub fn router(receiver: Receiver) -> Router {
    Router::new()
        .route("/api/enquiries", post(take))
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed("POST") })
        .with_state(Arc::new(receiver))
}

/// Stores an enquiry, to be delivered to the office.
///
/// A repeated `Idempotency-Key` returns the first answer. Without a key, so does an identical
/// enquiry of the same sender within a day.
#[utoipa::path(
    post,
    path = "/api/enquiries",
    params(("Idempotency-Key" = Option<String>, Header, min_length = 16, max_length = 100)),
    request_body = EnquiryRequest,
    responses(
        (status = 201, description = "The enquiry is stored", body = Receipt),
        (status = 400, description = "The body is not an enquiry", body = Problem),
        (status = 413, description = "The body is too long", body = Problem),
        (status = 415, description = "The body is not JSON", body = Problem),
        (status = 422, description = "Fields are invalid", body = InvalidEnquiry,
            content_type = "application/problem+json"),
        (status = 429, description = "The sender has sent too many requests", body = Problem),
        (status = 503, description = "Nothing can be stored at the moment", body = Problem),
    )
)]
async fn take(
    State(receiver): State<Arc<Receiver>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<EnquiryRequest>,
) -> Result<Response, Problem> {
    let key = key(&headers)?;
    let now = receiver.clock.now();
    let submission = Submission::from_headers(&headers);
    // What was stored before gets its first answer, although its day may have passed, its home may be gone
    // or its sender may have reached the limit since.
    if let Ok(enquiry) = check_at_any_time(&request, now) {
        let stored = find_stored(receiver.storage.pool(), &enquiry, key, &submission);
        let stored = receiver.storage.run("an enquiry could not be looked up", stored).await?;
        if let Some(stored) = stored {
            return answer(&stored, enquiry.locale);
        }
    }
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
            HomeLookup::Home(home) => Some(home),
            HomeLookup::Unknown => {
                return Ok(refused(vec![Refusal::new("ref", Code::UnknownHome, enquiry.locale)]));
            }
            // The enquiry may be of use to the office all the same.
            HomeLookup::Gone | HomeLookup::Unavailable => None,
        },
    };
    // It is stored, because it may be genuine, but as suspect, so that no confirmation is sent: the
    // sender's mail address may be anybody's.
    if enquiry.home.as_ref().is_some_and(|home| !receiver.home_rate.allows(home)) {
        enquiry.suspect.get_or_insert("flood");
    }
    runtime::failpoint("command.store").map_err(|_| unavailable())?;
    let stored = store(receiver.storage.pool(), &enquiry, home.as_ref(), key, &submission);
    let stored = receiver.storage.run("an enquiry could not be kept", stored).await?;
    if matches!(stored, Received::New(_)) {
        receiver.unpublished.notify_one();
        let kind = enquiry.kind.name();
        metrics::counter!("command_enquiries_total", "kind" => kind).increment(1);
    }
    answer(&stored, enquiry.locale)
}

fn answer(received: &Received, locale: Locale) -> Result<Response, Problem> {
    match received {
        Received::New(receipt) | Received::Duplicate(receipt) => Ok(created(receipt)),
        Received::PictureUnknown => {
            Ok(refused(vec![Refusal::new("pictures", Code::UnknownPicture, locale)]))
        }
        Received::KeyReused => {
            let title = "This Idempotency-Key came with another enquiry";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Err(Problem::new(status, "idempotency-key-reused", title))
        }
    }
}

/// Returns a 201 for something that was stored.
pub fn created(receipt: &impl Serialize) -> Response {
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (StatusCode::CREATED, no_store, Json(receipt)).into_response()
}

/// Returns a 422 for invalid fields.
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
