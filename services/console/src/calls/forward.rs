//! Forwards a call to the instances of a role.

use std::{fmt::Write as _, time::Duration};

use axum::{
    body::Bytes,
    extract::{
        Path, Query, State,
        rejection::{BytesRejection, QueryRejection},
    },
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Method, StatusCode, header};
use runtime::{
    complete_body,
    problem::{FieldError, Problem},
    read_json,
};
use serde_json::Value;
use tokio::task::JoinSet;

use super::{
    list::{Merge, Recipients, Role, find_action, find_read_call},
    merge::merge,
    roles::{Failure, Instance, RoleResponse},
};
use crate::{
    account::{ActingCaller, Caller},
    audited::{AuditedAction, run_audited, truncated},
    console::Console,
};

/// The timeouts of a call: a role itself gives up its Postgres queries after twenty seconds.
const READ_LIMIT: Duration = Duration::from_secs(25);
const ACT_LIMIT: Duration = Duration::from_secs(30);
/// The time after which clients may retry when a role is unavailable.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of a parameter value, in bytes: enough for the positions of a page of publishes.
const MAX_PARAMETER_LENGTH: usize = 1_024;

/// `GET /api/ROLE/CALL`: forwards a read call.
pub async fn read(
    State(console): State<Console>,
    _: Caller,
    Path(call): Path<String>,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(parameters) = query.map_err(|_| {
        Problem::invalid(vec![FieldError::new("query", "the parameters of this call")])
    })?;
    let (role, call) = role_and_call(&call)?;
    let read_call = find_read_call(role, call).ok_or_else(no_such_call)?;
    let query = query_string(&parameters, read_call.parameters)?;
    let path = format!("/admin/{}{query}", read_call.name);
    let response = match read_call.recipients {
        Recipients::One => call_one(&console, role, Method::GET, &path, None, READ_LIMIT).await?,
        Recipients::All(how) => {
            call_all(&console, role, &Method::GET, &path, None, how, READ_LIMIT).await?
        }
    };
    Ok(forwarded(response))
}

/// `POST /api/ROLE/ACTION`: forwards an action, and records it in the audit trail.
pub async fn act(
    State(console): State<Console>,
    ActingCaller(caller): ActingCaller,
    Path(call): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let (role, call) = role_and_call(&call)?;
    let action = find_action(role, call).ok_or_else(no_such_call)?;
    let body = complete_body(body)?;
    let target = target_of(&headers, &body, action.fields)?;
    let body = (!target.is_empty()).then_some(body);
    let path = format!("/admin/{}", action.name);
    let audited = AuditedAction { caller, name: format!("{role}/{}", action.name), target };
    let task_console = console.clone();
    let work = async move {
        match action.recipients {
            Recipients::One => {
                call_one(&task_console, role, Method::POST, &path, body, ACT_LIMIT).await
            }
            Recipients::All(how) => {
                call_all(&task_console, role, &Method::POST, &path, body, how, ACT_LIMIT).await
            }
        }
    };
    let response = run_audited(console, audited, work, outcome_of).await?;
    Ok(forwarded(response))
}

/// Formats `response` as an outcome for the audit trail.
fn outcome_of(response: &RoleResponse) -> String {
    if response.status.is_success() {
        return format!("done ({})", response.status.as_u16());
    }
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    let why = body["detail"].as_str().or_else(|| body["title"].as_str()).unwrap_or_default();
    format!("refused ({}) {}", response.status.as_u16(), truncated(why)).trim_end().to_owned()
}

/// Splits `sync/parked/retry` into the role and the rest.
fn role_and_call(call: &str) -> Result<(Role, &str), Problem> {
    let (role, call) = call.split_once('/').ok_or_else(no_such_call)?;
    Ok((Role::from_name(role).ok_or_else(no_such_call)?, call))
}

/// Builds the query string of a call; refuses parameters that are not `known`, and unusual characters.
fn query_string(parameters: &[(String, String)], known: &[&str]) -> Result<String, Problem> {
    let mut query = String::new();
    for (name, value) in parameters {
        let is_known = known.contains(&name.as_str());
        let is_plain = value.len() <= MAX_PARAMETER_LENGTH
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_,".contains(&byte));
        if !is_known || !is_plain {
            let detail = if is_known { "a plain value" } else { "no such parameter" };
            return Err(Problem::invalid(vec![FieldError::new(name, detail)]));
        }
        let separator = if query.is_empty() { '?' } else { '&' };
        // Writing to a string cannot fail.
        let _infallible = write!(query, "{separator}{name}={value}");
    }
    Ok(query)
}

/// Returns `body` as one line of JSON, if all its fields are `known`; empty if it has no fields. This is
/// the target in the audit trail.
fn target_of(headers: &HeaderMap, body: &Bytes, known: &[&str]) -> Result<String, Problem> {
    if body.is_empty() {
        return Ok(String::new());
    }
    let fields: serde_json::Map<String, Value> = read_json(headers, body)?;
    if let Some(unknown) = fields.keys().find(|field| !known.contains(&field.as_str())) {
        return Err(Problem::invalid(vec![FieldError::new(unknown, "no such field")]));
    }
    Ok(if fields.is_empty() { String::new() } else { Value::Object(fields).to_string() })
}

