//! The accounts of operators.

use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// The longest name, in characters.
const MAX_NAME_LENGTH: usize = 64;

/// An operator's account.
#[derive(Clone, Debug)]
pub struct Account {
    pub id: Uuid,
    pub name: String,
    pub may_act: bool,
    pub disabled: bool,
}

/// An account with what its operator signs in by.
#[derive(Clone)]
pub struct WithSecrets {
    pub account: Account,
    pub password: String,
    pub totp_secret: Vec<u8>,
}

/// Whether somebody can be called so: a word that a proxy, an authenticator and a line of a log take.
pub fn is_name(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || ".-_+@".contains(letter);
    name.len() <= MAX_NAME_LENGTH
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name.chars().all(is_letter)
}

/// The account of `name`, whichever size its letters have.
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

/// The same with what they sign in by.
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
    fn a_name_is_a_word() {
        for name in ["ann", "Ann.Prior", "ann+1@example.com", "7"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-ann", "ann prior", "ann:prior", "añn", "a\n", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
