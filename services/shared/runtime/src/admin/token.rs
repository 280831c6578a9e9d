//! Who may call: whoever knows a token.

use axum::http::HeaderMap;
use secrecy::SecretString;

use crate::secrets::{InvalidSecret, Secrets};

/// The tokens that are valid now: two while one takes the other's place.
#[derive(Clone, Debug)]
pub struct AdminToken(Secrets);

impl AdminToken {
    /// Reads a token, or two separated by a comma.
    pub fn parse(text: &SecretString) -> Result<Self, InvalidSecret> {
        Secrets::parse("ADMIN_TOKEN", text).map(Self)
    }

    /// Checks that `headers` bring a token. The error says what is missing, never how near it was.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        self.0.check_bearer(headers)
    }
}
