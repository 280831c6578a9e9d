//! Passwords: checked for strength when chosen, and stored as argon2id hashes.

use std::{
    fmt,
    sync::{Arc, LazyLock},
    time::Duration,
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};
use uuid::Uuid;
use zxcvbn::{Score, zxcvbn};

/// The maximum length of a password in characters, which bounds the work of hashing it.
pub const MAX_PASSWORD_LENGTH: usize = 128;
/// The minimum length of the parts of a name or an address that are removed before the strength is
/// estimated.
const MIN_KNOWN_PART_LENGTH: usize = 3;
/// The maximum number of concurrent hashes: each takes about 30 ms of a processor and 19 MiB.
const MAX_CONCURRENT: usize = 2;
/// How long a hash waits for a permit.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(5);

static PERMITS: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(MAX_CONCURRENT)));
/// The hash to verify against when there is no account, so that the time does not reveal whether there
/// is one.
static DUMMY_HASH: LazyLock<String> =
    LazyLock::new(|| hash_of(&Uuid::new_v4().to_string()).unwrap_or_default());

/// A password as typed. It is never printed.
#[derive(Clone)]
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password")
    }
}

/// Why a new password was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Weakness {
    /// It has too few or too many characters.
    #[error("a password has from {min} to {MAX_PASSWORD_LENGTH} characters")]
    Length {
        /// The minimum.
        min: usize,
    },
    /// It is easy to guess.
    #[error(
        "this password is guessed at once; four words that have nothing to do with each other are better"
    )]
    Guessable,
}

/// Why a password could not be hashed or verified.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too many other passwords are being hashed.
    #[error("too many passwords are being hashed")]
    Busy,
    /// It could not be hashed.
    #[error("a password can't be hashed")]
    Hash(#[source] argon2::password_hash::Error),
}

impl Password {
    /// Creates a password for a sign-in attempt; returns `None` if it is too long to be valid.
    pub fn for_sign_in(text: String) -> Option<Self> {
        (text.chars().count() <= MAX_PASSWORD_LENGTH).then_some(Self(text))
    }

    /// Creates a new password of at least `min` characters. `known` is what others may know about
    /// its owner, such as an address or a name; it does not count as strength.
    ///
    /// The strength is estimated by zxcvbn (Wheeler, USENIX Security 2016), which knows common
    /// passwords, names, words, dates and keyboard patterns. The required score, 3 of 4, resists ten
    /// billion guesses.
    ///
    /// # Errors
    /// The length is invalid, or the password is easy to guess.
    pub fn choose(text: String, min: usize, known: &[&str]) -> Result<Self, Weakness> {
        if !(min..=MAX_PASSWORD_LENGTH).contains(&text.chars().count()) {
            return Err(Weakness::Length { min });
        }
        if zxcvbn(&remove_known(&text, known), known).score() < Score::Three {
            return Err(Weakness::Guessable);
        }
        Ok(Self(text))
    }

    /// Returns the argon2id hash to be stored.
    ///
    /// # Errors
    /// There was no permit in time, or hashing failed.
    pub async fn hash(self) -> Result<String, PasswordError> {
        let hash =
            with_permit(&PERMITS, move || hash_of(&self.0)).await.ok_or(PasswordError::Busy)?;
        hash.map_err(PasswordError::Hash)
    }

    /// Whether the password matches the `stored` hash. Without a stored hash it never matches, and takes
    /// the same time. Returns `None` if there was no permit in time.
    pub async fn matches(self, stored: Option<String>) -> Option<bool> {
        let has_account = stored.is_some();
        let matches = with_permit(&PERMITS, move || {
            let hash = stored.as_deref().unwrap_or(&DUMMY_HASH);
            PasswordHash::new(hash).is_ok_and(|hash| {
                Argon2::default().verify_password(self.0.as_bytes(), &hash).is_ok()
            })
        });
        Some(matches.await? && has_account)
    }
}

/// Removes the parts of `known` from a password, so that only the rest counts as strength.
///
/// zxcvbn itself would rate any three words as hard to guess, even if they are first name, surname and
/// year.
fn remove_known(text: &str, known: &[&str]) -> String {
    known
        .iter()
        .flat_map(|known| known.split(|char: char| !char.is_alphanumeric()))
        .filter(|part| part.chars().count() >= MIN_KNOWN_PART_LENGTH)
        .fold(text.to_lowercase(), |rest, part| rest.replace(&part.to_lowercase(), ""))
}

/// Runs `work` on a blocking thread with one of `permits`; returns `None` if there was no permit in
/// time.
///
/// The work continues if the caller is cancelled, so the permit is held by the work and not by the
/// caller.
async fn with_permit<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let permit = timeout(PERMIT_TIMEOUT, Arc::clone(permits).acquire_owned()).await.ok()?.ok()?;
    let working = spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    working.await.ok()
}

fn hash_of(password: &str) -> Result<String, argon2::password_hash::Error> {
    let hash = Argon2::default().hash_password(password.as_bytes())?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn a_permit_is_held_until_the_work_ends_even_if_the_caller_is_cancelled() {
        let runtime = Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let permits = Arc::new(Semaphore::new(1));
            let hashing = with_permit(&permits, move || held.recv());
            timeout(Duration::ZERO, hashing).await.expect_err("the caller is cancelled");
            assert_eq!(permits.available_permits(), 0, "the work still holds it");
            release.send(()).expect("the work goes on");
            assert!(permits.acquire().await.is_ok(), "it is released");
        });
    }

    #[test]
    fn easily_guessed_passwords_are_rejected() {
        let known = ["ann.prior@example.com", "Ann Prior"];
        let chosen = |text: &str| Password::choose(text.to_owned(), 10, &known).err();
        assert_eq!(chosen("short"), Some(Weakness::Length { min: 10 }));
        assert_eq!(chosen(&"x7$".repeat(60)), Some(Weakness::Length { min: 10 }));
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

    #[tokio::test]
    async fn a_password_is_hashed_with_a_salt_and_never_printed() {
        let typed = |text: &str| Password::for_sign_in(text.to_owned()).expect("it is short");
        let hash = async || typed("ganso-teja-limonero").hash().await.expect("a hash");
        let stored = hash().await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
        assert_ne!(stored, hash().await);
        let matches = async |text: &str, stored: Option<&str>| {
            typed(text).matches(stored.map(str::to_owned)).await
        };
        assert_eq!(matches("ganso-teja-limonero", Some(&stored)).await, Some(true));
        assert_eq!(matches("ganso-teja-limonerO", Some(&stored)).await, Some(false));
        assert_eq!(matches("ganso-teja-limonero", None).await, Some(false));
        assert_eq!(matches("ganso-teja-limonero", Some("no hash")).await, Some(false));
        assert_eq!(format!("{:?}", typed("a word")), "Password");
    }
}