/// Sends the call to the leader of `role`, or to another process if the connection fails: in that case
/// no work was started. After any other failure the call may have taken effect, so it is not repeated.
async fn call_one(
    console: &Console,
    role: Role,
    method: Method,
    path: &str,
    body: Option<Bytes>,
    limit: Duration,
) -> Result<RoleResponse, Problem> {
    let mut last_failure = None;
    for instance in console.roles().leader_first(role).await {
        let result = console
            .roles()
            .request(role, &instance, method.clone(), path, body.clone(), limit)
            .await;
        match result {
            Ok(response) => return check_authorized(role, response),
            Err(failure) => {
                let was_reached =
                    !matches!(&failure, Failure::NoResponse(error) if error.is_connect());
                log_failure(role, &instance, &failure);
                last_failure = Some(failure);
                if was_reached {
                    break;
                }
            }
        }
    }
    Err(unavailable(role, last_failure.as_ref()))
}

/// Sends the call to every process of `role`, and merges their responses. If one fails or refuses,
/// returns that failure or refusal.
async fn call_all(
    console: &Console,
    role: Role,
    method: &Method,
    path: &str,
    body: Option<Bytes>,
    how: Merge,
    limit: Duration,
) -> Result<RoleResponse, Problem> {
    let mut requests = JoinSet::new();
    for instance in console.roles().instances(role).await {
        let (roles, method) = (console.roles().clone(), method.clone());
        let (path, body) = (path.to_owned(), body.clone());
        requests.spawn(async move {
            let result = roles.request(role, &instance, method, &path, body, limit).await;
            (instance, result)
        });
    }
    let mut responses = Vec::new();
    let mut last_problem = None;
    // Waits for all, even after a failure: the other instances carry out the call anyway.
    while let Some(Ok((instance, result))) = requests.join_next().await {
        match result {
            Ok(response) => match check_authorized(role, response) {
                Ok(response) => responses.push(response),
                Err(problem) => last_problem = Some(problem),
            },
            Err(failure) => {
                log_failure(role, &instance, &failure);
                let reason = runtime::error_text(&failure);
                let detail = format!("{role} at {}: {reason}", instance.name);
                last_problem = Some(Problem::unavailable(detail, RETRY_AFTER));
            }
        }
    }
    if let Some(problem) = last_problem {
        return Err(problem);
    }
    if let Some(refused) = responses.iter().position(|response| !response.status.is_success()) {
        return Ok(responses.swap_remove(refused));
    }
    let Some(mut first) = responses.pop() else { return Err(unavailable(role, None)) };
    if responses.is_empty() {
        return Ok(first);
    }
    responses.push(first.clone());
    let bodies =
        responses.iter().filter_map(|response| serde_json::from_slice(&response.body).ok());
    first.body = merge(bodies.collect(), how).to_string().into();
    Ok(first)
}

/// Returns `response`, unless it means that the role does not accept the console's calls.
fn check_authorized(role: Role, response: RoleResponse) -> Result<RoleResponse, Problem> {
    let detail = match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("{role} does not accept the console's token for it")
        }
        StatusCode::NOT_FOUND => {
            format!(
                "{role} has no such call: its ADMIN_TOKEN is not set, or its version is another one"
            )
        }
        _ => return Ok(response),
    };
    let title = "The role does not accept the console's calls";
    Err(Problem::new(StatusCode::BAD_GATEWAY, "role-refuses", title).with_detail(detail))
}

/// Converts the response of a role to that for the browser.
fn forwarded(role_response: RoleResponse) -> Response {
    let mut response = (role_response.status, role_response.body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    for name in [header::CONTENT_TYPE, header::RETRY_AFTER] {
        if let Some(value) = role_response.headers.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    response
}

fn log_failure(role: Role, instance: &Instance, failure: &Failure) {
    let reason = runtime::error_text(failure);
    tracing::warn!(%role, instance = instance.name, reason, "a role did not answer a call");
}

fn unavailable(role: Role, failure: Option<&Failure>) -> Problem {
    let reason =
        failure.map_or_else(|| "it has no address".to_owned(), |it| runtime::error_text(it));
    Problem::unavailable(format!("{role}: {reason}"), RETRY_AFTER)
}

fn no_such_call() -> Problem {
    Problem::not_found("there is no such call")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_parameters_with_plain_values_are_accepted() {
        let query = |parameters: &[(&str, &str)]| {
            let parameters: Vec<_> = parameters
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect();
            query_string(&parameters, &["limit", "before"]).ok()
        };
        assert_eq!(query(&[]).as_deref(), Some(""));
        let both = query(&[("limit", "50"), ("before", "7")]);
        assert_eq!(both.as_deref(), Some("?limit=50&before=7"));
        assert_eq!(query(&[("limit", "5,4")]).as_deref(), Some("?limit=5,4"));
        for wrong in [("token", "1"), ("limit", "5&x=1"), ("limit", "../x")] {
            assert_eq!(query(&[wrong]), None, "{wrong:?}");
        }
    }

    #[test]
    fn only_bodies_with_known_fields_are_accepted() {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static("application/json"));
        let target = |body: &'static str| {
            target_of(&headers, &Bytes::from_static(body.as_bytes()), &["hints"]).ok()
        };
        assert_eq!(target("").as_deref(), Some(""));
        assert_eq!(target("{}").as_deref(), Some(""));
        assert_eq!(target("{ \"hints\": [7] }").as_deref(), Some("{\"hints\":[7]}"));
        for wrong in ["[]", "{", "{\"hints\":[],\"all\":true}", "7"] {
            assert_eq!(target(wrong), None, "{wrong}");
        }
    }
}
