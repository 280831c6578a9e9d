//! Passwords: chosen so that they are hard to guess, kept as argon2id hashes.

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

/// The most characters of a password: work has a bound.
pub const LONGEST: usize = 128;
/// From how many letters on a part of a name or an address tells something of a password.
const KNOWN_PART: usize = 3;
/// Each takes a processor for some 30 ms and 19 MiB: others wait, for as long as this.
const AT_A_TIME: usize = 2;
const TURN_LIMIT: Duration = Duration::from_secs(5);

static TURNS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(AT_A_TIME)));
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
    #[error("a password has from {shortest} to {LONGEST} characters")]
    Length {
        /// The fewest.
        shortest: usize,
    },
    /// It is among those that are tried first.
    #[error(
        "this password is guessed at once; four words that have nothing to do with each other are better"
    )]
    Guessable,
}

/// Why nothing can be said of a password.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too many others wait for a processor.
    #[error("too many passwords are looked at")]
    Busy,
    /// It could not be hashed.
    #[error("a password can't be hashed: {0}")]
    Hash(argon2::password_hash::Error),
}

impl Password {
    /// One that is to be tried; none where it is too long to be anybody's.
    pub fn tried(text: String) -> Option<Self> {
        (text.chars().count() <= LONGEST).then_some(Self(text))
    }

    /// A new one of somebody of whom the `known` is known, an address or a name, of at least `shortest`
    /// characters.
    ///
    /// The estimate is zxcvbn's (Wheeler, USENIX Security 2016), which knows the passwords that are
    /// common, names, words, dates and rows of keys: 3 of 4 resists ten billion tries.
    ///
    /// # Errors
    /// Whoever guesses would find it.
    pub fn chosen(text: String, shortest: usize, known: &[&str]) -> Result<Self, Weakness> {
        if !(shortest..=LONGEST).contains(&text.chars().count()) {
            return Err(Weakness::Length { shortest });
        }
        if zxcvbn(&without(&text, known), known).score() < Score::Three {
            return Err(Weakness::Guessable);
        }
        Ok(Self(text))
    }

    /// As it is kept: an argon2id hash.
    ///
    /// # Errors
    /// There was no processor for it in time, or it can't be hashed.
    pub async fn hash(self) -> Result<String, PasswordError> {
        let hash = with_turn(&TURNS, move || hash_of(&self.0)).await.ok_or(PasswordError::Busy)?;
        hash.map_err(PasswordError::Hash)
    }

    /// Whether it is the one that `kept` is the hash of; where nothing is kept it takes as long, and is
    /// not. None where too many others wait.
    pub async fn matches(self, kept: Option<String>) -> Option<bool> {
        let is_anybodys = kept.is_some();
        let matches = with_turn(&TURNS, move || {
            let kept = kept.as_deref().unwrap_or(&NOBODYS);
            PasswordHash::new(kept).is_ok_and(|kept| {
                Argon2::default().verify_password(self.0.as_bytes(), &kept).is_ok()
            })
        });
        Some(matches.await? && is_anybodys)
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

/// Has `work` done where work may take long, when it is its turn; none where too many others wait.
///
/// The work goes on where whoever asked hangs up, so the turn ends with it and not with them.
async fn with_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let turn = timeout(TURN_LIMIT, Arc::clone(turns).acquire_owned()).await.ok()?.ok()?;
    let working = spawn_blocking(move || {
        let _turn = turn;
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
    fn the_turn_of_whoever_hangs_up_ends_with_the_work() {
        let runtime = Builder::new_current_thread().enable_time().build();
        runtime.expect("a runtime").block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let turns = Arc::new(Semaphore::new(1));
            let hashing = with_turn(&turns, move || held.recv());
            timeout(Duration::ZERO, hashing).await.expect_err("nobody waits for it any more");
            assert_eq!(turns.available_permits(), 0, "it is still worked on");
            release.send(()).expect("the work goes on");
            assert!(turns.acquire().await.is_ok(), "it is the next one's");
        });
    }

    #[test]
    fn what_is_tried_first_is_no_password() {
        let known = ["ann.prior@example.com", "Ann Prior"];
        let chosen = |text: &str| Password::chosen(text.to_owned(), 10, &known).err();
        assert_eq!(chosen("short"), Some(Weakness::Length { shortest: 10 }));
        assert_eq!(chosen(&"x7$".repeat(60)), Some(Weakness::Length { shortest: 10 }));
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
    async fn a_password_is_kept_so_that_nobody_reads_it() {
        let typed = |text: &str| Password::tried(text.to_owned()).expect("it is short");
        let hash = async || typed("ganso-teja-limonero").hash().await.expect("a hash");
        let kept = hash().await;
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, hash().await);
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
