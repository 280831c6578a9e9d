//! Limits how much of a scarce resource each address may hold at a time.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts what each address holds.
#[derive(Debug)]
pub struct Shares {
    max_per_address: usize,
    held: Arc<HeldByAddress>,
}

type HeldByAddress = Mutex<HashMap<IpAddr, usize>>;

/// A unit of an address's share, released when dropped.
#[derive(Debug)]
#[must_use = "what is dropped is given back"]
pub struct Share(Option<(Arc<HeldByAddress>, IpAddr)>);

impl Shares {
    /// Creates a limit of `max_per_address` units for each address.
    pub fn new(max_per_address: usize) -> Self {
        Self { max_per_address, held: Arc::default() }
    }

    /// Takes a unit for `address`; none if its share is used up. Requests without an address are not
    /// counted.
    pub fn take(&self, address: Option<IpAddr>) -> Option<Share> {
        let Some(address) = address else { return Some(Share::uncounted()) };
        let mut held = lock(&self.held);
        let count = held.entry(address).or_default();
        // A new entry has a count of zero, below any limit, so no entry with a count of zero remains.
        if *count >= self.max_per_address {
            return None;
        }
        *count += 1;
        Some(Share(Some((self.held.clone(), address))))
    }
}

impl Share {
    /// Returns a share for work that no client requested.
    pub const fn uncounted() -> Self {
        Self(None)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let Some((held, address)) = &self.0 else { return };
        let mut held = lock(held);
        if let Some(count) = held.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                held.remove(address);
            }
        }
    }
}

fn lock(held: &HeldByAddress) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_takes_and_returns_its_share() {
        let shares = Shares::new(2);
        let (greedy, other) = (Some(IpAddr::from([192, 0, 2, 1])), Some([192, 0, 2, 2].into()));
        let first = shares.take(greedy).expect("a share");
        let _second = shares.take(greedy).expect("a share");
        assert!(shares.take(greedy).is_none());
        assert!(shares.take(other).is_some() && shares.take(None).is_some());
        drop(first);
        let _again = shares.take(greedy).expect("what was given back");
        assert!(shares.take(greedy).is_none());
    }

    #[test]
    fn addresses_that_hold_nothing_are_forgotten() {
        let shares = Shares::new(1);
        for last in 0..100 {
            drop(shares.take(Some(IpAddr::from([192, 0, 2, last]))));
        }
        assert!(lock(&shares.held).is_empty());
    }
}
