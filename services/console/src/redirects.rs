//! `POST /api/redirects`: creates a redirect in the content service, for an address that returned a 404
//! to visitors. It reaches the site in the same way as everything that editors publish.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use content_client::Writer;
use http::StatusCode;
use runtime::{
    JsonBody, error_text,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Config,
    account::ActingCaller,
    audited::{AuditedAction, run_audited},
    console::Console,
};

const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of an address, in bytes: the limit of the read API.
const MAX_PATH_LENGTH: usize = 500;

/// The content service's collection of redirects.
#[derive(Clone, Debug)]
pub struct Redirects(Writer);

/// The body of the request.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    from: String,
    to: String,
    permanent: bool,
}

impl Redirects {
    /// Creates the client, if `config` has a content service and a token for it.
    pub fn new(config: &Config) -> Result<Option<Self>, content_client::Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.content_token) else {
            return Ok(None);
        };
        let writer = Writer::new(url.clone(), token.clone(), "redirects", ANSWER_TIMEOUT)?;
        Ok(Some(Self(writer)))
    }

    async fn create(&self, redirect: &Redirect) -> Result<(), Problem> {
        let item = json!({
            "status": "published",
            "from_path": redirect.from,
            "to_path": redirect.to,
            "code": 308,
        });
        let Err(error) = self.0.create(&item).await else { return Ok(()) };
        let Some(refusal) = error.refusal() else {
            tracing::warn!(reason = error_text(&error), "the content service does not answer");
            return Err(Problem::unavailable("the content service does not answer", RETRY_AFTER));
        };
        if refusal.code() == Writer::NOT_UNIQUE {
            let title = "A redirect from this path already exists";
            return Err(Problem::new(StatusCode::CONFLICT, "redirect-exists", title));
        }
        let status = refusal.status;
        let why = refusal.errors.first().map_or("", |error| &error.message);
        tracing::warn!(%status, why, "the content service refuses a redirect");
        let title = "The content service refuses it";
        let problem = Problem::new(StatusCode::BAD_GATEWAY, "content-service-refuses", title);
        Err(problem.with_detail(format!("{status}: {why}")))
    }
}

/// Creates a redirect.
pub async fn create(
    State(console): State<Arc<Console>>,
    ActingCaller(caller): ActingCaller,
    JsonBody(redirect): JsonBody<Redirect>,
) -> Result<Response, Problem> {
    check(&redirect).map_err(Problem::invalid)?;
    let Some(redirects) = console.redirects.clone() else {
        let title = "There is no content service to create redirects in";
        let problem = Problem::new(StatusCode::NOT_IMPLEMENTED, "no-content-service", title);
        let detail = "write it into redirects.json of the content folder, or set CONTENT_URL and \
                      CONSOLE_CONTENT_TOKEN of the console";
        return Err(problem.with_detail(detail));
    };
    let target = json!(redirect).to_string();
    let action = AuditedAction { caller, name: "redirects".to_owned(), target };
    let work = async move { redirects.create(&redirect).await.map(|()| redirect) };
    let created = run_audited(console, action, work, |_| "done".to_owned()).await?;
    Ok((StatusCode::CREATED, Json(created)).into_response())
}

/// Checks the fields of `redirect`.
fn check(redirect: &Redirect) -> Result<(), Vec<FieldError>> {
    let mut errors = Vec::new();
    let is_path = |path: &str| {
        path.len() <= MAX_PATH_LENGTH
            && path.starts_with('/')
            // Addresses that start with // lead to another host.
            && !path.starts_with("//")
            && !path.contains('\\')
            && !path.chars().any(|char| char.is_control() || char.is_whitespace())
    };
    if !is_path(&redirect.from) || redirect.from == "/" || redirect.from.contains(['?', '#']) {
        errors.push(FieldError::new("from", "a path of this site, such as /old, without a query"));
    }
    if !is_path(&redirect.to) || redirect.to == redirect.from {
        errors.push(FieldError::new("to", "another path of this site, such as /new"));
    }
    if !redirect.permanent {
        let detail = "true: the site has no temporary redirects";
        errors.push(FieldError::new("permanent", detail));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_addresses_of_a_redirect_are_different_paths_of_the_site() {
        let invalid_fields = |from: &str, to: &str, permanent: bool| {
            let redirect = Redirect { from: from.to_owned(), to: to.to_owned(), permanent };
            let errors = check(&redirect).err().unwrap_or_default();
            errors.into_iter().map(|error| error.field).collect::<Vec<_>>()
        };
        assert!(invalid_fields("/old", "/property-for-sale?q=nerja", true).is_empty());
        assert_eq!(invalid_fields("/", "/new", true), ["from"]);
        assert_eq!(invalid_fields("/old?x=1", "/new", true), ["from"]);
        assert_eq!(invalid_fields("/old#a", "/new", true), ["from"]);
        assert_eq!(invalid_fields("/old", "/old", true), ["to"]);
        for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "", "/a b"] {
            assert_eq!(invalid_fields("/old", elsewhere, true), ["to"], "{elsewhere}");
        }
        assert_eq!(invalid_fields("/old", "/new", false), ["permanent"]);
    }
}
