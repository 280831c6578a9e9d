//! Calls of an account's owner.

use std::sync::Arc;

use axum::{
    extract::{Path, State},
    response::IntoResponse,
};
use axum_extra::extract::CookieJar;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    super::{
        cookies,
        details::{self, Account, AccountChange, MAX_ENQUIRIES},
        export::{self, Export},
        my_homes::{self, MyHome},
        session::{self, Session},
    },
    Accounts, MAX_NAME_LENGTH, no_content, signed_out,
};
use crate::{
    answer::{Answer, answer},
    consent::Submission,
    enquiry::{email_address, single_line},
    failure::invalid_fields,
};

/// The visitor who sent the request, and the visitor's homes.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Me {
    /// The account; null if nobody is signed in.
    account: Option<Owner>,
    homes: Vec<MyHome>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Owner {
    name: Option<String>,
    email: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeletionRequest {
    /// The account's e-mail address, typed by the owner to confirm the deletion.
    email: String,
}

/// Returns the visitor's account and homes. Succeeds whether or not somebody is signed in.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub(super) async fn me(State(accounts): State<Arc<Accounts>>, jar: CookieJar) -> Answer {
    let Some(session) = accounts.session_if_any(&jar).await? else {
        // The cookies of an ended session are removed.
        let nobody = Me { account: None, homes: Vec::new() };
        return Ok((cookies::end_session(jar), answer(StatusCode::OK, &nobody)).into_response());
    };
    let homes = accounts.run(my_homes::list(accounts.pool(), session.account)).await?;
    let owner = Owner { name: session.name, email: session.email };
    // Each page makes this call, so regular visitors stay signed in.
    let jar = match cookies::presented(&jar).session {
        Some(session) => cookies::extend_session(jar, &session),
        None => jar,
    };
    Ok((jar, answer(StatusCode::OK, &Me { account: Some(owner), homes })).into_response())
}

/// Returns the account of the current session.
#[utoipa::path(
    get, path = "/api/account",
    responses((status = 200, body = Account), (status = 401, body = Problem))
)]
pub(super) async fn account(State(accounts): State<Arc<Accounts>>, session: Session) -> Answer {
    let account =
        accounts.run(details::read(accounts.pool(), &session, Some(MAX_ENQUIRIES))).await?;
    Ok(answer(StatusCode::OK, &account))
}

/// Changes the account of the current session.
#[utoipa::path(
    patch, path = "/api/account", request_body = AccountChange,
    responses(
        (status = 200, body = Account), (status = 401, body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn change_account(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    headers: HeaderMap,
    JsonBody(mut change): JsonBody<AccountChange>,
) -> Answer {
    change.name = change.name.map(|name| single_line(Some(&name)).unwrap_or_default());
    if change.name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME_LENGTH) {
        return Err(invalid_fields(vec![FieldError::new("name", "at most 100 characters")]));
    }
    accounts
        .run(details::change(
            accounts.pool(),
            &session,
            &change,
            &Submission::from_headers(&headers),
        ))
        .await?;
    let account =
        accounts.run(details::read(accounts.pool(), &session, Some(MAX_ENQUIRIES))).await?;
    Ok(answer(StatusCode::OK, &account))
}

/// Deletes the account and everything that belongs to it.
#[utoipa::path(
    delete, path = "/api/account", request_body = DeletionRequest,
    responses((status = 204), (status = 401, body = Problem), (status = 422, body = Problem))
)]
pub(super) async fn delete_account(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    jar: CookieJar,
    JsonBody(request): JsonBody<DeletionRequest>,
) -> Answer {
    let typed = email_address(&request.email);
    if typed.is_none_or(|typed| !typed.eq_ignore_ascii_case(&session.email)) {
        return Err(invalid_fields(vec![FieldError::new("email", "the address of this account")]));
    }
    accounts.run(details::delete(accounts.pool(), &session)).await?;
    accounts.unpublished.notify_one();
    Ok((cookies::forget_browser(jar), no_content()).into_response())
}

/// Returns all data stored about the account, as a file.
#[utoipa::path(
    get, path = "/api/account/export",
    responses((status = 200, body = Export), (status = 401, body = Problem))
)]
pub(super) async fn export(State(accounts): State<Arc<Accounts>>, session: Session) -> Answer {
    let export = accounts.run(export::export(accounts.pool(), &session)).await?;
    let mut response = answer(StatusCode::OK, &export);
    let file = HeaderValue::from_static("attachment; filename=\"almijara-account.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    Ok(response)
}

/// Returns a picture that the account's owner sent for a valuation.
#[utoipa::path(
    get, path = "/api/account/pictures/{id}", params(("id" = String, Path)),
    responses(
        (status = 200, body = Vec<u8>, content_type = "image/jpeg"),
        (status = 401, body = Problem), (status = 404, body = Problem)
    )
)]
pub(super) async fn picture(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(id): Path<String>,
) -> Answer {
    let missing = || Problem::not_found("there is no such picture of this account");
    let id = id.parse().map_err(|_| missing())?;
    let jpeg =
        accounts.run(details::picture(accounts.pool(), &session, id)).await?.ok_or_else(missing)?;
    let headers = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, jpeg).into_response())
}

/// Ends a session of the account.
#[utoipa::path(
    delete, path = "/api/account/sessions/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem))
)]
pub(super) async fn end_session(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(id): Path<String>,
    jar: CookieJar,
) -> Answer {
    let missing = || Problem::not_found("there is no such session of this account");
    let id: Uuid = id.parse().map_err(|_| missing())?;
    if !accounts.run(session::end(accounts.pool(), &session, id)).await? {
        return Err(missing());
    }
    let jar = if id == session.id { cookies::end_session(jar) } else { jar };
    Ok((jar, no_content()).into_response())
}

/// Ends all sessions of the account except the current one.
#[utoipa::path(
    delete, path = "/api/account/sessions",
    responses((status = 204), (status = 401, body = Problem))
)]
pub(super) async fn end_other_sessions(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    jar: CookieJar,
) -> Answer {
    let device = cookies::presented(&jar).device;
    if !accounts.run(session::end_others(accounts.pool(), &session, device.as_ref())).await? {
        return Err(signed_out());
    }
    Ok(no_content())
}
