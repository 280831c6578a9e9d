//! Sign-in with a name, a password and a current one-time code; and sign-out.

use chrono::{DateTime, Utc};
use credentials::{Password, Secret};
use sqlx::PgPool;
use uuid::Uuid;

use super::{
    operators::{self, Account},
    session, totp,
};
use crate::{
    Error,
    audit::{self, Entry},
};

/// The operator name in the audit trail for an unknown name.
const UNKNOWN_NAME: &str = "(unknown)";

/// The result of a sign-in attempt.
#[derive(Debug)]
pub enum SignInResult {
    /// It succeeded.
    SignedIn {
        /// The account of the session.
        account: Account,
        /// The value of the session cookie.
        token: Secret,
        /// When the session expires.
        expires_at: DateTime<Utc>,
    },
    /// The name, the password or the code is wrong, or the account is disabled. Clients must not learn
    /// which.
    Wrong,
    /// Too many attempts are in progress.
    Busy,
}

/// Attempts to sign in with `name`, `password` and `code` from `address`. Does the same work whatever is
/// wrong, so that the time reveals nothing.
pub async fn sign_in(
    pool: &PgPool,
    name: &str,
    password: Password,
    code: &str,
    address: Option<&str>,
) -> Result<SignInResult, Error> {
    let found = operators::find_with_secrets(pool, name).await?;
    let stored_hash = found.as_ref().map(|found| found.password.clone());
    let Some(is_right) = password.matches(stored_hash).await else {
        return Ok(SignInResult::Busy);
    };
    let Some(found) = found else {
        // The line omits the name: people sometimes type their password into that field.
        let entry = Entry::of(UNKNOWN_NAME, "sign-in", UNKNOWN_NAME, address);
        audit::add(pool, &entry, "refused", None).await?;
        return Ok(SignInResult::Wrong);
    };
    let account = found.account;
    let matching_step = totp::codes(&account.name, &found.totp_secret)
        .map(|codes| totp::matching_step(&codes, code, Utc::now()))?;
    if let Some(step) = matching_step.filter(|_| is_right && !account.disabled) {
        let mut transaction = pool.begin().await?;
        // Each code opens at most one session. The update also checks that the password is unchanged and
        // the account still enabled.
        let claimed = sqlx::query_scalar!(
            "update operator.account set totp_step = $3
             where id = $1 and password = $2 and totp_step < $3 and not disabled returning id",
            account.id,
            found.password,
            step,
        )
        .fetch_optional(&mut *transaction)
        .await?;
        if claimed.is_some() {
            let (token, expires_at) = session::open(&mut transaction, account.id).await?;
            let entry = Entry::of(&account.name, "sign-in", &account.name, address);
            audit::add(&mut *transaction, &entry, "done", None).await?;
            transaction.commit().await?;
            return Ok(SignInResult::SignedIn { account, token, expires_at });
        }
    }
    let entry = Entry::of(&account.name, "sign-in", &account.name, address);
    audit::add(pool, &entry, "refused", None).await?;
    Ok(SignInResult::Wrong)
}

/// Ends `session` of the operator `name`, and records the sign-out from `address`, in one transaction.
pub async fn sign_out(
    pool: &PgPool,
    session: Uuid,
    name: &str,
    address: Option<&str>,
) -> Result<(), Error> {
    let mut transaction = pool.begin().await?;
    session::end(&mut transaction, session).await?;
    let entry = Entry::of(name, "sign-out", name, address);
    audit::add(&mut *transaction, &entry, "done", None).await?;
    Ok(transaction.commit().await?)
}
