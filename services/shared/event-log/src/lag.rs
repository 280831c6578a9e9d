//! How far a follower of the log is behind.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contracts::Sequence;
use tokio::sync::watch;

use crate::EventLog;

const INTERVAL: Duration = Duration::from_secs(1);

/// What a follower lacks of the log.
#[derive(Debug, Clone, Copy)]
pub struct Lag {
    /// How many messages come after its position.
    pub messages: u64,
    /// When the log said so, in seconds since 1970, for a gauge.
    pub measured_at: u64,
}

impl Lag {
    /// Measures it each second for as long as the log answers, of the follower that stands at
    /// `position`, and gives it to `tell`; never ends.
    ///
    /// It goes on while the follower waits for something else, a database say: what is behind then
    /// says so, and the log is not taken for silent.
    pub async fn measure(
        log: EventLog,
        position: watch::Receiver<Option<Sequence>>,
        tell: impl Fn(Self) + Send,
    ) {
        loop {
            // A log that is away leaves the last measurement standing, with its time.
            if let Ok(Some(stream)) = log.stream_state().await {
                let position = *position.borrow();
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                if let Some(position) = position {
                    tell(Self { messages: stream.after(position), measured_at: now.as_secs() });
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }
}
