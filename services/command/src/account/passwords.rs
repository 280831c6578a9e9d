//! Passwords, which are optional: visitors can sign in by mail or passkey.

use std::time::Duration;

use credentials::{Password, PasswordError, Secret};
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;

use super::{
    cookies::PresentedSecrets,
    session,
    sign_in::{SignedIn, create_device, is_known_device},
};
use crate::{Error, rate::RateLimit};

/// The minimum number of characters of a visitor's password: length makes it strong.
pub const MIN_PASSWORD_LENGTH: usize = 10;
/// The rate limit of password attempts on one address by browsers that were never signed in to its
/// account. The owner can still sign in by mail, and from known browsers.
const GUESS_BURST: u32 = 10;
const GUESS_REFILL_INTERVAL: Duration = Duration::from_mins(10);

/// Limits attempts for each hash of a mail address.
pub type GuessLimit = RateLimit<Vec<u8>>;

/// Creates the limit, unless `is_off`.
pub fn guess_limit(is_off: bool) -> GuessLimit {
    RateLimit::new(if is_off { 0 } else { GUESS_BURST }, GUESS_REFILL_INTERVAL)
}

/// The result of an attempt.
#[derive(Debug)]
pub enum SignInOutcome {
    /// The browser is signed in.
    SignedIn(SignedIn),
    /// There is no such account, or it has no password or a different one.
    Wrong,
    /// There were too many attempts on this address.
    TooOften,
    /// Too many passwords are being hashed at the moment.
    Busy,
}

/// The result of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The password was set or removed.
    Done,
    /// The session has ended meanwhile.
    SignedOut,
    /// Too many passwords are being hashed at the moment.
    Busy,
}

/// Signs a browser in with `password`.
pub async fn sign_in(
    pool: &PgPool,
    email: &str,
    password: Password,
    guesses: &GuessLimit,
    presented: &PresentedSecrets,
    user_agent: Option<&str>,
) -> Result<SignInOutcome, Error> {
    let mut transaction = pool.begin().await?;
    let is_known = is_known_device(&mut transaction, email, presented).await?;
    transaction.commit().await?;
    if !is_known && !guesses.allows(&Sha256::digest(email.to_lowercase()).to_vec()) {
        return Ok(SignInOutcome::TooOften);
    }
    let found = sqlx::query!(
        "select id, password from visitor.account where lower(email) = lower($1)",
        email,
    )
    .fetch_optional(pool)
    .await?;
    let (account, stored) = found.map_or((None, None), |found| (Some(found.id), found.password));
    let Some(is_right) = password.matches(stored.clone()).await else {
        return Ok(SignInOutcome::Busy);
    };
    let (Some(account), Some(stored), true) = (account, stored, is_right) else {
        return Ok(SignInOutcome::Wrong);
    };
    let mut transaction = pool.begin().await?;
    // The password may have been changed while it was verified.
    let unchanged = sqlx::query_scalar!(
        "select id from visitor.account where id = $1 and password = $2 for no key update",
        account,
        stored,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if unchanged.is_none() {
        return Ok(SignInOutcome::Wrong);
    }
    let device = create_device(&mut transaction, account).await?;
    let session = session::open(&mut transaction, account, presented, &device, user_agent).await?;
    transaction.commit().await?;
    Ok(SignInOutcome::SignedIn(SignedIn { session, device, next: None }))
}

/// Sets or removes the password of the account of `session`, and ends its other sessions, so that a
/// person with the old password is signed out and can't change it back. `device` identifies the calling
/// browser.
pub async fn change(
    pool: &PgPool,
    session: &session::Session,
    device: Option<&Secret>,
    password: Option<Password>,
) -> Result<Changed, Error> {
    let stored = match password {
        None => None,
        Some(password) => match password.hash().await {
            Ok(hash) => Some(hash),
            Err(PasswordError::Busy) => return Ok(Changed::Busy),
            Err(error) => return Err(error.into()),
        },
    };
    let mut transaction = pool.begin().await?;
    if !session::lock(&mut transaction, session).await? {
        return Ok(Changed::SignedOut);
    }
    sqlx::query!("update visitor.account set password = $2 where id = $1", session.account, stored)
        .execute(&mut *transaction)
        .await?;
    session::end_all_but(&mut transaction, session, device).await?;
    transaction.commit().await?;
    Ok(Changed::Done)
}
