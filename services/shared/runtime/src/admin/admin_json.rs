//! Reads the JSON bodies of admin calls.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
};
use serde::de::DeserializeOwned;

use crate::{
    json_body::parse_with_path,
    problem::{FieldError, Problem},
};

/// The JSON body of an admin call, whatever its `Content-Type`. `T` should use `deny_unknown_fields`, so
/// that a call that is only partly understood is refused and not partly carried out.
#[derive(Clone, Copy, Debug)]
pub struct AdminJson<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for AdminJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = Bytes::from_request(request, state).await.map_err(|rejection| {
            let title = "The body could not be read, or is too long";
            Problem::new(rejection.status(), "unreadable-body", title)
        })?;
        parse_with_path(&body).map(Self).map_err(|error| {
            let title = "The request is not valid";
            let problem = Problem::new(StatusCode::BAD_REQUEST, "invalid-request", title);
            problem.with_detail(error.to_string())
        })
    }
}

/// Checks that `field`, a list of `count` entries, has at least one entry and at most `max`. An admin
/// call acts only on what it lists.
pub fn check_list_length(field: &str, count: usize, max: usize) -> Result<(), Problem> {
    if (1..=max).contains(&count) {
        return Ok(());
    }
    Err(Problem::invalid(vec![FieldError::new(field, format!("from 1 to {max} of them"))]))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Chosen {
        #[serde(rename = "ids")]
        _ids: Vec<u8>,
    }

    #[tokio::test]
    async fn the_problem_names_the_invalid_field() {
        for (body, message) in [
            ("{}", "missing field `ids`"),
            (r#"{"ids":[1,"all"]}"#, "ids[1]: invalid type: string \"all\""),
            (r#"{"ids":[1]} {}"#, "trailing characters"),
        ] {
            let request = Request::post("/").body(Body::from(body)).expect("a request");
            let problem =
                AdminJson::<Chosen>::from_request(request, &()).await.expect_err("refused");
            let detail = problem.detail.unwrap_or_default();
            assert!(problem.status == 400 && detail.starts_with(message), "{detail}");
        }
    }
}
