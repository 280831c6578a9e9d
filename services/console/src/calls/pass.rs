//! Handing a call on.

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
    problem::{FieldError, Problem},
    read_json, whole_body,
};
use serde_json::Value;
use tokio::task::JoinSet;

use super::{
    ask::{Asked, Failure, Instance},
    list::{Role, Together, Whom, action_named, look_named},
    merge::merged,
};
use crate::{
    account::{Acting, Who},
    console::Console,
    deed::{Deed, audited, shortened},
};

/// How long a role may take to answer: it gives up what it asks of Postgres after twenty seconds.
const LOOK_LIMIT: Duration = Duration::from_secs(25);
const ACT_LIMIT: Duration = Duration::from_secs(30);
/// When somebody may try again where a role is away.
const RETRY_AFTER: Duration = Duration::from_secs(2);
/// The longest value of a parameter, in bytes: the positions of a page of publishes.
const MAX_PARAMETER_LENGTH: usize = 1_024;

/// `GET /api/ROLE/CALL`.
pub async fn look(
    State(console): State<Console>,
    _: Who,
    Path(call): Path<String>,
    given: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(given) = given.map_err(|_| {
        Problem::invalid(vec![FieldError::new("query", "parameters as the call has them")])
    })?;
    let (role, call) = role_and_call(&call)?;
    let look = look_named(role, call).ok_or_else(no_such_call)?;
    let query = query_of(&given, look.parameters)?;
    let path = format!("/admin/{}{query}", look.name);
    let answer = match look.whom {
        Whom::One => of_one(&console, role, Method::GET, &path, None, LOOK_LIMIT).await?,
        Whom::All(how) => {
            of_all(&console, role, &Method::GET, &path, None, how, LOOK_LIMIT).await?
        }
    };
    Ok(passed(answer))
}

