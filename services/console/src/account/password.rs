//! Passwords of operators: argon2id, and long.

use std::{fmt, sync::LazyLock, time::Duration};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::{sync::Semaphore, task::spawn_blocking, time::timeout};
use uuid::Uuid;
use zxcvbn::{Score, zxcvbn};

use crate::Error;

/// The least and the most characters: length makes a password good, and work has a bound.
const LENGTH: (usize, usize) = (12, 128);
/// Each takes a processor for some 30 ms and 19 MiB: others wait, for as long as this.
const AT_A_TIME: usize = 2;
const TURN_LIMIT: Duration = Duration::from_secs(5);

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Weakness {
    /// It has too few or too many characters.
    #[error("a password has from {} to {} characters", LENGTH.0, LENGTH.1)]
    Length,
    /// It is among those that are tried first.
    #[error(
        "this password is guessed at once; four words that have nothing to do with each other are better"
    )]
    Guessable,
}

impl Password {
    /// One that is to be tried; none where it is too long to be anybody's.
    pub fn tried(text: String) -> Option<Self> {
        (text.chars().count() <= LENGTH.1).then_some(Self(text))
    }

    /// A new one of the operator called `name`, who is not to be guessed by it.
    ///
    /// # Errors
    /// Whoever guesses would find it.
    pub fn chosen(text: String, name: &str) -> Result<Self, Weakness> {
        if !(LENGTH.0..=LENGTH.1).contains(&text.chars().count()) {
            return Err(Weakness::Length);
        }
        if zxcvbn(&text, &[name, "almijara", "operator", "console"]).score() < Score::Three {
            return Err(Weakness::Guessable);
        }
        Ok(Self(text))
    }

    /// As it is kept: an argon2id hash.
    pub async fn hash(self) -> Result<String, Error> {
        with_turn(move || hash_of(&self.0)).await.ok_or(Error::Busy)?.map_err(Error::Hash)
    }

    /// Whether it is the one that `kept` is the hash of; where nothing is kept it takes as long, and is
    /// not. None where too many others wait.
    pub async fn matches(self, kept: Option<String>) -> Option<bool> {
        let is_anybodys = kept.is_some();
        let kept = kept.unwrap_or_else(|| NOBODYS.clone());
        let matches = with_turn(move || {
            PasswordHash::new(&kept).is_ok_and(|kept| {
                Argon2::default().verify_password(self.0.as_bytes(), &kept).is_ok()
            })
        });
        Some(matches.await? && is_anybodys)
    }
}

/// Has `work` done where work may take long; none where too many others wait.
async fn with_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let _turn = timeout(TURN_LIMIT, TURNS.acquire()).await.ok()?.ok()?;
    spawn_blocking(work).await.ok()
}

fn hash_of(password: &str) -> Result<String, argon2::password_hash::Error> {
    let hash = Argon2::default().hash_password(password.as_bytes())?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_first_is_no_password() {
        let chosen = |text: &str| Password::chosen(text.to_owned(), "ann.prior").err();
        assert_eq!(chosen("short"), Some(Weakness::Length));
        assert_eq!(chosen(&"x7$".repeat(60)), Some(Weakness::Length));
        for text in ["password1234", "qwertyuiopas", "ann.priorann", "almijaraconsole"] {
            assert_eq!(chosen(text), Some(Weakness::Guessable), "{text}");
        }
        assert_eq!(chosen("ganso-teja-limonero"), None);
    }

    #[tokio::test]
    async fn a_password_is_kept_so_that_nobody_reads_it() {
        let typed = |text: &str| Password::tried(text.to_owned()).expect("it is short");
        let kept = typed("ganso-teja-limonero").hash().await.expect("a hash");
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        let matches = async |text: &str, kept: Option<&str>| {
            typed(text).matches(kept.map(str::to_owned)).await
        };
        assert_eq!(matches("ganso-teja-limonero", Some(&kept)).await, Some(true));
        assert_eq!(matches("ganso-teja-limonerO", Some(&kept)).await, Some(false));
        assert_eq!(matches("ganso-teja-limonero", None).await, Some(false));
        assert_eq!(matches("ganso-teja-limonero", Some("no hash")).await, Some(false));
        assert_eq!(format!("{:?}", typed("a word")), "Password");
    }
}
