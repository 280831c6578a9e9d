//! The OpenAPI document of the answers, from which the types of the console's pages are generated.

use admin_answers::{
    actions::{Dropped, Purged, Replayed, Retried},
    command::{Deliveries, Jobs},
    projections::{DeadLetter, ProjectionsState},
    query::{Call, EmptySearch},
    site::{NotFoundPath, Render, SiteState},
    sync::{ParkedComparison, ParkedList, Publishes, SyncState},
};
use runtime::admin::{Reached, Slow};
use utoipa::{
    OpenApi as _,
    openapi::{
        OpenApi, RefOr,
        schema::{Array, Object, Schema, SchemaType, Type},
    },
};

use crate::{audit::Page, endpoints::SignedIn, overview::Report};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Almijara console",
        description = "The answers to the operators' pages: of the console itself, and of the roles' \
                       admin calls that it forwards. It lists no calls; \
                       `services/console/src/calls/list.rs` does."
    ),
    components(schemas(
        DeadLetter,
        Deliveries,
        Dropped,
        EmptySearch,
        Jobs,
        NotFoundPath,
        Page,
        ParkedComparison,
        ParkedList,
        ProjectionsState,
        Publishes,
        Purged,
        Reached,
        Replayed,
        Report,
        Retried,
        SignedIn,
        SiteState,
        Slow<Call>,
        Slow<Render>,
        SyncState,
    ))
)]
struct Document;

/// Returns the OpenAPI document of the answers.
pub fn openapi() -> OpenApi {
    let mut document = Document::openapi();
    if let Some(components) = &mut document.components {
        components.schemas.values_mut().for_each(require_nullable);
    }
    document
}

/// Requires the fields of `schema` that may be null: they are sent as null, and not left out. Only a field
/// with a default stays optional, since older builds of a role don't send it.
fn require_nullable(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            let nullable = object.properties.iter().filter(|(_, field)| is_nullable(field));
            object.required.extend(nullable.map(|(name, _)| name.clone()));
        }
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(require_nullable),
        _ => {}
    }
}

fn is_nullable(schema: &RefOr<Schema>) -> bool {
    match schema {
        RefOr::T(Schema::OneOf(either)) => either.items.iter().any(is_nullable),
        RefOr::T(
            Schema::Object(Object { schema_type, .. }) | Schema::Array(Array { schema_type, .. }),
        ) => match schema_type {
            SchemaType::Type(only) => *only == Type::Null,
            SchemaType::Array(types) => types.contains(&Type::Null),
            SchemaType::AnyValue => false,
        },
        _ => false,
    }
}
