//! The token that authorises admin calls.

use axum::http::HeaderMap;
use secrecy::SecretString;

use crate::secrets::{InvalidSecret, Secrets};

/// The tokens that are valid now: two during a rotation.
#[derive(Clone, Debug)]
pub struct AdminToken(Secrets);

impl AdminToken {
    /// Parses a token, or two separated by a comma.
    pub fn parse(text: &SecretString) -> Result<Self, InvalidSecret> {
        Secrets::parse("ADMIN_TOKEN", text).map(Self)
    }

    /// Checks that `headers` contain a valid token. The error says what is missing, never how close a
    /// wrong token was.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        self.0.check_bearer(headers)
    }
}
