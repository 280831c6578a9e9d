//! A semaphore with a bounded queue of waiters.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A limited number of permits, and a limited number of tasks that may wait for one.
#[derive(Debug)]
pub struct BoundedSemaphore {
    permits: Arc<Semaphore>,
    queue: Semaphore,
}

impl BoundedSemaphore {
    /// Allows `permits` at a time, and `max_waiting` tasks that wait for one.
    pub fn new(permits: usize, max_waiting: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), queue: Semaphore::new(max_waiting) }
    }

    /// Waits for a permit; returns `None` immediately if the queue is full.
    pub async fn acquire(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(permit) = self.permits.clone().try_acquire_owned() {
            return Some(permit);
        }
        let _waiting = self.queue.try_acquire().ok()?;
        // The semaphores are never closed.
        self.permits.clone().acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_immediately() {
        let turns = BoundedSemaphore::new(1, 2);
        let first = turns.acquire().await.expect("a permit");
        let mut second = Box::pin(turns.acquire());
        assert!((&mut second).now_or_never().is_none(), "it waits");
        let mut third = Box::pin(turns.acquire());
        assert!((&mut third).now_or_never().is_none(), "it waits too");
        assert!(turns.acquire().now_or_never().is_some_and(|refused| refused.is_none()));
        drop(first);
        assert!(second.await.is_some());
        assert!(third.await.is_some());
    }
}
