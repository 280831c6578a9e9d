//! How often somebody may be wrong in a row: guessing gets slower with each try, by the name that it is
//! for and by the address that it comes from.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use sha2::{Digest as _, Sha256};

/// How many wrong tries in a row cost nothing.
const FREE: u32 = 5;
/// The wait after the last of those; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);
const MAX_WAIT: Duration = Duration::from_mins(15);
/// For how long a row is remembered after its last try.
const REMEMBERED: Duration = Duration::from_hours(1);
/// How many names and addresses are remembered at the most.
const MOST: usize = 20_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    /// Names are anybody's words: kept as hashes, all of one length.
    Name([u8; 32]),
    Address(IpAddr),
}

#[derive(Clone, Copy, Debug)]
struct Row {
    wrong: u32,
    last: Instant,
}

impl Row {
    /// How long it is until the next try may be made, seen from `now`.
    fn wait(self, now: Instant) -> Duration {
        let Some(beyond) = self.wrong.checked_sub(FREE) else { return Duration::ZERO };
        let wait = FIRST_WAIT.saturating_mul(1 << beyond.min(10)).min(MAX_WAIT);
        (self.last + wait).saturating_duration_since(now)
    }
}

/// Tries that were wrong.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<Whose, Row>>);

impl Guesses {
    /// Counts one try for `name` from `address` as a wrong one, before it is looked at: those that come
    /// at the same time are counted too.
    ///
    /// # Errors
    /// There were too many; this one is not counted, and not looked at until that time has passed.
    pub fn begin(&self, name: &str, address: Option<IpAddr>) -> Result<(), Duration> {
        self.begin_at(name, address, Instant::now())
    }

    fn begin_at(&self, name: &str, address: Option<IpAddr>, now: Instant) -> Result<(), Duration> {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let whose = whose(name, address);
        let wait = whose.iter().filter_map(|whose| rows.get(whose)).map(|row| row.wait(now)).max();
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            return Err(wait);
        }
        if rows.len() >= MOST {
            rows.retain(|_, row| now.saturating_duration_since(row.last) < REMEMBERED);
        }
        if rows.len() >= MOST {
            // Somebody asks for ever new names: until that is over nobody is let in by guessing.
            return Err(FIRST_WAIT);
        }
        for whose in whose {
            let row = rows.entry(whose).or_insert(Row { wrong: 0, last: now });
            if now.saturating_duration_since(row.last) >= REMEMBERED {
                row.wrong = 0;
            }
            *row = Row { wrong: row.wrong.saturating_add(1), last: now };
        }
        Ok(())
    }

    /// The try was not looked at: it is not counted. A wait, where there is one, begins anew.
    pub fn untried(&self, name: &str, address: Option<IpAddr>) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for whose in whose(name, address) {
            if let Some(row) = rows.get_mut(&whose) {
                row.wrong = row.wrong.saturating_sub(1);
                if row.wrong == 0 {
                    rows.remove(&whose);
                }
            }
        }
    }

    /// The try was right: the row ends.
    pub fn right(&self, name: &str, address: Option<IpAddr>) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for whose in whose(name, address) {
            rows.remove(&whose);
        }
    }
}

fn whose(name: &str, address: Option<IpAddr>) -> Vec<Whose> {
    let name = Whose::Name(Sha256::digest(name.to_lowercase()).into());
    [Some(name), address.map(Whose::Address)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELSEWHERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));
    const HERE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));

    #[test]
    fn the_sixth_try_in_a_row_waits_and_each_further_one_longer() {
        let (guesses, began) = (Guesses::default(), Instant::now());
        for _ in 0..FREE {
            assert_eq!(guesses.begin_at("ann", HERE, began), Ok(()));
        }
        assert_eq!(guesses.begin_at("Ann", None, began), Err(FIRST_WAIT));
        assert_eq!(guesses.begin_at("bea", HERE, began), Err(FIRST_WAIT));
        assert_eq!(guesses.begin_at("bea", ELSEWHERE, began), Ok(()));
        let later = began + FIRST_WAIT;
        assert_eq!(guesses.begin_at("ann", HERE, later), Ok(()));
        assert_eq!(guesses.begin_at("ann", ELSEWHERE, later), Err(2 * FIRST_WAIT));
        let much_later = later + REMEMBERED;
        assert_eq!(guesses.begin_at("ann", HERE, much_later), Ok(()));
        assert_eq!(guesses.begin_at("ann", HERE, much_later), Ok(()));
    }

    #[test]
    fn a_try_that_was_not_looked_at_is_none() {
        let guesses = Guesses::default();
        for _ in 0..2 * FREE {
            assert_eq!(guesses.begin("ann", HERE), Ok(()));
            guesses.untried("Ann", HERE);
        }
        for _ in 0..FREE {
            assert_eq!(guesses.begin("ann", HERE), Ok(()));
        }
        assert!(guesses.begin("ann", None).is_err(), "wrong ones are counted as before");
        assert!(guesses.begin("bea", HERE).is_err());
    }

    #[test]
    fn who_is_right_begins_anew() {
        let guesses = Guesses::default();
        for _ in 0..3 {
            for _ in 0..FREE {
                assert_eq!(guesses.begin("ann", HERE), Ok(()));
            }
            guesses.right("ann", HERE);
        }
    }
}
