//! Wake-up hints on plain NATS: fast, and allowed to be lost.

use async_nats::Subscriber;
use contracts::Sequence;
use futures::StreamExt;

/// The subject of the hint that the read models have moved on.
pub const PROJECTED: &str = "projected";

/// The hints of one subject.
#[derive(Debug)]
pub struct Hints {
    subscriber: Subscriber,
}

impl Hints {
    pub(crate) const fn new(subscriber: Subscriber) -> Self {
        Self { subscriber }
    }

    /// Waits for the next hint; gives its position, or none for good when the connection is closed.
    /// Whatever is no number is passed over. Safe to be cancelled.
    pub async fn next(&mut self) -> Option<Sequence> {
        loop {
            let message = self.subscriber.next().await?;
            let position = std::str::from_utf8(&message.payload).ok().and_then(|n| n.parse().ok());
            if position.is_some() {
                return position;
            }
        }
    }
}
