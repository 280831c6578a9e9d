//! Throttles sign-in attempts: after several failures in a row, each further attempt has to wait longer.
//! Counts failures by account name and by client address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};

/// How many failures in a row cause no wait.
const FREE_ATTEMPTS: u32 = 5;
/// The wait after the last free attempt; it doubles with each further failure.
const FIRST_WAIT: Duration = Duration::from_secs(30);
const MAX_WAIT: Duration = Duration::from_mins(15);
/// How long failures are remembered after the last attempt.
const RETENTION: Duration = Duration::from_hours(1);
/// The maximum number of names and addresses remembered.
const MAX_KEYS: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The hash of the name: clients can send names of any length.
    Name([u8; 32]),
    Address(IpAddr),
}

#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    last_at: Instant,
}

impl Failures {
    /// Returns how long the next attempt has to wait at `now`.
    fn wait(self, now: Instant) -> Duration {
        let Some(excess) = self.count.checked_sub(FREE_ATTEMPTS) else { return Duration::ZERO };
        let wait = FIRST_WAIT.saturating_mul(1 << excess.min(10)).min(MAX_WAIT);
        (self.last_at + wait).saturating_duration_since(now)
    }
}

/// The failed sign-in attempts by name and by address.
#[derive(Debug, Default)]
pub struct SignInThrottle(Mutex<HashMap<Key, Failures>>);

impl SignInThrottle {
    /// Counts an attempt for `name` from `address` as a failure before it is checked, so that concurrent
    /// attempts are counted too.
    ///
    /// # Errors
    /// Returns the time to wait if there were too many failures. This attempt is then neither counted
    /// nor to be checked.
    pub fn begin_attempt(&self, name: &str, address: Option<IpAddr>) -> Result<(), Duration> {
        self.begin_attempt_at(name, address, Instant::now())
    }

    fn begin_attempt_at(
        &self,
        name: &str,
        address: Option<IpAddr>,
        now: Instant,
    ) -> Result<(), Duration> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = keys(name, address);
        let wait =
            keys.iter().filter_map(|key| all.get(key)).map(|failures| failures.wait(now)).max();
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        if all.len() >= MAX_KEYS {
            all.retain(|_, failures| now.saturating_duration_since(failures.last_at) < RETENTION);
        }
        if all.len() >= MAX_KEYS {
            // A flood of new names fills the table. Until it is over, every attempt has to wait.
            return Err(FIRST_WAIT);
        }
        for key in keys {
            let failures = all.entry(key).or_insert(Failures { count: 0, last_at: now });
            if now.saturating_duration_since(failures.last_at) >= RETENTION {
                failures.count = 0;
            }
            *failures = Failures { count: failures.count.saturating_add(1), last_at: now };
        }
        Ok(())
    }

    /// Removes an attempt from the count, since it could not be checked. A wait restarts.
    pub fn cancel_attempt(&self, name: &str, address: Option<IpAddr>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys(name, address) {
            if let Some(failures) = all.get_mut(&key) {
                failures.count = failures.count.saturating_sub(1);
                if failures.count == 0 {
                    all.remove(&key);
                }
            }
        }
    }

    /// Resets the count after a successful attempt.
    pub fn succeeded(&self, name: &str, address: Option<IpAddr>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys(name, address) {
            all.remove(&key);
        }
    }
}

fn keys(name: &str, address: Option<IpAddr>) -> Vec<Key> {
    let name = Key::Name(Sha256::digest(name.to_lowercase()).into());
    [Some(name), address.map(Key::Address)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELSEWHERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));
    const HERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));

    #[test]
    fn the_sixth_failure_in_a_row_causes_a_wait_that_doubles() {
        let (throttle, began) = (SignInThrottle::default(), Instant::now());
        for _ in 0..FREE_ATTEMPTS {
            assert_eq!(throttle.begin_attempt_at("ann", HERE, began), Ok(()));
        }
        assert_eq!(throttle.begin_attempt_at("Ann", None, began), Err(FIRST_WAIT));
        assert_eq!(throttle.begin_attempt_at("bea", HERE, began), Err(FIRST_WAIT));
        assert_eq!(throttle.begin_attempt_at("bea", ELSEWHERE, began), Ok(()));
        let later = began + FIRST_WAIT;
        assert_eq!(throttle.begin_attempt_at("ann", HERE, later), Ok(()));
        assert_eq!(throttle.begin_attempt_at("ann", ELSEWHERE, later), Err(2 * FIRST_WAIT));
        let much_later = later + RETENTION;
        assert_eq!(throttle.begin_attempt_at("ann", HERE, much_later), Ok(()));
        assert_eq!(throttle.begin_attempt_at("ann", HERE, much_later), Ok(()));
    }

    #[test]
    fn a_cancelled_attempt_is_not_counted() {
        let throttle = SignInThrottle::default();
        for _ in 0..2 * FREE_ATTEMPTS {
            assert_eq!(throttle.begin_attempt("ann", HERE), Ok(()));
            throttle.cancel_attempt("Ann", HERE);
        }
        for _ in 0..FREE_ATTEMPTS {
            assert_eq!(throttle.begin_attempt("ann", HERE), Ok(()));
        }
        assert!(throttle.begin_attempt("ann", None).is_err(), "failures still count");
        assert!(throttle.begin_attempt("bea", HERE).is_err());
    }

    #[test]
    fn a_successful_attempt_resets_the_count() {
        let throttle = SignInThrottle::default();
        for _ in 0..3 {
            for _ in 0..FREE_ATTEMPTS {
                assert_eq!(throttle.begin_attempt("ann", HERE), Ok(()));
            }
            throttle.succeeded("ann", HERE);
        }
    }
}
