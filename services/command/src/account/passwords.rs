//! Passwords, for visitors who want one: mails and passkeys do without.

use std::time::Duration;

use credentials::{Password, PasswordError, Secret};
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;

use super::{
    cookies::Brought,
    session,
    sign_in::{SignedIn, is_known_to, new_device},
};
use crate::{Error, rate::Rate};

/// The fewest characters of a visitor's: length makes a password good.
pub const SHORTEST: usize = 10;
/// How often a password may be guessed at once by browsers that never were signed in to its account, and
/// how soon once more. Its owner has the mail besides, and browsers that are known.
const GUESSES: u32 = 10;
const GUESS_EVERY: Duration = Duration::from_mins(10);

/// Counts guesses by what the address that they are for is known by.
pub type Guesses = Rate<Vec<u8>>;

/// Counts them, unless `is_off`.
pub fn guesses(is_off: bool) -> Guesses {
    Rate::new(if is_off { 0 } else { GUESSES }, GUESS_EVERY)
}

/// What became of a try.
#[derive(Debug)]
pub enum Tried {
    /// The browser is signed in.
    SignedIn(SignedIn),
    /// There is no such account, or it has no password, or another.
    Wrong,
    /// This address was tried too often.
    TooOften,
    /// Too many are tried at the moment.
    Busy,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The account has it, or none any more.
    Done,
    /// The session was ended meanwhile.
    SignedOut,
    /// Too many are tried at the moment.
    Busy,
}

/// Signs a browser in by `password`.
pub async fn sign_in(
    pool: &PgPool,
    email: &str,
    password: Password,
    guesses: &Guesses,
    brought: &Brought,
    user_agent: Option<&str>,
) -> Result<Tried, Error> {
    let mut transaction = pool.begin().await?;
    let is_known = is_known_to(&mut transaction, email, brought).await?;
    transaction.commit().await?;
    if !is_known && !guesses.allows(&Sha256::digest(email.to_lowercase()).to_vec()) {
        return Ok(Tried::TooOften);
    }
    let found = sqlx::query!(
        "select id, password from visitor.account where lower(email) = lower($1)",
        email,
    )
    .fetch_optional(pool)
    .await?;
    let (account, kept) = found.map_or((None, None), |found| (Some(found.id), found.password));
    let Some(is_right) = password.matches(kept.clone()).await else { return Ok(Tried::Busy) };
    let (Some(account), Some(kept), true) = (account, kept, is_right) else {
        return Ok(Tried::Wrong);
    };
    let mut transaction = pool.begin().await?;
    // It may have been changed while it was looked at.
    let still = sqlx::query_scalar!(
        "select id from visitor.account where id = $1 and password = $2 for no key update",
        account,
        kept,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    if still.is_none() {
        return Ok(Tried::Wrong);
    }
    let device = new_device(&mut transaction, account).await?;
    let session = session::open(&mut transaction, account, brought, &device, user_agent).await?;
    transaction.commit().await?;
    Ok(Tried::SignedIn(SignedIn { session, device, next: None }))
}

/// Gives the account of `session` this password, or none, and ends its other sessions: whoever had the
/// one before is out, and changes it no more. The browser that asks is known by `device`.
pub async fn change(
    pool: &PgPool,
    session: &session::Session,
    device: Option<&Secret>,
    password: Option<Password>,
) -> Result<Changed, Error> {
    let kept = match password {
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
    sqlx::query!("update visitor.account set password = $2 where id = $1", session.account, kept)
        .execute(&mut *transaction)
        .await?;
    session::end_all_but(&mut transaction, session, device).await?;
    transaction.commit().await?;
    Ok(Changed::Done)
}
