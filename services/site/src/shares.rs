//! What each address may hold at a time of something that there is only so much of.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts, by address, of what is held.
#[derive(Debug)]
pub struct Shares {
    most: usize,
    held: Arc<HeldByAddress>,
}

type HeldByAddress = Mutex<HashMap<IpAddr, usize>>;

/// One of an address's share, until it is dropped.
#[derive(Debug)]
#[must_use = "what is dropped is given back"]
pub struct Share(Option<(Arc<HeldByAddress>, IpAddr)>);

impl Shares {
    /// At most `most` at a time for each address.
    pub fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// One more for `address`; none where it holds its share. Whoever has no address is not counted.
    pub fn take(&self, address: Option<IpAddr>) -> Option<Share> {
        let Some(address) = address else { return Some(Share::uncounted()) };
        let mut held = lock(&self.held);
        let count = held.entry(address).or_default();
        // An entry that was just made is below any bound, so none stays that counts nothing.
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Share(Some((self.held.clone(), address))))
    }
}

impl Share {
    /// Of what nobody asked for from outside.
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
    fn one_address_has_its_share_and_gives_it_back() {
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
    fn nothing_is_kept_of_who_holds_nothing() {
        let shares = Shares::new(1);
        for last in 0..100 {
            drop(shares.take(Some(IpAddr::from([192, 0, 2, last]))));
        }
        assert!(lock(&shares.held).is_empty());
    }
}
