//! The reading side of the log: catches up from a position, then follows the log.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::{
    Context, Message,
    consumer::{
        AckPolicy, DeliverPolicy, ReplayPolicy,
        pull::{self, MessagesError},
    },
};
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use contracts::{Checkpoint, Sequence};
use futures::{FutureExt, StreamExt};

use crate::{
    CheckpointStatus, Error, Lineage, StreamState,
    message::{Delivered, from_message},
    stream::{self, STREAM},
    timeout::in_time,
};

/// How many messages the server may send ahead.
const MAX_PREFETCH: usize = 256;
/// How long one pull request lasts before it is renewed.
const PULL_EXPIRY: Duration = Duration::from_secs(20);
/// The interval of the server's heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often the stream's state is read: its lineage and its last sequence.
const STREAM_CHECK: Duration = Duration::from_secs(1);
/// After how long without a reader the server deletes the consumer.
const CONSUMER_EXPIRY: Duration = Duration::from_mins(1);

/// Reads the log in order. It tracks its own position and does not rely on acknowledgements. When the
/// server's consumer fails in any way, the reader drops it and creates a new one from its position.
pub struct Reader {
    context: Context,
    checkpoint: Checkpoint,
    source: Option<Source>,
    last_state: Option<StreamState>,
    last_answer: Instant,
    pauses: ExponentialBackoff,
}

/// A consumer on the server, for one incarnation of the stream.
struct Source {
    lineage: Lineage,
    messages: pull::Stream,
    /// How many messages it has delivered.
    delivered: u64,
    checked: Instant,
    /// The reader's position when the stream was last found to hold more messages after it.
    had_more_at: Option<Sequence>,
}

impl Source {
    /// Returns the message in `next`.
    ///
    /// The server regards every message that it has sent as read, so a cut connection loses the messages in
    /// flight. Stream sequences can't reveal that, because they have gaps. A consumer's own sequence has no
    /// gaps, so it is checked instead.
    fn take(&mut self, next: Option<Result<Message, MessagesError>>) -> Result<Delivered, Error> {
        let next = next.ok_or_else(|| Error::unavailable("the consumer has ended"))?;
        let message = next.map_err(Error::unavailable)?;
        let info = message.info().map_err(Error::unavailable)?;
        if info.consumer_sequence != self.delivered + 1 {
            tracing::warn!("messages were lost in transit; requesting them again");
            return Err(Error::unavailable("messages were lost in transit"));
        }
        self.delivered += 1;
        Ok(from_message(&message, info.stream_sequence, &self.lineage))
    }
}

impl Reader {
    pub(crate) fn new(context: Context, checkpoint: Checkpoint) -> Self {
        Self {
            context,
            checkpoint,
            source: None,
            last_state: None,
            last_answer: Instant::now(),
            pauses: pauses(),
        }
    }

    /// Returns the position of the last message returned, with the ledger that the position belongs to.
    pub const fn checkpoint(&self) -> Checkpoint {
        self.checkpoint
    }

    /// Returns the stream's lineage as of the server's last answer; `None` before the first answer.
    pub fn lineage(&self) -> Option<&Lineage> {
        self.last_state.as_ref()?.lineage.as_ref()
    }

