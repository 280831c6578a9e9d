//! `POST /api/redirects`: creates a redirect in the content service, for an address that returned a 404
//! to visitors. It reaches the site in the same way as everything that editors publish.

use std::time::Duration;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Config,
    account::ActingCaller,
    audited::{AuditedAction, run_audited},
    console::Console,
};

const CONNECT_LIMIT: Duration = Duration::from_secs(2);
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of an address, in bytes: the limit of the read API.
const MAX_PATH_LENGTH: usize = 500;
/// The maximum size of a response body, in bytes.
const MAX_BYTES: usize = 64 << 10;

/// The content service's collection of redirects.
#[derive(Clone, Debug)]
pub struct Redirects {
    client: reqwest::Client,
    url: String,
    token: SecretString,
}

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
    pub fn new(config: &Config) -> Result<Option<Self>, reqwest::Error> {
        let (Some(url), Some(token)) = (&config.content_url, &config.content_token) else {
            return Ok(None);
        };
        let client = runtime::content_service_client()
            .connect_timeout(CONNECT_LIMIT)
            .timeout(ANSWER_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let url = format!("{}/items/redirects", url.as_str().trim_end_matches('/'));
        Ok(Some(Self { client, url, token: token.clone() }))
    }

    async fn create(&self, redirect: &Redirect) -> Result<(), Problem> {
        let item = json!({
            "status": "published",
            "from_path": redirect.from,
            "to_path": redirect.to,
            "code": 308,
        });
        let request = self.client.post(&self.url).bearer_auth(self.token.expose_secret());
        let mut answer = request.json(&item).send().await.map_err(|error| {
            let reason = runtime::error_text(&error.without_url());
            tracing::warn!(reason, "the content service does not answer");
            Problem::unavailable("the content service does not answer", RETRY_AFTER)
        })?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let body = runtime::read_body(&mut answer, MAX_BYTES).await.unwrap_or_default();
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let error = &body["errors"][0];
        if error["extensions"]["code"] == "RECORD_NOT_UNIQUE" {
            let title = "A redirect from this path already exists";
            return Err(Problem::new(StatusCode::CONFLICT, "redirect-exists", title));
        }
        let why = error["message"].as_str().unwrap_or_default();
        tracing::warn!(%status, why, "the content service refuses a redirect");
        let title = "The content service refuses it";
        let problem = Problem::new(StatusCode::BAD_GATEWAY, "content-service-refuses", title);
        Err(problem.with_detail(format!("{status}: {why}")))
    }
}

/// Creates a redirect.
pub async fn create(
    State(console): State<Console>,
    ActingCaller(caller): ActingCaller,
    JsonBody(redirect): JsonBody<Redirect>,
) -> Result<Response, Problem> {
    check(&redirect).map_err(Problem::invalid)?;
    let Some(redirects) = console.redirects().cloned() else {
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
