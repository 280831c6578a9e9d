//! The calls, one file each.

mod articles;
mod by_slug;
mod cards;
mod docs;
mod figures;
mod filters;
mod kept_cards;
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

pub(crate) use kept_cards::KeptCards;

use axum::{Router, http::StatusCode, routing::get};
use runtime::problem::Problem;
use tower_http::{compression::CompressionLayer, timeout::TimeoutLayer};
use utoipa::OpenApi;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{Node, changes};

/// The longest that an answer may take.
const ANSWER_LIMIT: std::time::Duration = std::time::Duration::from_secs(10);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Almijara read API",
        description = "What the site shows: properties for sale around Torrox and Nerja, places, \
                       guides. Every answer carries `almijara-sequence`, the position in the \
                       content log that it was made from, and `surrogate-key`, its tags."
    ),
    components(schemas(Problem))
)]
struct Document;

fn documented() -> OpenApiRouter<Node> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(properties::list_properties))
        .routes(routes!(map::map_properties))
        .routes(routes!(property::property))
        .routes(routes!(locations::locations))
        .routes(routes!(locations::location))
        .routes(routes!(site::site))
        .routes(routes!(figures::figures))
        .routes(routes!(suggest::suggest))
        .routes(routes!(sitemap::sitemap))
        .routes(routes!(moved::moved))
        .routes(routes!(team::team))
        .routes(routes!(pages::page))
        .routes(routes!(articles::articles))
        .routes(routes!(articles::article))
        .routes(routes!(docs::docs_index))
        .routes(routes!(docs::doc))
}

/// The OpenAPI document of the calls.
pub fn openapi() -> utoipa::openapi::OpenApi {
    documented().into_openapi()
}

/// The routes of the API.
pub fn router(node: Node) -> Router {
    let (calls, document) = documented().split_for_parts();
    let document = axum::Json(document);
    calls
        .route("/api/openapi.json", get(move || async move { document }))
        .route("/internal/pictures/{file}/{version}", get(shown_picture::shown_picture))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, ANSWER_LIMIT))
        .layer(CompressionLayer::new())
        .route("/api/changes", get(changes::stream_changes))
        .fallback(|| async { Problem::not_found("there is no such call") })
        .with_state(node)
}
