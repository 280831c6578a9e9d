//! `GET /api/openapi.json`: the OpenAPI description of all public calls, those of the services behind the
//! door and its own.

use std::sync::{Arc, LazyLock};

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::header;
use runtime::problem::Problem;
use serde_json::Value;

use crate::{
    calls::{proxy_api::with_security_headers, visits},
    door::Door,
};

/// The descriptions of the services, which their tests compare with their code.
const READ_API: &str = include_str!("../../../query/openapi.json");
const WRITE_API: &str = include_str!("../../../command/openapi.json");

static DESCRIPTION: LazyLock<Bytes> = LazyLock::new(|| describe().to_string().into());

/// Returns the description of all public calls.
fn describe() -> Value {
    // A test reads both files.
    let parse = |file| serde_json::from_str::<Value>(file).unwrap_or_default();
    let (mut all, write) = (parse(READ_API), parse(WRITE_API));
    for part in ["/paths", "/components/schemas"] {
        if let (Some(Value::Object(all)), Some(Value::Object(write))) =
            (all.pointer_mut(part), write.pointer(part))
        {
            all.extend(write.clone());
        }
    }
    all["paths"]["/api/vitals"] = visits::description();
    let about = |api: &Value| api["info"]["description"].as_str().unwrap_or_default().to_owned();
    all["info"]["description"] = format!("{}\n\n{}", about(&all), about(&write)).into();
    all["info"]["title"] = "Almijara API".into();
    all
}

/// Handles `/api/openapi.json`.
pub async fn api_description(State(door): State<Arc<Door>>, request: Request) -> Response {
    let (request, _body) = request.into_parts();
    let answer = door.admit(&request).map_err(Problem::from).map(|_| {
        ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.clone()).into_response()
    });
    with_security_headers(&door, answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::{proxy_api::PUBLIC_CALLS, write_proxy::WRITE_CALLS};

    /// Returns whether `call`, a route of the door, takes requests for `path`.
    fn takes(call: &str, path: &str) -> bool {
        call.split_once("{*").map_or(call == path, |(start, _)| path.starts_with(start))
    }

    #[test]
    fn every_public_call_is_described_and_no_other() {
        let all = describe();
        let described: Vec<&String> = all["paths"].as_object().expect("paths").keys().collect();
        // The door answers the last two itself.
        let calls = PUBLIC_CALLS.iter().chain(&WRITE_CALLS).chain(&["/api/changes", "/api/vitals"]);
        let calls: Vec<&str> = calls.copied().collect();
        for call in &calls {
            assert!(described.iter().any(|path| takes(call, path)), "{call} is not described");
        }
        for path in described {
            assert!(calls.iter().any(|call| takes(call, path)), "{path} is not public");
        }
    }

    #[test]
    fn both_services_mean_the_same_by_a_name() {
        let [read, write] = [READ_API, WRITE_API]
            .map(|file| serde_json::from_str::<Value>(file).expect("a description"));
        let all = describe();
        for api in [&read, &write] {
            for part in
                ["paths", "components/schemas", "components/responses", "components/headers"]
            {
                let Some(Value::Object(own)) = api.pointer(&format!("/{part}")) else { continue };
                for (name, value) in own {
                    let merged = all.pointer(&format!("/{part}")).and_then(|part| part.get(name));
                    assert_eq!(merged, Some(value), "{part}: {name}");
                }
            }
        }
    }
}
