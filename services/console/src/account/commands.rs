//! Manages operators from the command line: `almijara operator`.

use chrono::{DateTime, Utc};
use credentials::{Password, Weakness};
use sqlx::PgPool;
use uuid::Uuid;

use super::{
    operators::{find, is_name},
    totp,
};
use crate::{
    Error,
    audit::{self, Entry},
};

/// The operator name in the audit trail for actions from the command line.
const COMMAND_LINE: &str = "(almijara operator)";

/// The minimum length of an operator's password, in characters.
const MIN_PASSWORD_LENGTH: usize = 12;

/// Checks a new password of the operator `name`; that name and words of the console don't count as
/// strength.
fn new_password(password: String, name: &str) -> Result<Password, Weakness> {
    Password::choose(password, MIN_PASSWORD_LENGTH, &[name, "almijara", "operator", "console"])
}

/// An operator's account, as listed.
#[derive(Clone, Debug)]
pub struct OperatorAccount {
    /// The name of the operator.
    pub name: String,
    /// Whether the operator may act, rather than only read.
    pub may_act: bool,
    /// Whether the account is disabled.
    pub disabled: bool,
    /// When the account was created.
    pub created_at: DateTime<Utc>,
    /// When the operator last signed in, to the half minute; `None` if never since the last reset.
    pub signed_in_at: Option<DateTime<Utc>>,
}

/// The secret for the authenticator of a new or reset operator. It is shown once.
#[derive(Clone, Debug)]
pub struct NewCredentials {
    /// As the `otpauth:` address for a QR code.
    pub url: String,
    /// In base32, to be typed in.
    pub secret: String,
}

/// Creates the account `name`, which signs in with `password` and codes of the returned secret.
///
/// # Errors
/// The name or the password is invalid, or the operator already exists.
pub async fn add(
    pool: &PgPool,
    name: &str,
    password: String,
    may_act: bool,
) -> Result<NewCredentials, Error> {
    if !is_name(name) {
        return Err(Error::Name);
    }
    let secret = totp::new_secret();
    let hash = new_password(password, name)?.hash().await?;
    let mut transaction = pool.begin().await?;
    let inserted = sqlx::query!(
        "insert into operator.account (id, name, password, totp_secret, may_act)
         values ($1, $2, $3, $4, $5) on conflict do nothing",
        Uuid::now_v7(),
        name,
        hash,
        &secret[..],
        may_act,
    )
    .execute(&mut *transaction)
    .await?;
    if inserted.rows_affected() == 0 {
        return Err(Error::NameTaken(name.to_owned()));
    }
    let action = if may_act { "operator add --may-act" } else { "operator add" };
    audit::add(&mut *transaction, &Entry::of(COMMAND_LINE, action, name, None), "done", None)
        .await?;
    transaction.commit().await?;
    new_credentials(name, &secret)
}

/// Sets a new password and a new secret for `name`, and ends their sessions.
///
/// # Errors
/// The password is invalid, or the operator does not exist.
pub async fn reset(pool: &PgPool, name: &str, password: String) -> Result<NewCredentials, Error> {
    let account = account_id(pool, name).await?;
    let secret = totp::new_secret();
    let hash = new_password(password, name)?.hash().await?;
    let mut transaction = pool.begin().await?;
    sqlx::query!(
        "update operator.account
         set password = $2, totp_secret = $3, totp_step = 0, changed_at = now() where id = $1",
        account,
        hash,
        &secret[..],
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!("delete from operator.session where account = $1", account)
        .execute(&mut *transaction)
        .await?;
    let entry = Entry::of(COMMAND_LINE, "operator reset", name, None);
    audit::add(&mut *transaction, &entry, "done", None).await?;
    transaction.commit().await?;
    new_credentials(name, &secret)
}

/// Enables the account `name`, or disables it and ends its sessions.
///
/// # Errors
/// The operator does not exist.
pub async fn set_enabled(pool: &PgPool, name: &str, is_allowed: bool) -> Result<(), Error> {
    let account = account_id(pool, name).await?;
    let mut transaction = pool.begin().await?;
    sqlx::query!("update operator.account set disabled = $2 where id = $1", account, !is_allowed)
        .execute(&mut *transaction)
        .await?;
    if !is_allowed {
        sqlx::query!("delete from operator.session where account = $1", account)
            .execute(&mut *transaction)
            .await?;
    }
    let action = if is_allowed { "operator enable" } else { "operator disable" };
    audit::add(&mut *transaction, &Entry::of(COMMAND_LINE, action, name, None), "done", None)
        .await?;
    Ok(transaction.commit().await?)
}

/// Deletes the account `name` and its sessions. The audit trail keeps its lines.
///
/// # Errors
/// The operator does not exist.
pub async fn remove(pool: &PgPool, name: &str) -> Result<(), Error> {
    let account = account_id(pool, name).await?;
    let mut transaction = pool.begin().await?;
    sqlx::query!("delete from operator.account where id = $1", account)
        .execute(&mut *transaction)
        .await?;
    let entry = Entry::of(COMMAND_LINE, "operator remove", name, None);
    audit::add(&mut *transaction, &entry, "done", None).await?;
    Ok(transaction.commit().await?)
}

/// Lists all operators, ordered by name.
pub async fn list(pool: &PgPool) -> Result<Vec<OperatorAccount>, Error> {
    let listed = sqlx::query_as!(
        OperatorAccount,
        r#"select name, may_act, disabled, created_at,
               case when totp_step > 0 then to_timestamp(totp_step * 30) end as signed_in_at
         from operator.account order by lower(name) limit 1000"#,
    );
    Ok(listed.fetch_all(pool).await?)
}

async fn account_id(pool: &PgPool, name: &str) -> Result<Uuid, Error> {
    let found = find(pool, name).await?;
    found.map(|account| account.id).ok_or_else(|| Error::NoSuchOperator(name.to_owned()))
}

fn new_credentials(name: &str, secret: &[u8]) -> Result<NewCredentials, Error> {
    let codes = totp::codes(name, secret)?;
    Ok(NewCredentials { url: codes.to_url()?, secret: codes.secret().to_base32() })
}
