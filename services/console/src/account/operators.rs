//! Reads operators' accounts.

use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// The maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 64;

/// An operator's account.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: Uuid,
    pub name: String,
    pub may_act: bool,
    pub disabled: bool,
}

/// An account with the secrets for signing in.
#[derive(Clone)]
pub struct WithSecrets {
    pub account: Account,
    pub password: String,
    pub totp_secret: Vec<u8>,
}

/// Whether `name` is valid: a single word that is safe in a proxy header, an authenticator and a log
/// line.
pub fn is_name(name: &str) -> bool {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || ".-_+@".contains(char);
    name.len() <= MAX_NAME_LENGTH
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(is_allowed)
}

/// Returns the account `name`, matched case-insensitively.
pub async fn find(pool: &PgPool, name: &str) -> Result<Option<Account>, Error> {
    if !is_name(name) {
        return Ok(None);
    }
    let found = sqlx::query_as!(
        Account,
        "select id, name, may_act, disabled from operator.account where lower(name) = lower($1)",
        name,
    );
    Ok(found.fetch_optional(pool).await?)
}

/// Like [`find`], with the secrets for signing in.
pub async fn find_with_secrets(pool: &PgPool, name: &str) -> Result<Option<WithSecrets>, Error> {
    if !is_name(name) {
        return Ok(None);
    }
    let found = sqlx::query!(
        "select id, name, may_act, disabled, password, totp_secret
         from operator.account where lower(name) = lower($1)",
        name,
    );
    Ok(found.fetch_optional(pool).await?.map(|row| WithSecrets {
        account: Account {
            id: row.id,
            name: row.name,
            may_act: row.may_act,
            disabled: row.disabled,
        },
        password: row.password,
        totp_secret: row.totp_secret,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_single_word() {
        for name in ["ann", "Ann.Prior", "ann+1@example.com", "7"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-ann", "ann prior", "ann:prior", "añn", "a\n", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