/// `POST /api/ROLE/ACTION`.
pub async fn act(
    State(console): State<Console>,
    Acting(who): Acting,
    Path(call): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, Problem> {
    let (role, call) = role_and_call(&call)?;
    let action = action_named(role, call).ok_or_else(no_such_call)?;
    let body = whole_body(body)?;
    let target = target_of(&headers, &body, action.fields)?;
    let body = (!target.is_empty()).then_some(body);
    let path = format!("/admin/{}", action.name);
    let deed = Deed { who, action: format!("{role}/{}", action.name), target };
    let asking = console.clone();
    let done = async move {
        match action.whom {
            Whom::One => of_one(&asking, role, Method::POST, &path, body, ACT_LIMIT).await,
            Whom::All(how) => {
                of_all(&asking, role, &Method::POST, &path, body, how, ACT_LIMIT).await
            }
        }
    };
    let answer = audited(console, deed, done, outcome_of).await?;
    Ok(passed(answer))
}

/// What the trail says of `answer`.
fn outcome_of(answer: &Asked) -> String {
    if answer.status.is_success() {
        return format!("done ({})", answer.status.as_u16());
    }
    let said: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let why = said["detail"].as_str().or_else(|| said["title"].as_str()).unwrap_or_default();
    format!("refused ({}) {}", answer.status.as_u16(), shortened(why)).trim_end().to_owned()
}

/// Of `sync/parked/retry` the role and the rest.
fn role_and_call(call: &str) -> Result<(Role, &str), Problem> {
    let (role, call) = call.split_once('/').ok_or_else(no_such_call)?;
    Ok((Role::named(role).ok_or_else(no_such_call)?, call))
}

/// The query of a call, of the parameters that it has.
fn query_of(given: &[(String, String)], known: &[&str]) -> Result<String, Problem> {
    let mut query = String::new();
    for (name, value) in given {
        let is_known = known.contains(&name.as_str());
        let is_plain = value.len() <= MAX_PARAMETER_LENGTH
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_,".contains(&byte));
        if !is_known || !is_plain {
            let detail = if is_known { "a plain value" } else { "no such parameter" };
            return Err(Problem::invalid(vec![FieldError::new(name, detail)]));
        }
        let mark = if query.is_empty() { '?' } else { '&' };
        // Writing to a string does not fail.
        let _infallible = write!(query, "{mark}{name}={value}");
    }
    Ok(query)
}

/// What `body` asks for, as one line of JSON, if it has no field but those `known`; empty where nothing
/// is asked for beside the action.
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

/// Asks the process of `role` that leads, or another where that is not there: one that was not reached
/// has done nothing.
async fn of_one(
    console: &Console,
    role: Role,
    method: Method,
    path: &str,
    body: Option<Bytes>,
    limit: Duration,
) -> Result<Asked, Problem> {
    let mut failed = None;
    for instance in console.roles().best_first(role).await {
        let asked =
            console.roles().ask(role, &instance, method.clone(), path, body.clone(), limit).await;
        match asked {
            Ok(answer) => return known(role, answer),
            Err(failure) => {
                let was_reached = !matches!(&failure, Failure::Away(error) if error.is_connect());
                told(role, &instance, &failure);
                failed = Some(failure);
                if was_reached {
                    break;
                }
            }
        }
    }
    Err(away(role, failed.as_ref()))
}

/// Asks every process of `role`, and makes their answers one. Where one does not answer, or refuses,
/// that is the answer.
async fn of_all(
    console: &Console,
    role: Role,
    method: &Method,
    path: &str,
    body: Option<Bytes>,
    how: Together,
    limit: Duration,
) -> Result<Asked, Problem> {
    let mut asking = JoinSet::new();
    for instance in console.roles().instances(role).await {
        let (roles, method) = (console.roles().clone(), method.clone());
        let (path, body) = (path.to_owned(), body.clone());
        asking.spawn(async move {
            let asked = roles.ask(role, &instance, method, &path, body, limit).await;
            (instance, asked)
        });
    }
    let mut answers = Vec::new();
    let mut failed = None;
    // To the end, whatever one of them says: what the others do, they do.
    while let Some(Ok((instance, asked))) = asking.join_next().await {
        match asked {
            Ok(answer) => match known(role, answer) {
                Ok(answer) => answers.push(answer),
                Err(problem) => failed = Some(problem),
            },
            Err(failure) => {
                told(role, &instance, &failure);
                let reason = runtime::error_text(&failure);
                let detail = format!("{role} at {}: {reason}", instance.name);
                failed = Some(Problem::unavailable(detail, RETRY_AFTER));
            }
        }
    }
    if let Some(problem) = failed {
        return Err(problem);
    }
    if let Some(refused) = answers.iter().position(|answer| !answer.status.is_success()) {
        return Ok(answers.swap_remove(refused));
    }
    let Some(mut first) = answers.pop() else { return Err(away(role, None)) };
    if answers.is_empty() {
        return Ok(first);
    }
    answers.push(first.clone());
    let values = answers.iter().filter_map(|answer| serde_json::from_slice(&answer.body).ok());
    first.body = merged(values.collect(), how).to_string().into();
    Ok(first)
}

/// `answer`, unless it is about the console's own right to ask.
fn known(role: Role, answer: Asked) -> Result<Asked, Problem> {
    let detail = match answer.status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            format!("{role} does not know the console's token for it")
        }
        StatusCode::NOT_FOUND => {
            format!("{role} takes no such call: it has no ADMIN_TOKEN, or is of another version")
        }
        _ => return Ok(answer),
    };
    let title = "The role does not take the console's calls";
    Err(Problem::new(StatusCode::BAD_GATEWAY, "role-refuses", title).with_detail(detail))
}

/// `answer` as the browser gets it.
fn passed(answer: Asked) -> Response {
    let mut response = (answer.status, answer.body).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    for name in [header::CONTENT_TYPE, header::RETRY_AFTER] {
        if let Some(value) = answer.headers.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    response
}

fn told(role: Role, instance: &Instance, failure: &Failure) {
    let reason = runtime::error_text(failure);
    tracing::warn!(%role, instance = instance.name, reason, "a call was not answered");
}

fn away(role: Role, failure: Option<&Failure>) -> Problem {
    let reason = failure.map_or_else(|| "it is nowhere".to_owned(), |it| runtime::error_text(it));
    Problem::unavailable(format!("{role}: {reason}"), RETRY_AFTER)
}

fn no_such_call() -> Problem {
    Problem::not_found("there is no such call")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_known_parameters_alone() {
        let query = |given: &[(&str, &str)]| {
            let given: Vec<_> =
                given.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            query_of(&given, &["limit", "before"]).ok()
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
    fn what_is_asked_for_has_known_fields_alone() {
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
