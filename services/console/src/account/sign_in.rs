//! Signing in: a name, a password and a code of now. And signing out.

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

/// Who stands in the audit trail for a name that is no operator's.
const NOBODY: &str = "(unknown)";

/// What became of a try.
#[derive(Debug)]
pub enum Tried {
    /// It was right.
    SignedIn {
        /// Whose session it is.
        account: Account,
        /// What its cookie holds.
        token: Secret,
        /// When it ends, at the latest.
        expires_at: DateTime<Utc>,
    },
    /// Something of it was wrong; nobody is told what.
    Wrong,
    /// Too many are tried at the moment.
    Busy,
}

/// Tries `name`, `password` and `code`, sent from `address`. Of the same work whatever is wrong.
pub async fn sign_in(
    pool: &PgPool,
    name: &str,
    password: Password,
    code: &str,
    address: Option<&str>,
) -> Result<Tried, Error> {
    let found = operators::find_with_secrets(pool, name).await?;
    let kept = found.as_ref().map(|found| found.password.clone());
    let Some(is_right) = password.matches(kept).await else { return Ok(Tried::Busy) };
    let Some(found) = found else {
        // Without the name: a password is typed there now and then.
        let entry = Entry::of(NOBODY, "sign-in", NOBODY, address);
        audit::add(pool, &entry, "refused", None).await?;
        return Ok(Tried::Wrong);
    };
    let account = found.account;
    let of_now = totp::codes(&account.name, &found.totp_secret)
        .map(|codes| totp::step_of(&codes, code, Utc::now()))?;
    if let Some(half_minute) = of_now.filter(|_| is_right && !account.disabled) {
        let mut transaction = pool.begin().await?;
        // Each half minute is good for one session, and what was looked at is still so.
        let is_taken = sqlx::query_scalar!(
            "update operator.account set totp_step = $3
             where id = $1 and password = $2 and totp_step < $3 and not disabled returning id",
            account.id,
            found.password,
            half_minute,
        )
        .fetch_optional(&mut *transaction)
        .await?;
        if is_taken.is_some() {
            let (token, expires_at) = session::open(&mut transaction, account.id).await?;
            let entry = Entry::of(&account.name, "sign-in", &account.name, address);
            audit::add(&mut *transaction, &entry, "done", None).await?;
            transaction.commit().await?;
            return Ok(Tried::SignedIn { account, token, expires_at });
        }
    }
    let entry = Entry::of(&account.name, "sign-in", &account.name, address);
    audit::add(pool, &entry, "refused", None).await?;
    Ok(Tried::Wrong)
}

/// Ends `session` of the operator called `name`, who asks from `address`, and notes that: both or neither.
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
