//! What an operator's call asks for.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
};
use serde::de::DeserializeOwned;

use crate::problem::{FieldError, Problem};

/// The JSON body of a call, whatever type it says that it has. Its type should know all of its fields
/// (`deny_unknown_fields`): what is not understood is not done by halves.
#[derive(Clone, Copy, Debug)]
pub struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let body = Bytes::from_request(request, state).await.map_err(|rejection| {
            let title = "The body could not be read, or is too long";
            Problem::new(rejection.status(), "unreadable-body", title)
        })?;
        serde_json::from_slice(&body).map(Self).map_err(|error| {
            let title = "The request is not valid";
            Problem::new(StatusCode::BAD_REQUEST, "invalid-request", title)
                .with_detail(error.to_string())
        })
    }
}

/// Checks that `field` names at least one thing and at most `most`, of which it names `count`: a call
/// does what it lists and nothing else.
pub fn listed(field: &str, count: usize, most: usize) -> Result<(), Problem> {
    if (1..=most).contains(&count) {
        return Ok(());
    }
    Err(Problem::invalid(vec![FieldError::new(field, format!("from 1 to {most} of them"))]))
}
