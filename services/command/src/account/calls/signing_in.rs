//! Signing in and out.

use std::sync::Arc;

use axum::{extract::State, response::IntoResponse};
use axum_extra::extract::CookieJar;
use chrono::{DateTime, Utc};
use contracts::Locale;
use credentials::Secret;
use http::{HeaderMap, StatusCode};
use runtime::{
    JsonBody,
    problem::{FieldError, Problem},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    super::{
        cookies, session,
        sign_in::{self, Asking, Confirmed, SignedIn, VALID_FOR},
    },
    Accounts, MAX_NAME_LENGTH, nothing, over, user_agent,
};
use crate::{
    answer::{Answer, answer},
    consent::Press,
    enquiry::{email_address, line},
    failure::unfit,
};

/// The longest address, in characters: that of an enquiry.
const MAX_EMAIL_LENGTH: usize = 200;
/// The longest path to go on to, in bytes: a search with an area that was drawn by hand has room.
const MAX_NEXT_LENGTH: usize = 2_000;

/// What somebody sends who wants to be signed in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SignInRequest {
    email: String,
    /// For a new account.
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    locale: Locale,
    /// A path of the site to go on to.
    #[serde(default)]
    next: Option<String>,
    /// For a new account: that its owner wants to hear of offers.
    #[serde(default)]
    marketing_consent: bool,
}

/// A mail is on its way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asked {
    /// Until when its link and its code can be used.
    expires_at: DateTime<Utc>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRequest {
    /// What the link ends with.
    token: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeRequest {
    /// Six digits.
    code: String,
}

/// The browser is signed in.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Welcome {
    /// Where to go on.
    next: Option<String>,
}

/// Has a link and a code mailed. The answer is the same whether or not there is an account.
#[utoipa::path(
    post, path = "/api/account/sign-in", request_body = SignInRequest,
    responses(
        (status = 202, description = "A mail is on its way", body = Asked),
        (status = 422, description = "A field can't be taken", body = Problem),
        (status = 429, description = "Too many from one address", body = Problem),
    )
)]
pub(super) async fn ask(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<SignInRequest>,
) -> Answer {
    let asking = checked(request, Press::of(&headers))?;
    accounts.rate.check(&headers)?;
    let browser =
        accounts.kept(sign_in::ask(accounts.pool(), &asking, &cookies::brought(&jar))).await?;
    accounts.unpublished.notify_one();
    metrics::counter!("command_sign_ins_total").increment(1);
    let asked = Asked { expires_at: Utc::now() + VALID_FOR };
    Ok((cookies::asked(jar, &browser), answer(StatusCode::ACCEPTED, &asked)).into_response())
}

fn checked(request: SignInRequest, press: Press) -> Result<Asking, Problem> {
    let mut errors = Vec::new();
    let is_short = request.email.chars().count() <= MAX_EMAIL_LENGTH;
    let email = email_address(&request.email).filter(|_| is_short);
    if email.is_none() {
        errors.push(FieldError::new("email", "an e-mail address"));
    }
    let name = line(request.name.as_deref());
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME_LENGTH) {
        errors.push(FieldError::new("name", "at most 100 characters"));
    }
    let next = request.next.filter(|next| !next.is_empty());
    if next.as_deref().is_some_and(|next| !is_path(next)) {
        errors.push(FieldError::new("next", "a path of this site"));
    }
    let Some(email) = email.filter(|_| errors.is_empty()) else { return Err(unfit(errors)) };
    let (locale, marketing_consent) = (request.locale, request.marketing_consent);
    Ok(Asking { email, name, locale, next, marketing_consent, press })
}

