//! A few places at a time, and a queue of bounded length for them.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The places, and the queue.
#[derive(Debug)]
pub struct Turns {
    places: Arc<Semaphore>,
    queue: Semaphore,
}

impl Turns {
    /// `places` at a time, while `waiting` more may wait.
    pub fn new(places: usize, waiting: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), queue: Semaphore::new(waiting) }
    }

    /// A place, as soon as one is free; none at once where the queue is full.
    pub async fn take(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Some(place);
        }
        let _waiting = self.queue.try_acquire().ok()?;
        // Neither is ever closed.
        self.places.clone().acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn who_finds_the_queue_full_is_told_at_once() {
        let turns = Turns::new(1, 2);
        let first = turns.take().await.expect("a place");
        let mut second = Box::pin(turns.take());
        assert!((&mut second).now_or_never().is_none(), "it waits");
        let mut third = Box::pin(turns.take());
        assert!((&mut third).now_or_never().is_none(), "it waits too");
        assert!(turns.take().now_or_never().is_some_and(|refused| refused.is_none()));
        drop(first);
        assert!(second.await.is_some());
        assert!(third.await.is_some());
    }
}
