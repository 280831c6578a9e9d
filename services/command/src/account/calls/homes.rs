//! A visitor's homes.

use std::sync::Arc;

use axum::extract::{Path, State};
use contracts::Reference;
use http::StatusCode;
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::{
        my_homes::{self, Changed, HomeChange, MAX_COMPARED, MAX_NOTE_LENGTH, MyHome},
        session::Session,
    },
    Accounts, no_content,
};
use crate::{
    answer::{Answer, answer},
    failure::invalid_fields,
};

/// The maximum number of homes that a browser may upload at once.
const MAX_MERGED: usize = 500;

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MyHomes {
    homes: Vec<MyHome>,
}

/// Changes a home in the visitor's lists.
#[utoipa::path(
    put, path = "/api/account/homes/{reference}", params(("reference" = String, Path)),
    request_body = HomeChange,
    responses(
        (status = 200, body = MyHome), (status = 401, body = Problem),
        (status = 409, description = "The comparison list is full", body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn change_home(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(reference): Path<String>,
    JsonBody(change): JsonBody<HomeChange>,
) -> Answer {
    let mut errors = Vec::new();
    if change.note().is_some_and(|note| note.chars().count() > MAX_NOTE_LENGTH) {
        errors.push(FieldError::new("note", format!("at most {MAX_NOTE_LENGTH} characters")));
    }
    let reference = reference.parse::<Reference>().ok();
    if reference.is_none() {
        errors.push(FieldError::new("reference", Reference::DESCRIPTION));
    }
    let Some(reference) = reference.filter(|_| errors.is_empty()) else {
        return Err(invalid_fields(errors));
    };
    let changed = my_homes::change(accounts.pool(), session.account, &reference, &change);
    match accounts.run(changed).await? {
        Changed::Now(home) => Ok(answer(StatusCode::OK, &home)),
        Changed::TooManyCompared => {
            let title = "As many homes are compared as can be";
            let detail = format!("{MAX_COMPARED} at most");
            Err(Problem::new(StatusCode::CONFLICT, "too-many-compared", title).with_detail(detail))
        }
    }
}

/// Clears the history of viewed homes.
#[utoipa::path(
    delete, path = "/api/account/seen-homes",
    responses((status = 204), (status = 401, body = Problem))
)]
pub(super) async fn forget_seen_homes(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
) -> Answer {
    accounts.run(my_homes::forget_seen(accounts.pool(), session.account)).await?;
    Ok(no_content())
}

/// Merges the homes that a browser stored before the sign-in into the account.
#[utoipa::path(
    post, path = "/api/account/homes", request_body = MyHomes,
    responses(
        (status = 200, body = MyHomes), (status = 401, body = Problem),
        (status = 422, body = Problem)
    )
)]
pub(super) async fn merge_homes(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    JsonBody(request): JsonBody<MyHomes>,
) -> Answer {
    if request.homes.len() > MAX_MERGED {
        let error = FieldError::new("homes", format!("at most {MAX_MERGED}"));
        return Err(invalid_fields(vec![error]));
    }
    accounts.run(my_homes::merge(accounts.pool(), session.account, &request.homes)).await?;
    let homes = accounts.run(my_homes::list(accounts.pool(), session.account)).await?;
    Ok(answer(StatusCode::OK, &MyHomes { homes }))
}