/// Whether `next` is a path of this site, and nothing that a browser reads as another's.
pub(super) fn is_path(next: &str) -> bool {
    let mut characters = next.chars();
    characters.next() == Some('/')
        && !matches!(characters.next(), Some('/' | '\\'))
        && next.len() <= MAX_NEXT_LENGTH
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

/// Signs in the browser that asked, by the link that was mailed.
#[utoipa::path(
    post, path = "/api/account/sign-in/link", request_body = LinkRequest,
    responses(
        (status = 200, description = "It is signed in", body = Welcome),
        (status = 409, description = "Another browser asked: the code is typed there", body = Problem),
        (status = 410, description = "It was used, is too old or never was", body = Problem),
    )
)]
pub(super) async fn by_link(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<LinkRequest>,
) -> Answer {
    let Some(link) = Secret::read(&request.token) else { return Err(over()) };
    let brought = cookies::brought(&jar);
    let agent = user_agent(&headers);
    let press = Press::of(&headers);
    let confirmed = sign_in::by_link(accounts.pool(), &link, &brought, agent.as_deref(), &press);
    let confirmed = accounts.kept(confirmed).await?;
    // Most have just used it in this browser; who is signed in to another account is to be told so.
    if matches!(confirmed, Confirmed::Over)
        && let Some(session) = accounts.session_if_any(&jar).await?
        && accounts.kept(sign_in::was_mailed_to(accounts.pool(), &link, &session.email)).await?
    {
        return Err(signed_in_already());
    }
    confirmed_answer(jar, confirmed)
}

/// Signs in the browser that asked, by the code that was mailed.
#[utoipa::path(
    post, path = "/api/account/sign-in/code", request_body = CodeRequest,
    responses(
        (status = 200, description = "It is signed in", body = Welcome),
        (status = 410, description = "There were too many tries, or it is too old", body = Problem),
        (status = 422, description = "It is another code", body = Problem),
    )
)]
pub(super) async fn by_code(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CodeRequest>,
) -> Answer {
    // As mails show it, and as people type it.
    let code: String =
        request.code.chars().filter(|it| !it.is_whitespace() && *it != '-').collect();
    let is_code = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
    if !is_code {
        return Err(wrong_code());
    }
    let brought = cookies::brought(&jar);
    let agent = user_agent(&headers);
    let press = Press::of(&headers);
    let confirmed = sign_in::by_code(accounts.pool(), &code, &brought, agent.as_deref(), &press);
    confirmed_answer(jar, accounts.kept(confirmed).await?)
}

pub(super) fn confirmed_answer(jar: CookieJar, confirmed: Confirmed) -> Answer {
    match confirmed {
        Confirmed::SignedIn(SignedIn { session, device, next }) => {
            let jar = cookies::signed_in(jar, &session, &device);
            Ok((jar, answer(StatusCode::OK, &Welcome { next })).into_response())
        }
        Confirmed::OtherBrowser => {
            let title = "Another browser asked for this";
            Err(Problem::new(StatusCode::CONFLICT, "other-browser", title))
        }
        Confirmed::WrongCode => Err(wrong_code()),
        Confirmed::Over => Err(over()),
    }
}

fn signed_in_already() -> Problem {
    let title = "This can't be used any more, and its account is signed in";
    Problem::new(StatusCode::GONE, "signed-in-already", title)
}

fn wrong_code() -> Problem {
    unfit(vec![FieldError::new("code", "the six digits of the mail")])
}

/// Ends the session that asks.
#[utoipa::path(post, path = "/api/account/sign-out", responses((status = 204)))]
pub(super) async fn sign_out(State(accounts): State<Arc<Accounts>>, jar: CookieJar) -> Answer {
    if let Some(session) = accounts.session_if_any(&jar).await? {
        accounts.kept(session::end(accounts.pool(), &session, session.id)).await?;
    }
    Ok((cookies::signed_out(jar), nothing()).into_response())
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn nobody_is_sent_to_another_site() {
        for path in ["/", "/account", "/es/property-for-sale?beds=2#map"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", "account", "//x.example", "/\\x.example", "https://x.example", "/a\nb"] {
            assert!(!is_path(path), "{path}");
        }
        let drawn = |points| format!("/property-for-sale?area={}", "36.7,-3.9;".repeat(points));
        assert!(is_path(&drawn(120)), "a search within an area");
        assert!(!is_path(&drawn(200)), "it has an end");
    }
}
