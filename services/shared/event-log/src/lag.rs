//! Measures how far a follower is behind the log.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use contracts::Sequence;
use tokio::sync::watch;

use crate::EventLog;

const INTERVAL: Duration = Duration::from_secs(1);

/// How far a follower is behind the log.
#[derive(Debug, Clone, Copy)]
pub struct Lag {
    /// The number of messages after its position.
    pub messages: u64,
    /// When the log reported this, as a Unix timestamp in seconds, for a gauge.
    pub measured_at: u64,
}

impl Lag {
    /// Measures the lag of the follower at `position` each second, and passes it to `report`. Reports
    /// nothing while the log does not answer. Never returns.
    ///
    /// Measuring continues while the follower waits for something else, such as its database. The gauge
    /// then shows a growing lag, and the log does not look as if it were down.
    pub async fn measure(
        log: EventLog,
        position: watch::Receiver<Option<Sequence>>,
        report: impl Fn(Self) + Send,
    ) {
        loop {
            // While the log is unreachable, the last measurement and its time remain in place.
            if let Ok(Some(stream)) = log.stream_state().await {
                let position = *position.borrow();
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                if let Some(position) = position {
                    report(Self { messages: stream.after(position), measured_at: now.as_secs() });
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }
}
