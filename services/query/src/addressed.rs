//! An extractor for the address in a call's path.

use std::str::FromStr;

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use contracts::{InvalidAddress, Locale};
use runtime::problem::FieldError;
use search_parameters::Parameters;

use crate::error::ApiError;

/// The item that a call asks for by the one parameter in its path, and the language that it asks for by the
/// only parameter that its query may have. Rejects invalid ones with a 400 that names them all.
#[derive(Debug)]
pub(crate) struct Addressed<A> {
    pub address: A,
    pub locale: Locale,
}

impl<A, S> FromRequestParts<S> for Addressed<A>
where
    A: FromStr<Err = InvalidAddress>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = RawPathParams::from_request_parts(parts, state).await;
        let path = path.map_err(|_| invalid("path", "UTF-8 in its escapes"))?;
        let (field, text) = path.iter().next().unwrap_or_default();
        let mut given = Parameters::parse(parts.uri.query());
        let address: Result<A, _> = text.parse();
        if let Err(error) = &address {
            given.refuse(field, error.expected());
        }
        let locale = given.only_locale()?;
        let address = address.map_err(|error| invalid(field, error.expected()))?;
        Ok(Self { address, locale })
    }
}

fn invalid(field: &str, expected: &str) -> ApiError {
    ApiError::Invalid(vec![FieldError::new(field, expected)])
}
