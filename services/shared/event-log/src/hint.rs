//! Wake-up hints on core NATS: fast, but delivery is not guaranteed.

use async_nats::Subscriber;
use contracts::Sequence;
use futures::StreamExt;

/// The subject of the hint that the read models have reached a new position.
pub const PROJECTED: &str = "projected";

/// A subscription to the hints of one subject.
#[derive(Debug)]
pub struct Hints {
    subscriber: Subscriber,
}

impl Hints {
    pub(crate) const fn new(subscriber: Subscriber) -> Self {
        Self { subscriber }
    }

    /// Waits for the next hint and returns its position. Returns `None` from then on once the connection
    /// is closed. Payloads that are not a number are skipped. Cancel-safe.
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
