//! The reading side of the log: catch-up from a position, and then along.

use std::time::{Duration, Instant};

use async_nats::jetstream::{
    Context,
    consumer::{AckPolicy, DeliverPolicy, ReplayPolicy, pull},
};
use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use contracts::{Epoch, Sequence};
use futures::{FutureExt, StreamExt};

use crate::{
    Error, StreamState,
    connection::REQUEST_LIMIT,
    message::{Delivered, from_message},
    stream::{self, STREAM},
};

/// How many messages the server may send ahead.
const AHEAD: usize = 256;
/// How long one pull stands before it is renewed.
const PULL: Duration = Duration::from_secs(20);
/// How often the server shows that it is there.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often the epoch is looked at while nothing comes.
const EPOCH_CHECK: Duration = Duration::from_secs(1);
/// After how long without a reader the server forgets the consumer.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(1);

/// Reads the log in order. It keeps its own position and relies on no acknowledgement; whatever
/// goes wrong with the server's consumer, it drops that and asks for a new one from its position.
pub struct Reader {
    context: Context,
    position: Sequence,
    source: Option<Source>,
    last_seen: Option<StreamState>,
    pauses: ExponentialBackoff,
}

/// A consumer of the server, of one epoch.
struct Source {
    epoch: Epoch,
    messages: pull::Stream,
    checked: Instant,
}

impl Reader {
    pub(crate) fn new(context: Context, position: Sequence) -> Self {
        Self { context, position, source: None, last_seen: None, pauses: pauses() }
    }

    /// The position of the last message given.
    pub const fn position(&self) -> Sequence {
        self.position
    }

    /// What the stream held when it was last looked at: the end to catch up with.
    pub const fn last_seen(&self) -> Option<StreamState> {
        self.last_seen
    }

    /// The next messages in order, at most `max`: waits up to `wait` for the first and takes along
    /// what has come by then. Empty when nothing came.
    ///
    /// A server that is away is waited for within `wait`; the error then says why nothing came.
    pub async fn next_batch(
        &mut self,
        max: usize,
        wait: Duration,
    ) -> Result<Vec<Delivered>, Error> {
        let deadline = tokio::time::Instant::now() + wait;
        loop {
            let error = match tokio::time::timeout_at(deadline, self.try_next(max)).await {
                Err(_) => return Ok(Vec::new()),
                Ok(Ok(batch)) => {
                    self.pauses = pauses();
                    return Ok(batch);
                }
                Ok(Err(error)) => error,
            };
            self.source = None;
            let pause = self.pauses.next().unwrap_or(HEARTBEAT);
            if tokio::time::Instant::now() + pause >= deadline {
                return Err(error);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Waits for at least one message. Safe to be cancelled: what was received is either given or
    /// still with the source.
    async fn try_next(&mut self, max: usize) -> Result<Vec<Delivered>, Error> {
        loop {
            if self.source.as_ref().is_none_or(|source| source.checked.elapsed() > EPOCH_CHECK) {
                self.look_at_stream().await?;
            }
            let Some(source) = &mut self.source else { return Err(Error::NoStream) };
            let first = match tokio::time::timeout(EPOCH_CHECK, source.messages.next()).await {
                Err(_) => continue,
                Ok(None) => return Err(Error::Unavailable("the consumer has ended".to_owned())),
                Ok(Some(Err(error))) => return Err(Error::unavailable(&error)),
                Ok(Some(Ok(message))) => message,
            };
            let mut batch: Vec<Delivered> =
                from_message(&first, source.epoch).into_iter().collect();
            while batch.len() < max {
                match source.messages.next().now_or_never() {
                    Some(Some(Ok(message))) => batch.extend(from_message(&message, source.epoch)),
                    // An error is met again by the next call.
                    _ => break,
                }
            }
            batch.retain(|delivered| delivered.sequence > self.position);
            if let Some(last) = batch.last() {
                self.position = last.sequence;
                return Ok(batch);
            }
        }
    }

    /// Makes sure that the source is of the stream's own epoch.
    async fn look_at_stream(&mut self) -> Result<(), Error> {
        let state = stream::state(&self.context).await?.ok_or(Error::NoStream)?;
        self.last_seen = Some(state);
        let epoch = state.epoch.ok_or(Error::NoStream)?;
        if let Some(source) = &mut self.source
            && source.epoch == epoch
            && state.last >= self.position.stream()
        {
            source.checked = Instant::now();
            return Ok(());
        }
        let start = if epoch == self.position.epoch() { self.position.stream() } else { 0 };
        if state.last < start {
            // The stream was restored from an older copy; the relay will see it and begin anew.
            self.source = None;
            return Err(Error::Unavailable(format!(
                "the stream ends at {} and this reader stands at {start}",
                state.last
            )));
        }
        if start == 0 && epoch > self.position.epoch() {
            tracing::warn!(%epoch, "a new epoch of the log: reading it from the start");
        }
        self.source = Some(self.open(epoch, start + 1).await?);
        Ok(())
    }

    async fn open(&self, epoch: Epoch, from: u64) -> Result<Source, Error> {
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: from },
            ack_policy: AckPolicy::None,
            replay_policy: ReplayPolicy::Instant,
            inactive_threshold: FORGOTTEN_AFTER,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let opened = async {
            let consumer = self
                .context
                .create_consumer_on_stream(config, STREAM)
                .await
                .map_err(|error| Error::unavailable(&error))?;
            consumer
                .stream()
                .max_messages_per_batch(AHEAD)
                .expires(PULL)
                .heartbeat(HEARTBEAT)
                .messages()
                .await
                .map_err(|error| Error::unavailable(&error))
        };
        let messages = tokio::time::timeout(REQUEST_LIMIT, opened)
            .await
            .map_err(|_| Error::Unavailable("no consumer in time".to_owned()))??;
        Ok(Source { epoch, messages, checked: Instant::now() })
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
        f.debug_struct("Reader").field("position", &self.position).finish_non_exhaustive()
    }
}