    /// Returns when the server last answered anything, as a Unix timestamp in seconds, for a gauge. The lag
    /// that the reader reports is that old.
    pub fn answered_at(&self) -> u64 {
        let at = SystemTime::now().checked_sub(self.last_answer.elapsed()).unwrap_or(UNIX_EPOCH);
        at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    /// Returns how many messages were left to read as of the server's last answer; [`u64::MAX`] before the
    /// first answer. It is known once [`Self::next_batch`] has returned successfully.
    pub fn behind(&self) -> u64 {
        self.last_state.as_ref().map_or(u64::MAX, |state| state.after(self.checkpoint.sequence))
    }

    /// Returns whether the log was complete and fully read as of the server's last answer.
    pub fn is_caught_up(&self) -> bool {
        self.behind() == 0 && self.lineage().is_some_and(|lineage| lineage.complete)
    }

    /// Returns the next messages in order, at most `max`. Waits up to `wait` for the first message and
    /// adds those that have arrived by then. Returns an empty batch if the server answers and there is
    /// nothing new. Requests to the server have their own timeout, which may exceed `wait`.
    ///
    /// An unreachable server is retried within `wait`; after that the last error is returned.
    ///
    /// # Errors
    /// [`Error::Diverged`] if this reader's position is no longer part of the log, or any error that keeps
    /// it from reading, including a server that does not answer.
    pub async fn next_batch(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivered>, Error> {
        let deadline = tokio::time::Instant::now() + wait;
        loop {
            let error = match self.try_next(max, deadline).await {
                Ok(batch) => {
                    self.pauses = pauses();
                    return Ok(batch);
                }
                Err(error @ Error::Diverged(_)) => return Err(error),
                Err(error) => error,
            };
            self.source = None;
            let pause = self.pauses.next().unwrap_or(HEARTBEAT);
            if tokio::time::Instant::now() + pause >= deadline {
                // Otherwise a caller that retries at once would loop without a pause.
                tokio::time::sleep_until(deadline).await;
                return Err(error);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Waits for messages until `deadline`. Requests to the server may take longer than that: otherwise a
    /// server that is slow to create a consumer would never deliver anything. Cancel-safe: a received message
    /// is either returned or still in the source.
    async fn try_next(
        &mut self,
        max: usize,
        deadline: tokio::time::Instant,
    ) -> Result<Vec<Delivered>, Error> {
        loop {
            if self.source.as_ref().is_none_or(|source| source.checked.elapsed() > STREAM_CHECK) {
                self.check_stream().await?;
            }
            let Some(source) = &mut self.source else { return Err(Error::NoStream) };
            let until = deadline.min(tokio::time::Instant::now() + STREAM_CHECK);
            let next = match tokio::time::timeout_at(until, source.messages.next()).await {
                Err(_) if until == deadline => return Ok(Vec::new()),
                Err(_) => continue,
                Ok(next) => next,
            };
            let mut batch = vec![source.take(next)?];
            self.last_answer = Instant::now();
            let ledger = source.lineage.ledger;
            while batch.len() < max
                && let Some(next) = source.messages.next().now_or_never()
            {
                let Ok(delivered) = source.take(next) else {
                    // The messages before it are returned; the next call continues after them.
                    self.source = None;
                    break;
                };
                batch.push(delivered);
            }
            batch.retain(|delivered| delivered.sequence > self.checkpoint.sequence);
            if let Some(last) = batch.last() {
                self.checkpoint = Checkpoint::new(ledger, last.sequence);
                return Ok(batch);
            }
        }
    }

    /// Reads the stream's state, and opens a new source if there is none, if the stream was recreated, or if
    /// the present source has gone silent.
    async fn check_stream(&mut self) -> Result<(), Error> {
        let state = stream::state(&self.context).await?;
        self.last_answer = Instant::now();
        let state = state.ok_or(Error::NoStream)?;
        let lineage = state.lineage.clone().ok_or(Error::NoStream)?;
        let last = state.last;
        self.last_state = Some(state);
        let from = match lineage.checkpoint_status(self.checkpoint) {
            CheckpointStatus::After(from) if from <= last => from,
            CheckpointStatus::Diverged if !lineage.is_settling(self.checkpoint) => {
                self.source = None;
                return Err(Error::Diverged(self.checkpoint));
            }
            // The stream was restored from an older copy, or a message arrived late. The relay will detect
            // it, and recreate the stream or update its description.
            CheckpointStatus::After(_) | CheckpointStatus::Ahead | CheckpointStatus::Diverged => {
                self.source = None;
                return Err(Error::OlderStream(self.checkpoint));
            }
        };
        let position = self.checkpoint.sequence;
        let has_more = self.behind() > 0;
        if let Some(source) = &mut self.source
            && source.lineage.born == lineage.born
        {
            // After the loss of a cluster's server, a consumer may deliver nothing ever again although its
            // heartbeats continue.
            let is_silent = has_more && source.had_more_at == Some(position);
            source.had_more_at = has_more.then_some(position);
            if !is_silent {
                source.lineage = lineage;
                source.checked = Instant::now();
                return Ok(());
            }
            tracing::warn!(
                "the log has more messages, but its consumer delivers none; creating it again"
            );
        }
        self.source = Some(self.open(lineage, from + 1).await?);
        Ok(())
    }

    async fn open(&self, lineage: Lineage, from: u64) -> Result<Source, Error> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: from },
            ack_policy: AckPolicy::None,
            replay_policy: ReplayPolicy::Instant,
            inactive_threshold: CONSUMER_EXPIRY,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let opened = async {
            let consumer = self
                .context
                .create_consumer_on_stream(config, STREAM)
                .await
                .map_err(Error::unavailable)?;
            consumer
                .stream()
                .max_messages_per_batch(MAX_PREFETCH)
                .expires(PULL_EXPIRY)
                .heartbeat(HEARTBEAT)
                .messages()
                .await
                .map_err(Error::unavailable)
        };
        let messages = in_time("no consumer", opened).await??;
        Ok(Source { lineage, messages, delivered: 0, checked: Instant::now(), had_more_at: None })
    }
}

fn pauses() -> ExponentialBackoff {
    ExponentialBuilder::default()
        .with_min_delay(Duration::from_millis(20))
        .with_max_delay(Duration::from_secs(2))
        .with_factor(2.0)
        .without_max_times()
        .with_jitter()
        .build()
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").field("checkpoint", &self.checkpoint).finish_non_exhaustive()
    }
}
