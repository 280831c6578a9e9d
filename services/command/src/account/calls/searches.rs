//! Calls of an account's saved searches.

use std::sync::Arc;

use axum::extract::{Path, State};
use http::{HeaderMap, StatusCode};
use runtime::{JsonBody, problem::Problem};
use uuid::Uuid;

use super::{super::session::Session, Accounts, no_content};
use crate::{
    alerts::{
        Owner, SavedSearch, SearchChange, SearchRequest, change, check_name, check_request, delete,
        save,
    },
    answer::{Answer, answer},
    consent::Submission,
    failure::invalid_fields,
};

fn missing() -> Problem {
    Problem::not_found("there is no such search of this account")
}

/// Saves a search. If the search is already saved, its name and its frequency are updated.
#[utoipa::path(
    post, path = "/api/account/searches", request_body = SearchRequest,
    responses(
        (status = 201, body = SavedSearch), (status = 401, body = Problem),
        (status = 409, description = "The limit of saved searches is reached", body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn save_search(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    JsonBody(request): JsonBody<SearchRequest>,
) -> Answer {
    let mut errors = Vec::new();
    let (address, name) = check_request(&request, &mut errors);
    let Some(address) = address.filter(|_| errors.is_empty()) else {
        return Err(invalid_fields(errors));
    };
    let (locale, frequency) = (request.locale, request.frequency);
    let saved = save(accounts.pool(), session.account, Some(&address), &name, locale, frequency);
    let full = || Problem::new(StatusCode::CONFLICT, "too-many-searches", "No more can be saved");
    Ok(answer(StatusCode::CREATED, &accounts.run(saved).await?.ok_or_else(full)?))
}

/// Changes a saved search.
#[utoipa::path(
    patch, path = "/api/account/searches/{id}", params(("id" = String, Path)),
    request_body = SearchChange,
    responses(
        (status = 200, body = SavedSearch), (status = 401, body = Problem),
        (status = 404, body = Problem), (status = 422, body = Problem)
    )
)]
pub(super) async fn change_search(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(id): Path<String>,
    headers: HeaderMap,
    JsonBody(mut wanted): JsonBody<SearchChange>,
) -> Answer {
    let mut errors = Vec::new();
    wanted.name = wanted.name.map(|name| check_name(&name, &mut errors));
    if !errors.is_empty() {
        return Err(invalid_fields(errors));
    }
    let id: Uuid = id.parse().map_err(|_| missing())?;
    let submission = Submission::from_headers(&headers);
    let owner = Owner::Account(session.account);
    let changed = change(accounts.pool(), owner, id, &wanted, None, &submission);
    Ok(answer(StatusCode::OK, &accounts.run(changed).await?.ok_or_else(missing)?))
}

/// Deletes a saved search.
#[utoipa::path(
    delete, path = "/api/account/searches/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem))
)]
pub(super) async fn delete_search(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(id): Path<String>,
) -> Answer {
    let id: Uuid = id.parse().map_err(|_| missing())?;
    if !accounts.run(delete(accounts.pool(), Owner::Account(session.account), id)).await? {
        return Err(missing());
    }
    Ok(no_content())
}
