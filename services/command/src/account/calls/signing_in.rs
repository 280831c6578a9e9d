//! Calls to sign in by mail and to sign out.

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
        sign_in::{self, Confirmed, MailRequest, SignedIn, VALID_FOR},
    },
    Accounts, MAX_NAME_LENGTH, no_content, sign_in_expired, user_agent,
};
use crate::{
    answer::{Answer, answer},
    consent::Submission,
    enquiry::{email_address, single_line},
    failure::invalid_fields,
};

/// The longest address, in characters: that of an enquiry.
pub(super) const MAX_EMAIL_LENGTH: usize = 200;
/// The maximum length of a path to continue at, in bytes; it fits a search with a hand-drawn area.
const MAX_NEXT_LENGTH: usize = 2_000;

/// A request for a sign-in mail.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SignInRequest {
    email: String,
    /// For a new account: the owner's name.
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    #[schema(value_type = String)]
    locale: Locale,
    /// A path of the site to continue to after the sign-in.
    #[serde(default)]
    next: Option<String>,
    /// For a new account: whether the owner consents to marketing mails about offers.
    #[serde(default)]
    marketing_consent: bool,
}

/// Confirms that a mail is being sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asked {
    /// When the link and the code in the mail expire.
    expires_at: DateTime<Utc>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRequest {
    /// The last part of the link in the mail.
    token: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CodeRequest {
    /// The six digits of the code.
    code: String,
}

/// A successful sign-in.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Welcome {
    /// The path of the site to continue to.
    next: Option<String>,
}

/// Mails a link and a code for signing in. The answer is the same whether or not there is an
/// account.
#[utoipa::path(
    post, path = "/api/account/sign-in", request_body = SignInRequest,
    responses(
        (status = 202, description = "A mail is being sent", body = Asked),
        (status = 422, description = "A field is invalid", body = Problem),
        (status = 429, description = "Too many requests from one network address", body = Problem),
    )
)]
pub(super) async fn ask(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<SignInRequest>,
) -> Answer {
    let mail_request = check(request, Submission::from_headers(&headers))?;
    accounts.rate.check(&headers)?;
    let browser = accounts
        .run(sign_in::request_mail(accounts.pool(), &mail_request, &cookies::presented(&jar)))
        .await?;
    accounts.unpublished.notify_one();
    metrics::counter!("command_sign_ins_total").increment(1);
    let asked = Asked { expires_at: Utc::now() + VALID_FOR };
    Ok((cookies::remember_browser(jar, &browser), answer(StatusCode::ACCEPTED, &asked))
        .into_response())
}

fn check(request: SignInRequest, submission: Submission) -> Result<MailRequest, Problem> {
    let mut errors = Vec::new();
    let is_short = request.email.chars().count() <= MAX_EMAIL_LENGTH;
    let email = email_address(&request.email).filter(|_| is_short);
    if email.is_none() {
        errors.push(FieldError::new("email", "an e-mail address"));
    }
    let name = single_line(request.name.as_deref());
    if name.as_ref().is_some_and(|name| name.chars().count() > MAX_NAME_LENGTH) {
        errors.push(FieldError::new("name", "at most 100 characters"));
    }
    let next = request.next.filter(|next| !next.is_empty());
    if next.as_deref().is_some_and(|next| !is_path(next)) {
        errors.push(FieldError::new("next", "a path of this site"));
    }
    let Some(email) = email.filter(|_| errors.is_empty()) else {
        return Err(invalid_fields(errors));
    };
    let (locale, marketing_consent) = (request.locale, request.marketing_consent);
    Ok(MailRequest { email, name, locale, next, marketing_consent, submission })
}

