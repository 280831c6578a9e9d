//! `POST /api/enquiries/pictures`: pictures of a home that is to be valued, before the enquiry.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, RawQuery, State, rejection::BytesRejection},
    response::{IntoResponse, Response},
    routing::post,
};
use contracts::Locale;
use http::HeaderMap;
use pictures::ScaleError;
use runtime::{complete_body, problem::Problem};
use search_parameters::{InvalidParameters, Parameters};
use serde::Serialize;
use tokio::{sync::Semaphore, time::timeout};
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::{
    enquiry::{
        Code, Refusal,
        picture::{self, MAX_PICTURE_BYTES, PictureError},
    },
    failure::unavailable,
    rate::{REFILL_INTERVAL, RateLimit},
    receive::{InvalidEnquiry, created, refused},
    storage::Storage,
};

/// The path of the call.
pub const PICTURES: &str = "/api/enquiries/pictures";
/// The number of pictures that count as one enquiry in the rate limit.
const PICTURES_PER_ENQUIRY: u32 = 5;
/// How long a picture waits for those before it to be decoded.
const WAIT_LIMIT: Duration = Duration::from_secs(10);

/// The state of the call.
#[derive(Debug)]
struct Receiver {
    storage: Storage,
    rate: RateLimit,
    /// Decoding takes a full core and much memory, so pictures are decoded one at a time.
    decoding_slot: Arc<Semaphore>,
}

#[derive(OpenApi)]
#[openapi(paths(take_picture), components(schemas(KeptPicture)))]
pub struct Document;

/// Returns the route. Pictures are stored in `storage`; `burst` is how many enquiries one address may
/// send at once.
pub fn router(storage: Storage, burst: u32) -> Router {
    let rate = RateLimit::new(burst.saturating_mul(PICTURES_PER_ENQUIRY), REFILL_INTERVAL);
    let limit = DefaultBodyLimit::max(MAX_PICTURE_BYTES);
    let receiver = Receiver { storage, rate, decoding_slot: Arc::new(Semaphore::new(1)) };
    Router::new().route(PICTURES, post(take_picture).layer(limit)).with_state(Arc::new(receiver))
}

/// An uploaded picture that no enquiry refers to yet.
#[derive(Debug, Serialize, ToSchema)]
struct KeptPicture {
    /// The id by which an enquiry can refer to the picture within a day.
    #[schema(value_type = String)]
    id: Uuid,
}

/// Stores a picture for an enquiry. The body is the file itself: JPEG, PNG, WebP, AVIF or GIF.
///
/// The picture is erased unless an enquiry refers to it within a day.
#[utoipa::path(
    post,
    path = "/api/enquiries/pictures",
    params(("locale" = Option<String>, Query, description = "The language of errors: `en` or `es`")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses(
        (status = 201, description = "The picture is stored", body = KeptPicture),
        (status = 400, description = "The upload broke off, or the query is invalid", body = Problem),
        (status = 413, description = "The picture is too large", body = Problem),
        (status = 422, description = "The file is not a picture", body = InvalidEnquiry,
            content_type = "application/problem+json"),
        (status = 429, description = "The sender has sent too many requests", body = Problem),
        (status = 503, description = "Nothing can be stored at the moment", body = Problem),
    )
)]
async fn take_picture(
    State(receiver): State<Arc<Receiver>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let mut given = Parameters::parse(query.as_deref());
    let locale = given.locale();
    if let Err(InvalidParameters(wrong)) = given.finish() {
        return Problem::invalid(wrong).into_response();
    }
    match receive(&receiver, locale, &headers, body).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

async fn receive(
    receiver: &Receiver,
    locale: Locale,
    headers: &HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    receiver.rate.check(headers)?;
    let file = complete_body(body)?;
    let Ok(Ok(permit)) = timeout(WAIT_LIMIT, receiver.decoding_slot.clone().acquire_owned()).await
    else {
        return Err(unavailable());
    };
    let refusal = |code| Ok(refused(vec![Refusal::new("pictures", code, locale)]));
    let jpeg = match picture::reencode(file, permit).await {
        Ok(jpeg) => jpeg,
        Err(PictureError::TooLarge | PictureError::Unreadable(ScaleError::TooLarge)) => {
            return refusal(Code::PictureTooLarge);
        }
        Err(PictureError::Unreadable(_)) => return refusal(Code::NotAPicture),
        Err(PictureError::Aborted(_)) => return Err(unavailable()),
    };
    let kept = picture::store(receiver.storage.pool(), &jpeg);
    let id = receiver.storage.run("a picture could not be kept", kept).await?;
    Ok(created(&KeptPicture { id }))
}
