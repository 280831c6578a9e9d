//! Forwards a call to the instances of a role.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use axum::{
    Json,
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
use serde::Serialize;
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
/// The timeout of a list that each process has in memory. One that hangs must not delay the others' lists.
const LIST_LIMIT: Duration = Duration::from_secs(5);
/// The time after which clients may retry when a role is unavailable.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The maximum length of a parameter value, in bytes: enough for the positions of a page of publishes.
const MAX_PARAMETER_LENGTH: usize = 1_024;

/// `GET /api/ROLE/CALL`: forwards a read call.
pub async fn read(
    State(console): State<Arc<Console>>,
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
    match read_call.recipients {
        Recipients::One => {
            let response = call_one(&console, role, Method::GET, &path, None, READ_LIMIT).await?;
            Ok(forwarded(response))
        }
        Recipients::All(how) => Ok(read_all(&console, role, &path, how).await?.into_response()),
    }
}

/// `POST /api/ROLE/ACTION`: forwards an action, and records it in the audit trail.
pub async fn act(
    State(console): State<Arc<Console>>,
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
            Recipients::All(how) => act_on_all(&task_console, role, &path, body, how).await,
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
    let why = reason(response);
    format!("refused ({}) {}", response.status.as_u16(), truncated(&why)).trim_end().to_owned()
}

/// Returns why the role refuses the call; empty if it does not say.
fn reason(response: &RoleResponse) -> String {
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    body["detail"].as_str().or_else(|| body["title"].as_str()).unwrap_or_default().to_owned()
}

/// Splits `sync/parked/retry` into the role and the rest.
fn role_and_call(call: &str) -> Result<(Role, &str), Problem> {
    let (role, call) = call.split_once('/').ok_or_else(no_such_call)?;
    Ok((role.parse().map_err(|_| no_such_call())?, call))
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
    for instance in console.roles.leader_first(role).await {
        let result =
            console.roles.request(role, &instance, method.clone(), path, body.clone(), limit).await;
        match result {
            Ok(response) => return check_authorized(role.name(), response),
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

/// The lists of the processes of a role, merged into one.
#[derive(Debug, Serialize)]
struct MergedList {
    entries: Value,
    /// The processes whose lists are not in it, each with the reason.
    missing: Vec<String>,
}

/// Requests the list at `path` from every process of `role`. Fails only if none returns one.
async fn read_all(
    console: &Console,
    role: Role,
    path: &str,
    how: Merge,
) -> Result<Json<MergedList>, Problem> {
    let (mut lists, mut problems) = (Vec::new(), Vec::new());
    for (process, result) in call_all(console, role, &Method::GET, path, None, LIST_LIMIT).await {
        match result.and_then(|response| list_in(&process, &response)) {
            Ok(list) => lists.push(list),
            Err(problem) => problems.push(problem),
        }
    }
    if lists.is_empty() {
        return Err(problems.pop().unwrap_or_else(|| unavailable(role, None)));
    }
    let mut missing: Vec<String> =
        problems.into_iter().map(|problem| problem.detail.unwrap_or(problem.title)).collect();
    missing.sort();
    Ok(Json(MergedList { entries: merge(lists, how), missing }))
}

/// Returns the list in the `response` of `process`.
fn list_in(process: &str, response: &RoleResponse) -> Result<Value, Problem> {
    if !response.status.is_success() {
        let why = format!("{process} refuses ({}) {}", response.status.as_u16(), reason(response));
        return Err(Problem::new(response.status, "refused", "The role refuses the call")
            .with_detail(why.trim_end()));
    }
    serde_json::from_slice(&response.body).ok().filter(Value::is_array).ok_or_else(|| {
        Problem::new(StatusCode::BAD_GATEWAY, "not-understood", "The role's answer is no list")
            .with_detail(format!("{process}: its answer is no list"))
    })
}

/// Sends the action to every process of `role`, and adds up their responses. If one fails or refuses,
/// returns that failure or refusal.
async fn act_on_all(
    console: &Console,
    role: Role,
    path: &str,
    body: Option<Bytes>,
    how: Merge,
) -> Result<RoleResponse, Problem> {
    let results = call_all(console, role, &Method::POST, path, body, ACT_LIMIT).await;
    let results: Result<Vec<_>, Problem> = results.into_iter().map(|(_, result)| result).collect();
    let mut responses = results?;
    if let Some(refused) = responses.iter().position(|response| !response.status.is_success()) {
        return Ok(responses.swap_remove(refused));
    }
    let bodies =
        responses.iter().filter_map(|response| serde_json::from_slice(&response.body).ok());
    let merged = merge(bodies.collect(), how).to_string();
    let mut first = responses.pop().ok_or_else(|| unavailable(role, None))?;
    first.body = merged.into();
    Ok(first)
}

/// Sends the call to every process of `role`. Returns the response of each with its role, host and port,
/// after all have responded: after a failure of one, the others carry out the call anyway.
async fn call_all(
    console: &Console,
    role: Role,
    method: &Method,
    path: &str,
    body: Option<Bytes>,
    limit: Duration,
) -> Vec<(String, Result<RoleResponse, Problem>)> {
    let mut requests = JoinSet::new();
    for instance in console.roles.instances(role).await {
        let (roles, method) = (console.roles.clone(), method.clone());
        let (path, body) = (path.to_owned(), body.clone());
        requests.spawn(async move {
            let process = format!("{role} at {}", instance.name);
            let response = match roles.request(role, &instance, method, &path, body, limit).await {
                Ok(response) => check_authorized(&process, response),
                Err(failure) => {
                    log_failure(role, &instance, &failure);
                    let reason = runtime::error_text(&failure);
                    Err(Problem::unavailable(format!("{process}: {reason}"), RETRY_AFTER))
                }
            };
            (process, response)
        });
    }
    requests.join_all().await
}

/// Returns `response`, unless it means that `process` does not accept the console's calls.
fn check_authorized(process: &str, response: RoleResponse) -> Result<RoleResponse, Problem> {
    let detail = match response.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("{process} does not accept the console's token for it")
        }
        StatusCode::NOT_FOUND => {
            format!(
                "{process} has no such call: its ADMIN_TOKEN is not set, or its version is another one"
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
