//! Passwords, for visitors who want one: mails and passkeys do without.

use std::{fmt, sync::LazyLock, time::Duration};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use sha2::{Digest as _, Sha256};
use sqlx::PgPool;
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};
use uuid::Uuid;
use zxcvbn::{Score, zxcvbn};

use super::{
    cookies::Brought,
    session,
    sign_in::{SignedIn, is_known_to, new_device},
};
use crate::{Error, rate::Rate};

/// The least and the most characters: length makes a password good, and work has a bound.
pub const LENGTH: (usize, usize) = (10, 128);
/// From how many letters on a part of a name or an address tells something of a password.
const KNOWN_PART: usize = 3;
/// Each takes a processor for some 30 ms and 19 MiB: others wait, for as long as this.
const AT_A_TIME: usize = 2;
const TURN_LIMIT: Duration = Duration::from_secs(5);
/// How often a password may be guessed at once by browsers that never were signed in to its account, and
/// how soon once more. Its owner has the mail besides, and browsers that are known.
const GUESSES: u32 = 10;
const GUESS_EVERY: Duration = Duration::from_mins(10);

static TURNS: Semaphore = Semaphore::const_new(AT_A_TIME);
/// Looked at in place of a password that there is not, so that nobody tells by the time it takes.
static NOBODYS: LazyLock<String> =
    LazyLock::new(|| hash_of(&Uuid::new_v4().to_string()).unwrap_or_default());

/// What somebody typed. It is shown to nobody.
#[derive(Clone)]
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// What is wrong with a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// It has too few or too many characters.
    Length,
    /// It is among those that are tried first.
    Guessable,
}

impl Password {
    /// One that is to be tried; none where it is too long to be anybody's.
    pub fn tried(text: String) -> Option<Self> {
        (text.chars().count() <= LENGTH.1).then_some(Self(text))
    }

    /// A new one of somebody whose address and name are `known`.
    ///
    /// The estimate is zxcvbn's (Wheeler, USENIX Security 2016), which knows the passwords that are
    /// common, names, words, dates and rows of keys: 3 of 4 resists ten billion tries.
    pub fn chosen(text: String, known: &[&str]) -> Result<Self, Weakness> {
        if !(LENGTH.0..=LENGTH.1).contains(&text.chars().count()) {
            return Err(Weakness::Length);
        }
        if zxcvbn(&without(&text, known), known).score() < Score::Three {
            return Err(Weakness::Guessable);
        }
        Ok(Self(text))
    }
}

/// What is left of a password that somebody would have to guess who has the `known`.
///
/// The estimate takes any three words for hard to guess, be they first name, surname and year.
fn without(text: &str, known: &[&str]) -> String {
    known
        .iter()
        .flat_map(|known| known.split(|letter: char| !letter.is_alphanumeric()))
        .filter(|part| part.chars().count() >= KNOWN_PART)
        .fold(text.to_lowercase(), |left, part| left.replace(&part.to_lowercase(), ""))
}

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
    let to_match = kept.clone().unwrap_or_else(|| NOBODYS.clone());
    let Some(is_right) = with_turn(move || matches(&password, &to_match)).await else {
        return Ok(Tried::Busy);
    };
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
    let session = session::open(&mut transaction, account, brought, user_agent).await?;
    let device = new_device(&mut transaction, account).await?;
    transaction.commit().await?;
    Ok(Tried::SignedIn(SignedIn { session, device, next: None }))
}

/// Gives the account of `session` this password, or none, and ends its other sessions: whoever had the
/// one before is out. Whether there was time for it.
pub async fn change(
    pool: &PgPool,
    session: &session::Session,
    password: Option<Password>,
) -> Result<bool, Error> {
    let kept = match password {
        None => None,
        Some(password) => match with_turn(move || hash_of(&password.0)).await.flatten() {
            Some(hash) => Some(hash),
            None => return Ok(false),
        },
    };
    sqlx::query!("update visitor.account set password = $2 where id = $1", session.account, kept)
        .execute(pool)
        .await?;
    session::end_others(pool, session).await?;
    Ok(true)
}

/// Has `work` done where work may take long; none where too many others wait.
async fn with_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let _turn = timeout(TURN_LIMIT, TURNS.acquire()).await.ok()?.ok()?;
    spawn_blocking(work).await.ok()
}

fn hash_of(password: &str) -> Option<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.inspect_err(|error| tracing::error!(%error, "a password can't be hashed"))
        .ok()
        .map(|hash| hash.to_string())
}

fn matches(password: &Password, kept: &str) -> bool {
    PasswordHash::new(kept)
        .is_ok_and(|kept| Argon2::default().verify_password(password.0.as_bytes(), &kept).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_first_is_no_password() {
        let chosen = |text: &str| {
            Password::chosen(text.to_owned(), &["ann.prior@example.com", "Ann Prior"]).err()
        };
        assert_eq!(chosen("short"), Some(Weakness::Length));
        assert_eq!(chosen(&"x7$".repeat(60)), Some(Weakness::Length));
        for text in [
            "password123",
            "qwertyuiop",
            "1234567890",
            "ann.prior@example.com",
            "annprior2026",
            "Prior-Ann!2026",
        ] {
            assert_eq!(chosen(text), Some(Weakness::Guessable), "{text}");
        }
        for text in ["correct horse battery staple", "ganso-teja-limonero", "b8#Lq2!vTz0"] {
            assert_eq!(chosen(text), None, "{text}");
        }
    }

    #[test]
    fn a_password_is_kept_so_that_nobody_reads_it() {
        let password = Password("ganso-teja-limonero".to_owned());
        let (one, other) = (hash_of(&password.0), hash_of(&password.0));
        let one = one.expect("a hash");
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(Some(&one), other.as_ref());
        assert!(matches(&password, &one));
        assert!(!matches(&Password("ganso-teja-limonerO".to_owned()), &one));
        assert!(!matches(&password, &NOBODYS) && !matches(&password, "no hash"));
        assert_eq!(format!("{password:?}"), "Password");
    }
}
