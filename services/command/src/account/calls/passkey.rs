//! Calls to register, use and remove passkeys.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum_extra::extract::CookieJar;
use http::{HeaderMap, StatusCode};
use runtime::{JsonBody, problem::Problem};
use uuid::Uuid;

use super::{
    super::{
        cookies,
        details::{self, Account, MAX_ENQUIRIES},
        passkeys::{self, Ceremony, CeremonyAnswer, CeremonyOutcome},
        session::Session,
        sign_in::Confirmed,
    },
    Accounts, no_content, sign_in_expired,
    signing_in::{Welcome, confirmed_answer},
    user_agent,
};
use crate::answer::{Answer, answer};

/// Starts a sign-in with a passkey.
#[utoipa::path(
    post, path = "/api/account/sign-in/passkey/challenge",
    responses((status = 200, body = Ceremony), (status = 404, body = Problem))
)]
pub(super) async fn ask_for_passkey(
    State(accounts): State<Arc<Accounts>>,
    headers: HeaderMap,
) -> Answer {
    let webauthn = accounts.webauthn()?;
    accounts.rate.check(&headers)?;
    let ceremony = accounts.run(passkeys::begin_sign_in(accounts.pool(), webauthn)).await?;
    Ok(answer(StatusCode::OK, &ceremony))
}

/// Signs the browser in with a passkey.
#[utoipa::path(
    post, path = "/api/account/sign-in/passkey", request_body = CeremonyAnswer,
    responses(
        (status = 200, description = "The browser is signed in", body = Welcome),
        (status = 410, description = "The passkey is unknown, or the challenge has expired",
            body = Problem),
    )
)]
pub(super) async fn by_passkey(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CeremonyAnswer>,
) -> Answer {
    let webauthn = accounts.webauthn()?;
    let presented = cookies::presented(&jar);
    let agent = user_agent(&headers);
    let used = passkeys::sign_in(accounts.pool(), webauthn, &request, &presented, agent.as_deref());
    match accounts.run(Box::pin(used)).await? {
        CeremonyOutcome::Accepted(signed_in) => {
            confirmed_answer(jar, Confirmed::SignedIn(signed_in))
        }
        CeremonyOutcome::Rejected => Err(sign_in_expired()),
    }
}

/// Starts the registration of a passkey.
#[utoipa::path(
    post, path = "/api/account/passkeys/challenge",
    responses(
        (status = 200, body = Ceremony), (status = 401, body = Problem),
        (status = 404, body = Problem)
    )
)]
pub(super) async fn begin_passkey(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
) -> Answer {
    let webauthn = accounts.webauthn()?;
    let ceremony =
        accounts.run(passkeys::begin_registration(accounts.pool(), webauthn, &session)).await?;
    Ok(answer(StatusCode::OK, &ceremony))
}

/// Stores a new passkey.
#[utoipa::path(
    post, path = "/api/account/passkeys", request_body = CeremonyAnswer,
    responses(
        (status = 201, body = Account), (status = 401, body = Problem),
        (status = 410, description = "The passkey is invalid, or the challenge has expired", body = Problem)
    )
)]
pub(super) async fn make_passkey(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CeremonyAnswer>,
) -> Answer {
    let webauthn = accounts.webauthn()?;
    let agent = user_agent(&headers);
    let made = passkeys::finish_registration(
        accounts.pool(),
        webauthn,
        &session,
        &request,
        agent.as_deref(),
    );
    match accounts.run(made).await? {
        CeremonyOutcome::Accepted(()) => {
            let account =
                accounts.run(details::read(accounts.pool(), &session, Some(MAX_ENQUIRIES))).await?;
            Ok(answer(StatusCode::CREATED, &account))
        }
        CeremonyOutcome::Rejected => Err(sign_in_expired()),
    }
}

/// Removes a passkey of the account.
#[utoipa::path(
    delete, path = "/api/account/passkeys/{id}", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem))
)]
pub(super) async fn remove_passkey(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    Path(id): Path<String>,
) -> Answer {
    let missing = || Problem::not_found("there is no such passkey of this account");
    let id: Uuid = id.parse().map_err(|_| missing())?;
    if !accounts.run(passkeys::remove(accounts.pool(), session.account, id)).await? {
        return Err(missing());
    }
    Ok(no_content())
}
