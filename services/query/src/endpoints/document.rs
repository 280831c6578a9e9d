//! Adds to the OpenAPI document what all calls have in common.

use contracts::{MIN_SEQUENCE_HEADER, SEQUENCE_HEADER, SURROGATE_KEY_HEADER, Sequence};
use utoipa::openapi::{
    Components, ContentBuilder, Header, HeaderBuilder, Object, ObjectBuilder, OpenApi, Ref, RefOr,
    Response, ResponseBuilder,
    path::{Operation, Parameter, ParameterBuilder, ParameterIn},
    schema::Type,
};

const PROBLEM_JSON: &str = "application/problem+json";
const RETRY_AFTER: &str = "retry-after";

/// The error answers that every call may give: the status, the name of the component, and the description.
const ERRORS: [(&str, &str, &str); 5] = [
    ("400", "Invalid", "The request is invalid; `errors` lists the reasons"),
    ("414", "TooLong", "The address is too long"),
    ("429", "TooMany", "The caller has sent too many requests"),
    ("500", "Failed", "An internal error"),
    ("503", "Away", "No answer is possible at the moment, or not yet at the requested position"),
];
/// The errors that carry `retry-after`.
const TEMPORARY_ERRORS: [&str; 2] = ["429", "503"];
/// The answers of a call that carry the position and the tags they were made from.
const WITH_COMMON_HEADERS: [&str; 3] = ["200", "404", "410"];

/// Adds to every call the errors, headers and parameters that none of them declares itself.
pub(super) fn add_common_parts(document: &mut OpenApi) {
    add_components(document.components.get_or_insert_default());
    // The router's syntax for a path of any length, `{*name}`, is not valid in OpenAPI.
    document.paths.paths = std::mem::take(&mut document.paths.paths)
        .into_iter()
        .map(|(path, item)| (path.replace("{*", "{"), item))
        .collect();
    for item in document.paths.paths.values_mut() {
        item.parameters.get_or_insert_default().push(RefOr::T(min_position()));
        item.get.iter_mut().for_each(describe);
    }
}

fn describe(call: &mut Operation) {
    let responses = &mut call.responses.responses;
    for (status, response) in responses.iter_mut() {
        let RefOr::T(response) = response else { continue };
        if WITH_COMMON_HEADERS.contains(&status.as_str()) {
            for (name, ..) in common_headers() {
                let header = Ref::new(format!("#/components/headers/{name}"));
                response.headers.insert(name.to_owned(), RefOr::Ref(header));
            }
        }
    }
    for (status, name, _) in ERRORS {
        responses.insert(status.to_owned(), RefOr::Ref(Ref::from_response_name(name)));
    }
}

fn add_components(components: &mut Components) {
    for (name, header) in common_headers() {
        components.headers.insert(name.to_owned(), RefOr::T(header));
    }
    for (status, name, description) in ERRORS {
        components.responses.insert(name.to_owned(), RefOr::T(error(status, description)));
    }
}

fn error(status: &str, description: &str) -> Response {
    let body = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response = ResponseBuilder::new().description(description).content(PROBLEM_JSON, body);
    if TEMPORARY_ERRORS.contains(&status) {
        response.header(RETRY_AFTER, header(seconds(), "After how many seconds to retry")).build()
    } else {
        response.build()
    }
}

/// Returns the headers of the answers in [`WITH_COMMON_HEADERS`].
fn common_headers() -> [(&'static str, Header); 2] {
    let position = header(position(), "The position in the content log that the answer reflects");
    let tags = header(
        ObjectBuilder::new().schema_type(Type::String).build(),
        "The cache tags of the answer, separated by spaces",
    );
    [(SEQUENCE_HEADER, position), (SURROGATE_KEY_HEADER, tags)]
}

fn min_position() -> Parameter {
    ParameterBuilder::new()
        .name(MIN_SEQUENCE_HEADER)
        .parameter_in(ParameterIn::Header)
        .description(Some("The lowest acceptable position; a node that is behind it answers 503"))
        .schema(Some(position()))
        .build()
}

fn position() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(0))
        .maximum(Some(Sequence::LAST.get()))
        .build()
}

fn seconds() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).build()
}

fn header(schema: Object, description: &str) -> Header {
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}
