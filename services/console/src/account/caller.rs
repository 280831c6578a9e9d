//! Identifies the caller of a request, by the session cookie or by a trusted proxy.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::extract::FromRequestParts;
use axum_extra::extract::CookieJar;
use chrono::{DateTime, Utc};
use credentials::Secret;
use http::{StatusCode, request::Parts};
use runtime::{error_text, postgres::with_answer_timeout, problem::Problem};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{operators, proxy::ProxyIdentity, session};
use crate::{Error, console::Console};

/// The time after which clients may retry when Postgres does not answer.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// An operator, as sent to the browser.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Operator {
    /// The name.
    pub name: String,
    /// Whether the operator may act, rather than only read.
    pub may_act: bool,
}

/// A signed-in operator who makes a request.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The operator.
    pub operator: Operator,
    /// The session and when it expires; `None` if a proxy identified the operator.
    pub session: Option<(Uuid, DateTime<Utc>)>,
    /// The address of the client.
    pub address: Option<IpAddr>,
}

impl Caller {
    /// Identifies the caller of a request. With `extend_session`, the request counts as activity of the
    /// session.
    async fn of(parts: &Parts, console: &Console, extend_session: bool) -> Result<Self, Problem> {
        let address = console.proxy.address_of(&parts.headers, &parts.extensions);
        let (account, session) = match console.proxy.identity(&parts.headers, &parts.extensions) {
            ProxyIdentity::Invalid => return Err(signed_out()),
            ProxyIdentity::Name(name) => {
                let found = with_answer_timeout(operators::find(&console.pool, &name)).await;
                let found = found.map_err(|error| unavailable(&error))?;
                let account = found.filter(|account| !account.disabled).ok_or_else(no_account)?;
                (account, None)
            }
            ProxyIdentity::Absent => {
                let jar = CookieJar::from_headers(&parts.headers);
                let cookie = jar.get(console.cookie_name());
                let token = cookie.and_then(|cookie| Secret::parse(cookie.value()));
                let token = token.ok_or_else(signed_out)?;
                let found =
                    with_answer_timeout(session::find(&console.pool, &token, extend_session)).await;
                let session = found.map_err(|error| unavailable(&error))?.ok_or_else(signed_out)?;
                (session.account, Some((session.id, session.expires_at)))
            }
        };
        let operator = Operator { name: account.name, may_act: account.may_act };
        Ok(Self { operator, session, address })
    }

    /// Whether the caller has lost access since: the session has ended, or the account is disabled or
    /// deleted. Does not extend the session.
    pub async fn has_lost_access(&self, pool: &PgPool) -> Result<bool, Error> {
        if let Some((session, _)) = self.session {
            return session::has_ended(pool, session).await;
        }
        let account = operators::find(pool, &self.operator.name).await?;
        Ok(account.is_none_or(|account| account.disabled))
    }
}

/// The caller of a request that a page makes periodically, without operator activity. It does not extend
/// the session.
#[derive(Clone, Debug)]
pub struct BackgroundCaller(pub Caller);

/// A caller who may act.
#[derive(Clone, Debug)]
pub struct ActingCaller(pub Caller);

impl FromRequestParts<Arc<Console>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        console: &Arc<Console>,
    ) -> Result<Self, Problem> {
        Self::of(parts, console, true).await
    }
}

impl FromRequestParts<Arc<Console>> for BackgroundCaller {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        console: &Arc<Console>,
    ) -> Result<Self, Problem> {
        Caller::of(parts, console, false).await.map(Self)
    }
}

impl FromRequestParts<Arc<Console>> for ActingCaller {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        console: &Arc<Console>,
    ) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, console).await?;
        if caller.operator.may_act {
            return Ok(Self(caller));
        }
        let title = "This account may look, but not act";
        Err(Problem::new(StatusCode::FORBIDDEN, "may-not-act", title))
    }
}

fn signed_out() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "signed-out", "Nobody is signed in here")
}

/// Not a 401, since signing in would not help: the proxy would keep sending the same name.
fn no_account() -> Problem {
    let title = "The proxy names an operator who has no account here";
    Problem::new(StatusCode::FORBIDDEN, "no-account", title)
}

fn unavailable(error: &Error) -> Problem {
    tracing::warn!(error = error_text(error), "the caller could not be identified");
    Problem::unavailable("the operators' accounts can't be read", RETRY_AFTER)
}