/// Whether `next` is a path of this site that no browser interprets as another site.
pub(super) fn is_path(next: &str) -> bool {
    let mut characters = next.chars();
    characters.next() == Some('/')
        && !matches!(characters.next(), Some('/' | '\\'))
        && next.len() <= MAX_NEXT_LENGTH
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

/// Signs in the browser that requested it, with the mailed link.
#[utoipa::path(
    post, path = "/api/account/sign-in/link", request_body = LinkRequest,
    responses(
        (status = 200, description = "The browser is signed in", body = Welcome),
        (status = 409, description = "Another browser requested the sign-in; the code has to be entered there",
            body = Problem),
        (status = 410, description = "The link was used, has expired or never existed",
            body = Problem),
    )
)]
pub(super) async fn by_link(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<LinkRequest>,
) -> Answer {
    let Some(link) = Secret::parse(&request.token) else { return Err(sign_in_expired()) };
    let presented = cookies::presented(&jar);
    let agent = user_agent(&headers);
    let submission = Submission::from_headers(&headers);
    let confirmed =
        sign_in::by_link(accounts.pool(), &link, &presented, agent.as_deref(), &submission);
    let confirmed = accounts.run(confirmed).await?;
    // The link was usually used in this browser just now. A visitor who is signed in to another account
    // gets a different error.
    if matches!(confirmed, Confirmed::Expired)
        && let Some(session) = accounts.session_if_any(&jar).await?
        && accounts.run(sign_in::was_mailed_to(accounts.pool(), &link, &session.email)).await?
    {
        return Err(signed_in_already());
    }
    confirmed_answer(jar, confirmed)
}

/// Signs in the browser that requested it, with the mailed code.
#[utoipa::path(
    post, path = "/api/account/sign-in/code", request_body = CodeRequest,
    responses(
        (status = 200, description = "The browser is signed in", body = Welcome),
        (status = 410, description = "There were too many attempts, or the code has expired",
            body = Problem),
        (status = 422, description = "The code is wrong", body = Problem),
    )
)]
pub(super) async fn by_code(
    State(accounts): State<Arc<Accounts>>,
    jar: CookieJar,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CodeRequest>,
) -> Answer {
    // Accepts the separators that mails show and that people type.
    let code: String =
        request.code.chars().filter(|it| !it.is_whitespace() && *it != '-').collect();
    let is_code = code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit());
    if !is_code {
        return Err(wrong_code());
    }
    let presented = cookies::presented(&jar);
    let agent = user_agent(&headers);
    let submission = Submission::from_headers(&headers);
    let confirmed =
        sign_in::by_code(accounts.pool(), &code, &presented, agent.as_deref(), &submission);
    confirmed_answer(jar, accounts.run(confirmed).await?)
}

pub(super) fn confirmed_answer(jar: CookieJar, confirmed: Confirmed) -> Answer {
    match confirmed {
        Confirmed::SignedIn(SignedIn { session, device, next }) => {
            let jar = cookies::start_session(jar, &session, &device);
            Ok((jar, answer(StatusCode::OK, &Welcome { next })).into_response())
        }
        Confirmed::OtherBrowser => {
            let title = "Another browser asked for this";
            Err(Problem::new(StatusCode::CONFLICT, "other-browser", title))
        }
        Confirmed::WrongCode => Err(wrong_code()),
        Confirmed::Expired => Err(sign_in_expired()),
    }
}

fn signed_in_already() -> Problem {
    let title = "This can't be used any more, and its account is signed in";
    Problem::new(StatusCode::GONE, "signed-in-already", title)
}

fn wrong_code() -> Problem {
    invalid_fields(vec![FieldError::new("code", "the six digits of the mail")])
}

/// Ends the current session.
#[utoipa::path(post, path = "/api/account/sign-out", responses((status = 204)))]
pub(super) async fn sign_out(State(accounts): State<Arc<Accounts>>, jar: CookieJar) -> Answer {
    if let Some(session) = accounts.session_if_any(&jar).await? {
        accounts.run(session::end(accounts.pool(), &session, session.id)).await?;
    }
    Ok((cookies::end_session(jar), no_content()).into_response())
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn only_paths_of_this_site_are_accepted() {
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
