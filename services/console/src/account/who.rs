//! Who asks: by the cookie of a session, or as a trusted proxy says.

use std::{net::IpAddr, time::Duration};

use axum::extract::FromRequestParts;
use axum_extra::extract::CookieJar;
use chrono::{DateTime, Utc};
use credentials::Secret;
use http::{StatusCode, request::Parts};
use runtime::{postgres::answered, problem::Problem};
use serde::Serialize;
use sqlx::PgPool;
use uuid::Uuid;

use super::{operators, proxy::Said, session};
use crate::{Error, console::Console};

/// When who asks may try again where Postgres does not answer.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// An operator, as their browser is told.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Operator {
    /// Their name.
    pub name: String,
    /// Whether they may act, and not only look.
    pub may_act: bool,
}

/// Somebody who is signed in.
#[derive(Clone, Debug)]
pub struct Who {
    /// Who.
    pub operator: Operator,
    /// Their session, and when it ends at the latest; none where a proxy says who they are.
    pub session: Option<(Uuid, DateTime<Utc>)>,
    /// From where they ask.
    pub address: Option<IpAddr>,
}

impl Who {
    /// Who sent `parts`; a question that `keeps_open` makes their session last.
    async fn of(parts: &Parts, console: &Console, keeps_open: bool) -> Result<Self, Problem> {
        let address = console.proxy().address_of(&parts.headers, &parts.extensions);
        let (account, session) = match console.proxy().said(&parts.headers, &parts.extensions) {
            Said::Nonsense => return Err(signed_out()),
            Said::Name(name) => {
                let found = answered(operators::find(console.pool(), &name)).await;
                let found = found.map_err(|error| away(&error))?;
                let account = found.filter(|account| !account.disabled).ok_or_else(no_account)?;
                (account, None)
            }
            Said::Nothing => {
                let jar = CookieJar::from_headers(&parts.headers);
                let cookie = jar.get(console.cookie_name());
                let token = cookie.and_then(|cookie| Secret::read(cookie.value()));
                let token = token.ok_or_else(signed_out)?;
                let found = answered(session::find(console.pool(), &token, keeps_open)).await;
                let session = found.map_err(|error| away(&error))?.ok_or_else(signed_out)?;
                (session.account, Some((session.id, session.expires_at)))
            }
        };
        let operator = Operator { name: account.name, may_act: account.may_act };
        Ok(Self { operator, session, address })
    }

    /// Whether they are let in no more: their session has ended, or their account is kept out or gone.
    /// Asking this keeps no session open.
    pub async fn is_gone(&self, pool: &PgPool) -> Result<bool, Error> {
        if let Some((session, _)) = self.session {
            return session::is_over(pool, session).await;
        }
        let account = operators::find(pool, &self.operator.name).await?;
        Ok(account.is_none_or(|account| account.disabled))
    }
}

/// Somebody whose page asks by itself, whether they are at it or not: it keeps no session open.
#[derive(Clone, Debug)]
pub struct Watching(pub Who);

/// Somebody who may act.
#[derive(Clone, Debug)]
pub struct Acting(pub Who);

impl FromRequestParts<Console> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Problem> {
        Self::of(parts, console, true).await
    }
}

impl FromRequestParts<Console> for Watching {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Problem> {
        Who::of(parts, console, false).await.map(Self)
    }
}

impl FromRequestParts<Console> for Acting {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, console: &Console) -> Result<Self, Problem> {
        let who = Who::from_request_parts(parts, console).await?;
        if who.operator.may_act {
            return Ok(Self(who));
        }
        let title = "This account may look and not act";
        Err(Problem::new(StatusCode::FORBIDDEN, "may-not-act", title))
    }
}

fn signed_out() -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "signed-out", "Nobody is signed in here")
}

/// Signing in would not help: the proxy goes on naming them.
fn no_account() -> Problem {
    let title = "The proxy names somebody who has no account here";
    Problem::new(StatusCode::FORBIDDEN, "no-account", title)
}

fn away(error: &Error) -> Problem {
    tracing::warn!(%error, "who asks could not be looked up");
    Problem::unavailable("the operators' accounts can't be read", RETRY_AFTER)
}
