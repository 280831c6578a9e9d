//! Calls to sign in with a password, and to set or remove it.

use std::sync::Arc;

use axum::extract::State;
use axum_extra::extract::CookieJar;
use credentials::{MAX_PASSWORD_LENGTH, Password, Weakness};
use http::HeaderMap;
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    super::{
        cookies,
        passwords::{self, Changed, MIN_PASSWORD_LENGTH, SignInOutcome},
        session::Session,
        sign_in::Confirmed,
    },
    Accounts, no_content, signed_out,
    signing_in::{Welcome, confirmed_answer, is_path},
    user_agent,
};
use crate::{
    answer::Answer,
    enquiry::email_address,
    failure::{invalid_fields, unavailable},
    rate::too_many_requests,
};

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PasswordSignIn {
    /// The account's e-mail address.
    email: String,
    /// The account's password.
    password: String,
    /// A path of the site to continue to after the sign-in.
    #[serde(default)]
    next: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPassword {
    /// 10 to 128 characters, and not a commonly used password.
    password: String,
}

/// Signs the browser in with a password.
///
/// The answer and its timing are the same whether or not there is an account, and whether or not it
/// has a password.
#[utoipa::path(
    post, path = "/api/account/sign-in/password", request_body = PasswordSignIn,
    responses(
        (status = 200, description = "The browser is signed in", body = Welcome),
        (status = 422, description = "The e-mail address or the password is wrong", body = Problem),
        (status = 429, description = "There were too many attempts", body = Problem),
    )
)]
pub(super) async fn by_password(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<PasswordSignIn>,
) -> Answer {
    let next = request.next.filter(|next| is_path(next));
    let (email, password) =
        (email_address(&request.email), Password::for_sign_in(request.password));
    let (Some(email), Some(password)) = (email, password) else { return Err(wrong()) };
    accounts.rate.check(&headers)?;
    let (presented, agent) = (cookies::presented(&jar), user_agent(&headers));
    let tried = passwords::sign_in(
        accounts.pool(),
        &email,
        password,
        &accounts.guesses,
        &presented,
        agent.as_deref(),
    );
    match accounts.run(tried).await? {
        SignInOutcome::SignedIn(mut signed_in) => {
            signed_in.next = next;
            confirmed_answer(jar, Confirmed::SignedIn(signed_in))
        }
        SignInOutcome::Wrong => Err(wrong()),
        SignInOutcome::TooOften => Err(too_many_requests()),
        SignInOutcome::Busy => Err(unavailable()),
    }
}

fn wrong() -> Problem {
    invalid_fields(vec![FieldError::new("password", "the one of this account")])
}

/// Sets or replaces the account's password, and ends its other sessions.
#[utoipa::path(
    put, path = "/api/account/password", request_body = NewPassword,
    responses(
        (status = 204), (status = 401, body = Problem), (status = 422, body = Problem),
        (status = 429, description = "Too many requests from one network address", body = Problem)
    )
)]
pub(super) async fn set_password(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<NewPassword>,
) -> Answer {
    let known = [&*session.email, session.name.as_deref().unwrap_or_default()];
    let password =
        Password::choose(request.password, MIN_PASSWORD_LENGTH, &known).map_err(|weakness| {
            let right = match weakness {
                Weakness::Length { min } => format!("{min} to {MAX_PASSWORD_LENGTH} characters"),
                Weakness::Guessable => "nothing that is tried first".to_owned(),
            };
            invalid_fields(vec![FieldError::new("password", right)])
        })?;
    accounts.rate.check(&headers)?;
    let device = cookies::presented(&jar).device;
    let changed = passwords::change(accounts.pool(), &session, device.as_ref(), Some(password));
    changed_answer(accounts.run(changed).await?)
}

fn changed_answer(changed: Changed) -> Answer {
    match changed {
        Changed::Done => Ok(no_content()),
        Changed::SignedOut => Err(signed_out()),
        Changed::Busy => Err(unavailable()),
    }
}

/// Removes the account's password, and ends its other sessions.
#[utoipa::path(
    delete, path = "/api/account/password",
    responses((status = 204), (status = 401, body = Problem))
)]
pub(super) async fn remove_password(
    State(accounts): State<Arc<Accounts>>,
    session: Session,
    jar: CookieJar,
) -> Answer {
    let device = cookies::presented(&jar).device;
    let changed = passwords::change(accounts.pool(), &session, device.as_ref(), None);
    changed_answer(accounts.run(changed).await?)
}
