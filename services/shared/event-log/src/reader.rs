//! The reading side of the log: catch-up from a position, and then along.

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
    Error, Lineage, Standing, StreamState,
    limits::in_time,
    message::{Delivered, from_message},
    stream::{self, STREAM},
};

/// How many messages the server may send ahead.
const AHEAD: usize = 256;
/// How long one pull stands before it is renewed.
const PULL: Duration = Duration::from_secs(20);
/// How often the server shows that it is there.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often the stream is looked at: whose log it is, and how far it goes.
const STREAM_CHECK: Duration = Duration::from_secs(1);
/// After how long without a reader the server forgets the consumer.
const FORGOTTEN_AFTER: Duration = Duration::from_mins(1);

/// Reads the log in order. It keeps its own position and relies on no acknowledgement; whatever
/// goes wrong with the server's consumer, it drops that and asks for a new one from its position.
pub struct Reader {
    context: Context,
    checkpoint: Checkpoint,
    source: Option<Source>,
    last_seen: Option<StreamState>,
    answered: Instant,
    pauses: ExponentialBackoff,
}

/// A consumer of the server, of one stream.
struct Source {
    lineage: Lineage,
    messages: pull::Stream,
    /// How many messages it has given.
    given: u64,
    checked: Instant,
    /// Where the reader stood when the stream was last found to hold more than that.
    held_more_at: Option<Sequence>,
}

impl Source {
    /// What came `next`.
    ///
    /// The server takes what it has sent for read. A connection that is cut loses what is on its way, and by
    /// positions alone nobody could see that: they have holes. What one consumer gives is counted without any.
    fn take(&mut self, next: Option<Result<Message, MessagesError>>) -> Result<Delivered, Error> {
        let next = next.ok_or_else(|| Error::Unavailable("the consumer has ended".to_owned()))?;
        let message = next.map_err(|error| Error::unavailable(&error))?;
        let info = message.info().map_err(|error| Error::Unavailable(error.to_string()))?;
        if info.consumer_sequence != self.given + 1 {
            tracing::warn!("messages were lost on their way; they are asked for again");
            return Err(Error::Unavailable("messages were lost on their way".to_owned()));
        }
        self.given += 1;
        Ok(from_message(&message, info.stream_sequence, &self.lineage))
    }
}

impl Reader {
    pub(crate) fn new(context: Context, checkpoint: Checkpoint) -> Self {
        Self {
            context,
            checkpoint,
            source: None,
            last_seen: None,
            answered: Instant::now(),
            pauses: pauses(),
        }
    }

    /// The position of the last message given, and whose log it is.
    pub const fn checkpoint(&self) -> Checkpoint {
        self.checkpoint
    }

    /// Whose log it was when the server last answered; none before its first answer.
    pub fn lineage(&self) -> Option<&Lineage> {
        self.last_seen.as_ref()?.lineage.as_ref()
    }

    /// When the server last answered anything, in seconds since 1970, for a gauge: what it says of the
    /// lag is as old as that.
    pub fn answered_at(&self) -> u64 {
        let at = SystemTime::now().checked_sub(self.answered.elapsed()).unwrap_or(UNIX_EPOCH);
        at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
    }

    /// How many messages were to come when the server last answered; [`u64::MAX`] before its first
    /// answer. Once [`Self::next_batch`] has given anything, it is known.
    pub fn behind(&self) -> u64 {
        self.last_seen.as_ref().map_or(u64::MAX, |state| state.after(self.checkpoint.sequence))
    }

    /// Whether all of a complete log was read when the server last answered.
    pub fn is_caught_up(&self) -> bool {
        self.behind() == 0 && self.lineage().is_some_and(|lineage| lineage.complete)
    }

    /// The next messages in order, at most `max`: waits up to `wait` for the first and takes along
    /// what has come by then. Empty when there is nothing new, by a server that answers: for what it is
    /// asked it is waited for as long as any request may take, whatever `wait` is.
    ///
    /// A server that is away is asked again within `wait`; the error at its end says why nothing came.
    ///
    /// # Errors
    /// [`Error::Diverged`] where what this reader has read is part of no log any more, and whatever
    /// keeps it from reading, a server that is silent among it.
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
                // Who asks again at once would ask without a pause.
                tokio::time::sleep_until(deadline).await;
                return Err(error);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Waits for messages until `deadline`; what is asked of the server is not cut short there, or one that
    /// is slow to make a consumer would never get to give anything. Safe to be cancelled: what was
    /// received is either given or still with the source.
    async fn try_next(
        &mut self,
        max: usize,
        deadline: tokio::time::Instant,
    ) -> Result<Vec<Delivered>, Error> {
        loop {
            if self.source.as_ref().is_none_or(|source| source.checked.elapsed() > STREAM_CHECK) {
                self.look_at_stream().await?;
            }
            let Some(source) = &mut self.source else { return Err(Error::NoStream) };
            let until = deadline.min(tokio::time::Instant::now() + STREAM_CHECK);
            let next = match tokio::time::timeout_at(until, source.messages.next()).await {
                Err(_) if until == deadline => return Ok(Vec::new()),
                Err(_) => continue,
                Ok(next) => next,
            };
            let mut batch = vec![source.take(next)?];
            self.answered = Instant::now();
            let ledger = source.lineage.ledger;
            while batch.len() < max
                && let Some(next) = source.messages.next().now_or_never()
            {
                let Ok(delivered) = source.take(next) else {
                    // What came before it is given; the next call asks for what comes after that.
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

    /// Makes sure that the source is of the stream as it is now.
    async fn look_at_stream(&mut self) -> Result<(), Error> {
        let state = stream::state(&self.context).await?;
        self.answered = Instant::now();
        let state = state.ok_or(Error::NoStream)?;
        let lineage = state.lineage.clone().ok_or(Error::NoStream)?;
        let last = state.last;
        self.last_seen = Some(state);
        let from = match lineage.standing(self.checkpoint) {
            Standing::After(from) if from <= last => from,
            Standing::Diverged if !lineage.is_settling(self.checkpoint) => {
                self.source = None;
                return Err(Error::Diverged(self.checkpoint));
            }
            // The stream was restored from an older copy, or got a message late; the relay will see it, and
            // make it anew or say so.
            Standing::After(_) | Standing::Ahead | Standing::Diverged => {
                self.source = None;
                return Err(Error::OlderStream(self.checkpoint));
            }
        };
        let stands_at = self.checkpoint.sequence;
        let holds_more = self.behind() > 0;
        if let Some(source) = &mut self.source
            && source.lineage.born == lineage.born
        {
            // A consumer may be silent for good after a server of a cluster was lost, and still beat.
            let is_silent = holds_more && source.held_more_at == Some(stands_at);
            source.held_more_at = holds_more.then_some(stands_at);
            if !is_silent {
                source.lineage = lineage;
                source.checked = Instant::now();
                return Ok(());
            }
            tracing::warn!("the log goes on and its consumer gives nothing; it is made anew");
        }
        self.source = Some(self.open(lineage, from + 1).await?);
        Ok(())
    }

    async fn open(&self, lineage: Lineage, from: u64) -> Result<Source, Error> {
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
        let messages = in_time("no consumer", opened).await??;
        Ok(Source { lineage, messages, given: 0, checked: Instant::now(), held_more_at: None })
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
