//! A visitor's saved searches.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum_extra::extract::CookieJar;
use http::{HeaderMap, StatusCode};
use runtime::problem::Problem;
use uuid::Uuid;

use super::{Accounts, Answer, Body, answer, kept, nothing};
use crate::{
    alerts::{
        Owner, SavedSearch, SearchChange, SearchRequest, change, checked, checked_name, delete,
        save,
    },
    body::read_json,
    consent::Press,
    failure::unfit,
};

fn missing() -> Problem {
    Problem::not_found("there is no such search of this account")
}

/// Saves a search; the same one once more changes its name and how often its owner hears of it.
#[utoipa::path(
    post, path = "/api/account/searches", request_body = SearchRequest,
    responses(
        (status = 201, body = SavedSearch), (status = 401, body = Problem),
        (status = 409, description = "As many are saved as can be", body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn save_search(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let session = accounts.session(&jar).await?;
    let request: SearchRequest = read_json(&headers, body)?;
    let mut errors = Vec::new();
    let (address, name) = checked(&request, &mut errors);
    let Some(address) = address.filter(|_| errors.is_empty()) else { return Err(unfit(errors)) };
    let (locale, frequency) = (request.locale, request.frequency);
    let saved = save(&accounts.pool, session.account, Some(&address), &name, locale, frequency);
    let full = || Problem::new(StatusCode::CONFLICT, "too-many-searches", "No more can be saved");
    Ok(answer(StatusCode::CREATED, &kept(saved).await?.ok_or_else(full)?))
}

/// Changes one.
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
    Path(id): Path<String>,
    jar: CookieJar,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let session = accounts.session(&jar).await?;
    let mut wanted: SearchChange = read_json(&headers, body)?;
    let mut errors = Vec::new();
    wanted.name = wanted.name.map(|name| checked_name(&name, &mut errors));
    if !errors.is_empty() {
        return Err(unfit(errors));
    }
    let id: Uuid = id.parse().map_err(|_| missing())?;
    let press = Press::of(&headers);
    let changed = change(&accounts.pool, Owner::Account(session.account), id, &wanted, &press);
    Ok(answer(StatusCode::OK, &kept(changed).await?.ok_or_else(missing)?))
}

/// Deletes one.
#[utoipa::path(
    delete, path = "/api/account/searches/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem))
)]
pub(super) async fn delete_search(
    State(accounts): State<Arc<Accounts>>,
    Path(id): Path<String>,
    jar: CookieJar,
) -> Answer {
    let session = accounts.session(&jar).await?;
    let id: Uuid = id.parse().map_err(|_| missing())?;
    if !kept(delete(&accounts.pool, Owner::Account(session.account), id)).await? {
        return Err(missing());
    }
    Ok(nothing())
}
