//! The calls of the API, one file each.

mod articles;
mod by_slug;
mod card_cache;
mod chosen_cards;
mod comparable;
mod docs;
mod document;
mod figures;
mod kyero;
mod locations;
mod map;
mod moved;
mod pages;
mod properties;
mod property;
mod shown_picture;
mod site;
mod sitemap;
mod suggest;
mod team;
mod understood;

pub(crate) use card_cache::{CardCache, LastPoll, MAX_POLL_AGE};

use std::time::{Duration, Instant};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::get,
};
use contracts::{Reference, Slug};
use runtime::problem::Problem;
use search_parameters::{Area, Bounds, EnergyLetter, Feature};
use tokio::time::timeout;
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use self::{
    document::add_common_parts,
    properties::{Fields, Order},
};
use crate::{Node, answer::reject_stale, changes::subscriber};

/// The maximum time for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The minimum number of homes for which a median is published: a median of fewer would reveal the prices of
/// single homes.
const MIN_FOR_A_MEDIAN: u32 = 5;
/// The `retry-after` of an answer that took too long.
const RETRY_AFTER: Duration = Duration::from_secs(2);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Almijara read API",
        description = "Serves the site's content: properties for sale around Torrox and Nerja, \
                       places and guides. Every answer has the headers `almijara-sequence`, the \
                       position in the content log that it reflects, and `surrogate-key`, its \
                       cache tags."
    ),
    components(schemas(
        Area,
        Bounds,
        EnergyLetter,
        Feature,
        Fields,
        Order,
        Problem,
        Reference,
        Slug
    ))
)]
struct Document;

fn documented() -> OpenApiRouter<Node> {
    let mut calls = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(properties::list_properties))
        .routes(routes!(map::map_properties))
        .routes(routes!(chosen_cards::chosen_cards))
        .routes(routes!(property::property))
        .routes(routes!(comparable::comparable))
        .routes(routes!(locations::locations))
        .routes(routes!(locations::location))
        .routes(routes!(site::site))
        .routes(routes!(figures::figures))
        .routes(routes!(suggest::suggest))
        .routes(routes!(sitemap::sitemap))
        .routes(routes!(kyero::kyero))
        .routes(routes!(moved::moved))
        .routes(routes!(team::team))
        .routes(routes!(pages::page))
        .routes(routes!(articles::articles))
        .routes(routes!(articles::article))
        .routes(routes!(docs::docs_index))
        .routes(routes!(docs::doc));
    add_common_parts(calls.get_openapi_mut());
    // Added after the common parts, which do not apply to a stream.
    calls.routes(routes!(subscriber::stream_changes))
}

/// Returns the OpenAPI document of the calls.
pub fn openapi() -> utoipa::openapi::OpenApi {
    documented().into_openapi()
}

/// Returns the routes of the API.
pub fn router(node: Node) -> Router {
    Router::from(documented())
        .route("/internal/pictures/{file}/{version}", get(shown_picture::shown_picture))
        .layer(middleware::from_fn(limit_time))
        .layer(middleware::from_fn(reject_stale))
        .layer(middleware::from_fn_with_state(node.clone(), record_time))
        .layer(CompressionLayer::new())
        .fallback(|| async { Problem::not_found("there is no such call") })
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed("GET, HEAD") })
        .with_state(node)
}

/// Records how long the answer took, for operators.
async fn record_time(State(node): State<Node>, request: Request, next: Next) -> Response {
    let (began, uri) = (Instant::now(), request.uri().clone());
    let response = next.run(request).await;
    node.diagnostics.record_call(&uri, began.elapsed());
    response
}

async fn limit_time(request: Request, next: Next) -> Response {
    timeout(ANSWER_TIMEOUT, next.run(request)).await.unwrap_or_else(|_| {
        Problem::unavailable("the answer took too long", RETRY_AFTER).into_response()
    })
}
