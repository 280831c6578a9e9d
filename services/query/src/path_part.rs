//! An extractor for the parameter in a call's path.

use axum::{
    extract::{FromRequestParts, Path},
    http::request::Parts,
};
use runtime::problem::FieldError;

use crate::error::ApiError;

/// The one parameter in a call's path, percent-decoded. Rejects what is not UTF-8 with a 400.
#[derive(Debug)]
pub(crate) struct PathPart(pub String);

impl<S: Send + Sync> FromRequestParts<S> for PathPart {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let part = Path::<String>::from_request_parts(parts, state).await;
        let wrong = |_| ApiError::Invalid(vec![FieldError::new("path", "UTF-8 in its escapes")]);
        part.map(|Path(part)| Self(part)).map_err(wrong)
    }
}
