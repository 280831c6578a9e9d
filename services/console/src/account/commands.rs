//! What an administrator of the machine does about operators: `almijara operator`.

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

/// Who stands in the audit trail for what is done by the commands of the program.
const MACHINE: &str = "(almijara operator)";

/// The fewest characters of an operator's password.
const SHORTEST: usize = 12;

/// A new password of the operator called `name`, who is not to be guessed by it.
fn chosen(password: String, name: &str) -> Result<Password, Weakness> {
    Password::chosen(password, SHORTEST, &[name, "almijara", "operator", "console"])
}

/// An operator's account as it is listed.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The name.
    pub name: String,
    /// Whether they may act, and not only look.
    pub may_act: bool,
    /// Whether they are kept out.
    pub disabled: bool,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When they signed in last, as far as that is noted.
    pub signed_in_at: Option<DateTime<Utc>>,
}

/// What a new or reset operator puts into their authenticator. It is shown once.
#[derive(Clone, Debug)]
pub struct Made {
    /// As a QR code holds it.
    pub url: String,
    /// As it is typed.
    pub secret: String,
}

/// Makes the account of `name`, who signs in by `password` and codes of the secret that is given.
///
/// # Errors
/// The name or the password can't be taken, or there is such an operator already.
pub async fn add(
    pool: &PgPool,
    name: &str,
    password: String,
    may_act: bool,
) -> Result<Made, Error> {
    if !is_name(name) {
        return Err(Error::Name);
    }
    let secret = totp::new_secret();
    let hash = chosen(password, name)?.hash().await?;
    let mut transaction = pool.begin().await?;
    let made = sqlx::query!(
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
    if made.rows_affected() == 0 {
        return Err(Error::NameTaken(name.to_owned()));
    }
    let action = if may_act { "operator add --may-act" } else { "operator add" };
    audit::add(&mut *transaction, &Entry::of(MACHINE, action, name, None), "done", None).await?;
    transaction.commit().await?;
    made_of(name, &secret)
}

/// Gives `name` another password and another secret, and ends their sessions.
///
/// # Errors
/// The password can't be taken, or there is no such operator.
pub async fn reset(pool: &PgPool, name: &str, password: String) -> Result<Made, Error> {
    let account = known(pool, name).await?;
    let secret = totp::new_secret();
    let hash = chosen(password, name)?.hash().await?;
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
    let entry = Entry::of(MACHINE, "operator reset", name, None);
    audit::add(&mut *transaction, &entry, "done", None).await?;
    transaction.commit().await?;
    made_of(name, &secret)
}

/// Keeps `name` out, ending their sessions, or lets them in again.
///
/// # Errors
/// There is no such operator.
pub async fn allow(pool: &PgPool, name: &str, is_allowed: bool) -> Result<(), Error> {
    let account = known(pool, name).await?;
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
    audit::add(&mut *transaction, &Entry::of(MACHINE, action, name, None), "done", None).await?;
    Ok(transaction.commit().await?)
}

/// Deletes the account of `name`, with its sessions. What they did stays in the audit trail.
///
/// # Errors
/// There is no such operator.
pub async fn remove(pool: &PgPool, name: &str) -> Result<(), Error> {
    let account = known(pool, name).await?;
    let mut transaction = pool.begin().await?;
    sqlx::query!("delete from operator.account where id = $1", account)
        .execute(&mut *transaction)
        .await?;
    let entry = Entry::of(MACHINE, "operator remove", name, None);
    audit::add(&mut *transaction, &entry, "done", None).await?;
    Ok(transaction.commit().await?)
}

/// Every operator, by name.
pub async fn list(pool: &PgPool) -> Result<Vec<Listed>, Error> {
    let listed = sqlx::query_as!(
        Listed,
        r#"select name, may_act, disabled, created_at,
               case when totp_step > 0 then to_timestamp(totp_step * 30) end as signed_in_at
         from operator.account order by lower(name) limit 1000"#,
    );
    Ok(listed.fetch_all(pool).await?)
}

async fn known(pool: &PgPool, name: &str) -> Result<Uuid, Error> {
    let found = find(pool, name).await?;
    found.map(|account| account.id).ok_or_else(|| Error::NoSuchOperator(name.to_owned()))
}

fn made_of(name: &str, secret: &[u8]) -> Result<Made, Error> {
    let codes = totp::codes(name, secret)?;
    Ok(Made { url: codes.to_url()?, secret: codes.secret().to_base32() })
}
